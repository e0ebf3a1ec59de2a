/** Bearer tokens for reads (AUTH-2): each carries its owner and expiry, sealed with the venue's secret. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Address } from '@venue/protocol';

export const TOKEN_LIFETIME_MS = 24 * 3_600_000;
const ADDRESS_BYTES = 20;
const TIME_BYTES = 6;
/** Distinguishes tokens of the same address and millisecond. */
const SALT_BYTES = 6;
const PAYLOAD_BYTES = ADDRESS_BYTES + TIME_BYTES + SALT_BYTES;
const SEAL_BYTES = 32;
const TOKEN = new RegExp(`^[0-9a-f]{${2 * (PAYLOAD_BYTES + SEAL_BYTES)}}$`);

export interface TokensOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Nodes with the same secret accept each other's tokens. */
  readonly secret: Uint8Array | string;
}

export interface TokenHolder {
  readonly address: Address;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

/** Stores nothing: nodes that share the secret accept each other's tokens, and a new secret invalidates all of them. */
export class Tokens {
  readonly #options: TokensOptions;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  /** A new token of 128 hex digits. Earlier ones stay valid (FINE-13). */
  issue(address: Address): string {
    const { now, randomBytes } = this.#options;
    const payload = Buffer.alloc(PAYLOAD_BYTES);
    payload.write(address.slice(2), 'hex');
    payload.writeUIntBE(now() + TOKEN_LIFETIME_MS, ADDRESS_BYTES, TIME_BYTES);
    payload.set(randomBytes(SALT_BYTES), ADDRESS_BYTES + TIME_BYTES);
    return payload.toString('hex') + this.#sealOf(payload).toString('hex');
  }

  /** The owner and expiry of a token, or null if it is unknown or expired. */
  holderOf(token: string): TokenHolder | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'hex');
    const payload = bytes.subarray(0, PAYLOAD_BYTES);
    if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), this.#sealOf(payload))) return null;
    const expiresAtMs = payload.readUIntBE(ADDRESS_BYTES, TIME_BYTES);
    if (this.#options.now() >= expiresAtMs) return null;
    return { address: `0x${payload.toString('hex', 0, ADDRESS_BYTES)}` as Address, expiresAtMs };
  }

  #sealOf(payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#options.secret).update(payload).digest();
  }
}

export type ReadToken = { readonly token: string | null } | { readonly refusal: 'conflictingTokens' };

const BEARER = /^bearer +(\S+)$/i;

/**
 * The token of a request, from `x-paper-token` or `Authorization: Bearer`, or null. Both may carry the same token;
 * different ones are refused, because neither header takes precedence.
 */
export function readToken(headers: IncomingHttpHeaders): ReadToken {
  const plain = headers['x-paper-token']?.toString() || null;
  const bearer = BEARER.exec(headers.authorization?.trim() ?? '')?.[1] ?? null;
  if (plain !== null && bearer !== null && plain !== bearer) return { refusal: 'conflictingTokens' };
  return { token: plain ?? bearer };
}
