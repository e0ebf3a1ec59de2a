// @process exchange-history
// @seconds 6

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { apply, createState, decodeEntry, markMicros, NO_EFFECTS, positionMarkMicros } from '@venue/engine';
import { beyondItsSnapshot, start } from '../../test/history-starts.ts';
import { Traded } from '../../test/movements.ts';
import { type CandleKind, SPANS, type StoredCandle } from './candles.ts';
import { HistoryFile } from './file.ts';
import type { History } from './history.ts';
import { NO_ROWS, RowBuffer } from './layout.ts';
import type { CandlesQuery, StoredPrint } from './market-reads.ts';
import { LAYOUTS, NO_BATCH_ROWS } from './rows.ts';
import { IN_MEMORY } from './schema.ts';
import type { SeriesName } from './series-names.ts';
import { standingOf } from './standing.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-market-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.db`);
const LIMIT = 1_000_000;

interface Price {
  readonly ms: number;
  readonly price: number;
  readonly qty: number | null;
}

/** The market of a log, read off entry by entry without the history. */
class Naive {
  readonly prints: (StoredPrint & { readonly symbol: string })[] = [];
  /** By kind and name. */
  readonly prices = new Map<string, Price[]>();

  static async of({ log }: Traded): Promise<Naive> {
    const naive = new Naive();
    const state = createState();
    let minute = 0;
    /** The accounts of the last two rows of fills, which are the two sides of what is printed next. */
    let sides: number[] = [];
    const follower = log.follow(
      1,
      (entries) => {
        for (const entry of entries) {
          const { seq, ts, command } = decodeEntry(entry);
          apply(
            state,
            { seq, ts, command },
            {
              ...NO_EFFECTS,
              filled: ({ index }) => {
                sides = [...sides.slice(-1), index];
              },
              printed: ({ series: { seriesId, instrument }, priceMicros: price, qtyMicros: qty, side }) => {
                const buy = Number(side === 'buy');
                const isSelf = sides[0] === sides[1];
                naive.prints.push({
                  id: state.lastFillId,
                  ts,
                  seriesId,
                  price,
                  qty,
                  buy,
                  self: Number(isSelf),
                  symbol: instrument.symbol,
                });
                if (!isSelf) naive.add(`trade:${seriesId}`, { ms: ts, price, qty });
              },
              spotMoved: (symbol) =>
                naive.add(`spot:${symbol}`, {
                  ms: ts,
                  price: state.instruments.get(symbol)!.spotMicros,
                  qty: null,
                }),
            },
          );
          if (Math.floor(ts / 60_000) === minute) continue;
          minute = Math.floor(ts / 60_000);
          const isByModel = state.parameters?.riskMark === 'model';
          for (const { series } of state.instruments.values())
            for (const one of series) {
              const price = isByModel ? positionMarkMicros(state, one) : markMicros(one);
              const name = `mark:${one.seriesId}`;
              if (price !== null && naive.prices.get(name)?.at(-1)?.price !== price)
                naive.add(name, { ms: ts, price, qty: null });
            }
        }
      },
      { onError: (error) => assert.fail(String(error)) },
    );
    await follower.caughtUp;
    follower.stop();
    return naive;
  }

  add(name: string, price: Price): void {
    const known = this.prices.get(name) ?? [];
    this.prices.set(name, known);
    known.push(price);
  }

  candles(name: string, span: number): StoredCandle[] {
    const buckets = Map.groupBy(this.prices.get(name)!, ({ ms }) => Math.floor(ms / 60_000 / span) * span);
    return [...buckets].map(([t, rows]) => {
      const prices = rows.map(({ price }) => price);
      const volume = rows.reduce((sum, { qty }) => sum + (qty ?? 0), 0);
      return {
        ...{ t, o: prices[0]!, h: Math.max(...prices), l: Math.min(...prices), c: prices.at(-1)! },
        v: rows[0]!.qty === null ? null : volume,
      };
    });
  }
}

function queryOf(name: string, span: (typeof SPANS)[number]): CandlesQuery {
  const [kind, of] = name.split(':') as [CandleKind, string];
  return { kind, name: of, span, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: LIMIT };
}

