/** Keys of simulated traders. Their signatures are real. */

import { type Address, addressOfPublicKey, type Hex, personalDigest } from '@venue/protocol';
import secp256k1 from 'secp256k1';
import type { World } from './world.ts';

export interface Key {
  readonly address: Address;
  /** Signs like `personal_sign`. */
  sign(text: string): Hex;
}

export function newKey({ random }: World): Key {
  return keyOf(Uint8Array.from({ length: 32 }, () => random.between(1, 250)));
}

/** Signs with native libsecp256k1. `secret` has 32 bytes. */
export function keyOf(secret: Uint8Array): Key {
  return {
    address: addressOfPublicKey(secp256k1.publicKeyCreate(secret, false)),
    sign(text) {
      const { signature, recid } = secp256k1.ecdsaSign(personalDigest(text), secret);
      return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
    },
  };
}

export interface Trader {
  readonly wallet: Key;
  session: Key;
  expiresAt: number;
  /** Null until the answer to the session's approval has arrived. */
  token: string | null;
}
