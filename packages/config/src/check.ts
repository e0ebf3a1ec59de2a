/** Checks an environment for `--check`, and for warnings at startup. */

import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { Fault } from './kinds.ts';
import { unknownWarnings } from './names.ts';
import { readOne, readsOf } from './read.ts';
import { exposure } from './secret-files.ts';
import type { Reader, Variable } from './variable.ts';
import { VARIABLES, type VariableName } from './variables.ts';

/** The result of one check. */
export interface Finding {
  readonly ok: boolean;
  /** One line without secrets. */
  readonly text: string;
}

/** Every fault in the variables of a reader, not just the first; a single line of confirmation if there is none. */
export function checkVariables(reader: Reader, env: Environment): Finding[] {
  const reads = readsOf(reader);
  const wrong = reads.flatMap(([name, variable]) => faultOf(() => readOne(name, variable, env, reader)));
  const strange = [...wrong, ...unknownWarnings(env), ...exposures(reader, env)];
  if (strange.length > 0) return strange.map((text) => ({ ok: false, text }));
  const set = reads.filter(([name]) => env[name] || env[`${name}_FILE`]).length;
  return [{ ok: true, text: `${reads.length} variables, ${set} of them set` }];
}

/** Why a text is no value of a variable, as a sentence that continues the variable's name; null if it is one. */
export function valueFault(name: VariableName, text: string): string | null {
  const { kind }: Variable = VARIABLES[name];
  const value = kind.parse(text);
  return value instanceof Fault ? value.reason : null;
}

/** Warnings printed at startup, one line each. */
export function warnings(reader: Reader, env: Environment): string[] {
  return [...unknownWarnings(env), ...exposures(reader, env)];
}

function exposures(reader: Reader, env: Environment): string[] {
  return readsOf(reader).flatMap(([name, { secret }]) => (secret && exposure(name, env)) || []);
}

/** The message of the `ConfigError` that `look` throws, if any. */
export function faultOf(look: () => unknown): string[] {
  try {
    look();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
