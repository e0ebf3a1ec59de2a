/** The command lines of the scripts: what is wrong with one is said in one line, and nothing is run. */

import { parseArgs } from 'node:util';
import { BadOption } from '../../packages/exchange/sim/options.ts';

/** Options with a value each, and the value of one that is not given. */
type Defaults = Readonly<Record<string, string>>;

/** Runs a script with its options, and exits with 1 where these are of no use. */
export async function runScript<D extends Defaults>(
  defaults: D,
  script: (values: Readonly<Record<keyof D, string>>) => Promise<void>,
): Promise<void> {
  try {
    await script(valuesOf(defaults));
  } catch (error) {
    if (!(error instanceof BadOption)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function valuesOf<D extends Defaults>(defaults: D): Readonly<Record<keyof D, string>> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  );
  try {
    return parseArgs({ options }).values as Record<keyof D, string>;
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

/** Of the words that there are, those of a list with commas, in the order of the words; `all` are all. Throws `BadOption`. */
export function chosen<W extends string>(words: readonly W[], name: string, text: string): W[] {
  const asked = text.split(',');
  const unknown = asked.find((word) => word !== 'all' && !words.includes(word as W));
  if (unknown !== undefined)
    throw new BadOption(`--${name} takes all, or some of ${words.join(', ')}, not '${unknown}'`);
  return words.filter((word) => asked.includes('all') || asked.includes(word));
}
