import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDecimal, type Micros } from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import fc from 'fast-check';
import { scenario } from '../../test/scenario.ts';
import { micros, seriesIdOf, Venue } from '../../test/venue.ts';
import { BUY, SELL } from '../book/book.ts';
import { yearsLeft } from '../risk/risk-marks.ts';
import type { MarketShift } from '../risk/shifted-marks.ts';
import { stateDigest } from '../snapshot.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import type { Series, Side } from '../state/series.ts';
import { positionOf, type State } from '../state/state.ts';
import { amountsOf } from './preview.ts';
import { type LegFault, type Simulation, simulate } from './simulate.ts';

const NO_SHIFT: MarketShift = { spotMicros: 0, vol: 0 };

interface Leg {
  readonly series: string;
  readonly side: Side;
  readonly qty: string;
  readonly price?: string;
}

function trySimulate(venue: Venue, legs: readonly Leg[], shift = NO_SHIFT): Simulation | LegFault {
  const digest = stateDigest(venue.state);
  // No part of the digest, but settlements walk over it.
  const holders = venue.state.series.flatMap((series) => series.holders);
  const requests = legs.map(({ series, side, qty, price }) => ({
    seriesId: seriesIdOf(series),
    side,
    qtyMicros: micros(qty),
    priceMicros: price === undefined ? null : micros(price),
  }));
  const result = simulate(venue.state, venue.account('alice'), { legs: requests, shift }, venue.nowMs);
  assert.equal(stateDigest(venue.state), digest, 'a simulation changes nothing');
  assert.deepEqual(
    venue.state.series.flatMap((series) => series.holders),
    holders,
  );
  return result;
}

function simulated(venue: Venue, legs: readonly Leg[], shift = NO_SHIFT): Simulation {
  const result = trySimulate(venue, legs, shift);
  assert.ok(!('leg' in result), 'leg' in result ? `leg ${result.leg}: ${result.reason}` : '');
  return result;
}

/** `cash 99993.6 locked 0 …` */
function told({ state, account }: Simulation): string {
  const { cashMicros, lockedMicros, equityMicros, maintenanceMarginMicros } = amountsOf(state, account);
  const amounts = { cashMicros, lockedMicros, equityMicros, maintenanceMarginMicros };
  return Object.entries(amounts)
    .map(
      ([name, amount]) =>
        `${name.replace('MarginMicros', '').replace('Micros', '')} ${formatDecimal(amount)}`,
    )
    .join(' ');
}

const BOOK = `
  quote AAPL-C-210 bid 3x50 ask 3.20x50
  quote AAPL-C-220 bid 1x50 ask 1.20x50
  margin alice on
`;

