// @process exchange-history
// @seconds 6

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { stateDigest } from '@venue/engine';
import type { OrderRecord } from '@venue/protocol';
import { openFile, Traded, traders } from '../../test/movements.ts';
import { Sequencer } from '../entries/sequencer.ts';
import { snapshotOf } from '../snapshots/snapshots.ts';
import { orderView } from '../views/order-record.ts';
import { type History, HistoryUnavailableError } from './history.ts';
import { type Start, startState } from './start.ts';
import type { HistoryStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-history-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: 1_000_000 };

const ALL_ORDERS = { status: null, symbol: null, before: Number.MAX_SAFE_INTEGER, limit: 1_000_000 };

interface Started extends Start {
  readonly history: History;
  readonly store: HistoryStore;
  /** Lines that the start logged. */
  readonly lines: readonly string[];
  /** Entry of the state from which the replay began. */
  readonly fromSeq: number;
}

/** Starts as a node does: chooses the state, replays the rest of the log. */
async function start(traded: Traded, path: string): Promise<Started> {
  const lines: string[] = [];
  const say = (...words: unknown[]) => lines.push(String(words.at(-1)));
  const store = await openFile(path);
  const { log } = traded;
  const { state, history } = await startState({ log, logger: { info: say, warn: say, error: say }, store });
  assert.ok(history !== null, lines.join());
  const fromSeq = state.seq;
  const { effects } = history;
  const sequencer = new Sequencer({
    ...{ log, state, effects, replayEffects: effects, skipSeqs: new Set() },
    onApplied: () => history.applied(),
    onFatal: assert.fail,
  });
  await sequencer.replay();
  assert.equal(stateDigest(state), stateDigest(traded.state));
  return { state, history, store, lines, fromSeq };
}

/** As a kill does: unwritten rows are lost. */
async function kill({ store }: Started): Promise<void> {
  await store.close();
}

let telling: Promise<number> | undefined;

/** About one seed in forty is telling: the search begins at one that was found. */
const FIRST_SEED = 71;

/** The first seed with whose orders a start has everything to do that it may have to do at entry 300. */
async function tellingSeed(): Promise<number> {
  for (let seed = FIRST_SEED; ; seed++) {
    const traded = await Traded.begin(seed, false);
    const orders = () => traders(traded.state).flatMap(({ index }) => traded.orders.recordsOf(index));
    await traded.trade(300);
    const open = orders().filter(({ cause }) => cause === null);
    if (open.every(({ filledQty }) => filledQty === 0)) continue;
    await traded.trade(150);
    const later = new Map(orders().map((order) => [order.id, order]));
    const isFilledAgain = (order: OrderRecord) => later.get(order.id)!.filledQty > order.filledQty;
    const isStillOpen = ({ id }: OrderRecord) => later.get(id)!.cause === null;
    const filledAgain = open.filter(isFilledAgain);
    if (filledAgain.some(({ filledQty }) => filledQty > 0) && filledAgain.some(isStillOpen)) return seed;
  }
}

/** A venue with a snapshot and a complete history up to the middle, and a partly written rest. */
async function halfWritten(path: string, snapshotAt: readonly number[] = [300]): Promise<Traded> {
  telling ??= tellingSeed();
  const traded = await Traded.begin(await telling, false);
  const first = await start(traded, path);
  for (const seq of snapshotAt) await tradeOn(traded, first, seq);
  await traded.trade(150);
  await kill(first);
  return traded;
}

let copied: Promise<{ traded: Traded; file: string }> | undefined;

/** The same venue for tests that leave its log as it is: they share it, and each has a copy of the file. */
async function copyOfHalfWritten(path: string): Promise<Traded> {
  const file = newPath();
  copied ??= halfWritten(file).then((traded) => ({ traded, file }));
  const made = await copied;
  cpSync(join(made.file, '..'), join(path, '..'), { recursive: true });
  return made.traded;
}

/** Trades up to an entry and keeps a snapshot there, once the history has reached it. */
async function tradeOn(traded: Traded, { history, state }: Started, seq: number): Promise<void> {
  await traded.trade(seq - traded.state.seq);
  // The started node's follower is notified in the next turn.
  while (state.seq < seq) await new Promise((resolve) => setImmediate(resolve));
  await history.durable(seq);
  await traded.log.saveSnapshot(await snapshotOf(traded.state, traded.log));
}

async function assertComplete(traded: Traded, started: Started, fromMs = 0): Promise<void> {
  const { history } = started;
  await assertOrders(traded, started, fromMs);
  let rows = 0;
  for (const { index, cashMicros } of traders(traded.state)) {
    const page = await history.read('statement', { account: index, ...ALL, fromMs });
    let balance = page.openingBalance;
    assert.equal(balance, traded.cashBefore(index, fromMs));
    for (const row of page.rows) balance += row.cash - row.fee;
    assert.equal(balance, cashMicros);
    assert.equal(page.rows.at(-1)?.balance ?? page.openingBalance, cashMicros);
    rows += page.rows.length;
  }
  assert.ok(rows > 10, `${rows} rows`);
}

