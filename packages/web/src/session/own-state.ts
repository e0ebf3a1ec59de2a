/** The page's knowledge of the account: of what the venue has not answered, no panel says that there is none. */

import type { LinkState } from '../market/state.ts';
import type { SessionState } from './state.ts';

export type OwnState = 'known' | 'signed-out' | 'signing-in' | 'ended' | 'reading' | 'offline';

export interface OwnMoment {
  readonly session: SessionState;
  readonly link: LinkState;
  /** True once the venue has told of the account in this session. */
  readonly isTold: boolean;
}

export function ownState({ session, link, isTold }: OwnMoment): OwnState {
  if (isTold) return 'known';
  if (session === 'none') return 'signed-out';
  if (session === 'expired' || session === 'revoked') return 'ended';
  if (session === 'connecting' || session === 'signing') return 'signing-in';
  if (link === 'offline') return 'offline';
  return session === 'ready' ? 'reading' : 'signing-in';
}

/**
 * Why something of the account, such as `your positions`, is not shown, in a sentence or two. After the end of a session
 * `as` names whom one press goes on as, if anybody.
 */
export function unknownWords(
  state: Exclude<OwnState, 'known'>,
  { what, as }: { readonly what: string; readonly as: string | null },
): string {
  switch (state) {
    case 'signed-out':
      return `Sign in to see ${what}.`;
    case 'signing-in':
      return `Signing in, to see ${what}…`;
    case 'ended':
      return `Your session has ended. ${as === null ? 'Sign in again' : `Continue ${as}`} to see ${what}.`;
    case 'reading':
      return `Reading ${what}…`;
    case 'offline':
      return `The venue does not answer: it shows ${what} once it does.`;
  }
}
