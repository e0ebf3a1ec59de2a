/** The results of a soak: figures for a person, and their faults. */

import type { Tally } from './bot.ts';
import type { SoakResult } from './soak.ts';
import type { MemorySample } from './watch.ts';

const MIB = 2 ** 20;
/** Window around the two compared moments, as garbage collection makes any single reading random. */
const AROUND_MS = 30_000;
const SETTLED_MS = 120_000;
/** The growth since the second minute that still counts as flat. */
const GROWTH_MAX = 1.5;
/** Limits of the 99th percentile, far above an idle machine's: a shared machine alone must not fail a soak. */
export interface Patience {
  readonly pushMs: number;
  readonly healthMs: number;
}

const PATIENCE: Patience = { pushMs: 2_000, healthMs: 500 };

/** All faults: an empty list is a soak that passed. */
export function faultsOf({ watch, tallies, replay, shown }: SoakResult, patience = PATIENCE): string[] {
  const faults = [...watch.faults, ...tallies.flatMap((tally) => tally.faults)];
  const expect = (isSo: boolean, what: string) => {
    if (!isSo) faults.push(what);
  };
  for (const status of ['filled', 'partial', 'rested', 'cancelled']) {
    const [told, logged] = [countOf(tallies, status), replay.orders.get(status) ?? 0];
    expect(told === logged, `bots were told of ${told} orders ${status}, the log has ${logged}`);
  }
  expect(replay.uncollectibleUsd === 0, `traders owe ${replay.uncollectibleUsd} that they do not have`);
  expect(replay.houseEquityUsd >= 0, `the house lost ${-replay.houseEquityUsd}`);
  expect(pushMs(watch.metrics, '0.99') < patience.pushMs, 'the maker waits too long for its pushes');
  expect(percentile(watch.healthMs, 0.99) < patience.healthMs, '/healthz is too slow');
  expect((watch.metrics.get('venue_maker_rows_refused_total') ?? 0) === 0, 'rows of the maker were refused');
  for (const [name, samples] of watch.memory) {
    const { early, late } = memoryOf(samples);
    expect(early === null || late <= early * GROWTH_MAX, `${name} grew from ${early} to ${late} bytes`);
  }
  for (const name of shown.gaps) faults.push(`${name} had a message that did not follow the one before`);
  return faults;
}

/** The figures, one line each. */
export function reportLines({ watch, tallies, replay, shown, makerLines }: SoakResult): string[] {
  const { metrics, counts } = watch;
  const orders = sum(tallies.map((tally) => sum(Object.values(tally.orders))));
  return [
    `bots: ${orders} orders, ${sum(tallies.map((t) => t.cancels))} cancels, ${sum(tallies.map((t) => t.reads))} reads, ${sum(tallies.map((t) => t.frames))} frames`,
    ...orderKinds(tallies).map(([what, count]) => `  ${what}: ${count}`),
    `watched: ${counts.books} books in ${counts.passes} whole passes, ${counts.chains} chains`,
    `channels: ${bookCount(shown)} books and ${shown.trades.length} trades as in the replay, through ${shown.reconnects} lost connections`,
    `maker: ${metrics.get('venue_maker_rows_total')} rows in ${metrics.get('venue_maker_push_ms_count')} pushes, ${metrics.get('venue_maker_fills_total')} fills, edge ${metrics.get('venue_maker_edge_usd')?.toFixed(2)} USD, looks skipped ${metrics.get('venue_maker_looks_skipped_total')}`,
    `maker push (last 1,024): p50 ${pushMs(metrics, '0.5').toFixed(1)} ms, p99 ${pushMs(metrics, '0.99').toFixed(1)} ms`,
    `maker exposure at most ${Math.round(replay.exposureMaxUsd)} USD of ${watch.houseLineUsd}, equity at the end ${Math.round(replay.makerEquityUsd)} USD`,
    `house equity ${replay.houseEquityUsd.toFixed(2)} USD, ${replay.liquidations} liquidations, ${replay.uncollectibleUsd} USD uncollectible`,
    `/healthz: ${watch.healthMs.length} times, p50 ${percentile(watch.healthMs, 0.5).toFixed(1)} ms, p99 ${percentile(watch.healthMs, 0.99).toFixed(1)} ms, longest ${Math.max(...watch.healthMs).toFixed(1)} ms`,
    ...[...watch.memory].map(([name, samples]) => memoryLine(name, samples)),
    `log: ${replay.entries} entries, ${replay.fills} fills, ${replay.snapshots} snapshots; replayed and checked in ${(replay.ms / 1_000).toFixed(1)} s`,
    ...[...replay.kinds].map(([kind, { entries, bytes }]) => `  ${kind}: ${entries} entries, ${bytes} bytes`),
    `maker said: ${makerLines.at(-2) ?? ''}`,
  ];
}

function bookCount({ books }: SoakResult['shown']): number {
  return sum([...books.values()].map((some) => some.length));
}

function memoryLine(name: string, samples: readonly MemorySample[]): string {
  const { early, late } = memoryOf(samples);
  const most = Math.max(...samples.map(({ bytes }) => bytes));
  const mib = (bytes: number) => Math.round(bytes / MIB);
  const first = early === null ? '' : `${mib(early)} MiB at minute 2, `;
  return `memory of ${name}: ${first}${mib(late)} MiB at the end, at most ${mib(most)} MiB`;
}

/** Medians around minute 2, or null where there are no samples, and before the end. */
function memoryOf(samples: readonly MemorySample[]): { early: number | null; late: number } {
  const endMs = samples.at(-1)?.atMs ?? 0;
  const early = samples.filter(({ atMs }) => Math.abs(atMs - SETTLED_MS) < AROUND_MS);
  const late = samples.filter(({ atMs }) => atMs > endMs - 2 * AROUND_MS);
  const median = (some: readonly MemorySample[]) =>
    percentile(
      some.map(({ bytes }) => bytes),
      0.5,
    );
  const isLong = endMs > SETTLED_MS + 3 * AROUND_MS;
  return { early: isLong ? median(early) : null, late: median(late) };
}

function orderKinds(tallies: readonly Tally[]): [string, number][] {
  const kinds = new Set(tallies.flatMap(({ orders }) => Object.keys(orders)));
  return [...kinds]
    .map((kind): [string, number] => [kind, countOf(tallies, kind)])
    .sort(([, a], [, b]) => b - a);
}

function countOf(tallies: readonly Tally[], kind: string): number {
  return sum(tallies.map(({ orders }) => orders[kind] ?? 0));
}

function pushMs(metrics: ReadonlyMap<string, number>, quantile: string): number {
  return metrics.get(`venue_maker_push_ms{quantile="${quantile}"}`) ?? Number.POSITIVE_INFINITY;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.POSITIVE_INFINITY;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
