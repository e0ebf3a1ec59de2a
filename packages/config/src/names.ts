/** Unknown names: most are typing errors, and the intended variable silently keeps its default (CFG-3). */

import { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

const KNOWN = Object.entries<Variable>(VARIABLES).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
);
/** Names further apart than this are taken for different words. */
const DISTANCE_MAX = 4;

/** Names of all `VENUE_…` variables that are not declared, sorted. Those of other processes are declared too. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('VENUE_') && !KNOWN.includes(name))
    .sort();
}

/** One line per unknown name, with the nearest known name. */
export function unknownWarnings(env: Environment): string[] {
  return unknownVariables(env).map((name) => {
    const nearest = nearestTo(name);
    return `${name} is unknown${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  });
}

/** Throws `ConfigError` for an unknown name: with real money, an unintended default can be costly. */
export function refuseUnknownNames(env: Environment): void {
  const lines = unknownWarnings(env);
  if (lines.length > 0) throw new ConfigError(lines.join(', '));
}

function nearestTo(name: string): string | undefined {
  const ranked = KNOWN.map((known) => ({ known, distance: distanceOf(name, known) }));
  ranked.sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= DISTANCE_MAX ? best.known : undefined;
}

/** Levenshtein distance: letters to insert, remove or change. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === to[j] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}
