/** Work that quote sets make for others, and for their own account (BAT-7). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAction, MicrosLevel } from '@venue/protocol';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import { BUY, type Sieve } from '../book/book.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { expireQuotes } from '../quoting/quotes.ts';
import { EntryRisk } from '../risk/entry-risk.ts';
import { impactOfSide, noDust } from '../risk/impact.ts';
import { markParts, positionMarkMicros } from '../risk/risk-marks.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import { VISITS_MAX, VISITS_PER_POSITION } from '../state/limits.ts';
import type { Series } from '../state/series.ts';
import { PLAIN_LIMIT } from '../state/terms.ts';
import { copyFor } from './copies.ts';
import { placeOrder } from './orders.ts';
import { previewOrder } from './preview.ts';
import { Work } from './work.ts';

const MODEL = { riskMark: 'model', impactMicros: micros('50'), paperCashMicros: micros('1000000') } as const;
const ACTIONS = 64;

function modelVenue(): Venue {
  const venue = Venue.listed(MODEL);
  const rows = venue.unsettled().map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.4 }));
  venue.apply({ kind: 'quotes', session: null, rows });
  return venue;
}

function send(venue: Venue, name: string, actions: readonly BatchAction[]) {
  const outcome = venue.apply({ kind: 'batch', account: addressOf(name), actions });
  assert.ok('results' in outcome);
  return outcome.results;
}

interface Quoting {
  readonly set?: number;
  readonly qty: string;
  readonly bids: readonly MicrosLevel[];
}

/** Gives a set the same bids in each series. */
function quote(venue: Venue, name: string, series: readonly Series[], { set = 1, qty, bids }: Quoting): void {
  const account = venue.account(name).address!;
  if (venue.state.quoteSets.find(venue.account(name).index, set) === null) {
    const limits = { windowMs: 1_000, qtyMicros: micros(qty), frozenMs: 0 };
    send(venue, name, [{ type: 'protect', set, symbol: 'AAPL', ...limits }]);
  }
  const rows = series.map(({ sid }) => ({ sid, bids, asks: null }));
  const push = { kind: 'quote-set', account, set, form: 'json', bodyHash: '0'.repeat(64) } as const;
  const outcome = venue.apply({ ...push, rows });
  assert.ok('applied' in outcome && outcome.applied === series.length);
}

function aaplSeries(venue: Venue): Series[] {
  return venue.state.instruments.get('AAPL')!.series;
}

/** Levels of a micro below a dollar, which cost their owner a cent each. */
function dust(count: number): MicrosLevel[] {
  return Array.from({ length: count }, (_, i) => [900_000 - i, 1] as const);
}

