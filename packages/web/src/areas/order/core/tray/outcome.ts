/** The outcome of a sent order of several legs, and the advice on it. */

import type { Micros } from '@venue/protocol';
import { NotFoundError, type OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import { type Advice, adviseRejection, type Why } from '../form/advice.ts';
import { recordWords } from './outcome-words.ts';
import type { TrayTerms } from './terms.ts';

export const NOTHING_TRADED: Advice = {
  kind: 'explain',
  text: 'Nothing rests and nothing was charged. Move the price towards the touch.',
};

const NOT_FOUND = {
  'not carried out': 'The order never reached the venue and no longer can. You can send it again.',
  unknown:
    'No confirmation came, and the venue cannot say. Check your orders and fills before you resend it.',
} as const;

/** A refusal that another quantity, margin or deposit would pass; a combo has no mark to make a limit of. */
export function adviceOf(why: Why, qtyMicros: Micros): Advice {
  const advice = adviseRejection(why, { qtyMicros, markMicros: null });
  if (advice.kind !== 'make-limit') return advice;
  return {
    kind: 'explain',
    text: 'A leg has nobody on the other side of its book. Move it to another strike.',
  };
}

/**
 * The words for an order whose answer was lost. One that was carried out is told by the venue's record of the client's id,
 * which an order that was declined does not have.
 */
export async function lostWords(
  { verdict, clientIds: [clientId] }: OutcomeUnknownError,
  terms: TrayTerms,
  { client, venueNow }: { readonly client: VenueClient; readonly venueNow: () => number },
): Promise<ReturnType<typeof recordWords>> {
  if (verdict !== 'carried out') return { tone: 'warning', text: NOT_FOUND[verdict] };
  try {
    const record = await client.orders.find({ clientId: clientId! });
    return recordWords(terms, record, venueNow());
  } catch (error) {
    if (error instanceof NotFoundError) return recordWords(terms, null, venueNow());
    const text = 'The venue received it, but what became of it could not be read. Check your fills.';
    return { tone: 'warning', text };
  }
}
