import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchAction, ComboAction, ComboLeg, MicrosLevel, PlaceAction } from '@venue/protocol';
import fc from 'fast-check';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import type { Command } from '../entry/command.ts';
import type { LegTrade, Trade } from '../entry/outcome.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import type { Account } from '../state/account.ts';
import { type ComboPlaced, comboTerms } from './combos/place.ts';
import { previewCombo } from './combos/preview.ts';
import type { Declined, Placed } from './orders.ts';
import { amountsOf, previewOrder } from './preview.ts';

const NAMES = ['alice', 'bob', 'carol'];
const SERIES = ['AAPL-C-200', 'AAPL-P-200', 'AAPL-C-195'];
const TIFS = ['gtc', 'ioc', 'fok'] as const;

const name = fc.constantFrom(...NAMES);
const series = fc.constantFrom(...SERIES);
const set = fc.constantFrom(1, 2);
/** Few prices, so that they meet; odd quantities, so that something is rounded. */
const price = fc.integer({ min: 1, max: 12 }).map((tenths) => tenths * 100_000);
const qty = fc.oneof(
  fc.constantFrom(1, 333_333, 1_000_000, 2_000_000, 5_000_000),
  fc.integer({ min: 1, max: 2_000_000 }),
);
const delta = fc.option(fc.constantFrom(0, 0.1, -0.37, 0.5000001, 1), { nil: undefined });

/** A bid and an ask side that do not cross each other, best first. */
const ladders = fc.record({
  middle: fc.integer({ min: 2, max: 12 }),
  bids: fc.option(fc.array(qty, { maxLength: 3 })),
  asks: fc.option(fc.array(qty, { maxLength: 3 })),
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('push'), name, set, series, ladders, delta }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('quote'), series, ladders }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('order'),
      ...{ name, series, qty },
      side: fc.constantFrom('buy', 'sell'),
      price: fc.option(price),
      tif: fc.constantFrom(...TIFS),
      stp: fc.constantFrom('taker', 'maker', 'both', 'none'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('combo'),
      ...{ name, qty },
      legs: fc.uniqueArray(
        fc.record({ series, side: fc.constantFrom('buy', 'sell'), ratio: fc.constantFrom(1, 1, 2) }),
        { minLength: 2, maxLength: 3, selector: (leg) => leg.series },
      ),
      net: fc.option(fc.integer({ min: -12, max: 20 }).map((tenths) => tenths * 100_000)),
      tif: fc.constantFrom('ioc', 'fok'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('protect'),
      ...{ name, set },
      qty: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 12, arbitrary: qty }),
      deltaLimit: fc.option(qty),
      frozenMs: fc.constantFrom(0, 500),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unfreeze'), name, set }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('spot'), spot: fc.integer({ min: 150, max: 260 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1, 100, 400, 6_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('maintain') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function ladderOf(
  quantities: readonly number[] | null,
  from: number,
  direction: 1 | -1,
): MicrosLevel[] | null {
  if (quantities === null) return null;
  return quantities
    .map((quantity, k): MicrosLevel => [(from + direction * (k + 1)) * 100_000, quantity])
    .filter(([at]) => at > 0);
}

function sidesOf({ middle, bids, asks }: Extract<Step, { ladders: unknown }>['ladders']) {
  return { bids: ladderOf(bids, middle, -1), asks: ladderOf(asks, middle, 1) };
}

function commandOf(venue: Venue, step: Step): Command | null {
  const batch = (action: BatchAction): Command => ({
    kind: 'batch',
    account: addressOf((step as { name: string }).name),
    actions: [action],
  });
  if ('ladders' in step) {
    const row = { sid: venue.series(step.series).sid, ...sidesOf(step.ladders) };
    if (!('set' in step)) return { kind: 'quotes', session: null, rows: [row] };
    const annotated = { ...row, ...(step.delta !== undefined && { delta: step.delta }) };
    const push = { set: step.set, form: 'json', bodyHash: '00'.repeat(32), rows: [annotated] } as const;
    return { kind: 'quote-set', account: addressOf(step.name), ...push };
  }
  if ('side' in step) return batch(placeOf(venue, step));
  if ('legs' in step) return batch(comboOf(venue, step));
  if ('deltaLimit' in step)
    return batch({
      type: 'protect',
      ...{ set: step.set, symbol: 'AAPL', windowMs: 300, qtyMicros: step.qty, frozenMs: step.frozenMs },
      ...(step.deltaLimit !== null && { deltaMicros: step.deltaLimit }),
    });
  if ('set' in step) return batch({ type: 'unfreeze', set: step.set });
  if ('name' in step) return { kind: 'cancel', account: addressOf(step.name), symbols: null };
  if ('spot' in step)
    return {
      kind: 'prints',
      prints: [{ symbol: 'AAPL', source: 'feed', priceMicros: micros(`${step.spot}`) }],
    };
  if ('ms' in step) venue.wait(step.ms);
  return 'ms' in step ? null : { kind: 'maintain', expiries: [] };
}

