import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkFreshMarks } from '../../test/fresh-marks.ts';
import { micros, Venue } from '../../test/venue.ts';
import { type BookSide, BUY, SELL } from '../book/book.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { previewOrder } from '../trading/preview.ts';
import { exactImpact, quickImpact } from './impact.ts';
import { riskOf } from './margin.ts';
import { markParts } from './risk-marks.ts';

const SERIES = ['AAPL-C-190', 'AAPL-C-200', 'AAPL-P-200', 'BTC-C-100000'];
const STRANGERS = ['eve', 'frank', 'grace'];
const IMPACT = micros('50');

/**
 * An act of a stranger: an order at some distance from the model, a cancel, a quote set with one pair of levels, or one whose
 * ladders are larger than its allowance.
 */
const ACTION = fc.record({
  kind: fc.constantFrom('order', 'order', 'order', 'cancel', 'set', 'ladder'),
  who: fc.constantFrom(...STRANGERS),
  series: fc.constantFrom(...SERIES),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 1, max: 60_000 }),
  contracts: fc.integer({ min: 1, max: 60_000 }),
});
type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;

/** A venue whose maker has annotated a volatility in each series, and quotes in none. */
function annotated(): Venue {
  const venue = Venue.listed({
    riskMark: 'model',
    impactMicros: IMPACT,
    paperCashMicros: micros('10000000'),
  });
  const rows = SERIES.map((name) => ({ sid: venue.series(name).sid, bids: null, asks: null, iv: 0.4 }));
  venue.apply({ kind: 'quotes', session: null, rows });
  for (const name of STRANGERS)
    venue.apply({ kind: 'margin', account: venue.account(name).address!, enabled: true });
  return venue;
}

function act(venue: Venue, { kind, who, series: name, side, price, contracts }: Action): void {
  const account = venue.account(who).address!;
  const series = venue.series(name);
  const priceMicros = price * (series.instrument.symbol === 'BTC' ? 100_000 : 1_000);
  const qtyMicros = contracts * 10_000;
  if (kind === 'cancel') venue.apply({ kind: 'cancel', account, symbols: null });
  else if (kind === 'order')
    venue.apply({ kind: 'order', account, seriesId: series.seriesId, side, qtyMicros, priceMicros });
  else pushSet(venue, who, series, { priceMicros, qtyMicros, levels: kind === 'set' ? 1 : 6 });
}

/** Imagines an order like that of an action. */
function preview(venue: Venue, { who, series: name, side, price, contracts }: Action): void {
  const { seriesId, instrument } = venue.series(name);
  const priceMicros = price * (instrument.symbol === 'BTC' ? 100_000 : 1_000);
  const order = { seriesId, side, qtyMicros: contracts * 10_000, priceMicros } as const;
  previewOrder(venue.state, venue.account(who), order, venue.nowMs);
}

interface Ladder {
  readonly priceMicros: number;
  readonly qtyMicros: number;
  /** The allowance of more than one lets two and a half of them trade. */
  readonly levels?: number;
}

function pushSet(
  venue: Venue,
  who: string,
  series: Series,
  { priceMicros, qtyMicros, levels = 1 }: Ladder,
): void {
  const account = venue.account(who).address!;
  const { symbol } = series.instrument;
  const set = (symbol === 'BTC' ? 1 : 2) + (levels > 1 ? 2 : 0);
  const allowance = levels > 1 ? Math.floor(qtyMicros * 2.5) : micros('400');
  const limits = { windowMs: 1_000, qtyMicros: allowance, frozenMs: 0 };
  venue.apply({ kind: 'batch', account, actions: [{ type: 'protect', set, symbol, ...limits }] });
  const all = Array.from({ length: levels }, (_, i) => i);
  const bids = all.map((i) => [Math.max(1, priceMicros - i), qtyMicros] as const);
  const asks = all.map((i) => [priceMicros + 1_000_000 + i, qtyMicros] as const);
  const rows = [{ sid: series.sid, bids, asks, iv: 5 }];
  venue.apply({ kind: 'quote-set', account, set, form: 'json', bodyHash: '0'.repeat(64), rows });
}

/** The average price of the first contracts of the impact size on a side, a micro of a contract at a time in effect. */
function shownFor(state: State, { book }: Series, side: BookSide): number | null {
  let [contracts, value] = [0, 0];
  for (let h = book.best(side); h !== null; h = book.next(h)) {
    const [price, remaining] = [state.orders.price(h), state.orders.remaining(h)];
    const owner = state.orders.owner(h);
    const set = owner < 0 ? state.quoteSets.ofOwner(owner) : null;
    const open = set === null ? remaining : Math.min(remaining, set.protection.qtyMicros - set.usedMicros);
    const wanted = Math.max(1e6 - contracts, (IMPACT * 1e6 - value) / price);
    const taken = Math.min(open, wanted);
    contracts += taken;
    value += taken * price;
    if (taken === wanted) return value / contracts;
  }
  return null;
}

