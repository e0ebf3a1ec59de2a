/** OPS-1: the report to operators, held against what each account says of itself. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { apply, createState, decodeEntry, NO_EFFECTS } from '@venue/engine';
import { MemoryStore, openMemoryLog } from '@venue/log';
import type { ExposedExpiry, ExposureReport } from '@venue/protocol';
import { ExposureReportSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  openSession,
  startVenue,
  waitFor,
} from '../../../test/support.ts';
import { ExposureReports } from '../../views/exposure.ts';

const SPOT = 100_000;
const PATH = '/v1/operator/exposure';
const secret = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
type Names = 'long' | 'short' | 'called' | 'spread' | 'quoter';
type Traders = Record<Names, Awaited<ReturnType<typeof openSession>>>;

interface Holding {
  readonly right: 'C' | 'P';
  readonly strike: number;
  readonly qty: number;
}

describe('OPS-1 what accounts and expiries stand to lose', () => {
  // Time stands still, so that no tick liquidates before a test says so. Approvals are of the present.
  const clock = { nowMs: Date.now() };
  let venue: LocalVenue;
  let traders: Traders;
  let series: Record<'low' | 'high' | 'put', { seriesId: string; sid: number; strike: number }>;
  let expiryTs: number;

  before(async () => {
    const store = new MemoryStore();
    const now = () => clock.nowMs;
    const env = { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN, VENUE_QUOTE_TTL_MS: '86400000' };
    venue = await startVenue(env, { store, clock: now, log: await openMemoryLog({ store, now }) });
    await print();
    clock.nowMs += 60_000;
    const low = await venue.listed('BTC');
    const { body } = await venue.get('/v1/series?symbol=BTC');
    const at = (right: string, strike: number) =>
      body.series.find(
        (one: Json) => one.expiryTs === low.expiryTs && one.right === right && one.strike === strike,
      );
    const above = body.series.find((one: Json) => one.expiryTs === low.expiryTs && one.strike > low.strike);
    ({ expiryTs } = low);
    series = { low, high: at('C', above.strike), put: at('P', low.strike) };
    await quoteAll({ low: [1_000, 1_010], high: [700, 710], put: [900, 910] });
    traders = {
      long: await trader(),
      short: await trader(),
      called: await trader(),
      spread: await trader(),
      quoter: await trader(),
    };
    await trade();
    await quoteAll({ low: [39_000, 41_000], high: [37_000, 39_000], put: [900, 910] });
  });
  after(() => venue.exchange.stop());

  const print = () => venue.feed([{ symbol: 'BTC', source: 'a', price: SPOT }]);
  const trader = async () => {
    const session = await openSession(venue);
    await venue.post('/v1/margin', { enabled: true }, { token: session.token });
    return session;
  };
  const quoteAll = (prices: Record<keyof typeof series, [number, number]>) =>
    venue.quote({
      rows: Object.entries(prices).map(([name, [bid, ask]]) => [
        series[name as keyof typeof series].sid,
        [[bid, 50]],
        [[ask, 50]],
      ]),
    });
  const order = async (by: Names, name: keyof typeof series, side: 'buy' | 'sell', qty: number) => {
    const { seriesId } = series[name];
    const { body } = await venue.post('/v1/order', { seriesId, side, qty }, { token: traders[by].token });
    assert.equal(body.status, 'filled', JSON.stringify(body));
  };
  const act = async (by: Names, ...actions: object[]) => {
    const { body } = await venue.post('/v1/batch', { actions }, { token: traders[by].token });
    for (const result of body.results) assert.ok(result.ok, JSON.stringify(result));
  };
  const trade = async () => {
    await order('long', 'low', 'buy', 2);
    await order('long', 'put', 'buy', 3);
    await order('short', 'low', 'sell', 1);
    await order('called', 'low', 'sell', 4);
    await act('spread', { type: 'margin-mode', mode: 'defined-risk' });
    await order('spread', 'high', 'buy', 1);
    await order('spread', 'low', 'sell', 1);
    const { symbol, windowMs, qty, frozenMs } = { symbol: 'BTC', windowMs: 60_000, qty: 10, frozenMs: 0 };
    await act('quoter', { type: 'protect', set: 1, symbol, windowMs, qty, frozenMs });
    const body = JSON.stringify({ quotes: [{ seriesId: series.low.seriesId, bids: [[500, 2]], asks: [] }] });
    const headers = { 'content-type': 'application/json', 'x-paper-token': traders.quoter.token };
    const pushed = await venue.send('/v1/quote-sets/1', { method: 'POST', headers, body });
    assert.equal(pushed.body.applied, 1, JSON.stringify(pushed.body));
  };
  const read = async (): Promise<ExposureReport> => {
    const { status, body } = await venue.get(PATH, secret);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(Compile(ExposureReportSchema).Check(body), JSON.stringify(body));
    return body;
  };
  const accountOf = async (name: Names): Promise<Json> =>
    (await venue.get('/v1/me', { token: traders[name].token })).body;
  const makerPositions = async (): Promise<Json[]> => {
    const { body } = await venue.get('/v1/maker/account', { headers: { 'x-maker-token': MAKER_TOKEN } });
    return body.positions;
  };

  /** The holdings of traders and maker in each series; the rest is the house's. */
  const bookOf = async () => {
    const own = await makerPositions();
    const all = await Promise.all(Object.keys(traders).map((name) => accountOf(name as Names)));
    return Object.values(series).map(({ seriesId, strike }) => {
      const qtyIn = (positions: Json[]): number =>
        positions.find((one: Json) => one.seriesId === seriesId)?.qty ?? 0;
      const held = all.map(({ positions }) => qtyIn(positions));
      const maker = qtyIn(own);
      const house = -held.reduce((sum, qty) => sum + qty, maker);
      const open = [...held, maker, house].reduce((sum, qty) => sum + Math.max(0, qty), 0);
      const right: 'C' | 'P' = seriesId.includes('-C-') ? 'C' : 'P';
      return { right, strike, maker, house, open };
    });
  };
  const assertExpiry = async ({ worst, ...expiry }: ExposedExpiry) => {
    const rows = await bookOf();
    const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0);
    const open = total((row) => row.open);
    const own = rows.map(
      ({ right, strike, maker, house }): Holding => ({ right, strike, qty: maker + house }),
    );
    assert.deepEqual(expiry, {
      ...{ symbol: 'BTC', expiryTs, isPendingReview: false, openInterest: open },
      grossNotional: open * SPOT,
      netNotional: own.reduce((sum, { qty }) => sum + qty, 0) * SPOT,
      makerShare: total(({ maker }) => Math.abs(maker)) / open,
      houseShare: total(({ house }) => Math.abs(house)) / open,
      uncoveredCalls: Math.max(0, -own.reduce((sum, { right, qty }) => sum + (right === 'C' ? qty : 0), 0)),
    });
    // The strikes are multiples of the step of this grid.
    let least = Number.POSITIVE_INFINITY;
    for (let price = 0; price <= 2 * SPOT; price += 500) least = Math.min(least, paid(own, price));
    assert.equal(worst.amount, least);
    assert.equal(paid(own, worst.at), least);
  };

  it('rows are what the accounts say, the worst first, and expiries are the sum of all positions', async () => {
    const report = await read();
    const names: Names[] = ['long', 'short', 'called', 'spread'];
    assert.deepEqual([report.heldCount, report.calledCount, report.proposals], [4, 1, []]);
    assert.deepEqual(
      report.called.map(({ address }) => address),
      [traders.called.account],
    );
    for (const name of names) {
      const { equity, locked, maintenanceMargin, marginCall, positions } = await accountOf(name);
      const row = report.largest.find(({ address }) => address === traders[name].account)!;
      const contracts = positions.reduce((sum: number, { qty }: Json) => sum + Math.abs(qty), 0);
      assert.deepEqual(row, {
        ...{ address: traders[name].account, equity, requirement: locked, maintenance: maintenanceMargin },
        ...{
          exposure: contracts * SPOT,
          // No tick has seen the call yet.
          calledSince: null,
          positions: positions.length,
          quoteSets: 0,
        },
      });
      assert.equal(marginCall, name === 'called');
    }
    const exposures = report.largest.map(({ exposure }) => exposure);
    assert.deepEqual(
      exposures,
      exposures.toSorted((a, b) => b - a),
    );
    assert.deepEqual(report.expiries.length, 1);
    await assertExpiry(report.expiries[0]!);
  });

  it('many readers cost one pass over the accounts, and a reader changes nothing', async () => {
    const { entries } = venue.store;
    const before = entries.filter(({ kind }) => kind !== 'maintain').length;
    const reports = await Promise.all(Array.from({ length: 20 }, read));
    assert.ok(new Set(reports.map(({ ts }) => ts)).size === 1);
    assert.equal(entries.filter(({ kind }) => kind !== 'maintain').length, before);
  });

  it('a call began with the tick that found it, as every node says that has read the log', async () => {
    const before = venue.store.entries.length;
    clock.nowMs += 5_000;
    await print();
    const called = await waitFor(async () => (await read()).called.find((row) => row.calledSince !== null));
    const tick = venue.store.entries.slice(before).find(({ kind }) => kind === 'maintain')!;
    assert.equal(called.calledSince, tick.ts);
    const state = createState();
    for (const entry of venue.store.entries) apply(state, decodeEntry(entry), NO_EFFECTS);
    const other = await new ExposureReports(state, () => clock.nowMs).read();
    assert.equal(other.called[0]!.calledSince, tick.ts);
  });

  it('a quote set counts for the account that holds contracts, and the house for what it took over', async () => {
    await order('quoter', 'put', 'buy', 1);
    await venue.quote({ rows: [[series.low.sid, [[39_000, 50]], [[41_000, 1]]]] });
    const report = await waitFor(async () => {
      clock.nowMs += 1_000;
      await print();
      // No report is younger than a second.
      await sleep(200);
      const now = await read();
      // It owes more than it has, and so stays in call without a position.
      return now.called[0]?.positions === 0 ? now : undefined;
    });
    const row = report.largest.find(({ address }) => address === traders.quoter.account);
    assert.deepEqual([row?.quoteSets, row?.positions], [1, 1]);
    assert.ok(report.expiries[0]!.houseShare > 0);
    await assertExpiry(report.expiries[0]!);
  });

  it('is for the holder of the operators’ secret alone', async () => {
    for (const headers of [{}, { 'x-operator-token': 'wrong' }, { 'x-maker-token': MAKER_TOKEN }]) {
      const { status, body } = await venue.get(PATH, { headers: headers as Record<string, string> });
      assert.deepEqual([status, body], [403, { error: 'wrong credential' }]);
    }
    const bearer = await venue.get(PATH, { token: traders.long.token });
    assert.equal(bearer.status, 403);
  });
});

function paid(own: readonly Holding[], price: number): number {
  return own.reduce((sum, { right, strike, qty }) => {
    const intrinsic = right === 'C' ? Math.max(0, price - strike) : Math.max(0, strike - price);
    return sum + qty * intrinsic;
  }, 0);
}
