/** The market maker from its start to its stop. */

import { Backoff, pause } from '@venue/sdk';
import type { MakerConfig } from './config.ts';
import { Maker } from './maker.ts';

export interface RunMakerOptions {
  readonly config: MakerConfig;
  readonly signal: AbortSignal;
  /** Takes one line for a person to read. */
  readonly log: (line: string) => void;
}

/**
 * Quotes every listed series until the signal says stop, then pulls everything. An exchange that is down is
 * waited for.
 */
export async function runMaker({ config, signal, log }: RunMakerOptions): Promise<void> {
  const maker = new Maker({ config, log });
  const backoff = new Backoff({ limitMs: 5_000 });
  log(`quoting on ${config.url}`);
  let lastFailure = '';
  while (!signal.aborted) {
    try {
      await maker.connect();
      lastFailure = '';
      for (; !signal.aborted; await pause(config.intervalMs, signal)) {
        await maker.round();
        backoff.reset();
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.message !== lastFailure) log(`cannot quote, trying again: ${error.message}`);
      lastFailure = error.message;
      await pause(backoff.next(), signal);
    }
  }
  await maker.stop();
  log('stopped');
}
