/** Writes, and the refusals that the page can put right by itself: a token that is gone, a clock that is wrong. */

import { MESSAGES } from '@venue/protocol';
import { UnauthorizedError } from '@venue/sdk/browser';

export interface Remedies {
  /** Gets a new token by the approval that is kept; false where that is over. */
  readonly renew: () => Promise<boolean>;
  /** Asks the venue for the time. */
  readonly resync: () => Promise<void>;
  /** The session itself is refused. */
  readonly onOver: (error: UnauthorizedError) => void;
}

export type Send = <T>(act: () => Promise<T>) => Promise<T>;

const TOKEN_GONE: ReadonlySet<string> = new Set([
  MESSAGES.unknownToken.error,
  MESSAGES.conflictingTokens.error,
]);
const SESSION_OVER: ReadonlySet<string> = new Set([
  MESSAGES.sessionExpired.error,
  MESSAGES.unknownSessionKey.error,
]);

/**
 * Carries out a call, and a second time after a remedy. Only a refusal by 401 is remedied: nothing was carried out then,
 * so that doing it again does nothing twice.
 */
export function sendWith({ renew, resync, onOver }: Remedies): Send {
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      if (SESSION_OVER.has(error.message)) onOver(error);
      else if (error.message === MESSAGES.nonceOutsideWindow.error) {
        await resync();
        return act();
      } else if (TOKEN_GONE.has(error.message) && (await renew())) return act();
      throw error;
    }
  };
}