/** Checks every print and every candle against the log. Returns how many there were. */
async function assertEqualsLog(
  traded: Traded,
  history: History,
): Promise<{ prints: number; selfPrints: number; candles: number }> {
  const naive = await Naive.of(traded);
  let candles = 0;
  const check = async (name: string, span: (typeof SPANS)[number]) => {
    const page = await history.read('candles', queryOf(name, span));
    const rows = page.candles.map((row) => ({ ...row }));
    assert.deepEqual(rows, naive.candles(name, span), `${name} ${span}`);
    assert.equal(page.seq, traded.state.seq);
    candles += rows.length;
  };
  // One after another: a read has five seconds, and hundreds at once take longer on a busy machine.
  for (const [i, name] of [...naive.prices.keys()].entries()) {
    // There are hundreds of marks, so each is looked at in one interval.
    const spans = name.startsWith('mark:') ? [SPANS[i % SPANS.length]!] : SPANS;
    for (const span of spans) await check(name, span);
  }
  const plain = (rows: readonly StoredPrint[]) => rows.map((row) => ({ ...row }));
  const expected = naive.prints.map(({ symbol, ...print }) => ({ symbol, print })).reverse();
  for (const symbol of new Set(expected.map((row) => row.symbol))) {
    const { prints } = await history.read('prints', { of: { symbol }, before: LIMIT, limit: LIMIT });
    assert.deepEqual(
      plain(prints),
      expected.filter((row) => row.symbol === symbol).map(({ print }) => print),
    );
  }
  for (const seriesId of new Set(naive.prints.map((print) => print.seriesId))) {
    const { prints } = await history.read('prints', { of: { seriesId }, before: LIMIT, limit: LIMIT });
    assert.deepEqual(
      plain(prints),
      expected.map(({ print }) => print).filter((print) => print.seriesId === seriesId),
    );
  }
  const selfPrints = naive.prints.filter(({ self }) => self === 1).length;
  return { prints: naive.prints.length, selfPrints, candles };
}

describe('prints and candles of the history', () => {
  for (const seed of [1, 7])
    it(`equal those that a naive reader of the log makes (seed ${seed}; HIS-1, HIS-2)`, async () => {
      const traded = await Traded.begin(seed, false);
      await traded.trade(300);
      const { history, store } = await start(traded, newPath());
      const { prints, selfPrints, candles } = await assertEqualsLog(traded, history);
      const counts = `${prints} prints, ${selfPrints} of accounts with themselves, ${candles} candles`;
      assert.ok(prints > 10 && selfPrints > 0 && candles > 100, counts);
      await store.close();
    });

  it('page by id, newest first, without gap or repetition (HIS-1)', async () => {
    const traded = await Traded.begin(7, false);
    await traded.trade(300);
    const { history, store } = await start(traded, newPath());
    const { symbol } = (await Naive.of(traded)).prints[0]!;
    const all = await history.read('prints', { of: { symbol }, before: LIMIT, limit: LIMIT });
    const paged: StoredPrint[] = [];
    for (let before = LIMIT; ; before = paged.at(-1)!.id) {
      const { prints, hasMore } = await history.read('prints', { of: { symbol }, before, limit: 3 });
      paged.push(...prints);
      if (!hasMore) break;
    }
    assert.deepEqual(paged, all.prints);
    assert.ok(paged.length > 6);
    await store.close();
  });

  it('are those that begin in [from, to), the first that fit, or without `from` the last (HIS-2)', async () => {
    const traded = await Traded.begin(3, false);
    await traded.trade(300);
    const { history, store } = await start(traded, newPath());
    const [name] = [...(await Naive.of(traded)).prices.keys()].filter((one) => one.startsWith('spot:'));
    const { candles: all } = await history.read('candles', queryOf(name!, 1));
    assert.ok(all.length > 6, `${all.length}`);
    const [from, to] = [all[1]!.t * 60_000, all[5]!.t * 60_000];
    const ask = async (part: Partial<CandlesQuery>) => {
      const { candles, hasMore } = await history.read('candles', { ...queryOf(name!, 1), ...part });
      return [candles, hasMore];
    };
    assert.deepEqual(await ask({ fromMs: from, toMs: to }), [all.slice(1, 5), false]);
    assert.deepEqual(await ask({ fromMs: from + 1, toMs: to + 1 }), [all.slice(2, 6), false]);
    assert.deepEqual(await ask({ fromMs: from, toMs: to, limit: 2 }), [all.slice(1, 3), true]);
    assert.deepEqual(await ask({ fromMs: null, toMs: to, limit: 2 }), [all.slice(3, 5), false]);
    await store.close();
  });
});

const DAY_MINUTES = 1_440;
const first = 20_000 * DAY_MINUTES;

/** More than those of which one batch forgets what is old. */
const OTHER_SIDS = Array.from({ length: 20 }, (_, i) => i + 1);
const SID = 50;

/** A file of one series with a mark every half hour, and of others with one, written in batches of so many. */
function fileOf(days: number, perBatch: number, path = IN_MEMORY): HistoryFile {
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
  writeMarks(file, 1, days * 48, perBatch);
  return file;
}

function writeMarks(file: HistoryFile, from: number, to: number, perBatch: number): void {
  const rows = new RowBuffer(LAYOUTS.marks);
  for (let n = from; n <= to; n++) {
    const lastTs = (first + n * 30) * 60_000;
    for (const sid of n === 1 ? [...OTHER_SIDS, SID] : [SID])
      rows.add({ seq: n, ts: lastTs, sid, price: 100 + n });
    if (n % perBatch > 0 && n < to) continue;
    rows.seal();
    const series: readonly SeriesName[] = [[SID, 'S-1-C-1', 'S']];
    const end = { lastSeq: n, lastTs, lastFillId: 0 };
    file.write({ ...NO_BATCH_ROWS, ...end, marks: rows.take(), series });
  }
}

