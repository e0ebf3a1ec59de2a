/** Secrets of operators, their daemons, the maker and feeds (CRED-1). */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type NamedOperator,
  OPERATOR_ROLES,
  type OperatorRole,
  SECRET_LENGTH_MIN,
  SHARED_OPERATOR,
} from '@venue/config';

export type Role = 'operator' | 'deposit' | 'payout' | 'attest' | 'maker' | 'feed' | 'settle1' | 'settle2';

/** A secret of which no more than its SHA-256 is known, in hex. */
export interface HashedSecret {
  readonly sha256: string;
}

export type Secret = string | HashedSecret;

/** Null for a secret that is not set. */
export type Secrets = Readonly<Record<Role, Secret | null>>;

/** For one whose routes ask for none of them. */
export const NO_SECRETS: Secrets = {
  operator: null,
  deposit: null,
  payout: null,
  attest: null,
  maker: null,
  feed: null,
  settle1: null,
  settle2: null,
};

const HEADERS: Readonly<Record<Role, string>> = {
  operator: 'x-operator-token',
  deposit: 'x-operator-token',
  payout: 'x-operator-token',
  attest: 'x-operator-token',
  maker: 'x-maker-token',
  feed: 'x-feed-token',
  settle1: 'x-settle-token-1',
  settle2: 'x-settle-token-2',
};

const VARIABLES: Readonly<Record<Role, string>> = {
  operator: 'VENUE_OPERATOR_TOKEN',
  deposit: 'VENUE_DEPOSIT_TOKEN',
  payout: 'VENUE_PAYOUT_TOKEN',
  attest: 'VENUE_ATTEST_TOKEN',
  maker: 'VENUE_MAKER_TOKEN',
  feed: 'VENUE_FEED_TOKEN',
  settle1: 'VENUE_SETTLE_TOKEN_1',
  settle2: 'VENUE_SETTLE_TOKEN_2',
};

/** Roles that people fill until they have a secret of their own (CUS-9), and what such people can then do. */
const STOOD_IN_FOR = {
  deposit: 'credit deposits',
  payout: 'note payouts as committed',
  attest: 'answer for contract wallets',
} as const;

/** The holder of the shared secret is one person less than settling takes, and two of them may be one (OPS-2). */
const SHARED_ROLES: ReadonlySet<OperatorRole> = new Set(OPERATOR_ROLES.filter((role) => role !== 'settle'));

/** An operator by a secret that a request carries. */
export interface Caller {
  readonly name: string;
  readonly roles: ReadonlySet<OperatorRole>;
}

const SETTLE_ROLES = ['settle1', 'settle2'] as const;

/** The prefix that Prometheus sends before a token. */
const BEARER = 'Bearer ';

export const ROLES = Object.keys(HEADERS) as readonly Role[];

export class Credentials {
  /** Digests of equal length, so that every comparison takes the same time. */
  readonly #digests = new Map<Role, Uint8Array>();

  readonly #metricsDigest: Uint8Array | null;

  /** Each with one secret; somebody in a rotation is in it twice. */
  readonly #callers: readonly (Caller & { readonly digest: Uint8Array })[];

