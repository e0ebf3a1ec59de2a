/** EIP-191 in plain JavaScript: digests, signature parsing and signer recovery. */

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Address } from './address.ts';

/** A signature whose shape satisfies SIG-1. */
export interface Signature {
  /** r then s, 32 bytes each, big-endian. */
  readonly compact: Uint8Array;
  readonly recovery: 0 | 1;
}

export interface Signer {
  readonly address: Address;
  /** Uncompressed, 65 bytes, first byte 4. */
  readonly publicKey: Uint8Array;
}

/** The keccak-256 digest of a text as `personal_sign` signs it. The length in the prefix counts UTF-8 bytes. */
export function personalDigest(text: string): Uint8Array {
  const body = utf8ToBytes(text);
  return keccak_256(concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${body.length}`), body));
}

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
const ZERO = '0'.repeat(64);
const ORDER = hex64(secp256k1.Point.CURVE().n);
const HALF_ORDER = hex64(secp256k1.Point.CURVE().n >> 1n);
const RECOVERY = new Map<string, 0 | 1>([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
]);

/**
 * Parses a hex signature; undefined unless it is 65 bytes with v of 27, 28, 0 or 1, r in range and s in the lower half
 * (SIG-1).
 */
export function parseSignature(hex: string): Signature | undefined {
  if (!SIGNATURE.test(hex)) return undefined;
  const lower = hex.toLowerCase();
  const recovery = RECOVERY.get(lower.slice(130));
  const r = lower.slice(2, 66);
  const s = lower.slice(66, 130);
  // Hex strings of equal width and case compare like the numbers they spell.
  if (recovery === undefined || r === ZERO || r >= ORDER || s === ZERO || s > HALF_ORDER) return undefined;
  return { compact: hexToBytes(r + s), recovery };
}

/** Recovers the key that signed a digest; undefined if the signature fits no key. */
export function recoverAddress(digest: Uint8Array, signature: Signature): Signer | undefined {
  const publicKey = recoverPublicKey(digest, signature);
  return publicKey && { address: addressOfPublicKey(publicKey), publicKey };
}

/** The Ethereum address of a 65-byte public key: Keccak-256 of the 64 coordinate bytes, without its first 12 bytes. */
export function addressOfPublicKey(uncompressed: Uint8Array): Address {
  return `0x${bytesToHex(keccak_256(uncompressed.subarray(1)).subarray(12))}` as Address;
}

/** Recovers the address that signed a text as `personal_sign` does; undefined for a malformed signature (SIG-1). */
export function recoverPersonal(text: string, signature: string): Address | undefined {
  const parsed = parseSignature(signature);
  return parsed && recoverAddress(personalDigest(text), parsed)?.address;
}

function recoverPublicKey(digest: Uint8Array, { compact, recovery }: Signature): Uint8Array | undefined {
  try {
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery);
    return signature.recoverPublicKey(digest).toBytes(false);
  } catch {
    // r is not the abscissa of a point on the curve, or the key would be the point at infinity.
    return undefined;
  }
}

function hex64(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
