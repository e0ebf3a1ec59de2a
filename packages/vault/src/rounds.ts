/** The life of a daemon: one round after another, whatever becomes of the chain and of the exchange. */

import { Backoff, pause, VenueError, VenueUnreachableError } from '@venue/sdk';
import { AlarmError } from './alarm.ts';
import { ChainError } from './chain/errors.ts';
import type { RoundMetrics } from './metrics.ts';
import { Reminder } from './reminder.ts';

export interface RoundsOptions {
  /** Does what there is to do; gives the time until the next one is due. */
  readonly round: () => Promise<number>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly metrics: Pick<RoundMetrics, 'done' | 'failed'>;
}

const RETRY = { firstMs: 300, limitMs: 10_000 };

/** The venue's refusals that asking again cannot mend. */
const FINAL = new Set([400, 403, 404, 409, 413]);

/**
 * Runs rounds until the signal says stop. A chain or an exchange that fails is waited for; anything else is thrown, an
 * `AlarmError` after it was told.
 */
export async function runRounds({ round, signal, log, metrics }: RoundsOptions): Promise<void> {
  const backoff = new Backoff(RETRY);
  const failure = new Reminder(log);
  while (!signal.aborted) {
    try {
      const waitMs = await round();
      metrics.done();
      backoff.reset();
      failure.over('going on');
      await pause(waitMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      metrics.failed();
      if (error instanceof AlarmError) log(`ALARM: ${error.message}`);
      if (!(error instanceof Error) || !mayPass(error)) throw error;
      failure.say(`cannot go on, trying again: ${error.message}`);
      await pause(backoff.next(), signal);
    }
  }
}

function mayPass(error: Error): boolean {
  if (error instanceof VenueError) return !FINAL.has(error.status);
  return error instanceof ChainError || error instanceof VenueUnreachableError;
}

/** Runs a call to the venue, whose final refusals become alarms that say what was refused. */
export async function orAlarm<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof VenueError) || mayPass(error)) throw error;
    throw new AlarmError(`the exchange refuses ${what} with ${error.status}: ${error.message}`);
  }
}