  constructor(
    secrets: Secrets,
    metricsToken: string | null = null,
    operators: readonly NamedOperator[] = [],
  ) {
    this.#callers = [
      ...(secrets.operator
        ? [{ name: SHARED_OPERATOR, roles: SHARED_ROLES, digest: digestOf(secrets.operator) }]
        : []),
      ...operators.flatMap(({ name, roles, hashes }) =>
        hashes.map((sha256) => ({ name, roles: new Set(roles), digest: digestOf({ sha256 }) })),
      ),
    ];
    this.#metricsDigest = metricsToken === null ? null : digestOf(metricsToken);
    for (const role of ROLES) {
      const secret = secrets[role] || (isStoodInFor(role) ? secrets.operator : null);
      if (secret) this.#digests.set(role, digestOf(secret));
    }
  }

  /** Returns whether a request carries the role's secret. Always false while that secret is not set. */
  holds(role: Role, headers: IncomingHttpHeaders): boolean {
    const expected = this.#digests.get(role);
    const presented = headers[HEADERS[role]]?.toString();
    if (expected === undefined || presented === undefined) return false;
    return timingSafeEqual(digestOf(presented), expected);
  }

  /** Returns whose secret a request carries as an operator's, or null; every known secret is looked at (OPS-2). */
  operatorOf(headers: IncomingHttpHeaders): Caller | null {
    const presented = headers[HEADERS.operator]?.toString();
    if (presented === undefined) return null;
    const digest = digestOf(presented);
    let found: Caller | null = null;
    for (const caller of this.#callers) if (timingSafeEqual(caller.digest, digest)) found = caller;
    return found;
  }

  /** Returns whether a request carries a settlement secret, right or wrong. */
  showsSettleSecret(headers: IncomingHttpHeaders): boolean {
    return SETTLE_ROLES.some((role) => headers[HEADERS[role]] !== undefined);
  }

  /** Returns whether a request carries a secret for this role that is not the role's. */
  isWrong(role: Role, headers: IncomingHttpHeaders): boolean {
    return headers[HEADERS[role]] !== undefined && !this.holds(role, headers);
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
export function assertSecrets(secrets: Secrets, operators: readonly NamedOperator[] = []): string | null {
  const owners = new Map<string, string>();
  const dispensable = dispensableOf(secrets, operators);
  for (const role of ROLES) {
    const secret = secrets[role];
    if (!secret && dispensable.has(role)) continue;
    const variable = variableOf(role, secret);
    if (!secret) return `${variable} is required in deposits mode`;
    if (typeof secret === 'string' && secret.length < SECRET_LENGTH_MIN)
      return `${variable} must have at least ${SECRET_LENGTH_MIN} characters`;
    const owner = owners.get(hashOf(secret));
    if (owner !== undefined) return `${variable} must differ from ${owner}`;
    owners.set(hashOf(secret), variable);
  }
  return settlersFault(operators);
}

/** Settling takes two people; a venue where nobody settles by hand has named none (CUS-10). */
function settlersFault(operators: readonly NamedOperator[]): string | null {
  return settlersOf(operators).length === 1
    ? 'VENUE_OPERATORS gives the role settle to one operator, and settling takes two'
    : null;
}

function settlersOf(operators: readonly NamedOperator[]): readonly NamedOperator[] {
  return operators.filter(({ roles }) => roles.includes('settle'));
}

/** Secrets that need not be set, as another one or a named operator does; a daemon needs its own where nobody shares. */
function dispensableOf(secrets: Secrets, operators: readonly NamedOperator[]): ReadonlySet<Role> {
  return new Set<Role>([
    'attest',
    ...(operators.length > 0 ? (['operator'] as const) : []),
    ...(secrets.operator || operators.length === 0 ? (['deposit', 'payout'] as const) : []),
    ...(settlersOf(operators).length > 0 ? SETTLE_ROLES : []),
  ]);
}

/** The powers of the operators' secret over real money for want of others: one line for each (CUS-9, OPS-2). */
export function sharedSecrets(secrets: Secrets, operators: readonly NamedOperator[] = []): string[] {
  if (!secrets.operator) return [];
  const nameless =
    operators.length > 0
      ? []
      : [
          `VENUE_OPERATORS is not set: the audit cannot tell apart who has ${VARIABLES.operator} ("venue operators add")`,
        ];
  const stoodIn = ROLES.filter(isStoodInFor)
    .filter((role) => !secrets[role])
    .map(
      (role) =>
        `${VARIABLES[role]} is not set: anyone with ${VARIABLES.operator} can also ${STOOD_IN_FOR[role]}`,
    );
  return [...nameless, ...stoodIn];
}

/**
 * Returns why no service, in any mode, may start with these hand-settlement secrets, or null: two people must hold
 * them, and neither may be any other secret. Leaving one unset disables hand settlement, which is safe.
 */
export function assertSettleSecrets(secrets: Secrets): string | null {
  for (const role of SETTLE_ROLES) {
    const secret = secrets[role];
    if (!secret) continue;
    const twin = ROLES.find((other) => other !== role && isSame(secret, secrets[other]));
    if (twin !== undefined)
      return `${variableOf(role, secret)} must differ from ${variableOf(twin, secrets[twin])}`;
  }
  return null;
}

/**
 * Returns why no service may start with these operators beside these secrets, or null: nobody may have a second secret that
 * says something else of them (OPS-2).
 */
export function assertOperators(secrets: Secrets, operators: readonly NamedOperator[]): string | null {
  const twin = ROLES.find((role) => {
    const secret = secrets[role];
    return secret && operators.some(({ hashes }) => hashes.includes(hashOf(secret)));
  });
  if (twin !== undefined) return `VENUE_OPERATORS has the secret of ${variableOf(twin, secrets[twin])}`;
  const settle = SETTLE_ROLES.find((role) => secrets[role]);
  return settle === undefined || settlersOf(operators).length === 0
    ? null
    : `VENUE_OPERATORS gives the role settle, and ${variableOf(settle, secrets[settle])} is set: keep one of them`;
}

function isStoodInFor(role: Role): role is keyof typeof STOOD_IN_FOR {
  return role in STOOD_IN_FOR;
}

/** As the secret was given, or may be given. */
function variableOf(role: Role, secret: Secret | null): string {
  const ofHash = VARIABLES[role].replace('TOKEN', 'HASH');
  if (secret !== null && typeof secret !== 'string') return ofHash;
  const mayBeHash = !secret && SETTLE_ROLES.some((other) => other === role);
  return mayBeHash ? `${VARIABLES[role]} or ${ofHash}` : VARIABLES[role];
}

function isSame(secret: Secret, other: Secret | null): boolean {
  return !!other && hashOf(secret) === hashOf(other);
}

function hashOf(secret: Secret): string {
  return typeof secret === 'string' ? hash('sha256', secret) : secret.sha256;
}

function digestOf(secret: Secret): Uint8Array {
  return Buffer.from(hashOf(secret), 'hex');
}
