/** Checks an environment for `--check`, and for the warnings of a start. */

import { ConfigError } from './config-error.ts';
import { unknownWarnings } from './names.ts';
import { type Environment, readOne, readsOf } from './read.ts';
import { exposure } from './secret-files.ts';
import type { Reader } from './variable.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly ok: boolean;
  /** One line without secrets. */
  readonly text: string;
}

/** Everything that is wrong with what a reader reads, not the first alone; one line of praise where nothing is. */
export function checkVariables(reader: Reader, env: Environment): Finding[] {
  const reads = readsOf(reader);
  const wrong = reads.flatMap(([name, variable]) => faultOf(() => readOne(name, variable, env, reader)));
  const strange = [...wrong, ...unknownWarnings(env), ...exposures(reader, env)];
  if (strange.length > 0) return strange.map((text) => ({ ok: false, text }));
  const set = reads.filter(([name]) => env[name] || env[`${name}_FILE`]).length;
  return [{ ok: true, text: `${reads.length} variables, ${set} of them set` }];
}

/** Warnings that a start prints before it goes on, one line each. */
export function warnings(reader: Reader, env: Environment): string[] {
  return [...unknownWarnings(env), ...exposures(reader, env)];
}

function exposures(reader: Reader, env: Environment): string[] {
  return readsOf(reader).flatMap(([name, { secret }]) => (secret && exposure(name, env)) || []);
}

/** The message of the `ConfigError` that something throws, if it does. */
export function faultOf(look: () => unknown): string[] {
  try {
    look();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
