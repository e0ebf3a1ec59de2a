/** The three fields of a signed write. */

import { type Address, MESSAGES, malformed, type PublicError, parseAddress } from '@venue/protocol';

export interface SigningFields {
  readonly sessionKey: Address;
  /** Milliseconds since the epoch, chosen by the client. */
  readonly nonce: number;
  /** As posted; its shape is not checked yet (SIG-1). */
  readonly signature: string;
}

export type ReadSigningFields =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'signed'; readonly fields: SigningFields }
  | { readonly kind: 'refused'; readonly error: PublicError };

/**
 * Reads the signing fields of a parsed JSON body. A body with none of them is unsigned. One with only some of them,
 * null included, is refused rather than treated as unsigned (AUTH-3).
 */
export function readSigningFields(body: Readonly<Record<string, unknown>>): ReadSigningFields {
  const { sessionKey, nonce, signature } = body;
  if (sessionKey === undefined && nonce === undefined && signature === undefined) return { kind: 'unsigned' };
  if (sessionKey === undefined || !Number.isSafeInteger(nonce) || typeof signature !== 'string') {
    return { kind: 'refused', error: MESSAGES.signatureFieldsRequired };
  }
  const key = typeof sessionKey === 'string' ? parseAddress(sessionKey) : undefined;
  if (key === undefined) return { kind: 'refused', error: malformed('sessionKey') };
  return { kind: 'signed', fields: { sessionKey: key, nonce: nonce as number, signature } };
}
