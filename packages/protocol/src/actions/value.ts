/** Values that stand in fields of actions, whatever the name of the field. */

import { integerField, textField } from '../envelopes.ts';
import { upperSymbol } from '../series.ts';
import { decimalToMicros } from '../units.ts';
import { choiceOf, type JsonSchema, SERIES_ID_JSON, SYMBOL_JSON } from './schema.ts';

/** A kind of value: `T` in the program, in the signed text and in the log; `J` in the JSON that is posted. */
export interface Value<T, J = T> {
  readonly schema: JsonSchema;
  /** Undefined for JSON that is malformed. */
  readonly parse: (json: unknown) => T | undefined;
  /** `name` is that of the field, for an error. */
  text(value: T, name: string): string;
  /** A replay trusts nothing in the log. */
  readonly isLogged: (value: unknown) => boolean;
  /** A type only. */
  readonly json?: J;
}

/** Printable ASCII without space or comma, so that a value is one field of its line (BAT-1). */
const WORD = /^[!-+\--~]{1,64}$/;

export function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value);
}

export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isWithin(least: number, most: number): (value: unknown) => value is number {
  return (value): value is number => isWhole(value) && value >= least && value <= most;
}

/** The same value in JSON and in the program. */
export function plain<T>(
  schema: JsonSchema,
  is: (value: unknown) => value is T,
  text: Value<T>['text'],
): Value<T> {
  return { schema, parse: (json) => (is(json) ? json : undefined), text, isLogged: is };
}

export const SERIES_ID = plain(SERIES_ID_JSON, isWord, (id, name) => textField(name, id));

/** An underlying in any case; upper case is signed. A cancel may name one that does not exist (ORD-9). */
export const SYMBOL: Value<string> = {
  schema: SYMBOL_JSON,
  parse: (json) => (isWord(json) ? upperSymbol(json) : undefined),
  text: (symbol, name) => textField(name, symbol),
  isLogged: isUpper,
};

export function isUpper(value: unknown): boolean {
  return typeof value === 'string' && upperSymbol(value) === value;
}

export function choice<const T extends string>(choices: readonly T[]): Value<T> {
  const is = (value: unknown): value is T => choices.includes(value as T);
  return plain(choiceOf(choices), is, (value) => value);
}

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];
export const SIDE = choice(SIDES);

/** A decimal in JSON, micros in the program. Zero is well-formed: the engine rejects it in its place among the checks (BAT-1). */
export function amount(schema: JsonSchema): Value<number> {
  return {
    ...signedAmount(schema),
    parse: (json) => {
      const micros = microsOf(json);
      return micros === undefined || micros < 0 ? undefined : micros;
    },
    isLogged: isWhole,
  };
}

/** An amount that may be below zero. */
export function signedAmount(schema: JsonSchema): Value<number> {
  return {
    schema,
    parse: microsOf,
    text: (micros, name) => integerField(name, micros),
    isLogged: Number.isSafeInteger,
  };
}

function microsOf(json: unknown): number | undefined {
  return typeof json === 'number' ? (decimalToMicros(json) ?? undefined) : undefined;
}

export function whole(schema: JsonSchema, is = isWhole): Value<number> {
  return plain(schema, is, (value, name) => integerField(name, value));
}
