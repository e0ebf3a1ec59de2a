/** The metrics of a node, in the text format of Prometheus. */

import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  FEATURE_LEVEL,
  FEES,
  HOUSE,
  houseExposureMicros,
  houseLineMicros,
  levelInForce,
  markMicros,
  type State,
} from '@venue/engine';
import type { LogStatus } from '@venue/log';
import { MICROS_PER_UNIT } from '@venue/protocol';
import { createRegistry } from '@venue/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LogGrowth } from './log-growth.ts';
import { watchSymbols } from './symbol-gauges.ts';
import { TradingMetrics } from './trading-metrics.ts';

const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const FLUSH_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];
const BATCH_ENTRIES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

/** Values read only when the metrics are requested, of a node or a follower. */
export interface MetricsSource {
  readonly state: State;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly isCurrent: () => boolean;
  readonly isReady: () => boolean;
  readonly logStatus: () => LogStatus;
  /** Signatures waiting for a thread. */
  readonly signaturesWaiting: () => number;
  readonly streamClients: () => number;
}

/** Values of a node that a follower does not have. */
export interface WritingSource {
  /** Returns false if the last append to the log found no room. */
  readonly isWritable: () => boolean;
  /** Commands waiting for the log. */
  readonly pendingCount: () => number;
  /** Entry of the newest snapshot that this node has saved or started from. */
  readonly snapshotSeq: () => number;
  /** Milliseconds since it saved or loaded that snapshot. */
  readonly snapshotAgeMs: () => number;
  /** How long replaying what came after it would take, ms. */
  readonly replayMs: () => number;
  /** Addresses with nodes of an older release that hold the feature level back. */
  readonly nodesWaitedFor: () => number;
}

export interface Answered {
  readonly method: string;
  /** The pattern of the path, never the path itself; null for an unknown path. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** The request named an entry that did not come in time, which anybody can do (FOL-5). */
  readonly isAhead?: boolean;
}

export class Metrics {
  readonly #registry: Registry;
  readonly trading: TradingMetrics;
  readonly #requests: Histogram;
  readonly #flushes: Histogram;
  readonly #batches: Histogram;
  readonly #pages: Histogram;
  readonly #applied: Counter;
  readonly #bytes: Counter;
  readonly #growth = new LogGrowth();

