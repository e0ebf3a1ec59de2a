/** Runs a crowd from its start to its stop. */

import { Backoff, pause } from '@venue/sdk';
import type { CrowdConfig } from './config.ts';
import { Crowd } from './crowd.ts';

export interface RunCrowdOptions {
  readonly config: CrowdConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
}

const STATUS_EVERY_MS = 60_000;
/** A stop does not wait longer than this for the resting orders to leave. */
const LEAVE_MS = 1_200;

/** Trades until the signal aborts, then takes its resting orders away. Waits for an exchange that is down. */
export async function runCrowd({ config, signal, log }: RunCrowdOptions): Promise<void> {
  const crowd = new Crowd(config, Date.now());
  log(`${config.traders} traders on ${config.url}`);
  const status = setInterval(() => log(statusLine(crowd)), STATUS_EVERY_MS);
  try {
    await trade(crowd, { config, signal, log });
  } finally {
    clearInterval(status);
  }
  await Promise.race([crowd.leave(), pause(LEAVE_MS)]);
  log('stopped');
}

async function trade(crowd: Crowd, { signal, log }: RunCrowdOptions): Promise<void> {
  const backoff = new Backoff({ limitMs: 10_000 });
  let lastFailure = '';
  while (!signal.aborted) {
    try {
      await crowd.round(Date.now());
      backoff.reset();
      lastFailure = '';
      await pause(crowd.restMs(Date.now()), signal);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.message !== lastFailure && !signal.aborted)
        log(`cannot trade, trying again: ${error.message}`);
      lastFailure = error.message;
      await pause(backoff.next(), signal);
    }
  }
}

function statusLine(crowd: Crowd): string {
  const { actions, orders, fills, resting, declined } = crowd.take();
  return `last minute: ${actions} looks, ${orders} orders, ${fills} fills, ${resting} rested, ${declined} declined`;
}
