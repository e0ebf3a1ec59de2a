import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, EquityRow, Statement, StatementRow } from '@venue/protocol';
import { dayResult, sinceWords } from '../../../session/day-base.ts';
import { createStores } from '../../../terminal/stores.ts';
import { DayResult, dayBase } from './day-result.ts';

const START = Date.UTC(2026, 10, 29);
const HOUR = 3_600_000;
const at = (hours: number) => START + hours * HOUR;
const equities = (...rows: readonly (readonly [hours: number, equity: number])[]): EquityRow[] =>
  rows.map(([hours, equity]) => ({ t: at(hours), equity }));
const move = (hours: number, kind: StatementRow['kind'], change: number): StatementRow => ({
  ...{ id: `${hours}-0`, ts: at(hours), kind, change, balance: 0 },
});
const statement = (openingBalance: number, ...rows: StatementRow[]): Statement => ({
  ...{ from: START, to: at(24), completeFrom: 0, openingBalance, rows, closingBalance: 0 },
});

describe("HIS-4: the day's result", () => {
  it('is measured against the last sample up to 00:00 UTC: hours without a change have none', () => {
    const base = dayBase(equities([-50, 900], [-2, 1_000], [1, 1_200]), statement(1_000), START)!;
    assert.deepEqual(base, { sinceMs: START, equity: 1_000, paidIn: 0 });
    assert.equal(sinceWords(base, String), 'since 00:00 UTC');
  });

  it('counts no money that came from outside or left, and all of trades, fees and settlements', () => {
    const rows = [
      move(1, 'deposit', 500),
      move(2, 'trade', -30),
      move(3, 'settlement', 10),
      move(4, 'withdrawal', -200),
      move(5, 'void', 200),
      move(6, 'liquidation', -5),
    ];
    assert.equal(dayBase(equities([0, 1_000]), statement(1_000, ...rows), START)!.paidIn, 500);
  });

  it('of an account that was opened today begins when it was paid in first', () => {
    const base = dayBase([], statement(0, move(14, 'funding', 100_000), move(15, 'trade', -5)), START)!;
    assert.deepEqual(base, { sinceMs: at(14), equity: 0, paidIn: 100_000 });
    assert.equal(
      sinceWords(base, () => '15:00'),
      'since 15:00',
    );
  });

  it("begins with the day's first sample where the history begins today, and is unknown without any", () => {
    const late = { ...statement(0, move(2, 'deposit', 9), move(8, 'deposit', 7)), completeFrom: at(1) };
    assert.deepEqual(dayBase(equities([5, 1_000], [6, 1]), late, START), {
      ...{ sinceMs: at(5), equity: 1_000, paidIn: 7 },
    });
    assert.equal(dayBase([], late, START), null);
  });

  it('is read once a day, and again a moment after money was paid in, but not after a trade', async () => {
    const reads: number[] = [];
    let nowMs = at(10);
    const stores = createStores();
    stores.session.setState({ state: 'ready', address: '0xa' });
    stores.link.setState({ mode: 'paper' });
    const show = (equity: number, realizedPnl: number) =>
      stores.holdings.setState({
        account: { address: '0xa', equity, realizedPnl, unrealizedPnl: 0 } as Account,
      });
    const day = new DayResult({
      stores,
      readEquity: async () => equities([0, 1_000]),
      readStatement: async ({ from }) => {
        reads.push(from);
        return statement(1_000);
      },
      readRows: async function* () {},
      take: () => true,
      venueNow: () => nowMs,
    });
    const stepAt = async (ms: number) => {
      nowMs = ms;
      await day.step();
      return reads.length;
    };
    show(1_010, 10);
    assert.equal(await stepAt(at(10)), 1);
    assert.equal(dayResult(stores.holdings.getState()), 10);
    show(1_019, 20);
    assert.equal(await stepAt(at(10.1)), 1, 'a trade and its fee');
    show(1_519, 20);
    assert.equal(await stepAt(at(10.2)), 1, 'the history is behind');
    assert.equal(await stepAt(at(10.2) + 5_000), 2);
    assert.equal(await stepAt(at(24)), 3, 'the next day');
    assert.deepEqual(reads, [START, START, at(24)]);
    stores.holdings.setState({ dayBase: null });
    assert.equal(dayResult(stores.holdings.getState()), null);
    assert.equal(await stepAt(at(24) + 1_000), 4, 'the account has signed in again');
    assert.equal(dayResult(stores.holdings.getState()), 519);
  });
});
