/** Statements of seeded venues, whose every row and span must add up to the cash that the engine has. */

import assert from 'node:assert/strict';
import type { Statement } from '@venue/protocol';
import { StatementSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { Random } from '../../engine/sim/random.ts';
import { History } from '../src/history/history.ts';
import { NO_ROWS } from '../src/history/layout.ts';
import type { Place, StatementPage } from '../src/history/reads.ts';
import { IN_MEMORY } from '../src/history/schema.ts';
import { standingOf } from '../src/history/standing.ts';
import { type HistoryStore, openHistoryStore } from '../src/history/store.ts';
import { statementCsv, statementView } from '../src/views/statement.ts';
import { Traded, traders } from './movements.ts';

const QUIET = { info() {}, error() {} };
export const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: 1_000_000 };
const statementShape = Compile(StatementSchema);

/** A history that follows a venue from its first entry on. */
export async function fresh(traded: Traded, store: HistoryStore): Promise<History> {
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

/** Trades a seed for some hundred entries; every statement of it, whole and in pages, adds up. */
export async function assertSeedAddsUp(seed: number, custody: boolean): Promise<void> {
  const traded = await Traded.begin(seed, custody);
  const history = await fresh(traded, await openHistoryStore(IN_MEMORY));
  const random = new Random(seed);
  for (let i = 0; i < 60; i++) {
    // Rows of several entries are written together, as in a busy second.
    await traded.trade(random.between(1, 30), history.effects, () => history.applied());
    if (random.chance(0.6)) await history.read('statement', { account: 3, ...ALL });
  }
  const kinds = new Set<string>();
  for (const { index, cashMicros } of traders(traded.state)) {
    const whole = await history.read('statement', { account: index, ...ALL });
    assert.equal(assertAddsUp(whole), cashMicros);
    for (const { kind, seq } of whole.rows) {
      kinds.add(kind);
      assert.ok(!traded.refusedSeqs.has(seq), `entry ${seq} was refused`);
    }
    await assertSpans(history, traded, index, random);
  }
  const must = custody ? ['deposit', 'release', 'withdrawal'] : ['funding'];
  for (const kind of ['trade', 'settlement', 'liquidation', ...must]) assert.ok(kinds.has(kind), kind);
}

/** Every page of a span, each requested from the end of the one before. */
async function pagesOf(
  history: History,
  account: number,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<StatementPage[]> {
  const pages: StatementPage[] = [];
  for (let place: Place | null = null; ; ) {
    const page: StatementPage = await history.read('statement', {
      account,
      fromMs,
      toMs,
      after: place,
      limit,
    });
    pages.push(page);
    const last = page.rows.at(-1);
    if (!page.hasMore) return pages;
    place = { seq: last!.seq, n: last!.n };
  }
}

/** Checks that opening balance, changes and closing balance agree row by row, and each row with its parts. */
export function assertAddsUp(page: StatementPage): number {
  let balance = page.openingBalance;
  for (const row of page.rows) {
    balance += row.cash - row.fee;
    assert.equal(row.balance, balance, `${row.seq}-${row.n}`);
  }
  return balance;
}

async function assertSpans(history: History, traded: Traded, account: number, random: Random): Promise<void> {
  const times = traded.cash.get(account)!.map(({ ts }) => ts);
  for (let i = 0; i < 8; i++) {
    const [fromMs, toMs] = [random.pick(times), random.pick(times) + random.between(0, 1)].sort(
      (a, b) => a - b,
    );
    const span = { fromMs: fromMs!, toMs: toMs! };
    const pages = await pagesOf(history, account, { ...span, limit: random.between(1, 9) });
    const whole = await history.read('statement', { ...ALL, account, ...span });
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
