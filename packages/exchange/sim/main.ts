/**
 * `npm run sim`. With `--node` it simulates whole nodes under faults: `--seed N`, `--seeds A..B` or `--minutes M`.
 * Without it, it compares the engine with the model. `--minutes` alone runs both kinds side by side. Failing seeds
 * are printed and kept.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepFailing } from './failing.ts';
import { FAULTS } from './faults.ts';
import { atLeast, BadOption, whole } from './options.ts';
import { type Report, simulate } from './simulate.ts';

const ENGINE_MAIN = fileURLToPath(new URL('../../engine/sim/main.ts', import.meta.url));
const USAGE = `say --node with --seed N, --seeds A..B or --minutes M for whole nodes; --minutes M alone runs both kinds;
anything else is for engine against model:`;

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadOption)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(words: readonly string[]): Promise<void> {
  const isBoth = words.some((word) => /^--minutes(=|$)/.test(word));
  if (words.includes('--node')) {
    process.exitCode = (await simulateNodes(words)) ? 0 : 1;
  } else if (isBoth) {
    // Options other than minutes belong to the engine's part alone, and its usage text says so.
    const [engine, nodes] = await Promise.all([
      simulateEngine(words),
      simulateNodes(['--node', ...minutesOf(words)]),
    ]);
    process.exitCode = engine && nodes ? 0 : 1;
  } else {
    if (words.includes('--help')) console.log(USAGE);
    process.exitCode = (await simulateEngine(words)) ? 0 : 1;
  }
}

function minutesOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => word.startsWith('--minutes'));
  return words[at]!.includes('=') ? [words[at]!] : words.slice(at, at + 2);
}

async function simulateEngine(words: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [ENGINE_MAIN, ...words], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Returns whether every seed passed. */
async function simulateNodes(words: readonly string[]): Promise<boolean> {
  const values = options(words);
  const seen = new Map<string, number>();
  let run = 0;
  let failed = 0;
  for (const seed of seeds(values)) {
    const report = await simulate(seed);
    run += 1;
    printReport(report);
    for (const [what, times] of report.counts) seen.set(what, (seen.get(what) ?? 0) + times);
    if (report.failure === null) continue;
    failed += 1;
    keepFailing({ seed });
  }
  for (const [what, times] of [...seen].sort()) console.log(`${String(times).padStart(8)}  ${what}`);
  const absent = FAULTS.filter((fault) => !seen.has(fault));
  if (absent.length > 0) console.log(`never came up: ${absent.join(', ')}`);
  console.log(`${run} seeds of whole nodes, ${failed} failed`);
  return failed === 0;
}

type Options = ReturnType<typeof parse>;

function options(words: readonly string[]): Options {
  try {
    return parse(words);
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

function parse(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      node: { type: 'boolean' },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  return values;
}

function* seeds({ seed, seeds: range, minutes }: Options): Generator<number> {
  if (seed !== undefined) {
    yield whole('seed', seed);
  } else if (range !== undefined) {
    const [first, last] = range.split('..').map((text) => whole('seeds', text));
    if (last !== undefined && last < first!) throw new BadOption(`--seeds ${range} holds no seed`);
    for (let next = first!; next <= (last ?? first!); next++) yield next;
  } else if (minutes !== undefined) {
    const until = Date.now() + atLeast(1, 'minutes', minutes) * 60_000;
    for (let next = Date.now(); Date.now() < until; next++) yield next;
  } else {
    throw new BadOption(USAGE);
  }
}

function printReport({ seed, kind, entries, requests, failure }: Report): void {
  if (failure === null) console.log(`seed ${seed}, ${kind}: ${requests} requests, ${entries} entries agree`);
  else console.log(`${failure}\n`);
}