/** Orders that were closed before an instant may be missing. */
async function assertOrders(traded: Traded, { history }: Started, fromMs: number): Promise<void> {
  let orders = 0;
  for (const { index } of traders(traded.state)) {
    const all = traded.orders
      .recordsOf(index)
      .filter(({ closedAt }) => closedAt === null || closedAt >= fromMs);
    const page = await history.read('orders', { ...ALL_ORDERS, account: index });
    assert.deepEqual(page.orders.map(orderView), all);
    orders += all.length;
  }
  assert.ok(orders > 20, `${orders} orders`);
}

function newPath(): string {
  files += 1;
  return join(folder, `${files}`, 'history.db');
}

describe('a start with a history', () => {
  it('continues from the snapshot that the history has reached, and repeats no row', async () => {
    const path = newPath();
    const traded = await copyOfHalfWritten(path);
    const again = await start(traded, path);
    assert.deepEqual([again.fromSeq, again.lines], [300, []]);
    await assertComplete(traded, again);
    await kill(again);
    const once = await start(traded, path);
    await assertComplete(traded, once);
    await kill(once);
  });

  it('replays from the first entry if its file is gone, even with a snapshot, and says so', async () => {
    const path = newPath();
    const traded = await copyOfHalfWritten(path);
    rmSync(path);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 0);
    assert.deepEqual(again.lines, [
      'passed over: the snapshot of entry 300 is past the history, which ends with entry 0 and gets the rest from a longer replay',
    ]);
    await assertComplete(traded, again);
    await kill(again);
  });

  it('continues from the older snapshot if the newer one, of another node, is past its history', async () => {
    const path = newPath();
    const traded = await halfWritten(path, [200, 300]);
    await traded.log.saveSnapshot(await snapshotOf(traded.state, traded.log));
    await traded.trade(50);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 300);
    await assertComplete(traded, again);
    await kill(again);
  });

  it('puts the file of another log aside and makes a new one', async () => {
    const path = newPath();
    await copyOfHalfWritten(path);
    const other = await Traded.begin(1, false);
    await other.trade(400);
    const again = await start(other, path);
    assert.match(again.lines[0]!, /of another log, .*put aside/);
    assert.ok(readdirSync(join(path, '..')).includes('history.db.old-1'));
    await assertComplete(other, again);
    await kill(again);
  });

  it('begins later if older entries are archived, with the balances of that time, and says from when', async () => {
    const path = newPath();
    const traded = await halfWritten(path, [200, 300]);
    await traded.log.dropBefore(190);
    rmSync(path);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 200);
    assert.match(again.lines.at(-1)!, /the history begins after entry 200/);
    const { completeFromMs } = await again.history.read('statement', { account: 3, ...ALL });
    assert.equal(completeFromMs, traded.store.entries.find(({ seq }) => seq === 200)!.ts + 1);
    await assertComplete(traded, again, completeFromMs);
    await again.history.durable(traded.state.seq);
    await kill(again);
    const once = await start(traded, path);
    assert.equal(
      (await once.history.read('statement', { account: 3, ...ALL })).completeFromMs,
      completeFromMs,
    );
    await assertComplete(traded, once, completeFromMs);
    await kill(once);
  });
});

const OLDEST_OPEN = '(SELECT min(id) FROM orders WHERE cause IS NULL)';

