/** The exchange as a process. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import { parseLogSpec } from '@venue/log';
import { type Config, loadConfig } from './config.ts';
import { explain } from './explain.ts';
import { type Exchange, startExchange } from './node.ts';

/** An echo of the signal comes this soon, and must not meet a process that is already past handling it. */
const ECHO_MS = 100;

/**
 * Runs an exchange until SIGTERM or SIGINT, configured by the environment, and ends the process: with 0 after a clean
 * stop, with 1 and one line on the standard error when it cannot start or go on.
 */
export async function runExchange(env?: Environment): Promise<void> {
  try {
    const config = loadConfig(env);
    const stopping = signalled();
    const exchange = await Promise.race([startExchange(config, { onFatal: fail }), stopping]);
    if (exchange !== undefined) {
      console.log(startLine(config, exchange));
      await stopping;
    }
    await stop(exchange);
  } catch (error) {
    fail(error);
  }
}

/** Address, mode, log and verification, for people and for the processes that wait for it. */
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
 * The handlers stay: Ctrl-C under npm arrives twice, from the terminal and from npm, and a signal that nobody handles
 * would cut the stop off. A repeat does nothing, for the stop has its limit in time.
 */
function signalled(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(undefined));
  });
}

/** A start can be broken off anywhere, without an exchange to stop: the log is made for that. */
async function stop(exchange: Exchange | undefined): Promise<never> {
  await Promise.all([exchange?.stop(), sleep(ECHO_MS)]);
  process.exit(0);
}

function fail(error: unknown): never {
  console.error(`venue: ${explain(error)}`);
  process.exit(1);
}
