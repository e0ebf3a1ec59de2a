/** The wallets of a crowd: all of them come of one key, so that a restart finds each with its positions. */

import { createHmac } from 'node:crypto';
import type { Hex } from '@venue/protocol';
import { type Wallet, walletFromPrivateKey } from '@venue/sdk';

/** The wallet of a trader. One that has lost its cash is followed by the next generation. */
export function walletOf(key: Hex, number: number, generation: number): Wallet {
  const secret = Buffer.from(key.slice(2), 'hex');
  for (let attempt = 0; ; attempt++) {
    const digest = createHmac('sha256', secret)
      .update(`trader ${number} ${generation} ${attempt}`)
      .digest('hex');
    try {
      return walletFromPrivateKey(`0x${digest}`);
    } catch {
      // Of 2^128 digests one is no key of the curve.
    }
  }
}
