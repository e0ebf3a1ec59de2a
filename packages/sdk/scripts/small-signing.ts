/**
 * Signing as `@venue/protocol/signing` does it, byte for byte, on the smallest sound library of the curve. The build
 * puts it in the place of that module, so that a browser has little to load.
 */

import { getPublicKey, hashes, sign } from '@noble/secp256k1';
import type { Address, Hex } from '@venue/protocol';
import { hexOf } from '../src/hex.ts';
import { type Bytes, keccak256, sha256 } from './small-hashes.ts';

hashes.sha256 = sha256;
hashes.hmacSha256 = hmacSha256;

/** Signs a text as `personal_sign` does: 65 bytes, v 27 or 28, s in the lower half, deterministic (RFC 6979). */
export function signPersonal(text: string, privateKey: Hex): Hex {
  const body = utf8(text);
  const digest = keccak256(join(utf8(`\x19Ethereum Signed Message:\n${body.length}`), body));
  const signed = sign(digest, keyBytes(privateKey), { prehash: false, format: 'recovered' });
  return hexOf(join(signed.subarray(1), [27 + signed[0]!]));
}

/** The address a private key signs for. Throws as `signPersonal` does. */
export function addressOfPrivateKey(privateKey: Hex): Address {
  const publicKey = getPublicKey(keyBytes(privateKey), false);
  return hexOf(keccak256(publicKey.subarray(1)).subarray(12)) as Address;
}

/** HMAC (RFC 2104) for keys no longer than a block, which is all that RFC 6979 has: less to load than a general one. */
function hmacSha256(key: Uint8Array, message: Uint8Array): Bytes {
  const pad = (byte: number) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), message))));
}

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;

// The message shows nothing of the key.
function keyBytes(privateKey: Hex): Uint8Array {
  if (!PRIVATE_KEY.test(privateKey)) throw new TypeError('a private key is 0x and 64 hex digits');
  return Uint8Array.from({ length: 32 }, (_, i) => Number(`0x${privateKey.slice(2 * i + 2, 2 * i + 4)}`));
}

function join(first: Iterable<number>, second: Iterable<number>): Bytes {
  return Uint8Array.from([...first, ...second]);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
