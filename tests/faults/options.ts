/** Command-line options of the scripts: an invalid one gives a one-line message, and nothing is run. */

import { parseArgs } from 'node:util';
import { BadOption } from '../../packages/exchange/sim/options.ts';

/** Options, each with its default value. */
type Defaults = Readonly<Record<string, string>>;

/** Runs a script with its options, and exits with 1 where these are invalid. */
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

/** The words named in a comma-separated list, in the order of `words`; `all` means all. Throws `BadOption`. */
export function chosen<W extends string>(words: readonly W[], name: string, text: string): W[] {
  const asked = text.split(',');
  const unknown = asked.find((word) => word !== 'all' && !words.includes(word as W));
  if (unknown !== undefined)
    throw new BadOption(`--${name} takes all, or some of ${words.join(', ')}, not '${unknown}'`);
  return words.filter((word) => asked.includes('all') || asked.includes(word));
}
