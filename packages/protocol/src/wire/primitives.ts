/** Scalar fields of wire objects. Their descriptions carry the units into the API document. */

import { type TLiteral, type TSchema, type TUnion, Type } from 'typebox';
import {
  contracts as contractsJson,
  price as priceJson,
  SERIES_ID_JSON,
  SYMBOL_JSON,
  unixMs as unixMsJson,
} from '../actions/schema.ts';
import type { VenueCode } from '../messages/helps.ts';
import type { ReasonCode } from '../messages/reasons.ts';

/** An amount of money on the wire: a decimal that is exact in micros (NUM-2). */
export const usd = (meaning: string) => Type.Number({ description: `${meaning}, in US dollars` });

/** A premium or an underlying price. */
export const price = (meaning: string) => Type.Number(priceJson(meaning));

export const contracts = (meaning: string) => Type.Number(contractsJson(meaning));

export const unixSeconds = (meaning: string) =>
  Type.Integer({ description: `${meaning}, in seconds since the Unix epoch` });

export const unixMs = (meaning: string) => Type.Integer(unixMsJson(meaning));

/** A text field with a description. */
export const text = (meaning: string) => Type.String({ description: meaning });

/** For programs, which tell refusals by it (ERR-1). */
export const VenueCodeText = Type.Unsafe<VenueCode>(
  text('Code of the refusal; `GET /v1/reasons` lists them all'),
);

/** Members beside the reason of what was declined (ERR-1). */
export const DeclinedFields = {
  code: Type.Optional(Type.Unsafe<ReasonCode>(text('Code of the reason; `GET /v1/reasons` lists them all'))),
  need: Type.Optional(usd('What the reason says is needed, to cents')),
  have: Type.Optional(usd('What the reason says is there, to cents')),
  headroom: Type.Optional(usd("What the reason says is left of the maker's line, to cents")),
};

export const count = (meaning: string) => Type.Integer({ minimum: 0, description: meaning });

export const AddressText = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'Ethereum address; any case is accepted, lower case is answered',
});

export const SeriesIdText = Type.String(SERIES_ID_JSON);

export const SymbolText = Type.String(SYMBOL_JSON);

export const SideText = Type.Union([Type.Literal('buy'), Type.Literal('sell')]);

export const TxHashText = Type.String({
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'Hash of a transaction or block, 32 bytes of hex',
});

export const nullable = <const T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Members of a query for a span of time. */
export const TimeSpan = {
  from: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'First instant, in unix milliseconds; without it as many as fit before `to`',
    }),
  ),
  to: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'The instant after the last, in unix milliseconds; without it everything until now',
    }),
  ),
};

/** Rows of one answer of orders, fills or trades. */
export const PAGE_ROWS_MAX = 500;

/** The query parameter that asks for fewer rows than `PAGE_ROWS_MAX`; `unset` is how many come without it. */
export const pageRows = (unset: number) =>
  Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|[1-4][0-9]{2}|500)$',
      description: `Rows at most, from 1 to ${PAGE_ROWS_MAX}; ${unset} without it`,
    }),
  );

/** One of some texts, given one by one so that the type knows each. */
export function oneOf<const T extends readonly string[]>(
  ...texts: T
): TUnion<{ -readonly [K in keyof T]: TLiteral<T[K]> }> {
  return Type.Union(texts.map((one) => Type.Literal(one))) as never;
}
