/** Recovers the signer of a text synchronously (OWN-27): tens of microseconds natively, a millisecond otherwise. */

import { getHashes, hash } from 'node:crypto';
import type { Address } from '@venue/protocol';
import { addressOfPublicKey, personalDigest, recoverAddress, type Signature } from '@venue/protocol/eip191';

export type Implementation = 'native' | 'javascript';

export interface Recovery {
  readonly implementation: Implementation;
  /** The address whose key signed the text under EIP-191, or null when the signature fits no key. */
  readonly recover: (text: string, signature: Signature) => Address | null;
}

/**
 * The fastest recovery that loads: native libsecp256k1, else plain JavaScript. Rejects if an implementation is
 * requested by name and does not load.
 */
export async function loadRecovery(implementation?: Implementation): Promise<Recovery> {
  if (implementation === 'javascript') return JAVASCRIPT;
  try {
    return await loadNative();
  } catch (cause) {
    if (implementation === 'native') throw new Error('native libsecp256k1 does not load', { cause });
    return JAVASCRIPT;
  }
}

const JAVASCRIPT: Recovery = {
  implementation: 'javascript',
  recover: (text, signature) => recoverAddress(personalDigest(text), signature)?.address ?? null,
};

// The package's main entry silently falls back to slow code; its bindings throw instead.
async function loadNative(): Promise<Recovery> {
  const { default: secp256k1 } = await import('secp256k1/bindings.js');
  const recover: Recovery['recover'] = (text, { compact, recovery }) => {
    const digest = digestOf(text);
    try {
      return addressOf(secp256k1.ecdsaRecover(compact, recovery, digest, false));
    } catch {
      // No point on the curve has r as its abscissa, or the key would be the point at infinity.
      return null;
    }
  };
  return { implementation: 'native', recover };
}

// OpenSSL's keccak takes a sixth of JavaScript's time. Older versions of OpenSSL lack it.
const hasKeccak = getHashes().includes('keccak-256');
const digestOf = hasKeccak ? opensslDigest : personalDigest;
const addressOf = hasKeccak ? opensslAddress : addressOfPublicKey;

function opensslDigest(text: string): Uint8Array {
  return hash('keccak-256', `\x19Ethereum Signed Message:\n${Buffer.byteLength(text)}${text}`, 'buffer');
}

function opensslAddress(uncompressed: Uint8Array): Address {
  return `0x${hash('keccak-256', uncompressed.subarray(1), 'hex').slice(24)}` as Address;
}
