/** Secrets of operators, the maker and feeds, one header each (CRED-1). */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_LENGTH_MIN } from '@venue/config';

export type Role = 'operator' | 'maker' | 'feed' | 'settle1' | 'settle2';

/** Null for a secret that is not set. */
export type Secrets = Readonly<Record<Role, string | null>>;

const HEADERS: Readonly<Record<Role, string>> = {
  operator: 'x-operator-token',
  maker: 'x-maker-token',
  feed: 'x-feed-token',
  settle1: 'x-settle-token-1',
  settle2: 'x-settle-token-2',
};

const VARIABLES: Readonly<Record<Role, string>> = {
  operator: 'VENUE_OPERATOR_TOKEN',
  maker: 'VENUE_MAKER_TOKEN',
  feed: 'VENUE_FEED_TOKEN',
  settle1: 'VENUE_SETTLE_TOKEN_1',
  settle2: 'VENUE_SETTLE_TOKEN_2',
};

/** The prefix that Prometheus sends before a token. */
const BEARER = 'Bearer ';

export const ROLES = Object.keys(HEADERS) as readonly Role[];

export class Credentials {
  /** Digests of equal length, so that every comparison takes the same time. */
  readonly #digests = new Map<Role, Uint8Array>();

  readonly #metricsDigest: Uint8Array | null;

  constructor(secrets: Secrets, metricsToken: string | null = null) {
    this.#metricsDigest = metricsToken === null ? null : digestOf(metricsToken);
    for (const role of ROLES) {
      const secret = secrets[role];
      if (secret !== null && secret !== '') this.#digests.set(role, digestOf(secret));
    }
  }

  /** Returns whether a request carries the role's secret. Always false while that secret is not set. */
  holds(role: Role, headers: IncomingHttpHeaders): boolean {
    const expected = this.#digests.get(role);
    const presented = headers[HEADERS[role]]?.toString();
    if (expected === undefined || presented === undefined) return false;
    return timingSafeEqual(digestOf(presented), expected);
  }

  /** Returns whether a request may read the metrics from another machine (OWN-71). */
  mayReadMetrics({ authorization = '' }: IncomingHttpHeaders): boolean {
    if (this.#metricsDigest === null || !authorization.startsWith(BEARER)) return false;
    return timingSafeEqual(digestOf(authorization.slice(BEARER.length)), this.#metricsDigest);
  }
}

/**
 * Returns why a service with real money must not start with these secrets, or null. One line that names the variable
 * and never the secret.
 */
export function assertSecrets(secrets: Secrets): string | null {
  const owners = new Map<string, string>();
  for (const role of ROLES) {
    const variable = VARIABLES[role];
    const secret = secrets[role];
    if (secret === null || secret === '') return `${variable} is required in deposits mode`;
    if (secret.length < SECRET_LENGTH_MIN)
      return `${variable} must have at least ${SECRET_LENGTH_MIN} characters`;
    const owner = owners.get(secret);
    if (owner !== undefined) return `${variable} must differ from ${owner}`;
    owners.set(secret, variable);
  }
  return null;
}

const SETTLE_ROLES: readonly Role[] = ['settle1', 'settle2'];

/**
 * Returns why no service, in any mode, may start with these hand-settlement secrets, or null: two people must hold
 * them, and neither may be any other secret. Leaving one unset disables hand settlement, which is safe.
 */
export function assertSettleSecrets(secrets: Secrets): string | null {
  for (const role of SETTLE_ROLES) {
    const secret = secrets[role];
    if (secret === null || secret === '') continue;
    const twin = ROLES.find((other) => other !== role && secrets[other] === secret);
    if (twin !== undefined) return `${VARIABLES[role]} must differ from ${VARIABLES[twin]}`;
  }
  return null;
}

function digestOf(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer');
}
