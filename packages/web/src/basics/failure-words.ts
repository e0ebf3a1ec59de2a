/** A failed request in words for a person. */

import { VenueUnreachableError } from '@venue/sdk/browser';

/** The venue's own words; without an answer, that there was none: addresses and the browser's reasons help nobody. */
export function messageOf(error: unknown): string {
  if (error instanceof VenueUnreachableError) return 'the venue is not responding';
  return error instanceof Error ? error.message : String(error);
}

/** The message when the deployment behind the page's address has changed (VEN-1). */
export const OTHER_VENUE =
  'Another venue now answers at this address, so trading has stopped: your key was made for the one before.';
