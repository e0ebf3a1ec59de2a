/** Signing with a private key held in this process, for clients and tools. The exchange never does this. */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Address, Hex } from './address.ts';
import { addressOfPublicKey, personalDigest } from './eip191.ts';

/**
 * Signs a text as `personal_sign` does: 65 bytes, v 27 or 28, s in the lower half, deterministic (RFC 6979).
 * Throws when the private key is not 32 bytes of hex in the curve's range.
 *
 * @example signPersonal(orderEnvelope(fields), sessionPrivateKey)
 */
export function signPersonal(text: string, privateKey: Hex): Hex {
  const signature = secp256k1.sign(personalDigest(text), keyBytes(privateKey), {
    prehash: false,
    lowS: true,
    format: 'recovered',
  });
  const v = 27 + signature[0]!;
  return `0x${bytesToHex(signature.subarray(1))}${v.toString(16)}`;
}

/** The address a private key signs for. Throws as `signPersonal` does. */
export function addressOfPrivateKey(privateKey: Hex): Address {
  return addressOfPublicKey(secp256k1.getPublicKey(keyBytes(privateKey), false));
}

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

// The error message must not contain the key.
function keyBytes(privateKey: Hex): Uint8Array {
  if (!PRIVATE_KEY.test(privateKey)) throw new TypeError('a private key is 0x and 64 hex digits');
  return hexToBytes(privateKey.slice(2));
}
