/**
 * Question: how long does the file of the history take for a replayed day, and for each second, of a busy venue, 2 million entries with prints, spots and
 * the marks of 1,312 series that change every minute, beside the same rows appended to a bare SQLite table in the same
 * transactions; how large does it get; and how long does a query for 1,500 candles take, beside 1,500 rows of that table
 * (HIS-1, HIS-2); and what do the files of the day cost, beside their bytes written and hashed (FIL-1)?
 */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Random } from '../../packages/engine/sim/random.ts';
import { createState } from '../../packages/engine/src/index.ts';
import { HashedFile } from '../../packages/exchange/src/files/hashed-file.ts';
import { doRound } from '../../packages/exchange/src/files/round.ts';
import { DAY_MS } from '../../packages/exchange/src/files/tables.ts';
import type { HistoryBatch } from '../../packages/exchange/src/history/batch.ts';
import { HistoryFile } from '../../packages/exchange/src/history/file.ts';
import { NO_ROWS } from '../../packages/exchange/src/history/layout.ts';
import { LAYOUTS, NO_BATCH_ROWS, rowBuffers, takeSealed } from '../../packages/exchange/src/history/rows.ts';
import type { SeriesName } from '../../packages/exchange/src/history/series-names.ts';
import { standingOf } from '../../packages/exchange/src/history/standing.ts';

export interface HistoryOptions {
  readonly entries: number;
  readonly seconds: number;
  readonly series: number;
  /**
   * Rows from which on a batch is handed over, as in a replay, which is faster than the file: what came while the batch
   * before was written. By default those of each second, as a node that is up to date does.
   */
  readonly batchRows?: number;
}

const DAY: HistoryOptions = { entries: 2_000_000, seconds: 86_400, series: 1_312, batchRows: 32_768 };
const LIVE: HistoryOptions = { entries: 2_000_000 / 24, seconds: 3_600, series: 1_312 };
const START_MS = 1_767_225_600_000;
const SYMBOLS = Array.from({ length: 10 }, (_, i) => `S${i}`);
/** Shares of the entries; the others are orders that rest, cancels and quotes. */
const [SPOT_SHARE, PRINT_SHARE] = [0.4, 0.15];
const MARKET = ['prints', 'spots', 'marks'] as const;
const QUERIES = 400;
const ROWS = 1_500;

export async function run(): Promise<void> {
  for (const options of [DAY, LIVE]) {
    const { projected, queried, daily } = measure(options);
    console.table(projected);
    console.table(queried);
    console.table(daily);
  }
}

export function measure(options: HistoryOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'venue-bench-history-'));
  try {
    const bare = new BareTable(join(folder, 'bare.db'));
    const file = openFile(join(folder, 'history.db'));
    const times = { bare: 0, history: 0 };
    const cpu = { bare: 0, history: 0 };
    let batches = 0;
    let rows = 0;
    for (const batch of dayOf(options)) {
      batches += 1;
      for (const name of MARKET) rows += LAYOUTS[name].count(batch[name]);
      for (const [name, write] of [
        ['bare', () => bare.write(batch)],
        ['history', () => file.write(batch)],
      ] as const) {
        const before = process.cpuUsage();
        times[name] += timed(write);
        const { user, system } = process.cpuUsage(before);
        cpu[name] += (user + system) / 1_000;
      }
    }
    const queried = query(options, file, bare);
    bare.db.close();
    file.write(nextDay(options));
    file.close();
    const daily = measureFiles(folder);
    const row = (name: 'bare' | 'history') => ({
      file: name,
      rows,
      seconds: round(times[name] / 1_000),
      'CPU seconds': round(cpu[name] / 1_000),
      'ms a batch': round(times[name] / batches),
      MB: round(statSync(join(folder, `${name}.db`)).size / 1e6),
    });
    return { projected: [row('bare'), row('history')], queried, daily };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Nothing but the end of the day, after which its files may be made. */
function nextDay({ entries }: HistoryOptions): HistoryBatch {
  const lastSeq = Math.ceil(entries) + 1;
  const end = { lastSeq, lastTs: START_MS + DAY_MS, lastFillId: 2 * lastSeq };
  return { ...NO_BATCH_ROWS, ...end, series: [] };
}

/** The files of the day, beside the same bytes written and hashed, which is the least that making them can cost. */
function measureFiles(folder: string) {
  const [history, files] = [join(folder, 'history.db'), join(folder, 'files')];
  const task = { history, folder: files, anchor: '1 x\n', foreignAnchors: [], known: [] };
  const made = measured(() => [...doRound(task)]);
  const [news] = made.result;
  assert.ok(news?.kind === 'made');
  const bare = measured(() => {
    for (const { name } of news.day.files) {
      const file = new HashedFile(join(folder, name));
      file.write(readFileSync(join(files, news.day.day, name)));
      file.finish();
      file.close();
    }
  });
  const MB = round(news.day.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
  const row = ({ seconds, cpu }: { readonly seconds: number; readonly cpu: number }) => ({
    seconds: round(seconds),
    'CPU seconds': round(cpu),
    MB,
  });
  return [
    { files: 'bare', ...row(bare) },
    { files: 'daily', ...row(made) },
  ];
}

function measured<T>(act: () => T): { readonly result: T; readonly seconds: number; readonly cpu: number } {
  const [startedMs, before] = [performance.now(), process.cpuUsage()];
  const result = act();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - startedMs) / 1_000, cpu: (user + system) / 1e6 };
}

