import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDecimal, type MarginReport, type Micros } from '@venue/protocol';
import fc from 'fast-check';
import { scenario } from '../../../../../engine/test/scenario.ts';
import { seriesIdOf, type Venue } from '../../../../../engine/test/venue.ts';
import { marginReport } from '../../../../../exchange/src/views/margin.ts';
import { type Ask, buyBacks, marginStanding, type Remedy } from './margin-call.ts';

// The venue in these tests is the engine itself, and the report is the one the exchange answers.
const CALL = 'AAPL-C-210';

interface Short {
  /** Cash before the sale. */
  readonly cash: string;
  readonly qty: string;
  readonly bid: string;
  readonly ask: string;
  readonly askQty: string;
  readonly spot?: string;
  readonly more?: string;
}

const CALLED: Short = { cash: '1000', qty: '10', bid: '80', ask: '82', askQty: '20' };

/** Alice sells calls at strike 210 for 3, and the market moves to the given quote and spot. */
function shortAt({ cash, qty, bid, ask, askQty, spot = '250', more = '' }: Short): Venue {
  return scenario(
    `
    quote ${CALL} bid 3x10000 ask 3.20x10000
    margin alice on
    sell alice ${CALL} ${qty} @ 3     filled ${qty}@3
    ${more}
    spot AAPL ${spot}
    quote ${CALL} bid ${bid}x10000 ask ${ask}x${askQty}
  `,
    { paperCashMicros: micros(cash) },
  );
}

function micros(text: string): Micros {
  return Math.round(Number(text) * 1e6) as Micros;
}

function reportOf(venue: Venue): MarginReport {
  return marginReport(venue.state, venue.account('alice'));
}

function remedyFor(venue: Venue, ask: Ask): Remedy {
  const [remedy] = buyBacks(reportOf(venue), new Map([[seriesIdOf(CALL), ask]]));
  assert.ok(remedy !== undefined, 'no short to buy back');
  return remedy;
}

/** Sends the order a remedy proposes. */
function carryOut(venue: Venue, order: { qtyMicros: Micros; priceMicros: Micros }): void {
  const [qty, price] = [formatDecimal(order.qtyMicros), formatDecimal(order.priceMicros)];
  scenario(`buy alice ${CALL} ${qty} @ ${price}   filled ${qty}@${price}`, venue);
}

function shortfall(venue: Venue): number {
  return marginStanding(reportOf(venue)).shortfallMicros;
}

describe('how near a margin call is', () => {
  const standing = (equity: number, maintenanceMargin: number) =>
    marginStanding({ equity, maintenanceMargin, marginCall: equity < maintenanceMargin } as MarginReport);

  for (const [equity, maintenance, level] of [
    [1000, 0, 'none'],
    [1000, 699.99, 'none'],
    [1000, 700, 'yellow'],
    [1000, 849.99, 'yellow'],
    [1000, 850, 'orange'],
    [1000, 1000, 'orange'],
    [999.999999, 1000, 'red'],
    [0, 10, 'red'],
    [-5, 0, 'red'],
    [0, 0, 'none'],
  ] as const) {
    test(`equity ${equity}, maintenance ${maintenance}: ${level}`, () => {
      assert.equal(standing(equity, maintenance).level, level);
    });
  }

  test('the share and the shortfall', () => {
    assert.deepEqual(standing(1000, 750), { level: 'yellow', share: 0.75, shortfallMicros: 0 });
    assert.deepEqual(standing(219.85, 1110), {
      level: 'red',
      share: 1_110_000_000 / 219_850_000,
      shortfallMicros: 890_150_000,
    });
    assert.equal(standing(-1, 10).share, Number.POSITIVE_INFINITY);
  });
});

