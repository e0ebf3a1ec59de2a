/** The keys of VAPID, by which a push service knows who sends (RFC 8292). */

import { createECDH } from 'node:crypto';
import { ConfigError } from '@venue/config';
import webPush from 'web-push';

export interface VapidKeys {
  /** Base64url, as browsers take it when they subscribe. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new pair. */
export function newKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}

/** The pair of a private key. Throws `ConfigError` for one that is out of the curve's range. */
export function keysOf(privateKey: string): VapidKeys {
  try {
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(privateKey, 'base64url');
    return { publicKey: curve.getPublicKey('base64url'), privateKey };
  } catch {
    throw new ConfigError('VENUE_PUSH_KEY is no private key: make one with "venue push keys"');
  }
}
