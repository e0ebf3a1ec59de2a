/**
 * Shows how the service read a signed request, for clients whose signature is refused (OWN-29): POST
 * /v1/debug/envelope.
 */

import { isRefused, type Refused } from '@venue/engine';
import { type Address, type Hex, personalDigest } from '@venue/protocol';
import type { Verifier } from '@venue/replay';
import { addressOf, type Clock, candidatesOf, type SignedWrite } from './signed-write.ts';

export interface EnvelopeExplanation {
  /** The text the service rebuilt, byte for byte. */
  readonly text: string;
  /** Its EIP-191 digest. */
  readonly digest: Hex;
  /** Signer of that text, or null if SIG-1 refuses the signature or it fits no key. */
  readonly recovered: Address | null;
  /** The expected signer: the session key of the request. */
  readonly expected: Address;
}

export interface ExplainDeps extends Clock {
  readonly verifier: Pick<Verifier, 'recover'>;
}

const CANDIDATES_MAX = 4;

/**
 * Rebuilds the text of a request and recovers its signer. If several accounts approved the key, the matching one is
 * shown, otherwise the first. Refused if no text can be built: a line break, an unknown or expired session. Changes
 * nothing and ignores the nonce.
 */
export async function explainEnvelope(
  deps: ExplainDeps,
  write: SignedWrite,
): Promise<EnvelopeExplanation | Refused> {
  const candidates = candidatesOf(deps, write);
  if (isRefused(candidates)) return candidates;
  const { sessionKey, nonce, signature } = write.fields;
  const texts = candidates
    .slice(0, CANDIDATES_MAX)
    .map((account) => write.text({ account: addressOf(account), nonce }));
  const recovered = await Promise.all(texts.map((text) => deps.verifier.recover(text, signature)));
  const shown = Math.max(0, recovered.indexOf(sessionKey));
  const text = texts[shown]!;
  return {
    text,
    digest: hexOf(personalDigest(text)),
    recovered: recovered[shown] ?? null,
    expected: sessionKey,
  };
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
