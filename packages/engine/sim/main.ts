/**
 * Runs simulations by seed: `--seed N [--steps M]`, `--seeds A..B` or `--minutes M`. A seed that fails is printed
 * with its last entries and kept in `failing-seeds.json`, which the test runs before any other.
 */

import { parseArgs } from 'node:util';
import { keepFailing } from './failing.ts';
import { type Report, simulate } from './simulate.ts';

const STEPS = 200;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    steps: { type: 'string', default: String(STEPS) },
  },
});

const steps = whole('steps', values.steps);
let failed = 0;
let run = 0;
for (const seed of seeds()) {
  const report = simulate(seed, steps);
  run += 1;
  tell(report);
  if (report.failure === null) continue;
  failed += 1;
  keepFailing({ seed, steps });
}
console.log(`${run} seeds, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function* seeds(): Generator<number> {
  if (values.seed !== undefined) {
    yield whole('seed', values.seed);
  } else if (values.seeds !== undefined) {
    const [first, last] = values.seeds.split('..').map((text) => whole('seeds', text));
    for (let seed = first!; seed <= (last ?? first!); seed++) yield seed;
  } else if (values.minutes !== undefined) {
    const until = Date.now() + Number(values.minutes) * 60_000;
    for (let seed = Date.now(); Date.now() < until; seed++) yield seed;
  } else {
    throw new Error('say --seed N, --seeds A..B or --minutes M');
  }
}

function tell({ seed, steps: applied, counts, failure }: Report): void {
  if (failure !== null) console.log(`seed ${seed} FAILED\n${failure}\n`);
  else if (values.seed === undefined) console.log(`seed ${seed}: ${applied} entries agree`);
  if (values.seed === undefined) return;
  for (const [outcome, times] of [...counts].sort()) console.log(`${String(times).padStart(6)}  ${outcome}`);
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number)) throw new Error(`--${name} takes a whole number`);
  return number;
}
