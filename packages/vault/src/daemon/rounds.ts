/** The main loop of a daemon: one round after another, whatever happens to the chain and the exchange. */

import { Backoff, pause, VenueError, VenueUnreachableError } from '@venue/sdk';
import { AlarmError } from '../chain/alarm.ts';
import { ChainError, DisagreementError } from '../chain/errors.ts';
import type { RoundMetrics } from './metrics.ts';
import { Reminder } from './reminder.ts';

export interface RoundsOptions {
  /** Does the due work; returns the time until the next round. */
  readonly round: () => Promise<number>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly metrics: Pick<RoundMetrics, 'done' | 'failed'>;
}

/** Servers of a chain differ for a moment at its tip; after this many rounds in a row a person has to look. */
const DISAGREEMENTS_MAX = 3;
const RETRY = { firstMs: 300, limitMs: 10_000 };

/** Refusals of the venue that a retry cannot fix. */
const FINAL = new Set([400, 403, 404, 409, 413]);

/**
 * Runs rounds until the signal aborts. Waits for a chain or an exchange that fails; throws anything else, an
 * `AlarmError` after reporting it.
 */
export async function runRounds({ round, signal, log, metrics }: RoundsOptions): Promise<void> {
  const backoff = new Backoff(RETRY);
  const failure = new Reminder(log);
  let disagreements = 0;
  while (!signal.aborted) {
    try {
      const waitMs = await round();
      metrics.done();
      backoff.reset();
      disagreements = 0;
      failure.over('going on');
      await pause(waitMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      metrics.failed();
      if (error instanceof AlarmError) log(`ALARM: ${error.message}`);
      if (!(error instanceof Error) || !mayPass(error)) throw error;
      disagreements = error instanceof DisagreementError ? disagreements + 1 : 0;
      const alarm = disagreements >= DISAGREEMENTS_MAX ? 'ALARM: ' : '';
      failure.say(`${alarm}cannot go on, trying again: ${error.message}`);
      await pause(backoff.next(), signal);
    }
  }
}

function mayPass(error: Error): boolean {
  if (error instanceof VenueError) return !FINAL.has(error.status);
  return error instanceof ChainError || error instanceof VenueUnreachableError;
}

/** Calls the venue, and turns final refusals into alarms that name the refused call. */
export async function orAlarm<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof VenueError) || mayPass(error)) throw error;
    throw new AlarmError(`the exchange refuses ${what} with ${error.status}: ${error.message}`);
  }
}
