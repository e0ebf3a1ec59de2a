/** How the page's writes to the book go out: as actions under one signature (BAT-2, BAT-3). */

import type {
  Account,
  Action,
  ActionResult,
  ComboResult,
  PlaceResult,
  VenueClient,
} from '@venue/sdk/browser';

/** For this long a batch is sent again after a lost answer; then the page looks for what became of it. */
const RETRY_MS = 10_000;

export type AmendAction = Extract<Action, { readonly type: 'amend' }>;

/** The account in an answer. */
export type AnsweredAccount = Pick<BatchDone, 'account'> & Partial<Pick<BatchDone, 'seq'>>;

export interface BatchDone {
  /** One per action, in order. */
  readonly results: readonly ActionResult[];
  readonly account: Account;
  /** The log entry that the account is of; undefined where that is not known. */
  readonly seq: number | undefined;
  /** True when the answer was lost, and the venue was found to have carried the batch out. */
  readonly isRecovered: boolean;
}

/**
 * Delivers actions at most once, until the signal ends that. Throws `OutcomeUnknownError` when it is not certain whether it
 * did.
 */
export type SendBatch = (actions: readonly Action[], until?: AbortSignal) => Promise<BatchDone>;

export function sendBatchWith(client: VenueClient): SendBatch {
  return async (actions, signal) => {
    const { results, account, seq, isRecovered } = await client.orders.batch(actions, {
      retryMs: RETRY_MS,
      ...(signal !== undefined && { signal }),
    });
    return { results, account: account!, seq, isRecovered };
  };
}

/** The result of the only action of a batch, which is a `place` or an `amend`. */
export function placeResultOf({ results: [result] }: Pick<BatchDone, 'results'>): PlaceResult {
  if (result === undefined || !('status' in result) || result.type === 'combo')
    throw new Error('the venue left out the result');
  return result;
}

/** The orders that a batch cancelled. */
export function cancelledIds({ results }: Pick<BatchDone, 'results'>): ReadonlySet<number> {
  return new Set(results.flatMap((one) => (one.type === 'cancel' && one.ok ? [one.orderId] : [])));
}

/** The result of the only action of a batch, which is a `combo`. */
export function comboResultOf({ results: [result] }: BatchDone): ComboResult {
  if (result?.type !== 'combo') throw new Error('the venue left out the result');
  return result;
}
