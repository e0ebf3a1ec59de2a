import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Micros } from '@venue/protocol';
import fc from 'fast-check';
import { Venue } from '../../test/venue.ts';
import { BUY, SELL } from '../book/book.ts';
import { MAKER } from '../state/ids.ts';
import { positionOf, type State } from '../state/state.ts';
import { exactRiskOf, quickRiskOf } from './margin.ts';

const MILLION = 1_000_000;
const SERIES_HELD_MAX = 12;

/** From a micro to far beyond the range in which a product of two is exact. */
const amount = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: 1_000 }),
    fc.maxSafeInteger().map((any) => 1 + (Math.abs(any) % max)),
  );
const signed = (max: number) =>
  fc.tuple(amount(max), fc.boolean()).map(([most, isShort]) => (isShort ? -most : most));

const holding = (priceMax: number, qtyMax: number) =>
  fc.record({
    qty: fc.oneof(fc.constant(0), signed(qtyMax)),
    restingSell: fc.oneof(fc.constant(0), amount(qtyMax)),
    bid: fc.option(amount(priceMax)),
    spread: fc.option(amount(1_000 * MILLION)),
    status: fc.constantFrom('live', 'live', 'live', 'pending-review', 'settled'),
  });
const account = (priceMax: number, qtyMax: number) =>
  fc.record({
    cash: signed(10 ** 15),
    reserved: fc.oneof(fc.constant(0), amount(10 ** 12)),
    spot: amount(10 ** 12),
    premium: fc.constantFrom('mark', 'intrinsic'),
    holdings: fc.array(holding(priceMax, qtyMax), { maxLength: SERIES_HELD_MAX }),
  });

type Drawn = ReturnType<typeof account> extends fc.Arbitrary<infer T> ? T : never;

let lastOrderId = 0;

/** Gives one trader of a venue the drawn amounts and holdings, in the first series of a symbol. */
function shape({ state }: Venue, { cash, reserved, spot, holdings }: Drawn): void {
  const trader = state.accounts.at(-1)!;
  trader.cashMicros = cash as Micros;
  trader.reservedMicros = reserved as Micros;
  state.series[0]!.instrument.spotMicros = spot as Micros;
  holdings.forEach(({ qty, restingSell, bid, spread, status }, sid) => {
    const series = state.series[sid]!;
    Object.assign(positionOf(trader, series), { qtyMicros: qty, restingSellMicros: restingSell });
    Object.assign(series, { status, payoutMicros: bid ?? 0 });
    if (bid !== null) offer(state, sid, BUY, bid);
    if (spread !== null) offer(state, sid, SELL, (bid ?? 0) + spread);
  });
}

function offer(state: State, sid: number, side: typeof BUY | typeof SELL, price: number): void {
  lastOrderId += 1;
  const order = { id: lastOrderId, owner: MAKER, quantity: 1, remaining: 1, placedAt: 0 };
  state.series[sid]!.book.place({ ...order, side, price });
}

test('MAR-1 MAR-3 the quick and the exact sum of an account are equal whenever there is a quick one', () => {
  let quick = 0;
  let exact = 0;
  const check = (drawn: Drawn) => {
    const venue = Venue.listed({ marginPremium: drawn.premium as 'mark' | 'intrinsic' });
    venue.account('alice');
    shape(venue, drawn);
    const trader = venue.state.accounts.at(-1)!;
    const risk = quickRiskOf(venue.state, trader);
    if (risk === null) exact += 1;
    else {
      quick += 1;
      assert.deepEqual(risk, exactRiskOf(venue.state, trader));
    }
  };
  fc.assert(fc.property(account(10 ** 9, 10 ** 8), check), { seed: 18, numRuns: 60 });
  fc.assert(fc.property(account(10 ** 13, 10 ** 13), check), { seed: 19, numRuns: 60 });
  assert.ok(quick > 40 && exact > 20, `${quick} quick, ${exact} not`);
});
