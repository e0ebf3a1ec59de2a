/** The exchange as a process. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import { parseLogSpec } from '@venue/log';
import { type Config, loadConfig } from './config.ts';
import { explain } from './explain.ts';
import { type Exchange, type ExchangeDeps, startExchange } from './node.ts';

/** A repeat of the signal comes this soon, and must not reach a process that no longer handles it. */
const ECHO_MS = 100;

/**
 * Runs an exchange until SIGTERM or SIGINT, configured by the environment, and ends the process: with 0 after a clean
 * stop, with 1 and one line on the standard error stream if it cannot start or continue.
 */
export async function runExchange(
  env?: Environment,
  deps: Pick<ExchangeDeps, 'copyToArchive'> = {},
): Promise<void> {
  try {
    const config = loadConfig(env);
    const stopping = signalled();
    const exchange = await Promise.race([startExchange(config, { ...deps, onFatal: fail }), stopping]);
    if (exchange !== undefined) {
      console.log(startLine(config, exchange));
      await stopping;
    }
    await stop(exchange);
  } catch (error) {
    fail(error);
  }
}

/** Address, mode, log and verification, for people and for processes that wait for the exchange. */
function startLine({ log, parameters, signingRequired }: Config, { url, verification }: Exchange): string {
  const signing = signingRequired ? 'required' : 'optional';
  return [
    `exchange listening on ${url}`,
    `mode ${parameters.fundingMode}`,
    `signing ${signing}`,
    `log ${parseLogSpec(log).shown}`,
    `verification ${verification}`,
  ].join(' | ');
}

/**
 * Keeps the handlers installed: Ctrl-C under npm arrives twice, from the terminal and from npm, and an unhandled
 * signal would cut the stop off. A repeat does nothing, because the stop has its own time limit.
 */
function signalled(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(undefined));
  });
}

/** A start may be aborted at any point, with no exchange to stop: the log is built to survive that. */
async function stop(exchange: Exchange | undefined): Promise<never> {
  await Promise.all([exchange?.stop(), sleep(ECHO_MS)]);
  process.exit(0);
}

function fail(error: unknown): never {
  console.error(`venue: ${explain(error)}`);
  process.exit(1);
}