describe('RSK-3 no stranger moves a mark out of its band', () => {
  test('and inside it only while orders of the impact size stand at a price worse for their owner than the model', () => {
    let moved = 0;
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 5, maxLength: 30 }), (actions) => {
        const venue = annotated();
        for (const action of actions) {
          act(venue, action);
          for (const name of SERIES) moved += checkMark(venue.state, venue.series(name));
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(moved > 100, `marks were moved, ${moved} times`);
  });

  /** Returns 1 for a mark that is not the model's. */
  function checkMark(state: State, series: Series): number {
    const { iv, modelMicros, riskMicros } = markParts(state, series);
    assert.equal(iv, 0.4, 'no stranger annotates');
    const model = modelMicros!;
    const band = Math.max(series.instrument.spotMicros / 100, model / 10);
    assert.ok(Math.abs(riskMicros - model) <= band, `${riskMicros} is further from ${model} than ${band}`);
    if (riskMicros === model) return 0;
    const shown = shownFor(state, series, riskMicros > model ? BUY : SELL);
    assert.ok(shown !== null, 'a mark is moved by a side that shows the impact size');
    if (riskMicros > model) assert.ok(shown > model && riskMicros <= shown + 1);
    else assert.ok(shown < model && riskMicros >= shown - 1);
    return 1;
  }

  test('once the orders are gone, the mark is the model again', () => {
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 1, maxLength: 15 }), (actions) => {
        const venue = annotated();
        for (const action of actions) act(venue, action);
        for (const name of STRANGERS)
          venue.apply({ kind: 'cancel', account: venue.account(name).address!, symbols: null });
        for (const name of SERIES) {
          const { modelMicros, riskMicros } = markParts(venue.state, venue.series(name));
          assert.equal(riskMicros, modelMicros);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('RSK-2 the memo of marks', () => {
  test('counterexample 33: it is what a state without one works out, after whatever happens', () => {
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 5, maxLength: 14 }), fc.gen(), (actions, draw) => {
        const venue = annotated();
        for (const action of actions) {
          act(venue, action);
          if (draw(fc.boolean)) venue.wait(draw(fc.integer, { min: 1, max: 90_000 }));
          if (draw(fc.boolean))
            venue.print('AAPL', 'feed', String(180 + draw(fc.integer, { min: 0, max: 40 })));
          preview(
            venue,
            draw(() => ACTION),
          );
          checkFreshMarks(venue, SERIES);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("a preview reads other series' books where they are, and leaves the memo as good as it was", () => {
    const venue = annotated();
    const [eve, frank] = ['eve', 'frank'].map((name) => venue.account(name)) as [never, never];
    const order = (account: { address: unknown }, name: string, side: 'buy' | 'sell', price: string) => {
      const { seriesId } = venue.series(name);
      const command = { kind: 'order', account: account.address as never, seriesId, side } as const;
      venue.apply({ ...command, qtyMicros: micros('40'), priceMicros: micros(price) });
    };
    order(eve, 'AAPL-C-200', 'buy', '2.50');
    order(frank, 'AAPL-C-200', 'sell', '2.50');
    order(eve, 'AAPL-P-200', 'buy', '2');
    order(frank, 'AAPL-P-200', 'sell', '2');
    order(eve, 'AAPL-C-200', 'buy', '2.25');
    // Another version of allowances than the copy's, so that the preview finds nothing in the memo.
    pushSet(venue, 'grace', venue.series('BTC-C-100000'), { priceMicros: 1_000_000, qtyMicros: 1_000_000 });
    const request = { seriesId: venue.series('AAPL-P-200').seriesId, side: 'sell' } as const;
    const wanted = { ...request, qtyMicros: micros('1'), priceMicros: micros('1.75') };
    venue.wait(90_000);
    const { after } = previewOrder(venue.state, frank, wanted, venue.nowMs);
    venue.apply({ kind: 'order', account: venue.account('frank').address!, ...wanted });
    const { equityMicros, lockedMicros } = riskOf(venue.state, frank);
    assert.deepEqual([after.equityMicros, after.lockedMicros], [equityMicros, lockedMicros]);
    const fresh = restoreState(stateLines(venue.state));
    for (const { index } of venue.state.accounts)
      assert.deepEqual(
        riskOf(venue.state, venue.state.accounts[index]!),
        riskOf(fresh, fresh.accounts[index]!),
      );
  });
});

test('RSK-2 BAT-6 a preview knows that a set which it fills on one side has less to trade on the other', () => {
  const venue = annotated();
  const [eve, series] = [venue.account('eve').address!, venue.series('AAPL-C-200')];
  const limits = { windowMs: 1_000, qtyMicros: micros('20'), frozenMs: 0 };
  venue.apply({
    kind: 'batch',
    account: eve,
    actions: [{ type: 'protect', set: 2, symbol: 'AAPL', ...limits }],
  });
  const [bids, asks] = [[[micros('3'), micros('20')]], [[micros('3.5'), micros('10')]]] as const;
  const rows = [{ sid: series.sid, bids, asks }];
  venue.apply({ kind: 'quote-set', account: eve, set: 2, form: 'json', bodyHash: '0'.repeat(64), rows });
  const order = { seriesId: series.seriesId, side: 'buy', priceMicros: micros('2.9') } as const;
  const grace = venue.account('grace').address!;
  venue.apply({ kind: 'order', account: grace, ...order, qtyMicros: micros('20') });
  // Dust at the touch: the best bid alone is copied in any case.
  venue.apply({ kind: 'order', account: grace, ...order, qtyMicros: 1, priceMicros: micros('3.1') });
  const frank = venue.account('frank');
  const wanted = { ...order, qtyMicros: micros('5'), priceMicros: null };
  const { after } = previewOrder(venue.state, frank, wanted, venue.nowMs);
  venue.apply({ kind: 'order', account: frank.address!, ...wanted });
  const { modelMicros, bidMicros, riskMicros } = markParts(venue.state, series);
  assert.deepEqual([bidMicros! < micros('3'), riskMicros > modelMicros!], [true, true], 'fifteen are 45');
  assert.equal(after.equityMicros, riskOf(venue.state, frank).equityMicros);
});

describe('RSK-2 BAT-6 what the memo of a mark depends on beside its own book', () => {
  test('a fill of a set in another series leaves its quotes here less to trade', () => {
    const venue = annotated();
    const account = venue.account('eve').address!;
    const limits = { windowMs: 1_000, qtyMicros: micros('30'), frozenMs: 0 };
    venue.apply({
      kind: 'batch',
      account,
      actions: [{ type: 'protect', set: 2, symbol: 'AAPL', ...limits }],
    });
    const [call, put] = [venue.series('AAPL-C-200'), venue.series('AAPL-P-200')];
    const bids = [[micros('3'), micros('20')] as const];
    const rows = [call, put].map(({ sid }) => ({ sid, bids, asks: null }));
    venue.apply({ kind: 'quote-set', account, set: 2, form: 'json', bodyHash: '0'.repeat(64), rows });
    const { modelMicros, bidMicros, riskMicros } = markParts(venue.state, put);
    assert.deepEqual([bidMicros, riskMicros > modelMicros!], [micros('3'), true], '60 dollars are shown');
    const sell = { kind: 'order', side: 'sell', seriesId: call.seriesId, priceMicros: null } as const;
    venue.apply({ ...sell, account: venue.account('frank').address!, qtyMicros: micros('15') });
    const after = markParts(venue.state, put);
    assert.deepEqual([after.bidMicros, after.riskMicros], [null, modelMicros], 'fifteen contracts are 45');
  });
});

test('RSK-2 impact prices in doubles are the exact ones, wherever doubles serve', () => {
  let served = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ price: fc.integer({ min: 1, max: 2 ** 33 }), qty: fc.integer({ min: 1, max: 2 ** 27 }) }),
        { maxLength: 8 },
      ),
      fc.constantFrom(micros('0'), micros('0.000001'), micros('50'), micros('1000'), micros('20000000')),
      (levels, impactMicros) => {
        const venue = Venue.listed({ riskMark: 'model', impactMicros, paperCashMicros: micros('100000000') });
        const series = venue.series('AAPL-C-200');
        const account = venue.account('eve').address!;
        for (const { price, qty } of levels)
          venue.apply({
            kind: 'order',
            account,
            seriesId: series.seriesId,
            side: 'buy',
            qtyMicros: qty,
            priceMicros: price,
          });
        const exact = exactImpact(venue.state, series, BUY);
        const quick = quickImpact(venue.state, series, BUY);
        if (quick !== null) assert.deepEqual(quick, exact);
        if (quick !== null && quick.priceMicros !== null) served += 1;
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(served > 20, `${served} prices in doubles`);
});
