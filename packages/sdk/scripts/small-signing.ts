/**
 * Signs exactly as `@venue/protocol/signing` does, using the smallest sound curve library and the hashes of the same
 * authors. The build substitutes it for that module, so that a browser has little to load.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { getPublicKey, hashes, sign } from '@noble/secp256k1';
import type { Address, Hex } from '@venue/protocol';
import { hexOf } from '../src/sign/hex.ts';

hashes.sha256 = sha256;
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** Signs a text as `personal_sign` does: 65 bytes, v 27 or 28, s in the lower half, deterministic (RFC 6979). */
export function signPersonal(text: string, privateKey: Hex): Hex {
  const body = utf8ToBytes(text);
  const digest = keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${body.length}`), body));
  const signed = sign(digest, keyBytes(privateKey), { prehash: false, format: 'recovered' });
  return hexOf(concatBytes(signed.subarray(1), Uint8Array.of(27 + signed[0]!)));
}

/** The address a private key signs for. Throws as `signPersonal` does. */
export function addressOfPrivateKey(privateKey: Hex): Address {
  const publicKey = getPublicKey(keyBytes(privateKey), false);
  return hexOf(keccak_256(publicKey.subarray(1)).subarray(12)) as Address;
}

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

// The message shows nothing of the key.
function keyBytes(privateKey: Hex): Uint8Array {
  if (!PRIVATE_KEY.test(privateKey)) throw new TypeError('a private key is 0x and 64 hex digits');
  return hexToBytes(privateKey.slice(2));
}
