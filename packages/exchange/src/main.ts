/** Exchange and follower as processes. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import { parseLogSpec } from '@venue/log';
import { type Config, loadConfig, loadFollowerConfig, type ServingConfig } from './config.ts';
import { explain } from './explain.ts';
import { type Exchange, type ExchangeDeps, startExchange, startFollower } from './node.ts';

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
  await run(() => {
    const config = loadConfig(env);
    const started = startExchange(config, { ...deps, onFatal: fail });
    return { started, line: (exchange) => startLine(config, exchange) };
  });
}

/** Runs a follower, in the same way (FOL-1). */
export async function runFollower(env?: Environment): Promise<void> {
  await run(() => {
    const config = loadFollowerConfig(env);
    const started = startFollower(config, { onFatal: fail });
    return { started, line: ({ url }) => `follower listening on ${url} | ${logPart(config)}` };
  });
}

interface Starting {
  readonly started: Promise<Exchange>;
  /** Address and more, for people and for processes that wait for it. */
  readonly line: (running: Exchange) => string;
}

async function run(begin: () => Starting): Promise<void> {
  try {
    const stopping = signalled();
    const { started, line } = begin();
    const running = await Promise.race([started, stopping]);
    if (running !== undefined) {
      console.log(line(running));
      await stopping;
    }
    await stop(running);
  } catch (error) {
    fail(error);
  }
}

function startLine(config: Config, { url, verification }: Exchange): string {
  const { parameters, signingRequired } = config;
  const signing = signingRequired ? 'required' : 'optional';
  return [
    `exchange listening on ${url}`,
    `mode ${parameters.fundingMode}`,
    `signing ${signing}`,
    logPart(config),
    `verification ${verification}`,
  ].join(' | ');
}

function logPart({ log }: ServingConfig): string {
  return `log ${parseLogSpec(log).shown}`;
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
