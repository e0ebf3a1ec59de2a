/** Sends writes, remedying the refusals that the page can fix by itself: a lost token, a wrong clock. */

import type { VenueCode } from '@venue/protocol';
import { UnauthorizedError } from '@venue/sdk/browser';

export interface Remedies {
  /** False while nobody is signed in, or the sign-in is not done yet. */
  readonly isSignedIn: () => boolean;
  /** Gets a new token with the stored approval; false where that has ended. */
  readonly renew: () => Promise<boolean>;
  /** Asks the venue for the time. */
  readonly resync: () => Promise<void>;
  /** Called when the session itself is refused. */
  readonly onOver: (error: UnauthorizedError) => void;
}

/** Nothing was sent, as nobody is signed in. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';

  constructor() {
    super('Sign in to trade.');
  }
}

export type Send = <T>(act: () => Promise<T>) => Promise<T>;

const TOKEN_GONE: ReadonlySet<string> = new Set<VenueCode>(['unknown-token', 'conflicting-tokens']);
const SESSION_OVER: ReadonlySet<string> = new Set<VenueCode>(['session-expired', 'unknown-session-key']);

/**
 * Makes a call, and a second time after a remedy. Only a 401 is remedied: it means that nothing was carried out, so a
 * retry cannot do it twice. Throws `SignedOutError`, and calls nothing, while nobody is signed in.
 */
export function sendWith({ isSignedIn, renew, resync, onOver }: Remedies): Send {
  return async (act) => {
    if (!isSignedIn()) throw new SignedOutError();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      if (SESSION_OVER.has(error.code)) onOver(error);
      else if (error.code === 'nonce-outside-window') {
        await resync();
        return act();
      } else if (TOKEN_GONE.has(error.code) && (await renew())) return act();
      throw error;
    }
  };
}
