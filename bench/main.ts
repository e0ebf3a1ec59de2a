/** `npm run bench` runs every benchmark, `npm run bench -- book log` those named. */

import { cpus } from 'node:os';

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run(): Promise<unknown> }>>> = {
  book: () => import('./book.ts'),
  engine: () => import('./engine.ts'),
  growth: () => import('./growth.ts'),
  log: () => import('./log.ts'),
  orders: () => import('./orders.ts'),
  memory: () => import('./memory.ts'),
  quotes: () => import('./quotes.ts'),
  'quote-rows': () => import('./quote-rows.ts'),
  reads: () => import('./reads.ts'),
  replay: () => import('./replay.ts'),
  scaling: () => import('./scaling.ts'),
  settlement: () => import('./settlement.ts'),
  streams: () => import('./streams.ts'),
  sweep: () => import('./sweep.ts'),
  terminal: () => import('./terminal.ts'),
  verification: () => import('./verification.ts'),
  verify: () => import('./verify.ts'),
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) {
  console.error(`no benchmark "${unknown}"; there are ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(1);
}
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const name of named.length > 0 ? named : Object.keys(BENCHMARKS)) {
  console.log(`\n## ${name}`);
  await (await BENCHMARKS[name]!()).run();
}
