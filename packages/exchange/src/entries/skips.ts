/** Entries that an operator wants left out (`VENUE_SKIP_SEQ`). */

import { ConfigError } from '@venue/config';

/** Throws `ConfigError` for an entry that the log does not have: it would be one that nobody has looked at. */
export function refuseUnknownSkips(skipSeqs: ReadonlySet<number>, headSeq: number): void {
  for (const seq of skipSeqs) {
    if (seq > headSeq)
      throw new ConfigError(
        `VENUE_SKIP_SEQ names entry ${seq}, and the log ends with entry ${headSeq}; it may only name an entry that stopped a start`,
      );
  }
}