describe('marks of long ago', () => {
  const startsOf = (file: HistoryFile, span: (typeof SPANS)[number]) =>
    file.reads.candles({ ...queryOf('mark:S-1-C-1', span) }).candles.map(({ t }) => t);

  it('are answered for a week or 90 days back, whatever the file still has of them (HIS-2)', () => {
    const [often, once] = [fileOf(100, 24), fileOf(100, 1_000_000)];
    for (const span of SPANS) {
      assert.deepEqual(startsOf(often, span), startsOf(once, span));
      const days = span < 15 ? 7 : 90;
      assert.equal(startsOf(often, span)[0], first + (100 - days) * DAY_MINUTES);
    }
    assert.equal(startsOf(often, 1).length, 7 * 48 + 1);
    for (const file of [often, once]) file.close();
  });

  it('leave the file (HIS-2)', () => {
    const path = newPath();
    fileOf(30, 4, path).close();
    const db = new DatabaseSync(path);
    const { minutes } = db.prepare('SELECT count(*) AS minutes FROM candle WHERE span = 1').get() as {
      minutes: number;
    };
    db.close();
    assert.ok(minutes <= 8 * 48 + 1, `${minutes}`);
  });
});

describe('a file that goes back by hours', () => {
  it('has each candle once, and goes on with it (HIS-2)', () => {
    const file = fileOf(3, 7);
    const before = SPANS.map((span) => file.reads.candles(queryOf('mark:S-1-C-1', span)).candles);
    const seq = 70;
    const standing = standingOf(createState(), { withValues: false });
    // The newest mark is in an interval that was over by then.
    const end = { seq, ts: (first + seq * 30 + 20) * 60_000, lastFillId: 0 };
    file.begin({ kind: 'go on', ...end, balances: [], standing });
    for (const span of SPANS) {
      const { candles } = file.reads.candles(queryOf('mark:S-1-C-1', span));
      assert.equal(new Set(candles.map(({ t }) => t)).size, candles.length, `${span}`);
      assert.equal(candles.at(-1)!.c, 100 + seq);
    }
    writeMarks(file, seq + 1, 3 * 48, 11);
    const after = SPANS.map((span) => file.reads.candles(queryOf('mark:S-1-C-1', span)).candles);
    assert.deepEqual(after, before);
    file.close();
  });
});

describe('a file of the history', () => {
  for (const [seed, snapshotAt] of [
    [1, 150],
    [7, 167],
  ] as const)
    it(`that is ahead of its snapshot goes back to it and on, to the same rows (seed ${seed}; HIS-1, HIS-2)`, async () => {
      const path = newPath();
      const traded = await beyondItsSnapshot(path, seed, { snapshotAt });
      const { history, store, fromSeq, lines } = await start(traded, path);
      assert.equal(fromSeq, snapshotAt, lines.join());
      await assertEqualsLog(traded, history);
      await store.close();
    });

  it('that is deleted, damaged or of another log is made again, to the same rows (HIS-1, HIS-2)', async () => {
    const path = newPath();
    const traded = await beyondItsSnapshot(path, 7, { snapshotAt: 60 });
    for (const harm of [
      () => rmSync(path),
      () => writeFileSync(path, 'no database'),
      () => new DatabaseSync(path).exec('DROP TABLE candle'),
    ]) {
      harm();
      const { history, store } = await start(traded, path);
      await assertEqualsLog(traded, history);
      await history.durable(traded.state.seq);
      await store.close();
    }
  });

  it('that no longer has the spots it would take to go back is made again, to the same rows (HIS-2)', async () => {
    const path = newPath();
    const traded = await beyondItsSnapshot(path, 1, { snapshotAt: 100 });
    const db = new DatabaseSync(path);
    db.exec('UPDATE progress SET spots_after = ts');
    db.close();
    const { history, store, fromSeq, lines } = await start(traded, path);
    assert.match(lines.join(), /goes too far beyond the newest snapshot/);
    assert.equal(fromSeq, 0);
    await assertEqualsLog(traded, history);
    await store.close();
  });

  it('that was copied earlier and put back catches up, to the same rows (HIS-1, HIS-2)', async () => {
    const path = newPath();
    const copy = newPath();
    const traded = await Traded.begin(7, false);
    await traded.trade(150);
    const first = await start(traded, path);
    await first.history.durable(traded.state.seq);
    new DatabaseSync(path).exec(`VACUUM INTO '${copy}'`);
    await first.store.close();
    await traded.trade(100);
    const { history, store } = await start(traded, copy);
    await assertEqualsLog(traded, history);
    await store.close();
  });
});