function placeOf(venue: Venue, step: Extract<Step, { side: unknown }>): PlaceAction {
  const { seriesId } = venue.series(step.series);
  const tif = step.price === null && step.tif === 'gtc' ? 'ioc' : step.tif;
  const side = step.side === 'buy' ? 'buy' : 'sell';
  const terms = { tif, stp: step.stp as PlaceAction['stp'] };
  return { type: 'place', seriesId, side, qtyMicros: step.qty, priceMicros: step.price, ...terms };
}

function comboOf(venue: Venue, step: Extract<Step, { legs: unknown }>): ComboAction {
  const legs = step.legs.map((leg): ComboLeg => {
    const side = leg.side === 'buy' ? 'buy' : 'sell';
    return { seriesId: venue.series(leg.series).seriesId, side, ratio: leg.ratio };
  });
  const tif = step.tif === 'fok' ? 'fok' : 'ioc';
  return { type: 'combo', legs, qtyMicros: step.qty, netMicros: step.net, tif };
}

/** A venue of few series, whose accounts have little cash and may be short. */
function smallVenue(): Venue {
  const venue = new Venue({ strikesPerSide: 2, paperCashMicros: micros('400') });
  venue.print('AAPL', 'feed', '200');
  venue.maintain([1]);
  for (const one of NAMES) {
    const account = venue.account(one).address!;
    venue.apply({ kind: 'margin', account, enabled: true });
    const protection = { symbol: 'AAPL', windowMs: 300, qtyMicros: micros('2'), frozenMs: 200 };
    const actions = [1, 2].map((number) => ({ type: 'protect', set: number, ...protection }) as const);
    venue.apply({ kind: 'batch', account, actions });
  }
  return venue;
}

type Asked = Extract<Step, { side: unknown } | { legs: unknown }>;

/** Compares the preview of an order or a combo with its real outcome. */
function foretell(venue: Venue, step: Asked): (outcome: object) => void {
  const account = venue.account(step.name);
  const action = 'legs' in step ? comboOf(venue, step) : placeOf(venue, step);
  const { outcome, after } = previewOf(venue, account, action);
  return (done) => {
    const [result] = (done as { results: Foretold[] }).results;
    assert.deepEqual(toldOf(result!), toldOf(outcome));
    assert.deepEqual(amountsOf(venue.state, account), after);
  };
}

function previewOf({ state, nowMs }: Venue, account: Account, action: PlaceAction | ComboAction) {
  if (action.type === 'place')
    return previewOrder(state, account, { ...action, terms: { tif: action.tif, stp: action.stp } }, nowMs);
  return previewCombo(state, account, { ...action, terms: comboTerms(action.tif, undefined) }, nowMs);
}

type Foretold = Placed | ComboPlaced | Declined;

function toldOf(outcome: Foretold): object {
  if (outcome.status === 'rejected') return { status: outcome.status, reason: outcome.reason };
  const { status, trades } = outcome;
  const legs = trades.map((trade: Trade | LegTrade) => ('series' in trade ? trade.series.seriesId : null));
  return { status, legs, trades: trades.map(({ priceMicros, qtyMicros }) => ({ priceMicros, qtyMicros })) };
}

test('BAT-6, QTS-3, QTS-4 whatever is pushed and traded: previews come true, cash stays, and replays agree', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
      const venue = smallVenue();
      const { state } = venue;
      for (const one of steps) {
        const command = commandOf(venue, one);
        if (command === null) continue;
        const check = 'side' in one || 'legs' in one ? foretell(venue, one) : () => {};
        const cash = state.accounts.map(({ cashMicros }) => cashMicros);
        check(venue.apply(command));
        assert.deepEqual([...brokenInvariants(state)], []);
        if (command.kind === 'maintain') continue;
        for (const { index, role, cashMicros } of state.accounts)
          assert.ok(role !== 'trader' || cashMicros >= Math.min(0, cash[index]!), `account ${index} owes`);
      }
      venue.checkReplay();
      assert.equal(stateDigest(restoreState(stateLines(state))), stateDigest(state));
    }),
    { numRuns: 300, seed: 15 },
  );
});
