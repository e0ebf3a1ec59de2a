import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MicrosLevel, type MicrosQuote, type ProtectAction, toMicros } from '@venue/protocol';
import fc from 'fast-check';
import { addressOf, seriesIdOf, Venue } from '../../../test/venue.ts';
import { BUY, SELL } from '../../book/book.ts';
import type { OpenedLeg } from '../../entry/effects.ts';
import { EntryRisk } from '../../risk/entry-risk.ts';
import { Work } from '../work.ts';
import type { SoundCombo } from './combo.ts';
import { planCombo } from './plan.ts';

const SERIES = ['AAPL-C-190', 'AAPL-C-195', 'AAPL-C-200', 'AAPL-P-200'];
const EACH = 100_000;

const ratio = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { arbitrary: fc.integer({ min: 1, max: 4 }), weight: 2 },
);
/** Quantities of a few micros, so that every one of them can be tried. */
const levels = fc.array(
  fc.record({ price: fc.integer({ min: 1, max: 9 }), qty: fc.integer({ min: 1, max: 6 }) }),
  {
    maxLength: 3,
  },
);

interface Level {
  readonly price: number;
  readonly qty: number;
  readonly who: 'own' | 'stranger' | 'set';
}

const world = fc.record({
  legs: fc.array(
    fc.record({ side: fc.constantFrom('buy', 'sell'), ratio, strangers: levels, ofSet: levels }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
  wall: fc.option(fc.record({ leg: fc.nat(3), price: fc.integer({ min: 1, max: 9 }) })),
  allowance: fc.integer({ min: 1, max: 14 }),
  qty: fc.integer({ min: 1, max: 25 }),
  net: fc.option(fc.integer({ min: -15, max: 25 })),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Alice quotes with a set, bob and carol rest orders; it is carol who then asks. */
function venueOf({ legs, wall, allowance }: World): Venue {
  const venue = Venue.listed();
  for (const name of ['alice', 'bob', 'carol']) {
    venue.account(name);
    venue.apply({ kind: 'margin', account: addressOf(name), enabled: true });
  }
  protect(venue, allowance);
  legs.forEach(({ side, strangers, ofSet }, at) => {
    const resting = side === 'buy' ? 'sell' : 'buy';
    for (const { price, qty } of strangers) rest(venue, 'bob', { at, side: resting, price, qty });
    if (wall?.leg === at) rest(venue, 'carol', { at, side: resting, price: wall.price, qty: 3 });
    // A level above the limit would be left out.
    const levels = ofSet.filter(({ qty }) => qty <= allowance);
    push(venue, at, { side: resting, levels });
  });
  return venue;
}

function protect(venue: Venue, qtyMicros: number): void {
  const protection: ProtectAction = {
    ...{ type: 'protect', set: 1, symbol: 'AAPL', windowMs: 1_000, frozenMs: 0 },
    qtyMicros,
  };
  venue.apply({ kind: 'batch', account: addressOf('alice'), actions: [protection] });
}

interface Resting {
  readonly at: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly qty: number;
}

function rest(venue: Venue, name: string, { at, side, price, qty }: Resting): void {
  const order = { seriesId: seriesIdOf(SERIES[at]!), side, qtyMicros: qty, priceMicros: price * EACH };
  venue.apply({ kind: 'order', account: addressOf(name), ...order });
}

interface Ladder {
  readonly side: 'buy' | 'sell';
  readonly levels: readonly Pick<Resting, 'price' | 'qty'>[];
}

function push(venue: Venue, at: number, { side, levels }: Ladder): void {
  const byPrice = [...new Map(levels.map(({ price, qty }) => [price, qty]))];
  const ladder = byPrice
    .sort(([a], [b]) => (side === 'buy' ? b - a : a - b))
    .map(([price, qty]): MicrosLevel => [price * EACH, qty]);
  const { sid } = venue.series(SERIES[at]!);
  const sides = side === 'buy' ? { bids: ladder, asks: null } : { bids: null, asks: ladder };
  const row: MicrosQuote = { sid, ...sides };
  venue.apply({
    ...{ kind: 'quote-set', account: addressOf('alice'), set: 1, form: 'json', bodyHash: '0'.repeat(64) },
    rows: [row],
  });
}

/** The prices that a leg meets, one micro after the other. */
function levelsOf(venue: Venue, leg: OpenedLeg): Level[] {
  const { orders } = venue.state;
  const found: Level[] = [];
  const { book } = leg.series;
  for (let h = book.best(leg.side === 'buy' ? SELL : BUY); h !== null; h = book.next(h)) {
    const owner = orders.owner(h);
    const who = owner < 0 ? 'set' : owner === venue.account('carol').index ? 'own' : 'stranger';
    found.push({ price: orders.price(h), qty: orders.remaining(h), who });
  }
  return found;
}

/** The cost of the last micro of so many units, micro by micro; null if not all of it trades. */
function lastCost(
  venue: Venue,
  legs: readonly OpenedLeg[],
  { units, allowance }: { readonly units: number; readonly allowance: number },
): number | null {
  let left = allowance;
  let cost = 0;
  for (const leg of legs) {
    const micros: number[] = [];
    for (const { price, qty, who } of levelsOf(venue, leg)) {
      if (who === 'own') break;
      for (let i = 0; i < qty && micros.length < units * leg.ratio; i++) {
        if (who === 'set' && left === 0) break;
        if (who === 'set') left -= 1;
        micros.push(price);
      }
    }
    if (micros.length < units * leg.ratio) return null;
    const last = micros.slice(-leg.ratio).reduce((sum, price) => sum + price, 0);
    cost += leg.side === 'buy' ? last : -last;
  }
  return cost;
}

test('CMB-1 BAT-6 no larger quantity has a last micro within the net, whichever is tried', () => {
  let [shared, traded] = [0, 0];
  fc.assert(
    fc.property(world, (given) => {
      const venue = venueOf(given);
      const { qty, net, allowance } = given;
      const legs = given.legs.map(({ side, ratio }, at) => ({
        series: venue.series(SERIES[at]!),
        side,
        ratio,
      }));
      const netMicros = net === null ? null : toMicros(net * EACH);
      const fits = (units: number) => {
        const cost = lastCost(venue, legs, { units, allowance });
        return cost !== null && (netMicros === null || cost <= netMicros);
      };
      const all = Array.from({ length: qty }, (_, i) => i + 1);
      const largest = all.filter(fits).at(-1) ?? 0;
      const combo: SoundCombo = {
        ...{ account: venue.account('carol'), legs, netMicros, terms: { tif: 'ioc', stp: 'taker' } },
        qtyMicros: toMicros(qty),
        work: new Work(),
        risk: new EntryRisk(venue.state, venue.account('carol')),
      };
      assert.equal(planCombo(venue.state, combo)?.qtyMicros ?? 0, largest);
      if (largest > 0) traded += 1;
      const next = (allowance: number) => lastCost(venue, legs, { units: largest + 1, allowance });
      if (largest > 0 && next(allowance) !== next(Number.POSITIVE_INFINITY)) shared += 1;
    }),
    { numRuns: 300, seed: 16 },
  );
  assert.ok(traded > 80 && shared > 8, `${traded} traded, ${shared} ended at the allowance`);
});
