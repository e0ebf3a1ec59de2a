/** How the page's writes to the book go out: as actions under one signature (BAT-2, BAT-3). */

import type { Account, ActionWire, CancelResult, GuardResult, PlaceResult } from '@venue/protocol';

export type ActionDone =
  | PlaceResult
  | CancelResult
  /** The count is null where the answer that had it was lost. */
  | { readonly type: 'cancel-all'; readonly ok: boolean; readonly pulled: number | null }
  | GuardResult;

export interface BatchDone {
  /** One per action, in order. */
  readonly results: readonly ActionDone[];
  readonly account: Account;
  /** True when the answer was lost, and the venue was found to have carried the batch out. */
  readonly isRecovered: boolean;
}

/**
 * Sends actions, and the very same bytes again while no answer comes and their nonce lives: the venue carries them out
 * at most once. Throws `OutcomeUnknownError` when even that brought no certainty.
 */
export type SendBatch = (actions: readonly ActionWire[]) => Promise<BatchDone>;

/** The result of the only action of a batch, which is a `place` or an `amend`. */
export function placeResultOf({ results: [result] }: BatchDone): PlaceResult {
  if (result === undefined || !('status' in result)) throw new Error('the venue left out the result');
  return result;
}

/** Why the venue declined it; a reason that was lost with the answer cannot be looked up. */
export function reasonOf({ reason }: PlaceResult): string {
  return reason ?? 'the venue declined it, and the answer with the reason was lost';
}
