/** The log's stamp, which keeps a node with other fixed parameters from opening it. */

import type { VenueParameters } from '@venue/engine';
import { LogOpenError, type ReadOnlyLog } from '@venue/log';

/** The format of entries. This node would misread a log of another format. */
const LOG_FORMAT = 3;

/** Parameters that can never change on one log (MODE-1, FINE-4). */
export const STAMPED_PARAMETERS = ['fundingMode', 'marginPremium'] as const;

/** Makes the stamp of a log with these parameters. */
export function stampOf(
  parameters: Pick<VenueParameters, (typeof STAMPED_PARAMETERS)[number]>,
): ReadonlyMap<string, string> {
  return new Map([
    ['format', String(LOG_FORMAT)],
    ...STAMPED_PARAMETERS.map((key) => [key, parameters[key]] as const),
  ]);
}

/** Checks the stamp of a log that has entries. Returns the fault as a sentence, or null. */
export function stampFault(stamp: ReadonlyMap<string, string>): string | null {
  if (stamp.size === 0) return 'the log has entries and no stamp';
  const format = stamp.get('format');
  if (format !== undefined && Number(format) !== LOG_FORMAT)
    return `the log is of format ${format} and this version reads format ${LOG_FORMAT}`;
  const missing = (['format', ...STAMPED_PARAMETERS] as const).find((key) => !stamp.has(key));
  return missing === undefined ? null : `the log is not stamped with its ${missing}`;
}

/** Rejects with `LogOpenError` if the log has entries but not a stamp that a node would write. */
export async function checkStamp(log: Pick<ReadOnlyLog, 'head' | 'readStamp'>): Promise<void> {
  // A node stamps a log before it appends.
  const { seq } = await log.head();
  const stamp = await log.readStamp();
  const fault = seq === 0 && stamp.size === 0 ? null : stampFault(stamp);
  if (fault !== null) throw new LogOpenError(`${fault}; ${adviceOn(Number(stamp.get('format')))}`);
}

function adviceOn(format: number): string {
  if (format > LOG_FORMAT) return 'upgrade to open it';
  const afresh = 'start afresh with another VENUE_LOG';
  return format < LOG_FORMAT ? afresh : `restore it from a backup, or ${afresh}`;
}
