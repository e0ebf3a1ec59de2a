/** A kind of action: its fields, and what no single field can say. */

import type { Field } from './field.ts';
import type { Posted } from './posted.ts';

/** In the order in which the log has them. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

interface Rules<Name extends string = string> {
  /** Fields that are read before the others, so that their faults are told first. */
  readonly readFirst?: readonly Name[];
  /** Fields that end the signed line. */
  readonly signedLast?: readonly Name[];
  /** Reports a fault of several fields, once each of them is read. */
  readonly check?: (posted: Posted) => void;
}

export interface ActionKind<Type extends string = string, F extends Fields = Fields> extends Rules {
  readonly type: Type;
  readonly fields: F;
}

export function kindOf<const Type extends string, F extends Fields>(
  type: Type,
  fields: F,
  rules: Rules<keyof F & string> = {},
): ActionKind<Type, F> {
  return { type, fields, ...rules };
}

/** An action as it is signed and logged: in micros, defaults written out. */
export type ActionOf<K extends ActionKind> = Flat<{ readonly type: K['type'] } & ValuesOf<K['fields']>>;

/** The fields as values. One that may be undefined may be absent. */
export type ValuesOf<F extends Fields> = Flat<
  { readonly [N in keyof F as undefined extends ValueOf<F[N]> ? never : N]: ValueOf<F[N]> } & {
    readonly [N in keyof F as undefined extends ValueOf<F[N]> ? N : never]?: Exclude<
      ValueOf<F[N]>,
      undefined
    >;
  }
>;

/** An action as it is posted. */
export type PostedOf<K extends ActionKind> = Flat<
  { type: K['type'] } & AllOf<{ [N in keyof K['fields']]: PropertiesOf<K['fields'][N]> }[keyof K['fields']]>
>;

type ValueOf<F> = F extends Field<infer T> ? T : never;
type PropertiesOf<F> = F extends Field<unknown, infer P> ? P : never;
type Flat<T> = { [N in keyof T]: T[N] };
/** The intersection of the members of a union. */
type AllOf<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
