/** Devices for tests: browsers that can decrypt, and the requests that turn them on. */

import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import {
  type Address,
  NEWS_KINDS,
  type NewsKind,
  type PushAct,
  type PushRequest,
  type PushSubscriptionTerms,
  pushEnvelope,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import type { Key } from '../../exchange/test/auth-venue.ts';

export const SERVICES: readonly string[] = ['push.example.com'];

/** A browser with a subscription. */
export class Browser {
  readonly subscription: PushSubscriptionTerms;
  readonly #key = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor(endpoint = `https://push.example.com/${randomBytes(8).toString('hex')}`) {
    const p256dh = this.#key.generateKeys('base64url');
    this.subscription = { endpoint, p256dh, auth: this.#auth.toString('base64url') };
  }

  /** The private key and secret that decrypt its messages, in the form that `http_ece` takes. */
  get decryption(): {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    readonly authSecret: string;
  } {
    return {
      version: 'aes128gcm',
      privateKey: this.#key,
      authSecret: this.#auth.toString('base64url'),
    };
  }

  on(kinds: readonly NewsKind[] = NEWS_KINDS, name = 'Firefox on Linux'): PushAct {
    return { act: 'on', subscription: this.subscription, kinds, name };
  }
}

export interface Signing {
  readonly venue: string;
  readonly account: Address;
  readonly key: Key;
  readonly nonce: number;
}

/** A request, signed by the session key. */
export function signedAct(act: PushAct, { venue, account, key, nonce }: Signing): PushRequest {
  const signature = signPersonal(pushEnvelope({ venue, account, act, nonce }), key.privateKey);
  return { ...act, account, sessionKey: key.address, nonce, signature };
}