function openFile(path: string): HistoryFile {
  const file = new HistoryFile(path);
  const standing = standingOf(createState(), { withValues: false });
  const end = { seq: 0, ts: 0, lastFillId: 0 };
  file.begin({
    kind: 'anew',
    ...end,
    completeFromMs: 0,
    balances: [],
    standing,
    settlements: NO_ROWS,
    wrong: null,
  });
  return file;
}

/** Batches as a node hands them over. */
function* dayOf({ entries, seconds, series, batchRows = 0 }: HistoryOptions): Generator<HistoryBatch> {
  const random = new Random(1);
  const rows = rowBuffers();
  const names = Array.from({ length: series }, (_, sid): SeriesName => [sid, `S0-1-C-${sid}`, 'S0']);
  const prices = SYMBOLS.map(() => 100_000_000);
  let [seq, id] = [0, 0];
  for (let second = 0; second < seconds; second++) {
    const ts = START_MS + second * 1_000;
    const until = Math.round((entries * (second + 1)) / seconds);
    seq += 1;
    if (second % 60 === 0)
      for (let sid = 0; sid < series; sid++)
        rows.marks.add({ seq, ts, sid, price: 1_000_000 + second + sid });
    for (; seq <= until; seq++) {
      const kind = random.between(0, 999) / 1_000;
      if (kind < SPOT_SHARE) {
        const i = random.between(0, SYMBOLS.length - 1);
        prices[i]! += random.between(-50_000, 50_000);
        rows.spots.add({ seq, ts, symbol: SYMBOLS[i]!, price: prices[i]! });
      } else if (kind < SPOT_SHARE + PRINT_SHARE) {
        id += 2;
        const [sid, price] = [random.between(0, series - 1), random.between(1, 1e8)];
        const [qty, buy] = [random.between(1, 1e7), random.between(0, 1)];
        rows.prints.add({ seq, id, ts, sid, price, qty, buy, self: 0 });
      }
    }
    seq = until;
    const count = rows.prints.count + rows.spots.count + rows.marks.count;
    if (count < batchRows && second + 1 < seconds) continue;
    for (const name of MARKET) rows[name].seal();
    const end = { lastSeq: seq, lastTs: ts, lastFillId: id };
    yield { ...takeSealed(rows), ...end, series: names.splice(0) };
  }
}

/** The least that a file of these rows can do: append them, in the same transactions. */
class BareTable {
  readonly db: DatabaseSync;
  readonly #add;
  readonly #read;

  constructor(path: string) {
    this.db = new DatabaseSync(path);
    this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000');
    this.db.exec(
      'CREATE TABLE bare(seq INTEGER, event INTEGER, ts INTEGER, of INTEGER, price INTEGER, qty INTEGER)',
    );
    this.#add = this.db.prepare('INSERT INTO bare VALUES (?, ?, ?, ?, ?, ?)');
    this.#read = this.db.prepare('SELECT * FROM bare WHERE rowid >= ? ORDER BY rowid LIMIT ?');
  }

  write({ prints, spots, marks }: HistoryBatch): void {
    this.db.exec('BEGIN');
    for (const { seq, ts, sid, price, qty } of LAYOUTS.prints.read(prints))
      this.#add.run(seq, 0, ts, sid, price, qty);
    for (const { seq, ts, price } of LAYOUTS.spots.read(spots)) this.#add.run(seq, 1, ts, 0, price, null);
    for (const { seq, ts, sid, price } of LAYOUTS.marks.read(marks))
      this.#add.run(seq, 2, ts, sid, price, null);
    this.db.exec('COMMIT');
  }

  read(limit: number): unknown[] {
    return this.#read.all(1, limit);
  }
}

/** Queries by turns, each for as many candles as an answer holds or the day has. */
function query({ seconds, entries }: HistoryOptions, file: HistoryFile, bare: BareTable) {
  const minutes = Math.floor(seconds / 60);
  const limit = Math.min(ROWS, minutes, entries);
  const span = { name: 'S0', span: 1, fromMs: START_MS, toMs: START_MS * 2, limit } as const;
  const reads = {
    'bare rows': () => bare.read(limit).length,
    'candles of a spot': () => file.reads.candles({ kind: 'spot', ...span }).candles.length,
    'candles of a mark': () => file.reads.candles({ kind: 'mark', ...span, name: 'S0-1-C-7' }).candles.length,
  };
  const times = new Map<string, number[]>();
  for (let i = 0; i < QUERIES; i++)
    for (const [name, read] of Object.entries(reads)) {
      const ms = timed(() => assert.equal(read(), limit));
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  return [...times].map(([name, all]) => {
    const sorted = all.sort((a, b) => a - b);
    const at = (share: number) => round(sorted[Math.floor(sorted.length * share)]!);
    return { query: name, rows: limit, 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
  });
}

function timed(act: () => void): number {
  const started = performance.now();
  act();
  return performance.now() - started;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
