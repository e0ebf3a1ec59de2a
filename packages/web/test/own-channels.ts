/** The account's two channels, spoken for by a test. */

import type { ChannelMessage } from '@venue/sdk/browser';
import { Handlers } from '../../sdk/src/net/handlers.ts';
import { LocalAccount, OWN } from '../../sdk/src/stream/local-account.ts';

export interface ToldHandlers {
  onMessage(message: object): void;
  onRight?(isRight: boolean): void;
  onRefused?(reason: Error): void;
}

/** A copy of the account whose channels are among those that are followed until it is closed. */
export function accountOver(followed: Map<string, ToldHandlers>): LocalAccount {
  const onClose = () => {
    for (const name of OWN) followed.delete(name);
  };
  const own = new LocalAccount({ onClose, handlers: new Handlers() });
  for (const name of OWN) {
    followed.set(name, {
      onMessage: (message) => own.take({ channel: name, ...message } as ChannelMessage),
      onRight: (isRight) => own.turnOne(name, isRight),
      onRefused: (reason) => own.refuse(reason),
    });
  }
  return own;
}
