// @process exchange-history
// @seconds 6

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { type Statement, toMicros } from '@venue/protocol';
import { StatementSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { Random } from '../../../engine/sim/random.ts';
import { holdWaits } from '../../test/held-waits.ts';
import { openFile, Traded, traders } from '../../test/movements.ts';
import { fillView, storedFillView } from '../views/fills.ts';
import { statementCsv, statementView } from '../views/statement.ts';
import { NO_ROWS } from './cells.ts';
import { History, HistoryUnavailableError } from './history.ts';
import type { Place, StatementPage } from './reads.ts';
import { HistoryOpenError, IN_MEMORY } from './schema.ts';
import { standingOf } from './standing.ts';
import { type HistoryStore, openHistoryStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-history-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const QUIET = { info() {}, error() {} };
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: 1_000_000 };
const statementShape = Compile(StatementSchema);

/** A history that follows a venue from its first entry on. */
async function fresh(traded: Traded, store: HistoryStore): Promise<History> {
  const standing = standingOf(traded.state, { withValues: true });
  await store.ask('begin', {
    kind: 'anew',
    ...{ seq: 0, ts: 0, lastFillId: 0 },
    completeFromMs: 0,
    balances: [],
    standing,
    settlements: NO_ROWS,
    wrong: null,
  });
  return new History({ store, state: traded.state, log: traded.log, logger: QUIET, seq: 0 });
}

/** Every page of a span, each requested from the end of the one before. */
async function pagesOf(
  history: History,
  account: number,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<StatementPage[]> {
  const pages: StatementPage[] = [];
  for (let place: Place | null = null; ; ) {
    const page: StatementPage = await history.statement({ account, fromMs, toMs, after: place, limit });
    pages.push(page);
    const last = page.rows.at(-1);
    if (!page.hasMore) return pages;
    place = { seq: last!.seq, n: last!.n };
  }
}

/** Checks that opening balance, changes and closing balance agree row by row, and each row with its parts. */
function assertAddsUp(page: StatementPage): number {
  let balance = page.openingBalance;
  for (const row of page.rows) {
    balance += row.cash - row.fee;
    assert.equal(row.balance, balance, `${row.seq}-${row.n}`);
  }
  return balance;
}

describe('the history of a seeded venue', () => {
  for (const [seed, custody] of [
    [5, false],
    [7, false],
    [3, true],
    [6, true],
  ] as const) {
    it(`adds up to the micro for every account and any span of time (seed ${seed})`, async () => {
      const traded = await Traded.begin(seed, custody);
      const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
      const random = new Random(seed);
      for (let i = 0; i < 60; i++) {
        // Rows of several entries are written together, as in a busy second.
        await traded.trade(random.between(1, 30), history.effects, () => history.applied());
        if (random.chance(0.6)) await history.statement({ account: 3, ...ALL });
      }
      const kinds = new Set<string>();
      for (const { index, cashMicros } of traders(traded.state)) {
        const whole = await history.statement({ account: index, ...ALL });
        assert.equal(assertAddsUp(whole), cashMicros);
        for (const { kind, seq } of whole.rows) {
          kinds.add(kind);
          assert.ok(!traded.refusedSeqs.has(seq), `entry ${seq} was refused`);
        }
        await assertSpans(history, traded, index, random);
      }
      const must = custody ? ['deposit', 'release', 'withdrawal'] : ['funding'];
      for (const kind of ['trade', 'settlement', 'liquidation', ...must]) assert.ok(kinds.has(kind), kind);
    });
  }

  it('pages through all fills ever, in the form of the newest (ACC-4)', async () => {
    const traded = await Traded.begin(5, false);
    const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
    await traded.trade(2_000, history.effects, () => history.applied());
    let pages = 0;
    for (const { index } of traders(traded.state)) {
      const all = (traded.fills.get(index) ?? []).toReversed().map(fillView);
      const paged = [];
      for (let before = Number.MAX_SAFE_INTEGER; ; ) {
        const { rows, hasMore } = await history.fills({ account: index, before, limit: 7 });
        paged.push(...rows.map(storedFillView));
        pages += 1;
        if (!hasMore) break;
        before = rows.at(-1)!.fillId!;
      }
      assert.equal(JSON.stringify(paged), JSON.stringify(all));
    }
    assert.ok(pages > 20, `${pages} pages`);
  });
});

async function assertSpans(history: History, traded: Traded, account: number, random: Random): Promise<void> {
  const times = traded.cash.get(account)!.map(({ ts }) => ts);
  for (let i = 0; i < 8; i++) {
    const [fromMs, toMs] = [random.pick(times), random.pick(times) + random.between(0, 1)].sort(
      (a, b) => a - b,
    );
    const span = { fromMs: fromMs!, toMs: toMs! };
    const pages = await pagesOf(history, account, { ...span, limit: random.between(1, 9) });
    const whole = await history.statement({ ...ALL, account, ...span });
    assert.equal(whole.openingBalance, traded.cashBefore(account, fromMs!), 'opens with the cash before it');
    assert.equal(assertAddsUp(whole), traded.cashBefore(account, toMs!), 'closes with the cash at its end');
    assert.deepEqual(
      pages.flatMap(({ rows }) => rows),
      whole.rows,
    );
    pages.forEach((page, at) => {
      assertAddsUp(page);
      if (at > 0) assert.equal(page.openingBalance, pages[at - 1]!.rows.at(-1)!.balance);
    });
    assertSameInCsv(whole, statementView(whole, span));
  }
}

/** Checks that each cell of the CSV matches the JSON. */
function assertSameInCsv(page: StatementPage, view: Statement): void {
  assert.ok(statementShape.Check(view), JSON.stringify(statementShape.Errors(view)));
  const [header, ...lines] = statementCsv(page).split('\r\n').slice(0, -1);
  const names = header!.split(',');
  assert.equal(lines.length, view.rows.length);
  lines.forEach((line, i) => {
    const cells = Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell]));
    const { time, ...rest } = cells;
    const row = view.rows[i]!;
    assert.equal(time, new Date(row.ts).toISOString());
    const filled = Object.entries(rest).filter(([, cell]) => cell !== '');
    assert.deepEqual(
      new Map(
        filled.map(([name, cell]) => [name, typeof row[name as never] === 'number' ? Number(cell) : cell]),
      ),
      new Map(Object.entries(row)),
    );
    assert.doesNotMatch(line, /,-?[\d.]+e[+-]/, 'no exponents');
  });
}

