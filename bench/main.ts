/**
 * `npm run bench` runs every benchmark, `npm run bench -- book log` only those named, and `npm run bench -- gate COMMIT`
 * compares with another commit.
 */

import { cpus } from 'node:os';

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run(): Promise<unknown> }>>> = {
  batch: () => import('./orders/batches.ts'),
  book: () => import('./engine/book.ts'),
  combos: () => import('./engine/combos.ts'),
  deadlines: () => import('./engine/deadlines.ts'),
  engine: () => import('./engine/engine.ts'),
  exposure: () => import('./engine/exposure.ts'),
  'full-sets': () => import('./engine/full-sets.ts'),
  history: () => import('./history/history.ts'),
  growth: () => import('./log/growth.ts'),
  liquidation: () => import('./engine/liquidation.ts'),
  log: () => import('./log/log.ts'),
  orders: () => import('./orders/orders.ts'),
  memory: () => import('./engine/memory.ts'),
  protection: () => import('./engine/protection.ts'),
  quotes: () => import('./quotes/quotes.ts'),
  'quote-rows': () => import('./engine/quote-rows.ts'),
  'quote-sets': () => import('./quotes/quote-sets.ts'),
  reads: () => import('./reads/reads.ts'),
  replay: () => import('./engine/replay.ts'),
  scaling: () => import('./scaling/scaling.ts'),
  settlement: () => import('./engine/settlement.ts'),
  stream: () => import('./channels/stream.ts'),
  streams: () => import('./streams/streams.ts'),
  terminal: () => import('./terminal/terminal.ts'),
  verification: () => import('./log/verification.ts'),
  verify: () => import('./log/verify.ts'),
};

const named = process.argv.slice(2);
if (named[0] === 'gate') {
  await (await import('./gate/gate.ts')).run(named.slice(1));
  process.exit();
}
const unknown = named.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) {
  console.error(`no benchmark "${unknown}"; there are gate, ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(1);
}
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const name of named.length > 0 ? named : Object.keys(BENCHMARKS)) {
  console.log(`\n## ${name}`);
  await (await BENCHMARKS[name]!()).run();
}
