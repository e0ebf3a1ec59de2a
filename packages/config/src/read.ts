/** Reads declared variables from an environment. */

import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { Fault } from './kinds.ts';
import { secretText } from './secret-files.ts';
import type { Reader, Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

type Declared = typeof VARIABLES;

/** Names of a reader's variables. */
type NamesOf<R extends Reader> = {
  [Name in keyof Declared]: Declared[Name] extends Variable<unknown, infer Reads, infer Needs, unknown>
    ? R extends Reads | Needs
      ? Name
      : never
    : never;
}[keyof Declared];

/** Null if it is absent, has no default and is not required. */
type ValueOf<V, R extends Reader> =
  V extends Variable<infer T, Reader, infer Needs, infer Default>
    ? T | (R extends Needs ? never : Default extends string | number ? never : null)
    : never;

/** A reader's values by name. */
export type Values<R extends Reader> = { readonly [Name in NamesOf<R>]: ValueOf<Declared[Name], R> };

/**
 * Reads all variables of a reader. An empty variable counts as absent. Throws `ConfigError` for an invalid one, and for
 * a required one that is absent.
 *
 * @example readVariables('exchange', { VENUE_PORT: 'abc' }) // VENUE_PORT must be an integer from 0 to 65535, not "abc"
 */
export function readVariables<R extends Reader>(reader: R, env: Environment): Values<R> {
  const pairs = readsOf(reader).map(([name, variable]) => [name, readOne(name, variable, env, reader)]);
  return Object.fromEntries(pairs) as Values<R>;
}

/** A reader's variables, in the order of docs/reference/environment.md. */
export function readsOf(reader: Reader): [string, Variable][] {
  return Object.entries<Variable>(VARIABLES).filter(
    ([, { neededBy, readBy }]) => neededBy?.includes(reader) || readBy?.includes(reader),
  );
}

/** Reads one variable; throws like `readVariables`. */
export function readOne(
  name: string,
  { kind, ...terms }: Variable,
  env: Environment,
  reader: Reader,
): unknown {
  const text = (terms.secret ? secretText(name, env) : env[name]) || terms.default;
  if (text === undefined) {
    if (!terms.neededBy?.includes(reader)) return null;
    throw new ConfigError(`${name} is not set: it is ${terms.meaning}`);
  }
  const value = kind.parse(String(text));
  if (value instanceof Fault) throw new ConfigError(`${name} ${value.reason}`);
  return value;
}