/** Damage to a file between two starts, and what is logged about it. */
const DAMAGES: readonly (readonly [title: string, damage: (path: string) => void, line: RegExp])[] = [
  [
    'is no longer a database',
    (path) => writeFileSync(path, randomBytes(40_000)),
    /is damaged \(file is not a database\)/,
  ],
  [
    'is overwritten after its first page',
    (path) => overwrite(path, (page) => page > 1),
    /is damaged \(database disk image is malformed\)/,
  ],
  [
    'has damaged movements',
    (path) => overwrite(path, (page) => page === rootOf(path, 'movement')),
    /is damaged \(database disk image is malformed\)/,
  ],
  ['lacks a table', (path) => change(path, 'DROP TABLE batch'), /is damaged \(no such table: batch\)/],
  [
    'does not say how far it extends',
    (path) => change(path, 'DELETE FROM progress'),
    /is damaged \(.*how far/,
  ],
  ['is of another version', (path) => change(path, 'PRAGMA user_version = 99'), /is of another version/],
  [
    'disagrees with the balances of the state',
    (path) => change(path, 'UPDATE movement SET balance = balance + 5000000'),
    /differs from the log \(by 5000000 micros in the cash of account \d+ after entry 300\)/,
  ],
  [
    'lacks an open order',
    (path) => change(path, `DELETE FROM orders WHERE id = ${OLDEST_OPEN}`),
    /differs from the log \(by order \d+\)/,
  ],
  [
    'has other fills of an open order',
    (path) => change(path, `UPDATE orders SET filled = filled + 1 WHERE id = ${OLDEST_OPEN}`),
    /differs from the log \(by order \d+\)/,
  ],
  [
    'has open orders that are closed',
    (path) => change(path, `UPDATE orders SET cause = NULL WHERE id = (SELECT min(id) FROM orders)`),
    /differs from the log \(by 1 open orders\)/,
  ],
  [
    'lacks the movements of an account',
    (path) => change(path, `DELETE FROM movement WHERE account = (SELECT max(account) FROM movement)`),
    /differs from the log \(by -?\d+ micros/,
  ],
];

describe('a start with a file of the history that', () => {
  for (const [title, damage, wrong] of DAMAGES) {
    it(`${title} puts it aside, says so once with both names, and rebuilds it from the log`, async () => {
      const path = newPath();
      const traded = await copyOfHalfWritten(path);
      damage(path);
      const again = await start(traded, path);
      assert.equal(again.fromSeq, 0);
      const [line, ...more] = again.lines.filter((text) => text.includes(path));
      assert.match(line!, wrong);
      assert.ok(line!.endsWith(`and was put aside as ${path}.old-1; the history is rebuilt from the log`));
      assert.deepEqual(more, []);
      assert.deepEqual(filesOf(path), ['history.db', 'history.db.old-1']);
      await assertComplete(traded, again);
      await kill(again);
    });
  }

  it('is damaged is replaced by one with which the next start goes on', async () => {
    const path = newPath();
    const traded = await copyOfHalfWritten(path);
    change(path, 'DROP TABLE batch');
    const again = await start(traded, path);
    await again.history.durable(300);
    await kill(again);
    const once = await start(traded, path);
    assert.deepEqual([once.fromSeq, once.lines], [300, []]);
    await assertComplete(traded, once);
    await kill(once);
  });

  it('is damaged begins later if older entries are archived', async () => {
    const path = newPath();
    const traded = await halfWritten(path, [200, 300]);
    await traded.log.dropBefore(190);
    change(path, 'UPDATE movement SET balance = balance + 1');
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 200);
    const { completeFromMs } = await again.history.read('statement', { account: 3, ...ALL });
    assert.equal(completeFromMs, traded.store.entries.find(({ seq }) => seq === 200)!.ts + 1);
    await assertComplete(traded, again, completeFromMs);
    await kill(again);
  });

  it('extends past the snapshot writes the rest again, which repairs changes there', async () => {
    const path = newPath();
    const traded = await copyOfHalfWritten(path);
    const further = await start(traded, path);
    await further.history.durable(traded.state.seq);
    await kill(further);
    change(path, 'UPDATE movement SET cash = cash + 1, balance = balance + 1 WHERE seq > 300');
    const again = await start(traded, path);
    assert.deepEqual([again.fromSeq, again.lines, filesOf(path)], [300, [], ['history.db']]);
    await assertComplete(traded, again);
    await kill(again);
  });
});

describe('damage found while a node runs', () => {
  it('gives the history up with one line that names the file and what to do; the next start rebuilds it', async () => {
    const path = newPath();
    const traded = await copyOfHalfWritten(path);
    // Only statements read names of series.
    overwrite(path, (page) => page === rootOf(path, 'series'));
    const running = await start(traded, path);
    assert.deepEqual(running.lines, []);
    const ask = () => running.history.read('statement', { account: 3, ...ALL });
    const asked = await Promise.allSettled([ask(), ask(), ask()]);
    for (const answer of asked)
      assert.ok(answer.status === 'rejected' && answer.reason instanceof HistoryUnavailableError);
    await assert.rejects(ask(), HistoryUnavailableError);
    assert.deepEqual(running.lines, [
      `the history is given up: ${path} is damaged (database disk image is malformed) and was put aside as ${path}.old-1; there are no statements until the exchange is restarted, which makes up for it from the log; trading goes on`,
    ]);
    await running.history.durable(traded.state.seq);
    await kill(running);
    const again = await start(traded, path);
    assert.equal(again.fromSeq, 0);
    await assertComplete(traded, again);
    await kill(again);
  });
});

const PAGE_BYTES = 4_096;

/** Overwrites pages of a closed file. */
function overwrite(path: string, isHit: (page: number) => boolean): void {
  const pages = query(path, 'PRAGMA page_count');
  const hit = Array.from({ length: pages }, (_, i) => i + 1).filter(isHit);
  assert.ok(hit.length > 0);
  const file = openSync(path, 'r+');
  for (const page of hit)
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

function rootOf(path: string, table: string): number {
  return query(path, `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`);
}

function query(path: string, sql: string): number {
  using db = new DatabaseSync(path);
  return Number(Object.values(db.prepare(sql).get()!)[0]);
}

function change(path: string, sql: string): void {
  using db = new DatabaseSync(path);
  db.exec(sql);
}

function filesOf(path: string): string[] {
  return readdirSync(join(path, '..'))
    .filter((name) => /\.db(\.old-\d+)?$/.test(name))
    .sort();
}
