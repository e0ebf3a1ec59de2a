/** What a log is stamped with, so that nobody opens it for what it is not. */

import type { VenueParameters } from '@venue/engine';
import { type Log, LogOpenError } from '@venue/log';

/** How entries are written: a log of another format holds what this node would misread. */
const LOG_FORMAT = '2';

/** What can never change on one log (MODE-1, FINE-4). */
export function stampOf({
  fundingMode,
  marginPremium,
}: Pick<VenueParameters, 'fundingMode' | 'marginPremium'>): ReadonlyMap<string, string> {
  return new Map([
    ['format', LOG_FORMAT],
    ['fundingMode', fundingMode],
    ['marginPremium', marginPremium],
  ]);
}

/** Rejects with `LogOpenError` for a log of another format; one that was stamped before formats were is of the first. */
export async function checkFormat(log: Pick<Log, 'readStamp'>): Promise<void> {
  const stamp = await log.readStamp();
  const stored = stamp.size === 0 ? LOG_FORMAT : (stamp.get('format') ?? '1');
  if (stored === LOG_FORMAT) return;
  throw new LogOpenError(
    `the log is of format ${stored} and this version reads format ${LOG_FORMAT}; start afresh with another VENUE_LOG`,
  );
}