describe("BAT-7 strangers' quotes", () => {
  /** A maker's set in 61 series, and more levels of a micro in the same series than a preview may copy. */
  function crowded(allowance: string): { venue: Venue; named: Series } {
    const venue = modelVenue();
    const series = aaplSeries(venue).slice(0, 100);
    for (const name of ['eve', 'frank', 'grace'])
      quote(venue, name, series.slice(1, 61), { qty: '1', bids: dust(60) });
    const levels = venue.state.orders.count;
    assert.ok(levels * 5 > VISITS_MAX, `${levels} levels`);
    quote(venue, 'maker-of-sets', series.slice(0, 61), {
      qty: allowance,
      bids: [[micros('0.8'), micros('10')]],
    });
    venue.apply({ kind: 'margin', account: venue.account('alice').address!, enabled: true });
    return { venue, named: series[0]! };
  }

  for (const [what, allowance] of [
    ['stays', '100'],
    ['is used up', '10'],
  ] as const)
    test(`in other series take nothing from the preview of an order that fills a set that ${what}`, () => {
      const { venue, named } = crowded(allowance);
      const order = {
        seriesId: named.seriesId,
        side: 'sell',
        qtyMicros: micros('10'),
        priceMicros: micros('0.7'),
      } as const;
      const account = venue.account('alice');
      const preview = previewOrder(venue.state, account, order, venue.nowMs);
      assert.equal(preview.outcome.status, 'filled');
      venue.apply({ kind: 'order', account: account.address!, ...order });
      const { cashMicros, reservedMicros } = account;
      assert.deepEqual([preview.after.cashMicros, reservedMicros], [cashMicros, 0]);
      assert.equal(
        preview.after.equityMicros,
        previewOrder(venue.state, account, order, venue.nowMs).before.equityMicros,
      );
    });

  test('that are dust are met once, however often a book changes', () => {
    const venue = modelVenue();
    const [series] = aaplSeries(venue) as [Series];
    for (const name of ['eve', 'frank', 'grace']) quote(venue, name, [series], { qty: '1', bids: dust(64) });
    impactOfSide(venue.state, series, BUY);
    const sieve = series.book.sieve(BUY, noDust(MODEL.impactMicros));
    const { met } = sieve;
    venue.account('alice');
    const bid = { type: 'place', seriesId: series.seriesId, side: 'buy', tif: 'gtc', stp: 'taker' } as const;
    const qtyMicros = micros('1');
    const places = Array.from(
      { length: ACTIONS },
      (_, i): BatchAction => ({ ...bid, qtyMicros, priceMicros: micros('0.5') + i }),
    );
    venue.apply({ kind: 'margin', account: addressOf('alice'), enabled: true });
    send(venue, 'alice', places);
    assert.equal(impactOfSide(venue.state, series, BUY).priceMicros, null);
    assert.ok(met >= 3 * 64 && sieve.met - met <= 2 * ACTIONS, `${sieve.met - met} orders met`);
  });

  describe('that their allowances have cut', () => {
    const SETS = 16;
    const LEVELS = 64;
    /** In contracts, and at a price of a dollar in dollars too. */
    const TENTH = '0.1';

    /** Sets whose allowance is as large as one of their bids. */
    function cut(): { venue: Venue; series: Series; sieve: Sieve } {
      const venue = modelVenue();
      const [series] = aaplSeries(venue) as [Series];
      const bids = Array.from({ length: LEVELS }, (_, i) => [micros('1') - i, micros(TENTH)] as const);
      for (let set = 1; set <= SETS; set++) quote(venue, 'eve', [series], { set, qty: TENTH, bids });
      assert.equal(impactOfSide(venue.state, series, BUY).priceMicros, null);
      return { venue, series, sieve: series.book.sieve(BUY, noDust(MODEL.impactMicros)) };
    }

    test('are met once, and orders of dust have nothing met', () => {
      const { venue, series, sieve } = cut();
      assert.deepEqual([sieve.met, sieve.size], [SETS * LEVELS, SETS]);
      const { met, version } = sieve;
      const bid = {
        type: 'place',
        seriesId: series.seriesId,
        side: 'buy',
        tif: 'gtc',
        stp: 'taker',
      } as const;
      const places = Array.from(
        { length: ACTIONS },
        (_, i): BatchAction => ({ ...bid, qtyMicros: 1, priceMicros: micros('1.5') + i }),
      );
      venue.account('alice');
      send(venue, 'alice', places);
      impactOfSide(venue.state, series, BUY);
      assert.deepEqual([sieve.met - met, sieve.version], [ACTIONS, version]);
    });

    test('come back when what cut them changes', () => {
      const { venue, series, sieve } = cut();
      const first = venue.state.quoteSets.of(venue.account('eve').index)[0]!;
      const account = venue.account('eve').address!;
      const protection = { windowMs: 1_000, qtyMicros: micros('6.4'), frozenMs: 0 };
      const protect: BatchAction = { type: 'protect', set: 1, symbol: 'AAPL', ...protection };
      venue.apply({ kind: 'batch', account, actions: [protect] });
      impactOfSide(venue.state, series, BUY);
      assert.equal(sieve.size, SETS - 1 + LEVELS);
      assert.equal(first.protection.qtyMicros, micros('6.4'));
    });

    /** Quotes of bob's in two series, in the first of which alice sells and in the second of which she holds a contract. */
    function shared(): { venue: Venue; sold: Series; held: Series; check: () => void } {
      const venue = modelVenue();
      const [sold, held] = aaplSeries(venue) as [Series, Series];
      const account = venue.account('alice').address!;
      venue.apply({ kind: 'margin', account, enabled: true });
      quote(venue, 'carol', [held], { qty: '1', bids: [[micros('9'), micros('1')]] });
      const [ask, bid] = [
        { account, seriesId: held.seriesId, side: 'sell', priceMicros: micros('9') },
        { account: venue.account('bob').address!, seriesId: held.seriesId, side: 'buy', priceMicros: 1 },
      ] as const;
      venue.apply({ kind: 'order', ...ask, qtyMicros: micros('0.5') });
      venue.apply({ kind: 'order', ...bid, qtyMicros: micros('1') });
      quote(venue, 'bob', [sold, held], { qty: '20', bids: [[micros('8'), micros('20')]] });
      const check = () => {
        const fresh = restoreState(stateLines(venue.state));
        const ofFresh = positionMarkMicros(fresh, fresh.series[held.sid]!);
        assert.equal(positionMarkMicros(venue.state, held), ofFresh);
      };
      return { venue, sold, held, check };
    }

    test('by a preview alone stand as they were', () => {
      const { venue, sold, held, check } = shared();
      check();
      const sale = { seriesId: sold.seriesId, side: 'sell', priceMicros: null } as const;
      const order = { ...sale, qtyMicros: micros('20') - 10 };
      const { after } = previewOrder(venue.state, venue.account('alice'), order, venue.nowMs);
      assert.ok(after.equityMicros > 0);
      const bid = { seriesId: held.seriesId, side: 'buy', priceMicros: micros('7') } as const;
      venue.apply({ kind: 'order', account: venue.account('dave').address!, ...bid, qtyMicros: micros('1') });
      check();
    });

    test('bound a mark again as soon as they may trade, no matter who looked first', () => {
      const { venue, sold, held, check } = shared();
      const sale = { seriesId: sold.seriesId, side: 'sell', priceMicros: null } as const;
      const account = venue.account('alice').address!;
      venue.apply({ kind: 'order', account, ...sale, qtyMicros: micros('20') - 10 });
      check();
      const protection = { windowMs: 1_000, qtyMicros: micros('20'), frozenMs: 0 };
      const protect: BatchAction = { type: 'protect', set: 1, symbol: 'AAPL', ...protection };
      send(venue, 'bob', [protect]);
      // Reads the book without a memo.
      markParts(venue.state, held);
      check();
    });

    test('are not copied by a preview', () => {
      const { venue, series } = cut();
      const { seriesId } = series;
      const order = { seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1, terms: PLAIN_LIMIT } as const;
      const work = new Work(SETS * LEVELS);
      assert.ok(copyFor(venue.state, venue.account('bob'), { orders: [order], work, dropped: [] }) !== null);
    });
  });

  test('RSK-2 a fill moves the marks of other series when its entry ends', () => {
    const venue = modelVenue();
    const [, second] = aaplSeries(venue)
      .filter(({ right }) => right === 'C')
      .slice(0, 2) as [Series, Series];
    const price = positionMarkMicros(venue.state, second) + micros('2');
    const far = aaplSeries(venue).filter(({ right }) => right === 'P')[0]!;
    quote(venue, 'bob', [second, far], { qty: '100', bids: [[price, micros('100')]] });
    const before = positionMarkMicros(venue.state, second);
    const account = venue.account('alice');
    venue.apply({ kind: 'margin', account: account.address!, enabled: true });
    const terms = { tif: 'ioc', stp: 'taker' } as const;
    const work = { work: new Work(), risk: new EntryRisk(venue.state, account), signer: null };
    const order = {
      seriesId: far.seriesId,
      side: 'sell',
      qtyMicros: micros('99.5'),
      priceMicros: price,
      terms,
    } as const;
    venue.isReplayable = false;
    assert.equal(placeOrder(venue.state, NO_EFFECTS, account, { ...order, ...work }).status, 'filled');
    assert.equal(positionMarkMicros(venue.state, second), before);
    // A change of its own book has the price worked out again.
    const bid = {
      seriesId: second.seriesId,
      side: 'buy',
      qtyMicros: 1,
      priceMicros: 1,
      terms: PLAIN_LIMIT,
    } as const;
    assert.equal(placeOrder(venue.state, NO_EFFECTS, account, { ...bid, ...work }).status, 'rested');
    assert.equal(positionMarkMicros(venue.state, second), before);
    venue.state.quoteSets.showChanges();
    assert.ok(positionMarkMicros(venue.state, second) < before);
  });
});

