import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComboPreviewAnswer } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { cutoffMs } from '../form/order.ts';
import { payoffOf } from '../payoff/payoff.ts';
import { namedLegs } from './legs.ts';
import { consequencesOf, filledOf, orderOf, payoffLegs, type TrayTerms } from './terms.ts';

const EXPIRIES = [1_795_827_600, 1_796_432_400] as const;
const NOBODY = () => null;

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomTerms(seed: number): TrayTerms {
  const random = randomOf(seed);
  const count = 2 + random(3);
  const expiries = random(4) === 0 ? 2 : 1;
  const legs = new Map<string, SpreadLeg>();
  while (legs.size < count) {
    const strike = 90_000 + random(20) * 1_000;
    const seriesId = `BTC-${EXPIRIES[random(expiries)]}-${random(2) === 0 ? 'C' : 'P'}-${strike}`;
    legs.set(seriesId, { seriesId, side: random(2) === 0 ? 'buy' : 'sell', ratio: 1 + random(10) });
  }
  const qty = (1 + random(5_000)) / 1_000;
  return { legs: [...legs.values()], qty, net: (random(2_000_000) - 1_000_000) / 100, tif: 'ioc' };
}

/** The payout of the legs of one expiry at a price, for one unit. */
function paysAt(legs: readonly SpreadLeg[], expiryTs: number, price: number): number {
  return namedLegs(legs)
    .filter((leg) => leg.expiryTs === expiryTs)
    .reduce((sum, { right, strike, side, ratio }) => {
      const value = Math.max(0, right === 'C' ? price - strike : strike - price);
      return sum + (side === 'buy' ? ratio : -ratio) * value;
    }, 0);
}

/** From a price of zero to far above all strikes, with every strike among them. */
const GRID = Array.from({ length: 401 }, (_, i) => i * 500);
const FAR_ABOVE = 1e9;

/** The least result over the grid, each expiry at a price of its own. */
function leastOf({ legs, qty, net }: TrayTerms): number {
  const least = EXPIRIES.map((expiryTs) =>
    Math.min(...[...GRID, FAR_ABOVE].map((price) => paysAt(legs, expiryTs, price))),
  );
  return least.reduce((sum, one) => sum + one, 0) * qty - net * qty;
}

describe('CMB-1 the consequences of a combo', () => {
  it("the greatest loss is the least of a grid for 1,000 random lists of legs, and the picture's", () => {
    let unlimited = 0;
    for (let seed = 1; seed <= 1_000; seed++) {
      const terms = randomTerms(seed);
      const { greatestLoss, counted } = consequencesOf(terms, null)!;
      const least = leastOf(terms);
      if (greatestLoss === null) {
        unlimited += 1;
        assert.ok(least < -1e8, `seed ${seed}: ${least}`);
      } else assert.ok(Math.abs(greatestLoss + least) < 1e-2, `seed ${seed}: ${greatestLoss}, ${least}`);
      if (new Set(namedLegs(terms.legs).map(({ expiryTs }) => expiryTs)).size > 1) continue;
      const { worst } = payoffOf(payoffLegs(terms, counted, NOBODY), { spot: 100_000, nowMs: 0 })!;
      if (greatestLoss === null) assert.equal(worst, Number.NEGATIVE_INFINITY);
      else assert.ok(Math.abs(greatestLoss + worst) < 1e-4, `seed ${seed}: ${greatestLoss}, ${worst}`);
    }
    assert.ok(unlimited > 100 && unlimited < 900, `${unlimited}`);
  });

  const legs: SpreadLeg[] = [
    { seriesId: `BTC-${EXPIRIES[0]}-C-97000`, side: 'sell', ratio: 2 },
    { seriesId: `BTC-${EXPIRIES[0]}-C-95000`, side: 'buy', ratio: 1 },
    { seriesId: `BTC-${EXPIRIES[0]}-C-99000`, side: 'buy', ratio: 1 },
  ];
  const tray = { legs, qty: '2', price: '112', isCredit: false, tif: 'ioc' } as const;

  it('a butterfly: loss, gain and break-evens of all units at the net', () => {
    const { terms } = orderOf(tray)!;
    assert.deepEqual(
      terms.legs.map(({ side }) => side),
      ['buy', 'buy', 'sell'],
    );
    const { greatestLoss, greatestGain, breakEvens, counted } = consequencesOf(terms, null)!;
    assert.deepEqual([greatestLoss, greatestGain, breakEvens], [224, 3_776, [95_112, 98_888]]);
    assert.deepEqual(counted, { units: 2, paid: 224, hasFee: false });
  });

  it('what trades counts with its cost and fee, and the rest not at all', () => {
    const preview = { filledQty: 1, cost: 110, fee: 0.25 } as ComboPreviewAnswer;
    const { greatestLoss, counted } = consequencesOf(orderOf(tray)!.terms, preview)!;
    assert.equal(greatestLoss, 110.25);
    assert.deepEqual(counted, { units: 1, paid: 110.25, hasFee: true });
  });

  it('a calendar that is bought can lose without a bound', () => {
    const calendar: SpreadLeg[] = [
      { seriesId: `BTC-${EXPIRIES[1]}-C-95000`, side: 'buy', ratio: 1 },
      { seriesId: `BTC-${EXPIRIES[0]}-C-95000`, side: 'sell', ratio: 1 },
    ];
    const { terms } = orderOf({ ...tray, legs: calendar })!;
    const { greatestLoss, greatestGain } = consequencesOf(terms, null)!;
    assert.deepEqual([greatestLoss, greatestGain], [null, null]);
    assert.equal(cutoffMs(calendar), EXPIRIES[0] * 1_000);
  });

  it('is no order while it is incomplete, and has no figures beyond what can be counted', () => {
    for (const change of [{ qty: '' }, { qty: '0' }, { price: 'x' }, { legs: legs.slice(1, 2) }])
      assert.equal(orderOf({ ...tray, ...change }), null, JSON.stringify(change));
    const { terms } = orderOf({ ...tray, qty: '4294967296', price: '4294967296' })!;
    assert.equal(consequencesOf(terms, null), null);
  });

  it('fills of the legs are units at a net', () => {
    const fill = (strike: number, side: 'buy' | 'sell', price: number, qty: number) => ({
      ...{ seriesId: `BTC-${EXPIRIES[0]}-C-${strike}`, side, price, qty },
    });
    const fills = [
      fill(97_000, 'sell', 40, 1),
      fill(97_000, 'sell', 39, 0.2),
      fill(95_000, 'buy', 60, 0.6),
      fill(99_000, 'buy', 30, 0.6),
    ];
    const { units, net } = filledOf({ legs }, fills);
    assert.equal(units, 0.6);
    assert.equal(net, 10.333333);
    assert.ok(Number.isNaN(filledOf({ legs }, []).net));
  });
});
