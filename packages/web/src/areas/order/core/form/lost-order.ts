/** Looks for what became of an order whose answer was lost. */

import type { OutcomeUnknownError } from '@venue/sdk/browser';

/** How long the page searches while the venue answers; after that the person can trigger it. */
const LOOK_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

export interface LookOptions {
  readonly now: () => number;
  /** Called before each look. */
  readonly onLook: () => void;
}

/**
 * The client has already asked the venue, which often settles it. Otherwise keeps asking: for a while, and for as long
 * as the venue cannot be reached, since nothing is known before it can.
 */
export async function lookUntilKnown(
  lost: OutcomeUnknownError,
  { now, onLook }: LookOptions,
): Promise<OutcomeUnknownError> {
  let untilMs = now() + LOOK_MS;
  let found = lost;
  while (found.verdict === 'unknown' && now() < untilMs) {
    onLook();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    found = await found.lookAgain();
    const isUnreachable = found.account === null;
    if (isUnreachable) untilMs = now() + LOOK_MS;
  }
  return found;
}
