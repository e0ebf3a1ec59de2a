/** A worker thread of the bare server: verifies signatures in batches, natively. */

import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { addressOfPublicKey } from '@venue/protocol';
import secp256k1 from 'secp256k1/bindings.js';

export interface SignedText {
  readonly text: string;
  /** 65 bytes of hex after `0x`, as posted. */
  readonly signature: string;
  /** Address. */
  readonly signer: string;
}

/** By address, filled by the first signature of each. */
const publicKeys = new Map<string, Uint8Array>();

parentPort!.on('message', (batch: readonly SignedText[]) => parentPort!.postMessage(batch.map(isGood)));

function isGood({ text, signature, signer }: SignedText): boolean {
  const digest = hash('keccak-256', `\x19Ethereum Signed Message:\n${text.length}${text}`, 'buffer');
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const compact = bytes.subarray(0, 64);
  const known = publicKeys.get(signer);
  if (known !== undefined) return secp256k1.ecdsaVerify(compact, digest, known);
  const publicKey = secp256k1.ecdsaRecover(compact, bytes[64]! - 27, digest, false);
  publicKeys.set(signer, publicKey);
  return addressOfPublicKey(publicKey) === signer;
}