describe('CMB-4 an account with imagined trades', () => {
  test('a sale and a purchase at their prices or at the mark, without fees', () => {
    const venue = Venue.listed();
    scenario(BOOK, venue);
    // Two sold at the mark of 3.10: two units of 33.10; four bought at 1.15, marked at 1.10.
    const result = simulated(venue, [
      { series: 'AAPL-C-210', side: 'sell', qty: '2' },
      { series: 'AAPL-C-220', side: 'buy', qty: '4', price: '1.15' },
    ]);
    assert.equal(told(result), 'cash 100001.6 locked 66.2 equity 99999.8 maintenance 34.2');
    assert.equal(result.account.positions.get(venue.series('AAPL-C-210').sid)?.qtyMicros, micros('-2'));
  });

  test('is what the same trades then leave, but for their fees and what rests', () => {
    const venue = Venue.listed();
    scenario(
      `${BOOK}
      buy alice AAPL-C-220 3 @ 1.20   filled 3@1.20
      sell alice AAPL-C-220 3 @ 2     rested
    `,
      venue,
    );
    const before = venue.account('alice').cashMicros;
    const result = simulated(venue, [{ series: 'AAPL-C-220', side: 'sell', qty: '2', price: '1' }]);
    const expected = told(result);
    scenario('sell alice AAPL-C-220 2 @ 1   filled 2@1', venue);
    const { state } = venue;
    const account = venue.account('alice');
    const fee = before + micros('2') - account.cashMicros;
    assert.equal(fee, micros('0.01'));
    account.cashMicros = (account.cashMicros + fee) as Micros;
    assert.equal(told({ state, account, holdings: [] }), expected);
  });

  test('needs no means, and shows the margin call that would follow', () => {
    const venue = Venue.listed();
    scenario(BOOK, venue);
    const result = simulated(venue, [{ series: 'AAPL-C-210', side: 'sell', qty: '10000', price: '3' }]);
    const { buyingPowerMicros, equityMicros, maintenanceMarginMicros } = amountsOf(
      result.state,
      result.account,
    );
    assert.ok(buyingPowerMicros < 0 && equityMicros < maintenanceMarginMicros);
  });

  test('a move of the spot and of volatility moves marks, margin and equity, the risk mark too', () => {
    for (const riskMark of ['book', 'model'] as const) {
      const venue = Venue.listed({ riskMark });
      scenario(BOOK, venue);
      const legs: Leg[] = [{ series: 'AAPL-C-210', side: 'sell', qty: '2', price: '3' }];
      const [holding] = simulated(venue, legs).holdings;
      // Without an annotation the model marks at intrinsic, which implies no volatility.
      assert.equal(holding!.vol === null, riskMark === 'model');
      const up = { spotMicros: 100_000, vol: 0.25 };
      const { state, account, holdings } = simulated(venue, legs, up);
      const [{ series, vol }] = holdings as [Simulation['holdings'][0]];
      assert.equal(series.instrument.spotMicros, micros('220'));
      const years = yearsLeft(series, venue.nowMs);
      const option = { right: 'C', forward: 220e6, strike: 210e6, years } as const;
      const mark = vol === null ? micros('10') : Math.floor(priceOption({ ...option, vol }));
      // Entry: the mark and 20 % of 220, in the money.
      assert.equal(amountsOf(state, account).lockedMicros, 2 * (mark + 44_000_000), riskMark);
    }
  });

  test('DRM-1 a vertical of a defined-risk account locks its width, wherever the spot is', () => {
    const venue = Venue.listed();
    scenario(BOOK, venue);
    venue.account('alice').marginMode = 'defined-risk';
    const legs: Leg[] = [
      { series: 'AAPL-C-210', side: 'sell', qty: '2', price: '3' },
      { series: 'AAPL-C-220', side: 'buy', qty: '2' },
    ];
    for (const shift of [NO_SHIFT, { spotMicros: 200_000, vol: 0.5 }]) {
      const { state, account } = simulated(venue, legs, shift);
      // Two pairs of a width of ten, and a micro for each of the two series (DET-7).
      assert.equal(amountsOf(state, account).lockedMicros, micros('20.000002'));
    }
  });

  const FAULTS: readonly (readonly [string, Leg, LegFault['reason']])[] = [
    ['is not listed', { series: 'AAPL-C-1', side: 'buy', qty: '1' }, 'unknown series'],
    ['is of nothing', { series: 'AAPL-C-210', side: 'buy', qty: '0' }, 'bad qty'],
    ['is at a price of nothing', { series: 'AAPL-C-210', side: 'buy', qty: '1', price: '0' }, 'bad price'],
    ['has neither a price nor a mark', { series: 'AAPL-P-210', side: 'buy', qty: '1' }, null],
    [
      'is worth more than can be counted',
      { series: 'AAPL-C-210', side: 'buy', qty: '9000000000', price: '100' },
      'bad qty',
    ],
    [
      'takes cash out of the exact range',
      { series: 'AAPL-C-210', side: 'sell', qty: '9000000000', price: '1' },
      'bad qty',
    ],
  ];
  for (const [what, leg, reason] of FAULTS)
    test(`a leg that ${what} is named by its place`, () => {
      const venue = Venue.listed();
      scenario(BOOK, venue);
      const sound: Leg = { series: 'AAPL-C-210', side: 'sell', qty: '10000000', price: '1' };
      assert.deepEqual(trySimulate(venue, [sound, leg]), { leg: 1, reason });
    });

  test('a leg in a series past its cutoff is refused', () => {
    const venue = Venue.listed();
    scenario(BOOK, venue);
    venue.wait(12 * 3_600_000);
    const leg: Leg = { series: 'AAPL-C-210', side: 'sell', qty: '1', price: '1' };
    assert.deepEqual(trySimulate(venue, [leg]), { leg: 0, reason: 'series expired' });
  });
});

const SERIES_HELD = 8;
const MILLION = 1_000_000;
const amount = (max: number) => fc.integer({ min: 1, max });
const side = fc.constantFrom<Side>('buy', 'sell');

