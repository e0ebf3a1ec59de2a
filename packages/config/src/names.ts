/** Names that nothing reads: most are typing errors, and what was meant then silently has its default (CFG-3). */

import { ConfigError } from './config-error.ts';
import type { Environment } from './read.ts';
import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

const KNOWN = Object.entries<Variable>(VARIABLES).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
);
/** More typing errors than this make another word. */
const DISTANCE_MAX = 4;

/** The names of every `VENUE_…` that is not declared, sorted. Those of other processes are declared. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('VENUE_') && !KNOWN.includes(name))
    .sort();
}

/** One line for each of them, with the name that is nearest. */
export function unknownWarnings(env: Environment): string[] {
  return unknownVariables(env).map((name) => {
    const nearest = nearestTo(name);
    return `${name} is unknown${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  });
}

/** Throws `ConfigError` where there is one: with real money a default in its place may cost some. */
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

/** Letters to insert, remove or change to get from one word to the other (Levenshtein). */
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