describe('buying a short back', () => {
  test('the smallest quantity that clears a call, and one less does not', () => {
    // Short 10 at a mark of 81: equity 1029.85 - 810, maintenance 10 x 111. Each bought at 82 relieves 111 - 1 - 0.41.
    const venue = shortAt(CALLED);
    const remedy = remedyFor(venue, { price: 82, qty: 20 });
    assert.deepEqual(remedy, {
      kind: 'clears',
      seriesId: seriesIdOf(CALL),
      order: { qtyMicros: 9_000_000, priceMicros: 82_000_000, costMicros: 741_690_000, movesMark: false },
    });
    carryOut(venue, remedy.order);
    assert.equal(reportOf(venue).marginCall, false);

    const oneLess = shortAt(CALLED);
    carryOut(oneLess, { ...remedy.order, qtyMicros: micros('8') });
    assert.equal(reportOf(oneLess).marginCall, true);
  });

  test('the smallest clearing lot in any market; an order that only reduces leaves the stated shortfall', () => {
    const dollars = (from: number, to: number) =>
      fc.integer({ min: from * 100, max: to * 100 }).map((cents) => (cents / 100).toFixed(2));
    const short = fc.record({
      cashEach: fc.integer({ min: 55, max: 160 }),
      qty: fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), fc.constantFrom('0.75', '2.5', '3.333333')),
      bid: dollars(41, 120),
      spread: dollars(0.01, 12),
      spot: dollars(200, 320),
    });
    const seen = new Set<string>();
    fc.assert(
      fc.property(short, ({ cashEach, qty, bid, spread, spot }) => {
        const cash = (cashEach * Number(qty)).toFixed(2);
        const ask = (Number(bid) + Number(spread)).toFixed(2);
        const market = { cash, qty, bid, ask, askQty: '10000', spot };
        const venue = shortAt(market);
        fc.pre(reportOf(venue).marginCall);
        const remedy = remedyFor(venue, { price: Number(ask), qty: 10_000 });
        seen.add(remedy.kind === 'reduces' ? remedy.limit : remedy.kind);
        assert.ok(remedy.kind !== 'useless');
        carryOut(venue, remedy.order);
        assert.equal(reportOf(venue).marginCall, remedy.kind === 'reduces', JSON.stringify(remedy));
        if (remedy.kind === 'reduces') {
          const error = remedy.leftMicros - shortfall(venue);
          assert.ok(error >= 0 && error <= 102, `said ${remedy.leftMicros}, was ${shortfall(venue)}`);
          return;
        }
        const lot = Number.isInteger(Number(qty)) ? 1_000_000 : 10_000;
        const less = (remedy.order.qtyMicros - lot) as Micros;
        if (less <= 0) return;
        const other = shortAt(market);
        carryOut(other, { ...remedy.order, qtyMicros: less });
        // The quantity includes room for rounding: a smaller one may clear, but only within that room.
        const { equity, maintenanceMargin } = reportOf(other);
        assert.ok(equity - maintenanceMargin < 0.000_3, 'one lot less would have done');
      }),
      { numRuns: 20, seed: 11 },
    );
    for (const outcome of ['clears', 'cash']) assert.ok(seen.has(outcome), `never came to ${outcome}`);
  });

  test('FINE-9 the venue accepts the largest order the cash pays for, and refuses a hundredth more', () => {
    const venue = shortAt({ ...CALLED, bid: '140', ask: '150' });
    const remedy = remedyFor(venue, { price: 150, qty: 20 });
    assert.ok(remedy.kind === 'reduces' && remedy.limit === 'cash');
    // 1029.85 at 150.75 each.
    assert.equal(remedy.order.qtyMicros, 6_830_000);
    const { qtyMicros } = remedy.order;
    scenario(
      `buy alice ${CALL} ${formatDecimal((qtyMicros + 10_000) as Micros)} @ 150  rejected insufficient cash`,
      venue,
    );
    carryOut(venue, remedy.order);
  });

  test('FINE-9 cash reserved by resting buys pays for nothing', () => {
    const more = 'buy alice AAPL-P-200 100 @ 5    rested';
    const venue = shortAt({ ...CALLED, bid: '140', ask: '150', more });
    const remedy = remedyFor(venue, { price: 150, qty: 20 });
    assert.ok(remedy.kind === 'reduces' && remedy.limit === 'cash');
    // 529.85 at 150.75 each.
    assert.equal(remedy.order.qtyMicros, 3_510_000);
    scenario(`buy alice ${CALL} 3.52 @ 150  rejected insufficient cash`, venue);
    carryOut(venue, remedy.order);
  });

  test('the best ask limits the quantity, and taking all of it warns that the mark moves', () => {
    const venue = shortAt({ ...CALLED, askQty: '4' });
    const remedy = remedyFor(venue, { price: 82, qty: 4 });
    assert.ok(remedy.kind === 'reduces' && remedy.limit === 'ask');
    assert.deepEqual([remedy.order.qtyMicros, remedy.order.movesMark], [4_000_000, true]);
  });

  test('a short bought back completely has no mark left to move', () => {
    const venue = shortAt({ ...CALLED, bid: '95', ask: '97', askQty: '10' });
    const remedy = remedyFor(venue, { price: 97, qty: 10 });
    assert.ok(remedy.kind === 'clears');
    assert.deepEqual([remedy.order.qtyMicros, remedy.order.movesMark], [10_000_000, false]);
    carryOut(venue, remedy.order);
    assert.equal(reportOf(venue).marginCall, false);
  });

  test('FINE-9 resting buys count against the short', () => {
    const more = `buy alice ${CALL} 6 @ 2.50    rested`;
    const venue = shortAt({ ...CALLED, more });
    scenario('account alice   orders 1', venue);
    const remedy = remedyFor(venue, { price: 82, qty: 20 });
    assert.ok(remedy.kind === 'reduces' && remedy.limit === 'resting-buys');
    assert.equal(remedy.order.qtyMicros, 4_000_000);
    carryOut(venue, remedy.order);
    const full = shortAt({ ...CALLED, qty: '6', bid: '200', ask: '202', more });
    assert.deepEqual(remedyFor(full, { price: 202, qty: 20 }), {
      kind: 'useless',
      seriesId: seriesIdOf(CALL),
      why: 'resting-buys',
    });
  });

  test('an ask that costs more than it frees is useless, and so are no ask and no cash', () => {
    const venue = shortAt(CALLED);
    const why = (ask: Ask) => {
      const remedy = remedyFor(venue, ask);
      return remedy.kind === 'useless' ? remedy.why : remedy.kind;
    };
    // The unit is 111 at a mark of 81: at 190 a contract frees 111 and costs 109 over the mark and 0.95, at 191.50
    // it costs 110.50 and 0.9575.
    assert.equal(why({ price: 190, qty: 20 }), 'reduces');
    assert.equal(why({ price: 191.5, qty: 20 }), 'too-dear');
    assert.equal(why(null), 'no-ask');
    assert.deepEqual(
      buyBacks(reportOf(venue), new Map()).map((remedy) => remedy.kind === 'useless' && remedy.why),
      ['no-ask'],
      'not traded',
    );
    const report = { ...reportOf(venue), cash: 0.5 };
    const [poor] = buyBacks(report, new Map([[seriesIdOf(CALL), { price: 82, qty: 20 }]]));
    assert.equal(poor?.kind === 'useless' && poor.why, 'no-cash');
  });

  test('without a call there is nothing to buy back', () => {
    const venue = shortAt({ ...CALLED, cash: '5000' });
    assert.deepEqual(buyBacks(reportOf(venue), new Map([[seriesIdOf(CALL), { price: 82, qty: 20 }]])), []);
  });

  test('of two remedies that clear, the cheaper comes first', () => {
    const other = 'AAPL-C-220';
    const venue = scenario(
      `
      quote ${CALL} bid 3x100 ask 3.20x100
      quote ${other} bid 3x100 ask 3.20x100
      margin alice on
      sell alice ${CALL} 5 @ 3       filled 5@3
      sell alice ${other} 5 @ 3      filled 5@3
      spot AAPL 230
      quote ${CALL} bid 24x100 ask 26x100
      quote ${other} bid 17x100 ask 19x100
    `,
      { paperCashMicros: micros('600') },
    );
    const asks = new Map<string, Ask>([
      [seriesIdOf(CALL), { price: 26, qty: 100 }],
      [seriesIdOf(other), { price: 19, qty: 100 }],
    ]);
    // Short by 76.15: two of either, at 52.26 and 38.19.
    assert.deepEqual(
      buyBacks(reportOf(venue), asks).map((remedy) => remedy.kind === 'clears' && remedy.order.costMicros),
      [38_190_000, 52_260_000],
    );
  });

  test('of several shorts, the one whose remedy clears comes first', () => {
    const put = 'AAPL-P-190';
    const venue = scenario(
      `
      quote ${CALL} bid 3x100 ask 3.20x100
      quote ${put} bid 2x100 ask 2.20x100
      margin alice on
      sell alice ${put} 1 @ 2        filled 1@2
      sell alice ${CALL} 9 @ 3       filled 9@3
      spot AAPL 230
      quote ${CALL} bid 80x100 ask 82x100
    `,
      { paperCashMicros: micros('1000') },
    );
    const asks = new Map<string, Ask>([
      [seriesIdOf(put), { price: 2.2, qty: 100 }],
      [seriesIdOf(CALL), { price: 82, qty: 100 }],
    ]);
    const remedies = buyBacks(reportOf(venue), asks);
    assert.deepEqual(
      remedies.map(({ kind, seriesId }) => [kind, seriesId]),
      [
        ['clears', seriesIdOf(CALL)],
        ['reduces', seriesIdOf(put)],
      ],
    );
    assert.equal(remedies[1]?.kind === 'reduces' && remedies[1].limit, 'short');
  });
});