describe('a history', () => {
  it('shows nothing of an entry that was only partly applied', async () => {
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
    await traded.trade(100, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.statement({ account: account.index, ...ALL });
    // Earlier entries are applied but not yet written when the next one fails half-way.
    traded.state.seq += 1;
    history.effects.cashMoved(account, { kind: 'funding', cashMicros: toMicros(5) });
    const before = await ask();
    assert.equal(assertAddsUp(before), account.cashMicros);
    await assert.rejects(history.durable(traded.state.seq), HistoryUnavailableError);
    history.applied();
    assert.equal((await ask()).rows.length, before.rows.length + 1);
  });
});

describe('a history whose file fails', () => {
  it('says so, holds snapshots back, loses nothing and recovers by itself', async () => {
    const path = join(folder, 'failing.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(200, history.effects, () => history.applied());
    await history.durable(traded.state.seq);
    const other = new DatabaseSync(path);
    other.exec(
      `CREATE TRIGGER broken BEFORE INSERT ON movement BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`,
    );
    await traded.trade(300, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.statement({ account: account.index, ...ALL });
    await assert.rejects(ask, HistoryUnavailableError);
    await assert.rejects(history.durable(traded.state.seq), /disk I\/O error/);
    await traded.trade(100, history.effects, () => history.applied());
    other.exec('DROP TRIGGER broken');
    other.close();
    assert.equal(assertAddsUp(await ask()), account.cashMicros);
    await history.durable(traded.state.seq);
    await store.close();
  });

  it('answers its readers within 5 s while another program holds it, and continues after that', async (t) => {
    const path = join(folder, 'held.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(200, history.effects, () => history.applied());
    const account = traders(traded.state)[0]!;
    const ask = () => history.statement({ account: account.index, ...ALL });
    await ask();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await traded.trade(200, history.effects, () => history.applied());
    const limits = holdWaits(t, 5_000);
    // Each has 5 s of its own from its start, also one that asks while the thread is busy with another.
    for (const n of [1, 2]) {
      const asked = ask();
      assert.equal(limits.length, n);
      limits[n - 1]!.end();
      await assert.rejects(asked, HistoryUnavailableError);
    }
    other.exec('ROLLBACK');
    other.close();
    assert.equal(assertAddsUp(await ask()), account.cashMicros);
  });

  it('is given up when too much waits for it, and then delays nothing', async () => {
    const path = join(folder, 'given-up.db');
    const store = await openFile(path);
    const traded = await Traded.begin(1, false);
    const history = await fresh(traded, store);
    await traded.trade(100);
    new DatabaseSync(path).exec(
      `CREATE TRIGGER broken BEFORE UPDATE ON progress BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    history.applied();
    await assert.rejects(history.durable(traded.state.seq), /full/);
    const account = traders(traded.state)[0]!;
    for (let n = 0; n < 250_001; n++) {
      history.effects.cashMoved(account, { kind: 'funding', cashMicros: account.cashMicros });
    }
    await traded.trade(1, history.effects, () => history.applied());
    await history.durable(traded.state.seq);
    await assert.rejects(history.statement({ account: 3, ...ALL }), /given up/);
    await store.close();
  });

  it('refuses the file of another node or of another program', async () => {
    const path = join(folder, 'taken.db');
    const store = await openFile(path);
    await assert.rejects(openHistoryStore(path), (error: Error) => {
      assert.ok(error instanceof HistoryOpenError);
      assert.match(error.message, /in use by another process; give each node a VENUE_HISTORY of its own/);
      return true;
    });
    await store.close();
    const foreign = join(folder, 'foreign.db');
    new DatabaseSync(foreign).exec('CREATE TABLE theirs(x)');
    await assert.rejects(openHistoryStore(foreign), /is a database of something else/);
    assert.ok(readdirSync(folder).includes('foreign.db'));
  });
});
