/** The terms of an order: how long it rests, and what it may do on arrival. */

import { textField } from '../envelopes.ts';
import { defaulted, type Field, optional } from './field.ts';
import type { ValuesOf } from './kind.ts';
import { type JsonSchema, unixMs } from './schema.ts';
import { choice, plain, whole } from './value.ts';

/** The times that an order may rest: until cancelled, not at all, all or nothing, until a date (TIF-1). */
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'fok', 'gtd'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const ORDER_FLAGS = ['post-only', 'reduce-only'] as const;
export type OrderFlag = (typeof ORDER_FLAGS)[number];

/** The ways in which an order may meet one of its own account (STP-1). */
export const STP_MODES = ['taker', 'maker', 'both', 'none'] as const;
export type SelfTradePrevention = (typeof STP_MODES)[number];

/** True for a time in force whose orders may rest. */
export function isRestingTif(tif: TimeInForce): boolean {
  return tif === 'gtc' || tif === 'gtd';
}

/** True if the flag goes with the time in force: a post-only order must be able to rest, a reduce-only order must not (TIF-2, TIF-3). */
export function allowsFlag(tif: TimeInForce, flag: OrderFlag): boolean {
  return isRestingTif(tif) === (flag === 'post-only');
}

/** Characters of a client id at most. */
export const CLIENT_ID_LENGTH_MAX = 36;

/** A client id: a letter or digit, then up to 35 more or `_` or `-` (CID-1). */
export const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/;

export const CLIENT_ID_VALUE = plain(
  {
    type: 'string',
    description: 'Chosen by the client: 1 to 36 of A-Z a-z 0-9 _ -, the first a letter or digit',
  },
  (value): value is string => typeof value === 'string' && CLIENT_ID.test(value),
  (id, name) => textField(name, id),
);

const TIF = choice(TIMES_IN_FORCE);
const FLAG = choice(ORDER_FLAGS);

const TIF_FIELD: Field<TimeInForce, { tif?: TimeInForce }> = {
  ...defaulted('tif', TIF, 'gtc'),
  read: (posted) => {
    const isMarket = !posted.has('price');
    const tif = posted.optional('tif', TIF.parse) ?? (isMarket ? 'ioc' : 'gtc');
    return isMarket && isRestingTif(tif) ? posted.malformed('tif') : tif;
  },
};

const EXPIRES_AT = whole(unixMs('When a gtd order leaves'));

/** Milliseconds since the epoch; only with `gtd`, whose part of the line it ends. */
const EXPIRES_AT_FIELD: Field<number | undefined, { expiresAt?: number }> = {
  ...optional('expiresAt', EXPIRES_AT),
  read: (posted) => {
    const expiresAt = posted.optional('expiresAt', EXPIRES_AT.parse);
    if (posted.optional('tif', TIF.parse) === 'gtd') return expiresAt ?? posted.missing('expiresAt');
    return expiresAt === undefined ? undefined : posted.malformed('expiresAt');
  },
  text: (expiresAt = 0, { tif }) => (tif === 'gtd' ? `:${EXPIRES_AT.text(expiresAt, 'expiresAt')}` : ''),
  isLogged: (value) => value === undefined || Number.isSafeInteger(value),
};

const FLAG_FIELD: Field<OrderFlag | undefined, { postOnly?: boolean; reduceOnly?: boolean }> = {
  properties: {
    postOnly: boolean('Rejected if it would trade on arrival'),
    reduceOnly: boolean('Cut to what closes the position'),
  },
  isRequired: false,
  read: (posted) => {
    const postOnly = posted.optional('postOnly', booleanOf) ?? false;
    const reduceOnly = posted.optional('reduceOnly', booleanOf) ?? false;
    if (!postOnly && !reduceOnly) return undefined;
    const tif = TIF_FIELD.read(posted);
    if (postOnly && !allowsFlag(tif, 'post-only')) posted.malformed('postOnly');
    if (reduceOnly && (postOnly || !allowsFlag(tif, 'reduce-only'))) posted.malformed('reduceOnly');
    return postOnly ? 'post-only' : 'reduce-only';
  },
  text: (flag = '-' as OrderFlag) => ` ${flag}`,
  isLogged: (value) => value === undefined || FLAG.isLogged(value),
};

function boolean(description: string): JsonSchema {
  return { type: 'boolean', description };
}

function booleanOf(json: unknown): boolean | undefined {
  return typeof json === 'boolean' ? json : undefined;
}

/** In the order in which snapshots have them, so that a new one comes last. */
export const TERMS = {
  tif: TIF_FIELD,
  expiresAt: EXPIRES_AT_FIELD,
  flag: FLAG_FIELD,
  stp: defaulted('stp', choice(STP_MODES), 'taker'),
  clientId: optional('clientId', CLIENT_ID_VALUE),
};
/** Defaults are written out. */
export type OrderTerms = ValuesOf<typeof TERMS>;

/** A new term takes its place in snapshots by this list. */
export const TERM_NAMES = Object.keys(TERMS) as readonly (keyof OrderTerms)[];
