/** Bearer tokens for reads: in memory, kept as digests, gone with the process (AUTH-2). */

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Address } from '@venue/protocol';

export const TOKEN_LIFETIME_MS = 24 * 3_600_000;
const TOKENS_MAX = 100_000;
/** As many as an address may have sessions (KEY-1), each of which began with a token. */
const TOKENS_PER_ADDRESS_MAX = 64;
const TOKEN_BYTES = 32;
const TOKEN = /^[0-9a-f]{64}$/;

export interface TokensOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Tokens held at once; past it the oldest goes. */
  readonly tokensMax?: number;
  /** Tokens held for one address; past it the oldest of that address goes. */
  readonly tokensPerAddressMax?: number;
}

interface Grant {
  readonly address: Address;
  readonly expiresAtMs: number;
}

export class Tokens {
  readonly #now: () => number;
  readonly #randomBytes: (size: number) => Uint8Array;
  readonly #tokensMax: number;
  readonly #perAddressMax: number;
  /** By digest of the token, in order of issue. Whoever times a lookup learns about a digest, never a token. */
  readonly #grants = new Map<string, Grant>();
  /** Digests of an address, oldest first. */
  readonly #digests = new Map<Address, Set<string>>();

  constructor({ now, randomBytes, ...limits }: TokensOptions) {
    this.#now = now;
    this.#randomBytes = randomBytes;
    this.#tokensMax = limits.tokensMax ?? TOKENS_MAX;
    this.#perAddressMax = limits.tokensPerAddressMax ?? TOKENS_PER_ADDRESS_MAX;
  }

  /** A new token of 64 hex digits. Earlier ones stay valid (FINE-13). */
  issue(address: Address): string {
    const own = this.#digests.get(address);
    if (own !== undefined && own.size >= this.#perAddressMax) this.#revokeFirst(own);
    if (this.#grants.size >= this.#tokensMax) this.#revokeFirst(this.#grants.keys());
    const token = Buffer.from(this.#randomBytes(TOKEN_BYTES)).toString('hex');
    this.#grant(digestOf(token), { address, expiresAtMs: this.#now() + TOKEN_LIFETIME_MS });
    return token;
  }

  /** Whose token it is, or null for one that is unknown or expired. */
  addressOf(token: string): Address | null {
    if (!TOKEN.test(token)) return null;
    const digest = digestOf(token);
    const grant = this.#grants.get(digest);
    if (grant === undefined) return null;
    if (this.#now() < grant.expiresAtMs) return grant.address;
    this.#revoke(digest);
    return null;
  }

  #grant(digest: string, grant: Grant): void {
    this.#grants.set(digest, grant);
    const own = this.#digests.get(grant.address);
    if (own === undefined) this.#digests.set(grant.address, new Set([digest]));
    else own.add(digest);
  }

  #revokeFirst(digests: Iterable<string>): void {
    const [first] = digests;
    if (first !== undefined) this.#revoke(first);
  }

  #revoke(digest: string): void {
    const grant = this.#grants.get(digest);
    if (grant === undefined) return;
    this.#grants.delete(digest);
    const own = this.#digests.get(grant.address);
    own?.delete(digest);
    if (own?.size === 0) this.#digests.delete(grant.address);
  }
}

export type ReadToken = { readonly token: string | null } | { readonly refusal: 'conflictingTokens' };

const BEARER = /^bearer +(\S+)$/i;

/**
 * The token of a request, from `x-paper-token` or `Authorization: Bearer`, or null. Equal ones in both are fine,
 * different ones are refused: neither header is the better one.
 */
export function readToken(headers: IncomingHttpHeaders): ReadToken {
  const plain = headers['x-paper-token']?.toString() || null;
  const bearer = BEARER.exec(headers.authorization?.trim() ?? '')?.[1] ?? null;
  if (plain !== null && bearer !== null && plain !== bearer) return { refusal: 'conflictingTokens' };
  return { token: plain ?? bearer };
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
