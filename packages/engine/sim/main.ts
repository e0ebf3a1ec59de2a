/**
 * Runs simulations by seed: `--seed N [--steps M]`, `--seeds A..B` or `--minutes M`; `--custody yes` or `no` runs all
 * of them with or without custody, and `--hostile` runs the flow of a few hostile accounts in defined-risk mode in place
 * of the general one. A failing seed is printed with its last entries; the entries of one of the general flow are added
 * to `failing/`, which the test runs first.
 */

import { parseArgs } from 'node:util';
import { keepFailing } from './failing.ts';
import { hasCustody, type Report, simulate, simulateSpreads } from './simulate.ts';

const STEPS = 200;
const USAGE = `say --seed N, --seeds A..B or --minutes M, --steps N for other than ${STEPS} entries a seed, --custody yes or no for other than every third with it, and --hostile for accounts that attack their margin`;

/** An invalid command line, described in one line. */
class BadOption extends Error {}

try {
  main();
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function main(): void {
  const values = options();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const steps = whole('steps', values.steps);
  let failed = 0;
  let run = 0;
  for (const seed of seeds(values)) {
    const report = values.hostile
      ? simulateSpreads(seed, steps)
      : simulate(seed, steps, custodyOf(values, seed));
    run += 1;
    tell(report, values.seed !== undefined);
    if (report.failure === null) continue;
    failed += 1;
    if (!values.hostile) keepFailing(report);
  }
  console.log(`${run} seeds, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

type Options = ReturnType<typeof options>;

function options() {
  try {
    return parse();
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

function parse() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      steps: { type: 'string', default: String(STEPS) },
      custody: { type: 'string' },
      hostile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

function* seeds({ seed, seeds, minutes }: Options): Generator<number> {
  if (seed !== undefined) {
    yield whole('seed', seed);
  } else if (seeds !== undefined) {
    const [first, last] = seeds.split('..').map((text) => whole('seeds', text));
    for (let seed = first!; seed <= (last ?? first!); seed++) yield seed;
  } else if (minutes !== undefined) {
    const until = Date.now() + whole('minutes', minutes) * 60_000;
    for (let seed = Date.now(); Date.now() < until; seed++) yield seed;
  } else {
    throw new BadOption(USAGE);
  }
}

function custodyOf({ custody }: Options, seed: number): boolean {
  if (custody === undefined) return hasCustody(seed);
  if (custody !== 'yes' && custody !== 'no') throw new BadOption(`--custody is yes or no, not '${custody}'`);
  return custody === 'yes';
}

function tell({ seed, custody, entries, counts, failure }: Report, isAlone: boolean): void {
  if (failure !== null) console.log(`seed ${seed}${custody ? ' with custody' : ''} FAILED\n${failure}\n`);
  else if (!isAlone) console.log(`seed ${seed}: ${entries.length} entries agree`);
  if (!isAlone) return;
  for (const [outcome, times] of [...counts].sort()) console.log(`${String(times).padStart(6)}  ${outcome}`);
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number)) {
    throw new BadOption(`--${name} takes a whole number, not '${text}'`);
  }
  return number;
}
