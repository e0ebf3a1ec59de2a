/** A field of an action: declared once, it is posted, read, signed and logged as it says here. */

import type { Posted } from './posted.ts';
import type { JsonSchema } from './schema.ts';
import type { Value } from './value.ts';

/** A field of the value `T`, posted as the properties `P`. */
export interface Field<T, P = object> {
  /** Schemas of the properties that it is posted as. */
  readonly properties: { readonly [N in keyof P & string]: JsonSchema };
  /** True if its property must be given. */
  readonly isRequired: boolean;
  /** Undefined if the action has none. Reports the first fault of its properties. */
  read(posted: Posted): T;
  /** Its part of the signed line, beginning with what separates it from the part before. */
  text(value: T, action: Readonly<Record<string, unknown>>): string;
  /** True for a value that the log may hold; undefined stands for an absent field. */
  readonly isLogged: (value: unknown) => boolean;
  /** The names that it has on lists, by property, of which a batch has only so many (BAT-7). */
  namesIn?(value: T): Readonly<Record<string, readonly string[]>>;
  /** A type only. */
  readonly posted?: P;
}

/** A field that must be given. */
export function required<N extends string, T, J>(name: N, value: Value<T, J>): Field<T, { [K in N]: J }> {
  return {
    properties: only(name, value),
    isRequired: true,
    read: (posted) => posted.required(name, value.parse),
    text: (one) => ` ${value.text(one, name)}`,
    isLogged: value.isLogged,
  };
}

/** A field that may be absent. The signed line then has `none` in its place. */
export function optional<N extends string, T, J>(
  name: N,
  value: Value<T, J>,
  none = '-',
): Field<T | undefined, { [K in N]?: J }> {
  return {
    properties: only(name, value),
    isRequired: false,
    read: (posted) => posted.optional(name, value.parse),
    text: (one) => (one === undefined ? ` ${none}` : ` ${value.text(one, name)}`),
    isLogged: (one) => one === undefined || value.isLogged(one),
  };
}

/** A field whose default is written out, so that it is signed and logged. */
export function defaulted<N extends string, T, J>(
  name: N,
  value: Value<T, J>,
  unset: T,
): Field<T, { [K in N]?: J }> {
  return {
    ...required(name, value),
    isRequired: false,
    read: (posted) => posted.optional(name, value.parse) ?? unset,
  };
}

/** A limit; null for an order at the market, which has none. */
export function limit<N extends string>(
  name: N,
  value: Value<number>,
): Field<number | null, { [K in N]?: number }> {
  return {
    properties: only(name, value),
    isRequired: false,
    read: (posted) => posted.optional(name, value.parse) ?? null,
    text: (one) => (one === null ? ' market' : ` ${value.text(one, name)}`),
    isLogged: (one) => one === null || value.isLogged(one),
  };
}

function only<N extends string>(name: N, { schema }: { readonly schema: JsonSchema }) {
  return { [name]: schema } as { readonly [K in N]: JsonSchema };
}