  constructor(process: 'exchange' | 'follower' = 'exchange') {
    this.#registry = createRegistry(process);
    this.trading = new TradingMetrics(this.#registry);
    const registers = [this.#registry];
    this.#requests = new Histogram({
      name: 'venue_http_request_duration_seconds',
      help: 'From the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    });
    this.#flushes = new Histogram({
      name: 'venue_log_flush_seconds',
      help: 'From handing a batch to the store of the log to its being durable',
      buckets: FLUSH_SECONDS,
      registers,
    });
    this.#batches = new Histogram({
      name: 'venue_log_batch_entries',
      help: 'Entries that one flush made durable',
      buckets: BATCH_ENTRIES,
      registers,
    });
    this.#pages = new Histogram({
      name: 'venue_apply_seconds',
      help: 'How long entries that became durable together held the event loop while they were applied',
      buckets: FLUSH_SECONDS,
      registers,
    });
    this.#applied = new Counter({
      name: 'venue_applied_entries_total',
      help: 'Entries applied since the start, the replay included',
      registers,
    });
    this.#bytes = new Counter({
      name: 'venue_applied_bytes_total',
      help: 'Bytes of their bodies: how fast the log grows',
      registers,
    });
    const growth: Gauge = new Gauge({
      name: 'venue_log_growth_bytes_per_day',
      help: 'Bytes of a log in a file, tables included, that a day would add at the pace of the last hour',
      registers,
      collect: () => growth.set(this.#growth.bytesPerDay),
    });
  }

  /** The text that Prometheus reads, and its content type. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  answered({ method, route, status, ms, isAhead = false }: Answered): void {
    this.#requests.observe(
      { method, route: route ?? 'none', status: isAhead ? 'ahead' : `${Math.floor(status / 100)}xx` },
      ms / 1_000,
    );
  }

  flushed({ entries, ms }: { readonly entries: number; readonly ms: number }): void {
    this.#flushes.observe(ms / 1_000);
    this.#batches.observe(entries);
  }

  applied({
    entries,
    bytes,
    ms,
    isReplay,
  }: {
    readonly entries: number;
    readonly bytes: number;
    readonly ms: number;
    readonly isReplay: boolean;
  }): void {
    if (!isReplay) this.#growth.add({ entries, bytes });
    this.#pages.observe(ms / 1_000);
    this.#applied.inc(entries);
    this.#bytes.inc(bytes);
  }

  /** Connects the gauges to a node or a follower. Call once. */
  watch(source: MetricsSource): void {
    this.#addGauges(GAUGES, source);
    watchSymbols(source, this.#registry);
  }

  /** Connects the gauges of a node that a follower does not have. Call once. */
  watchWriting(source: WritingSource): void {
    this.#addGauges(WRITING_GAUGES, source);
  }

  #addGauges<Source>(rows: readonly GaugeRow<Source>[], source: Source): void {
    for (const [name, help, read] of rows) {
      const gauge: Gauge = new Gauge({
        name: `venue_${name}`,
        help,
        registers: [this.#registry],
        collect: () => gauge.set(read(source)),
      });
    }
  }

  /** Adds gauges for the disk under a log file. */
  watchDisk(path: string): void {
    const registers = [this.#registry];
    const size: Gauge = new Gauge({
      name: 'venue_log_file_bytes',
      help: 'Size of the log file and its WAL',
      registers,
      collect: () => size.set(sizeOf(path) + sizeOf(`${path}-wal`)),
    });
    const free: Gauge = new Gauge({
      name: 'venue_log_disk_free_bytes',
      help: 'Room that is left for the log on its disk',
      registers,
      collect: () => {
        const { bavail, bsize } = statfsSync(dirname(path));
        free.set(bavail * bsize);
      },
    });
  }
}

type GaugeRow<Source> = readonly [name: string, help: string, read: (source: Source) => number];

const GAUGES: readonly GaugeRow<MetricsSource>[] = [
  [
    'node_current',
    '1 while the node answers, 0 while it is out of touch with its log',
    (s) => Number(s.isCurrent()),
  ],
  [
    'clock_believed',
    '1 while entries may have the time of the clock, 0 while it is off',
    (s) => Number(s.logStatus().clockFault === undefined),
  ],
  ['paper_mode', '1 on a paper market', (s) => Number(s.state.parameters?.fundingMode === 'paper')],
  ['node_ready', '1 while `/readyz` says so', (s) => Number(s.isReady())],
  ['log_position', 'Number of the last entry applied', (s) => s.state.seq],
  [
    'log_lag_entries',
    'Entries known to be in the log and not delivered here',
    (s) => s.logStatus().lagEntries,
  ],
  ['log_reachable', '1 while the store of the log can be reached', (s) => Number(s.logStatus().reachable)],
  [
    'log_contact_age_seconds',
    'Since the store confirmed that nothing in it is missing here',
    (s) => s.logStatus().lastContactMs / 1_000,
  ],
  ['signatures_waiting', 'Signatures that wait for a thread', (s) => s.signaturesWaiting()],
  ['stream_clients', 'Clients connected to the stream', (s) => s.streamClients()],
  ['settlements', 'Expiries with a settlement price', (s) => settlementsOf(s.state)],
  [
    'feature_level',
    'Feature level in force: what every node of the venue reads',
    (s) => levelInForce(s.state),
  ],
  ['feature_level_read', 'Highest feature level that this node reads', () => FEATURE_LEVEL],
  ['accounts', 'Accounts of traders', (s) => s.state.accounts.length - OWN_ACCOUNTS],
  ['orders_resting', 'Orders that rest in all books', (s) => s.state.orders.count],
  ['quote_sets', 'Quote sets of traders', (s) => s.state.quoteSets.size],
  ['quote_sets_frozen', 'Quote sets whose allowance is used up', (s) => frozenSetsOf(s.state)],
  ['series_live', 'Series that can be traded', (s) => seriesOf(s.state, 'live')],
  [
    'series_pending_review',
    'Series whose settlement waits for two people',
    (s) => seriesOf(s.state, 'pending-review'),
  ],
  ['marks', 'Live series that have a mark, as somebody quotes them', (s) => marksOf(s.state)],
  [
    'house_cash_dollars',
    'Cash of the account that takes over what liquidation cannot sell',
    (s) => dollars(cashOf(s.state, HOUSE)),
  ],
  [
    'house_loss_dollars',
    'What traders below zero owe, less the cash of the house',
    (s) => dollars(debtsOf(s.state) - cashOf(s.state, HOUSE)),
  ],
  [
    'house_exposure_dollars',
    'What the maker stands to lose by the rule of its line',
    (s) => dollars(houseExposureMicros(s.state)),
  ],
  [
    'house_line_dollars',
    'The line that bounds it',
    (s) => (s.state.parameters === null ? 0 : dollars(houseLineMicros(s.state))),
  ],
  ['fees_dollars', 'Fees taken so far', (s) => dollars(cashOf(s.state, FEES))],
  ['funded_dollars', 'Paid in less paid out', (s) => dollars(s.state.fundedMicros)],
  [
    'withdrawals_pending_dollars',
    'Withdrawals that are not committed on chain',
    (s) => Number(s.state.custody.pendingMicros) / MICROS_PER_UNIT,
  ],
  [
    'withdrawals_committed_dollars',
    'Withdrawals committed on chain so far',
    (s) => Number(s.state.custody.committedMicros) / MICROS_PER_UNIT,
  ],
  [
    'payouts_halted',
    '1 while the batcher says that it can make no payout',
    (s) => Number(s.state.custody.halted !== null),
  ],
  [
    'ledger_bound',
    '1 once the ledger is bound to a vault, whose deposits alone it takes',
    (s) => Number(s.state.custody.binding !== null),
  ],
];

const WRITING_GAUGES: readonly GaugeRow<WritingSource>[] = [
  [
    'log_writable',
    '0 since a write found no room for the log, 1 once one succeeds again',
    (s) => Number(s.isWritable()),
  ],
  ['commands_pending', 'Commands on their way through the log', (s) => s.pendingCount()],
  [
    'snapshot_position',
    'Entry of the newest snapshot saved or started from; 0 without one',
    (s) => s.snapshotSeq(),
  ],
  [
    'snapshot_age_seconds',
    'Since this node saved that snapshot or started from it',
    (s) => s.snapshotAgeMs() / 1_000,
  ],
  [
    'snapshot_replay_seconds',
    'How long a start from that snapshot would replay what came after it',
    (s) => s.replayMs() / 1_000,
  ],
  [
    'feature_level_waits_for',
    'Addresses with nodes of an older release, which the feature level waits for',
    (s) => s.nodesWaitedFor(),
  ],
];

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** House, fees and maker. */
const OWN_ACCOUNTS = 3;

function seriesOf({ instruments }: State, status: 'live' | 'pending-review'): number {
  let count = 0;
  for (const { series } of instruments.values())
    for (const one of series) if (one.status === status) count += 1;
  return count;
}

function settlementsOf({ instruments }: State): number {
  let count = 0;
  for (const { decisions } of instruments.values())
    for (const { priceMicros } of decisions.values()) if (priceMicros !== null) count += 1;
  return count;
}

function marksOf({ instruments }: State): number {
  let count = 0;
  for (const { series } of instruments.values())
    for (const one of series) if (one.status === 'live' && markMicros(one) !== null) count += 1;
  return count;
}

function cashOf({ accounts }: State, index: number): number {
  return accounts[index]!.cashMicros;
}

/** Reads every account: some milliseconds for 100,000. */
function debtsOf({ accounts }: State): number {
  let sum = 0;
  for (const { role, cashMicros } of accounts) if (role === 'trader' && cashMicros < 0) sum -= cashMicros;
  return sum;
}

function dollars(micros: number): number {
  return micros / MICROS_PER_UNIT;
}

/** A set stays so until it is pushed again, unfrozen or protected, even if its time is over. */
function frozenSetsOf({ quoteSets }: State): number {
  return [...quoteSets].filter(({ freeze }) => freeze !== null).length;
}
