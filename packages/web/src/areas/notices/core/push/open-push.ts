/** Composes the desk of notifications for closed tabs when it is first needed. */

import type { SessionStore } from '../../../../session/store.ts';
import type { Notices } from '../notices.ts';
import { browserPush } from './browser-push.ts';
import { PushDesk } from './push-desk.ts';

export interface OpenPushOptions {
  readonly kept: Pick<SessionStore, 'load'>;
  readonly nonceOf: (sessionKey: string) => Promise<number>;
  /** The venue's time in unix ms. */
  readonly now: () => number;
  /** False while nobody is signed in. */
  readonly isSignedIn: () => boolean;
  readonly notices: Notices;
}

export function openPush({ kept, nonceOf, now, isSignedIn, notices }: OpenPushOptions): PushDesk {
  return new PushDesk({
    ...{ browser: browserPush(), nonceOf, now },
    fetch: (address, init) => fetch(address, init),
    session: async () => (isSignedIn() ? kept.load() : null),
    storage: () => localStorage,
    onLost: () =>
      notices.add({
        tone: 'warning',
        title: 'This device is no longer notified',
        text: 'It was turned off, or the venue has lost it. Turn it on again under Log.',
      }),
  });
}