describe('BAT-7 an account with wide quote sets', () => {
  const LEVELS = 3_840;

  function wide(): Venue {
    const venue = Venue.listed({ paperCashMicros: micros('1000000') });
    quote(venue, 'alice', aaplSeries(venue).slice(0, 60), { qty: '1', bids: dust(64) });
    assert.equal(venue.state.orders.count, LEVELS);
    return venue;
  }

  test('unfreezes and protects within the work of an entry, and always ends its sets', () => {
    const venue = wide();
    const limits = { windowMs: 1_000, qtyMicros: micros('1'), frozenMs: 0 };
    const protect: BatchAction = { type: 'protect', set: 1, symbol: 'AAPL', ...limits };
    const many = Array.from({ length: 31 }, (): BatchAction[] => [
      { type: 'unfreeze', set: 1 },
      protect,
    ]).flat();
    const results = send(venue, 'alice', [...many, { ...protect, qtyMicros: 0 }]);
    const carried = results.filter((result) => 'ok' in result && result.ok).length;
    assert.equal(carried, Math.floor(VISITS_MAX / LEVELS) + 1);
    const declined = results.find((result) => 'reason' in result && result.reason !== undefined);
    assert.equal(declined !== undefined && 'reason' in declined && declined.reason, 'too much work');
    assert.equal(venue.state.orders.count, 0);
  });

  test('frees what 64 cancels of a batch pulled once', () => {
    const venue = wide();
    const cancels = aaplSeries(venue)
      .slice(0, 60)
      .map(({ seriesId }): BatchAction => ({ type: 'cancel-all', scope: { series: [seriesId] } }));
    const { state } = venue;
    const account = venue.account('alice');
    let changes = 0;
    const accountChanged = () => {
      changes += 1;
    };
    const effects = { ...NO_EFFECTS, accountChanged };
    const command = { kind: 'batch', account: account.address!, actions: cancels } as const;
    apply(state, { seq: state.seq + 1, ts: state.ts, command }, effects);
    assert.deepEqual([state.orders.count, account.reservedMicros], [0, 0]);
    assert.ok(changes <= 1, `${changes} reserves computed`);
  });

  test('QTS-5 silent sets leave over several ticks, the most silent first', () => {
    const venue = Venue.listed();
    const series = aaplSeries(venue).slice(0, 2);
    for (const [i, name] of ['bob', 'alice', 'carol'].entries()) {
      quote(venue, name, series, { qty: '1', bids: dust(10 + i) });
      venue.wait(1_000);
    }
    venue.wait(60_000);
    const { state } = venue;
    state.ts = venue.nowMs;
    const left = () => {
      expireQuotes(state, NO_EFFECTS, 21);
      return ['alice', 'bob', 'carol'].map(
        (name) => state.quoteSets.of(venue.account(name).index)[0]!.rows.size,
      );
    };
    const ticks = [left(), left()];
    assert.deepEqual(ticks, [
      [0, 0, 2],
      [0, 0, 0],
    ]);
    venue.isReplayable = false;
  });
});

