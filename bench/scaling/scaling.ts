/**
 * Question: how many nodes do 10,000, 100,000 and 1,000,000 concurrent traders need, at the costs the other benchmarks
 * measured, and what becomes the bottleneck first?
 */

import { type Costs, fewestNodes, type Load, lastFrameMs, simulate } from './model.ts';

/** Measured on 2 cores of an AMD EPYC, but for the way to a standby; each names its benchmark. */
export const MEASURED: Costs = {
  // `orders`: 64 and 75 µs of the main thread in two runs, less applying.
  writeMicros: 66,
  // `verification`.
  verifyMicros: 70,
  // `engine` with 100,000 accounts.
  applyOwnMicros: 6.2,
  // The same, and 1.4 µs to decode by `replay`.
  applyOthersMicros: 7.6,
  // `reads`: a chain that changes takes 20 to 31 µs, a book 15, an account with 500 orders 139.
  readMicros: 25,
  // `streams`: 5,000 clients, 60 frames a tick in one write.
  frameMicros: 0.33,
  // 0.44 ms on one machine, by `log`, and an assumed millisecond to a standby and back.
  flushMicros: 1_500,
  // `log`: 181,000 entries a second with 1,000 in flight.
  flushEntryMicros: 6,
};

/** One trader's activity per second. */
const A_TRADER = { writes: 0.05, reads: 0.1, frames: 5 };
const TRADERS = [10_000, 100_000, 1_000_000];
const VERIFIERS = 4;
const P99_MS_MAX = 50;
const NODES_MAX = 64;
/** Numbers of logs that symbols are partitioned over, each log with its own nodes. */
const PARTITIONS = [1, 4, 16];
/** Share of writes for which a partition must first borrow credit, which is an entry in another log. */
const BORROWING_SHARE = 0.05;

export async function run(): Promise<void> {
  console.log('One log; nodes serve orders and streams alike');
  console.table(TRADERS.map((traders) => row(traders, 1, A_TRADER.frames)));
  console.log('One log; streams are served by processes of their own, which follow it');
  console.table(TRADERS.map((traders) => row(traders, 1, 0)));
  console.log('1,000,000 traders, symbols partitioned over logs; streams served apart');
  console.table(PARTITIONS.map((logs) => row(1_000_000, logs, 0)));
  console.log(`One log, however many nodes: ${wall().toLocaleString('en-US')} writes a second`);
}

/** The load on each partition. */
export function loadOf(traders: number, logs: number, frames: number): Load {
  const share = traders / logs;
  const borrowed = logs === 1 ? 0 : BORROWING_SHARE;
  return {
    writes: share * A_TRADER.writes * (1 + borrowed),
    reads: share * A_TRADER.reads,
    frames: share * frames,
  };
}

function row(traders: number, logs: number, frames: number) {
  const load = loadOf(traders, logs, frames);
  const found = fewestNodes(MEASURED, load, {
    verifiers: VERIFIERS,
    p99MsMax: P99_MS_MAX,
    nodesMax: NODES_MAX,
  });
  const each = {
    traders: traders.toLocaleString('en-US'),
    logs,
    'writes/s a log': Math.round(load.writes),
    'frames/s': Math.round(traders * frames).toLocaleString('en-US'),
  };
  // If no number suffices, the largest tried.
  const { nodes, outcome } = found ?? {
    nodes: NODES_MAX,
    outcome: simulate(MEASURED, load, { nodes: NODES_MAX, verifiers: VERIFIERS }),
  };
  return {
    ...each,
    nodes: nodes * logs,
    [`p99 within ${P99_MS_MAX} ms`]: found === null ? 'no' : 'yes',
    'p50 ms': Number(outcome.p50Ms.toFixed(1)),
    'p99 ms': Number(outcome.p99Ms.toFixed(1)),
    'main busy %': percent(outcome.mainBusy),
    'applying %': percent(applying(load, nodes)),
    'log busy %': percent(Math.min(1, outcome.logBusy)),
    'last frame ms': Math.round(lastFrameMs(MEASURED, load, { nodes, verifiers: VERIFIERS })),
  };
}

/** The share of a node's time spent applying the whole log's entries, which more nodes do not reduce. */
function applying(load: Load, nodes: number): number {
  const own = load.writes / nodes;
  return (own * MEASURED.applyOwnMicros + (load.writes - own) * MEASURED.applyOthersMicros) / 1e6;
}

/** Writes a second at which other nodes' entries alone saturate a node, or the log if that comes first. */
export function wall(): number {
  return Math.round(1e6 / Math.max(MEASURED.applyOthersMicros, MEASURED.flushEntryMicros));
}

function percent(share: number): number {
  return Math.round(100 * share);
}

if (import.meta.main) await run();
