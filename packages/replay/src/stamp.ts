/** What a log is stamped with, so that nobody opens it for what it is not. */

import type { VenueParameters } from '@venue/engine';
import { type Log, LogOpenError } from '@venue/log';

/** How entries are written: a log of another format holds what this node would misread. */
const LOG_FORMAT = '2';

/** Parameters that can never change on one log (MODE-1, FINE-4). */
export const STAMPED_PARAMETERS = ['fundingMode', 'marginPremium'] as const;

/** The stamp of a log with these parameters. */
export function stampOf(
  parameters: Pick<VenueParameters, (typeof STAMPED_PARAMETERS)[number]>,
): ReadonlyMap<string, string> {
  return new Map([
    ['format', LOG_FORMAT],
    ...STAMPED_PARAMETERS.map((key) => [key, parameters[key]] as const),
  ]);
}

/** What is wrong with the stamp of a log that has entries, in a sentence; null for a sound one. */
export function stampFault(stamp: ReadonlyMap<string, string>): string | null {
  if (stamp.size === 0) return 'the log has entries and no stamp';
  // Those that were stamped before formats were are of the first.
  const format = stamp.get('format') ?? '1';
  if (format !== LOG_FORMAT)
    return `the log is of format ${format} and this version reads format ${LOG_FORMAT}`;
  const missing = STAMPED_PARAMETERS.find((key) => !stamp.has(key));
  return missing === undefined ? null : `the log is not stamped with its ${missing}`;
}

/** Rejects with `LogOpenError` for a log that holds something and is stamped with something else than a node stamps. */
export async function checkStamp(log: Pick<Log, 'head' | 'readStamp'>): Promise<void> {
  // Whoever appends has stamped before.
  const { seq } = await log.head();
  const stamp = await log.readStamp();
  const fault = seq === 0 && stamp.size === 0 ? null : stampFault(stamp);
  if (fault !== null)
    throw new LogOpenError(`${fault}; restore it from a backup, or start afresh with another VENUE_LOG`);
}