test('BAT-7 the positions of an account count once an entry, and the rows of a set that is filled', () => {
  const venue = Venue.listed({ paperCashMicros: micros('1000000') });
  const series = aaplSeries(venue).slice(0, 50);
  quote(venue, 'bob', series, { qty: '1', bids: [[1_000_000, 1]] });
  venue.apply({ kind: 'margin', account: venue.account('alice').address!, enabled: true });
  for (const { seriesId } of series)
    venue.apply({
      kind: 'order',
      account: addressOf('alice'),
      seriesId,
      side: 'sell',
      qtyMicros: 1,
      priceMicros: 1,
    });
  quote(venue, 'bob', series, { qty: '1', bids: [[1_000_000, 1]] });
  const bob = venue.account('bob');
  const set = venue.state.quoteSets.of(bob.index)[0]!;
  assert.equal(bob.positions.size, series.length);
  const work = new Work();
  work.meet(venue.state, [{ set }]);
  work.meet(venue.state, [{ set }]);
  work.look(bob);
  assert.equal(VISITS_MAX - work.left, series.length * (VISITS_PER_POSITION + 1));
});

test('BAT-7 a batch changes its margin mode only as often as the positions allow', () => {
  const venue = Venue.listed();
  const account = venue.account('alice');
  // Resting orders open positions.
  for (const { seriesId } of venue.unsettled())
    venue.apply({
      kind: 'order',
      account: account.address!,
      seriesId,
      side: 'buy',
      qtyMicros: 1,
      priceMicros: 1,
    });
  const switches = Array.from(
    { length: ACTIONS },
    (_, i): BatchAction => ({ type: 'margin-mode', mode: i % 2 === 0 ? 'defined-risk' : 'per-leg' }),
  );
  const results = send(venue, 'alice', switches);
  const { size } = account.positions;
  const carried = Math.floor(VISITS_MAX / (size * 10));
  assert.ok(size > 400 && carried < 20);
  const done = results.slice(0, carried + 1).map((result) => 'reason' in result && result.reason);
  assert.deepEqual(
    done,
    [...Array.from({ length: carried }, () => undefined), 'too much work'].map((reason) => reason ?? false),
  );
});

test('BAT-7 a preview copies no quotes that their sets have cut to dust', () => {
  const venue = modelVenue();
  const [series] = aaplSeries(venue);
  const { seriesId } = series!;
  const levels = 16;
  venue.account('taker');
  venue.apply({ kind: 'margin', account: addressOf('taker'), enabled: true });
  for (let set = 1; set <= 16; set++) {
    // Each before all others, so that a sale of all but a micro meets this one alone.
    const bids = Array.from(
      { length: levels },
      (_, i) => [micros('1') + set * levels - i, micros('1')] as const,
    );
    quote(venue, 'eve', [series!], { set, qty: '1', bids });
    const sale = { seriesId, side: 'sell', qtyMicros: micros('1') - 1, priceMicros: null } as const;
    const sold = venue.apply({ kind: 'order', account: addressOf('taker'), ...sale });
    assert.ok('status' in sold && sold.status === 'filled');
  }
  const quotes = venue.state.orders.count;
  assert.equal(quotes, 16 * levels);
  const work = new Work(2 * quotes);
  const order = { seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1, terms: PLAIN_LIMIT } as const;
  assert.ok(copyFor(venue.state, venue.account('bob'), { orders: [order], work, dropped: [] }) !== null);
  const { outcome } = previewOrder(venue.state, venue.account('bob'), order, venue.nowMs);
  assert.equal(outcome.status, 'rested');
});