const drawn = fc.record({
  cash: fc.integer({ min: -1e12, max: 1e12 }),
  reserved: fc.oneof(fc.constant(0), amount(1e9)),
  premium: fc.constantFrom<'mark' | 'intrinsic'>('mark', 'intrinsic'),
  holdings: fc.array(
    fc.record({
      qty: fc.oneof(fc.constant(0), fc.integer({ min: -1e8, max: 1e8 })),
      cost: amount(1e10),
      restingSell: fc.oneof(fc.constant(0), amount(1e8)),
      bid: fc.option(amount(2e7)),
      spread: fc.option(amount(5e6)),
      status: fc.constantFrom<Series['status']>('live', 'live', 'live', 'live', 'pending-review', 'settled'),
      payout: amount(1e7),
    }),
    { minLength: 1, maxLength: SERIES_HELD },
  ),
  legs: fc.array(
    fc.record({ sid: fc.nat(SERIES_HELD - 1), side, qty: amount(1e8), price: fc.option(amount(5e7)) }),
    { maxLength: 6 },
  ),
  shift: fc.oneof(
    fc.constant(NO_SHIFT),
    fc.record({
      spotMicros: fc.integer({ min: -5e5, max: 1e6 }),
      vol: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
  ),
});
type Drawn = ReturnType<typeof drawn.generate>['value'];

/** Gives alice the drawn amounts, and the first series the drawn books. */
function shape({ state }: Venue, account: Account, { cash, reserved, holdings }: Drawn): void {
  account.cashMicros = cash as Micros;
  account.reservedMicros = reserved as Micros;
  let id = 0;
  holdings.forEach(({ qty, cost, restingSell, bid, spread, status, payout }, sid) => {
    const series = state.series[sid]!;
    const place = (on: typeof BUY | typeof SELL, price: number) =>
      series.book.place({ id: ++id, owner: MAKER, side: on, price, quantity: 1, remaining: 1, placedAt: 0 });
    const held = { qtyMicros: qty, costMicros: qty === 0 ? 0 : cost, restingSellMicros: restingSell };
    Object.assign(positionOf(account, series), held);
    account.shortCount += Number(qty < 0);
    Object.assign(series, { status, payoutMicros: status === 'settled' ? payout : 0 });
    if (bid !== null) place(BUY, bid);
    if (spread !== null) place(SELL, (bid ?? 0) + spread);
  });
}

/** Everything over again in numbers of any size, from the drawn amounts: shares no code with the engine but the model. */
function naive(
  state: State,
  { cash, reserved, premium, holdings, legs, shift }: Drawn,
  { holdings: found }: Simulation,
) {
  const vols = new Map(found.map(({ series, vol }) => [series.sid as number, vol]));
  const isShifted = shift.spotMicros !== 0 || shift.vol !== 0;
  const spot = state.series[0]!.instrument.spotMicros;
  const spotAfter = Number((BigInt(spot) * BigInt(MILLION + shift.spotMicros)) / 1_000_000n);
  const payoff = ({ right, strikeMicros }: Series, at: number) =>
    Math.max(0, right === 'C' ? at - strikeMicros : strikeMicros - at);
  const markNow = (sid: number) => {
    const { bid = null, spread = null, status = 'live', payout = 0 } = holdings[sid] ?? {};
    if (status === 'settled') return payout;
    if (status === 'pending-review') return payoff(state.series[sid]!, spot);
    if (spread === null) return bid;
    return bid === null ? spread : bid + Math.floor(spread / 2);
  };
  const markAfter = (sid: number): number => {
    const series = state.series[sid]!;
    const { status = 'live' } = holdings[sid] ?? {};
    if (!isShifted || status === 'settled') return markNow(sid) ?? 0;
    const vol = vols.get(sid) ?? null;
    if (status !== 'live' || vol === null) return payoff(series, spotAfter);
    const years = Math.ceil((series.cutoffMs - state.ts) / 60_000) / 525_600;
    const terms = { right: series.right, forward: spotAfter, strike: series.strikeMicros, years, vol };
    return Math.min(Math.floor(priceOption(terms)), series.right === 'C' ? spotAfter : series.strikeMicros);
  };
  const lots = holdings.map(({ qty, cost }) => ({
    qty: BigInt(qty),
    paid: qty < 0 ? -cost : qty === 0 ? 0 : cost,
  }));
  let left = BigInt(cash);
  for (const { sid, side, qty, price } of legs) {
    const value = BigInt(price ?? markNow(sid)!) * BigInt(qty);
    const paid = side === 'buy' ? (value + 999_999n) / 1_000_000n : -(value / 1_000_000n);
    lots[sid] ??= { qty: 0n, paid: 0 };
    lots[sid].qty += side === 'buy' ? BigInt(qty) : BigInt(-qty);
    lots[sid].paid += Number(paid);
    left -= paid;
  }
  const at = { equity: left, locked: BigInt(reserved), maintenance: 0n };
  const up = (value: bigint) => (value + 999_999n) / 1_000_000n;
  const share = (of: number, percent: number) => (BigInt(of) * BigInt(percent) + 99n) / 100n;
  lots.forEach((lot, sid) => {
    if (lot === undefined) return;
    const series = state.series[sid]!;
    const mark = markAfter(sid);
    const away = Math.max(
      0,
      series.right === 'C' ? series.strikeMicros - spotAfter : spotAfter - series.strikeMicros,
    );
    const unit = (shock: number, floor: number) => {
      const charge = share(spotAfter, shock) - BigInt(away);
      const least = share(series.strikeMicros, floor);
      const term = premium === 'mark' ? mark : Math.max(mark, payoff(series, spotAfter));
      return BigInt(term) + (charge > least ? charge : least);
    };
    const product = lot.qty * BigInt(mark);
    at.equity += product < 0n ? -up(-product) : product / 1_000_000n;
    const exposure = BigInt(holdings[sid]?.restingSell ?? 0) - lot.qty;
    if (exposure > 0n) at.locked += up(exposure * unit(20, 10));
    if (lot.qty < 0n) at.maintenance += up(-lot.qty * unit(12, 6));
  });
  return { cash: left, ...at, lots };
}

test('CMB-4 random accounts, trades and moves: as worked out naively, to the micro', () => {
  let count = 0;
  const check = (draw: Drawn) => {
    const venue = Venue.listed({ marginPremium: draw.premium });
    const account = venue.account('alice');
    shape(venue, account, draw);
    const { state } = venue;
    const isSound = ({ sid, price }: Drawn['legs'][number]) => {
      const { status = 'live', bid = null, spread = null } = draw.holdings[sid] ?? {};
      return status === 'live' && (price !== null || bid !== null || spread !== null);
    };
    const sound = { ...draw, legs: draw.legs.filter(isSound) };
    const legs = sound.legs.map(({ sid, side: on, qty, price }) => ({
      seriesId: state.series[sid]!.seriesId,
      side: on,
      qtyMicros: qty,
      priceMicros: price,
    }));
    const result = simulate(state, account, { legs, shift: draw.shift }, venue.nowMs);
    assert.ok(!('leg' in result));
    const actual = amountsOf(result.state, result.account);
    const { cash, equity, locked, maintenance, lots } = naive(state, sound, result);
    assert.deepEqual(
      [actual.cashMicros, actual.equityMicros, actual.lockedMicros, actual.maintenanceMarginMicros],
      [cash, equity, locked, maintenance].map(Number),
    );
    for (const { series, qtyMicros, paidMicros } of result.holdings) {
      const lot = lots[series.sid] ?? { qty: 0n, paid: 0 };
      assert.deepEqual([qtyMicros, paidMicros], [Number(lot.qty), lot.paid]);
    }
    count += result.holdings.length;
  };
  fc.assert(fc.property(drawn, check), { seed: 3, numRuns: 120 });
  assert.ok(count > 300, `${count} holdings`);
});

test('CMB-4 the model goes through the present mark wherever that implies a volatility', () => {
  let implied = 0;
  const check = (draw: Drawn) => {
    const venue = Venue.listed();
    const account = venue.account('alice');
    shape(venue, account, draw);
    const { state } = venue;
    const result = simulate(state, account, { legs: [], shift: NO_SHIFT }, venue.nowMs);
    assert.ok(!('leg' in result));
    for (const { series, vol } of result.holdings) {
      if (vol === null) continue;
      implied += 1;
      const { right, strikeMicros: strike, instrument } = series;
      const years = yearsLeft(series, state.ts);
      const price = priceOption({ right, strike, forward: instrument.spotMicros, years, vol });
      const [bid, ask] = [series.book.bestPrice(BUY), series.book.bestPrice(SELL)];
      const mark = bid === null || ask === null ? (bid ?? ask) : bid + Math.floor((ask - bid) / 2);
      assert.equal(Math.round(price), mark);
    }
  };
  fc.assert(fc.property(drawn, check), { seed: 4, numRuns: 120 });
  assert.ok(implied > 80, `${implied} implied`);
});
