import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Position, parseSeriesId } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import type { TradedOrder } from '../../../session/state.ts';
import { tradedOrders, withTraded } from './known-combos.ts';
import { lotsOf } from './lots.ts';
import { partOf } from './position-parts.ts';
import { type Holding, type Recognised, strategiesOf } from './strategies.ts';

const NEAR = Date.UTC(2026, 10, 29, 1) / 1_000;
const FAR = NEAR + 7 * 86_400;
const NOW = Date.UTC(2026, 10, 20);

/** `0.5: -1 P 94.5, -1 C 95.5 later`, the quantity and the legs of one order. */
type Trade = string;

const STRANGLE = '0.5: -1 P 94.5, -1 C 95.5';
const CALENDAR = '0.5: -1 C 95, +1 C 95 later';
const CONDOR = '0.5: +1 P 86.5, -1 P 88, -1 C 103.5, +1 C 105';
const SPREAD = '0.5: +1 C 95, -1 C 95.5';
const ROLL = '0.5: -1 C 95, +1 C 95.5, +1 C 95 later, -1 C 95.5 later';

describe('TERM-20 strategies that were traded as one order', () => {
  const CASES: readonly (readonly [title: string, trades: readonly Trade[], ...lines: string[]])[] = [
    [
      'are shown as they were traded, and not as their legs might be read together',
      [STRANGLE, CALENDAR, CONDOR, SPREAD, ROLL],
      '-0.5 28 Nov 94.5/95.5 strangle',
      '+0.5 28 Nov/5 Dec 95 call calendar',
      '-0.5 28 Nov 86.5/88/103.5/105 iron condor',
      '+0.5 5 Dec 95/95.5 call spread',
    ],
    [
      'keep to themselves when one loses a leg',
      [STRANGLE, CALENDAR, CONDOR, SPREAD, ROLL, '0.5: +1 C 103.5'],
      '-0.5 28 Nov 94.5/95.5 strangle',
      '+0.5 28 Nov/5 Dec 95 call calendar',
      '-0.5 28 Nov 86.5/88 put spread',
      '+0.5 C 105',
      '+0.5 5 Dec 95/95.5 call spread',
    ],
    [
      'are those of two orders of one shape',
      [SPREAD, '1: +1 C 95, -1 C 95.5'],
      '+1.5 28 Nov 95/95.5 call spread',
    ],
    [
      'are gone once traded back, whatever else has their legs',
      ['1: +1 C 95, -2 C 97, +1 C 99', '1: +1 C 95, -1 C 97', '2: -1 C 95, +1 C 97', '1: +1 C 95, -1 C 97'],
      '+1 28 Nov 95/97/99 call butterfly',
    ],
    [
      'have left an expiry that they were rolled out of',
      [
        '1: +1 C 95, -2 C 97, +1 C 99',
        '1: +1 C 95, -1 C 97',
        '1: -1 C 95, +1 C 97, +1 C 95 later, -1 C 97 later',
      ],
      '+1 28 Nov 95/97/99 call butterfly',
      '+1 5 Dec 95/97 call spread',
    ],
    [
      'are not completed by a leg of another order',
      [CONDOR, '0.5: -1 C 95.5', '0.5: +1 C 103.5'],
      '-0.5 28 Nov 86.5/88 put spread',
      '-0.5 28 Nov 95.5/105 call spread',
    ],
    [
      'are shown as far as they are held',
      ['2: -1 P 95, -1 C 97', '1: +1 P 95'],
      '-1 28 Nov 95/97 strangle',
      '-1 C 97',
    ],
    ['may be ratios', ['2: +1 C 95, -2 C 97'], '+2 28 Nov 95/97 1x2 call ratio'],
    ['may have no name', ['2: +1 C 95, +1 C 97'], '+2 28 Nov: +1 95 call, +1 97 call'],
    ['may be asked for in parts of their ratios', ['1: +2 C 95, -2 C 97'], '+2 28 Nov 95/97 call spread'],
  ];
  for (const [title, trades, ...expected] of CASES)
    it(`${title}: ${trades.join('; ')}`, () => {
      assert.deepEqual(lines(traded(trades)).sort(), expected.toSorted());
    });

  it('are lots by order id, whatever nets between them', () => {
    const nets = (...trades: Trade[]) => lines(traded(trades)).sort();
    // The sold leg of the calendar is a bought one of the spread.
    const both = [SPREAD, '0.3: -1 C 95, +1 C 95 later'];
    assert.deepEqual(nets(...both), [
      '+0.3 28 Nov/5 Dec 95 call calendar',
      '+0.5 28 Nov 95/95.5 call spread',
    ]);
    // An order that makes the position smaller closes a lot on its side; one that makes it larger is a lot.
    assert.deepEqual(nets(...both, '0.1: -1 C 95'), [
      '+0.3 28 Nov/5 Dec 95 call calendar',
      '+0.4 28 Nov 95/95.5 call spread',
      '-0.1 C 95.5',
    ]);
    assert.deepEqual(nets(...both, '0.1: +1 C 95'), [
      '+0.1 C 95',
      '+0.3 28 Nov/5 Dec 95 call calendar',
      '+0.5 28 Nov 95/95.5 call spread',
    ]);
    // Of what nets to nothing, no strategy has a part.
    assert.deepEqual(nets(...both, '0.2: -1 C 95'), ['+0.3 C 95 later', '-0.5 C 95.5']);
    // One order may move a contract to another expiry.
    assert.deepEqual(nets('0.5: +1 C 95', '0.3: +1 C 95', '0.6: -1 C 95, +1 C 95 later'), [
      '+0.2 C 95',
      '+0.6 C 95 later',
    ]);
  });

  it('have shares of a result that add up to it, in either order of the parts', () => {
    const whole = { qty: 0.2, unrealized: 1.234567, realized: -2 } as Position;
    for (const [first, second] of [
      [500_000, -300_000],
      [-300_000, 500_000],
    ] as const) {
      const parts = [
        partOf(whole, { fromMicros: 200_000, qtyMicros: first }),
        partOf(whole, { fromMicros: 200_000 - first, qtyMicros: second }),
      ];
      const sums = (['qty', 'unrealized', 'realized'] as const).map((figure) =>
        microsOf(parts.reduce((sum, part) => sum + part[figure], 0)),
      );
      assert.deepEqual(sums, [200_000, 1_234_567, -2_000_000]);
      assert.ok(parts.every(({ qty, unrealized }) => qty * unrealized > 0));
    }
  });

  it('are gone with an expiry: what is left of them is recognised among itself', () => {
    const { orders } = traded([SPREAD, '0.3: -1 C 95, +1 C 95 later']);
    const left = [holding(`BTC-${FAR}-C-95`, 0.3)];
    const after = (NEAR + 60) * 1_000;
    assert.deepEqual(strategiesOf(left, after, lotsOf(orders, left, after)).strategies, []);
  });

  it('are all orders with fills', () => {
    const { orders } = traded([STRANGLE, '1: +1 C 95']);
    assert.equal(orders.length, 2);
    assert.deepEqual(tradedOrders([...orders, { ...orders[0]!, filledQty: 0 }]), orders);
  });

  it('are the newest 1,000 of all that were read', () => {
    const combo = (id: number): TradedOrder => ({ id, legs: [], filledQty: 1 });
    const known = Array.from({ length: 1_000 }, (_, i) => combo(1_100 - i));
    assert.equal(withTraded(known, known.slice(0, 9)), known, 'nothing is new');
    const ids = withTraded(known, [combo(1_102), combo(1_100), combo(50)]).map(({ id }) => id);
    assert.deepEqual([ids.length, ids[0], ids[1], ids.at(-1)], [1_000, 1_102, 1_100, 102]);
  });

  it('of 500 random histories every strategy that is wholly held is shown as it was traded, and nothing is lost', () => {
    const random = randomOf(20_261_126);
    let shown = 0;
    for (let round = 0; round < 500; round += 1) {
      const history = randomHistory(random);
      const { positions, orders } = traded(history.trades.map(textOf));
      const recognised = recognise(positions, orders);
      for (const { legs, units } of history.open) {
        const name = new Map(legs.map(([seriesId, ratio]) => [seriesId, ratio * units]));
        const isShown = recognised.strategies.some(
          (strategy) =>
            strategy.legs.length === name.size &&
            strategy.legs.every(({ seriesId, qtyMicros }) => qtyMicros / 1e6 === name.get(seriesId)),
        );
        assert.ok(isShown, `${textOf({ legs, units })}, history ${round}`);
        shown += 1;
      }
      assertWhole(positions, recognised);
      const closed = randomPart(positions, random);
      assertWhole(closed, recognise(closed, orders));
    }
    assert.ok(shown > 500, `${shown} were shown`);
  });
});

/** Every contract is in one part, and no strategy is there twice. */
function assertWhole(positions: readonly Holding[], { strategies, singles }: Recognised): void {
  const parts = [...strategies.flatMap(({ legs }) => legs), ...singles];
  for (const { seriesId, qty } of positions) {
    let leftMicros: number = microsOf(qty);
    for (const part of parts.filter((one) => one.seriesId === seriesId)) {
      assert.equal(part.fromMicros, leftMicros);
      assert.ok(part.qtyMicros !== 0);
      leftMicros -= part.qtyMicros;
    }
    assert.equal(leftMicros, 0, seriesId);
  }
  assert.equal(new Set(strategies.map(({ key }) => key)).size, strategies.length);
}

function recognise(positions: readonly Holding[], orders: readonly TradedOrder[]): Recognised {
  return strategiesOf(positions, NOW, lotsOf(orders, positions, NOW));
}

function lines({ positions, orders }: Traded): string[] {
  const { strategies, singles } = recognise(positions, orders);
  const signed = (micros: number) => `${micros > 0 ? '+' : ''}${micros / 1e6}`;
  return [
    ...strategies.map(({ name, unitsMicros }) => `${signed(unitsMicros)} ${name.replace('BTC ', '')}`),
    ...singles.map(({ seriesId, qtyMicros }) => {
      const [, expiry, right, strike] = seriesId.split('-');
      return `${signed(qtyMicros)} ${right} ${strike}${Number(expiry) === FAR ? ' later' : ''}`;
    }),
  ];
}

interface Traded {
  readonly positions: readonly Holding[];
  readonly orders: readonly TradedOrder[];
}

/** The positions after some trades, and the orders, newest first as the venue lists them. */
function traded(trades: readonly Trade[]): Traded {
  const held = new Map<string, number>();
  const orders: TradedOrder[] = [];
  for (const [i, text] of trades.entries()) {
    const [units, list] = text.split(': ') as [string, string];
    const legs = list.split(', ').map((one) => {
      const [, sign, ratio, right, strike, later] = /^([+-])(\d) ([CP]) ([\d.]+)( later)?$/.exec(one)!;
      const seriesId = `BTC-${later === undefined ? NEAR : FAR}-${right}-${strike}`;
      return { seriesId, side: sign === '+' ? 'buy' : 'sell', ratio: Number(ratio) } as const;
    });
    for (const { seriesId, side, ratio } of legs) {
      const qty = (side === 'buy' ? ratio : -ratio) * Number(units);
      held.set(seriesId, Math.round(((held.get(seriesId) ?? 0) + qty) * 1e6) / 1e6);
    }
    const filledQty = Number(units) * (legs.length > 1 ? 1 : legs[0]!.ratio);
    orders.unshift({ id: i + 1, filledQty, ...(legs.length > 1 ? { legs } : legs[0]!) });
  }
  const open = [...held].filter(([, qty]) => qty !== 0);
  return { positions: open.map(([seriesId, qty]) => holding(seriesId, qty)), orders };
}

function holding(seriesId: string, qty: number): Holding {
  const { symbol, expiryTs, right, strikeMicros } = parseSeriesId(seriesId)!;
  return {
    seriesId,
    symbol,
    expiryTs,
    qty,
    strike: strikeMicros / 1e6,
    optType: right === 'C' ? 'call' : 'put',
  };
}

interface Shape {
  readonly legs: readonly (readonly [seriesId: string, ratio: number])[];
  readonly units: number;
}

/**
 * Combos of two to four legs, some traded back, in part or wholly. No two have a contract on opposite sides: they would
 * net, and neither be wholly held.
 */
function randomHistory(random: (below: number) => number): { trades: Shape[]; open: Shape[] } {
  const sideOf = new Map<string, number>();
  const open = new Map<string, Shape>();
  const trades: Shape[] = [];
  for (let i = 1 + random(12); i > 0; i -= 1) {
    const closing = [...open][random(3 * open.size)];
    if (closing !== undefined) {
      const [key, { legs, units }] = closing;
      const less = 1 + random(units);
      trades.push({ legs: legs.map(([seriesId, ratio]) => [seriesId, -ratio]), units: less });
      if (less === units) open.delete(key);
      else open.set(key, { legs, units: units - less });
      continue;
    }
    const ids = new Set<string>();
    while (ids.size < 2 + (i % 3))
      ids.add(`BTC-${random(3) === 0 ? FAR : NEAR}-${'CP'[random(2)]}-${90 + random(6)}`);
    const legs = [...ids].sort().map((seriesId, place) => {
      const side = sideOf.get(seriesId) ?? (random(2) === 0 ? 1 : -1);
      sideOf.set(seriesId, side);
      // One leg of a single contract: no shape is a multiple of another.
      return [seriesId, side * (place === 0 ? 1 : 1 + random(2))] as const;
    });
    const [key, units] = [legs.join(' '), 1 + random(3)];
    trades.push({ legs, units });
    open.set(key, { legs, units: units + (open.get(key)?.units ?? 0) });
  }
  return { trades, open: [...open.values()] };
}

function textOf({ legs, units }: Shape): Trade {
  const texts = legs.map(([seriesId, ratio]) => {
    const [, expiry, right, strike] = seriesId.split('-');
    const later = Number(expiry) === FAR ? ' later' : '';
    return `${ratio > 0 ? '+' : '-'}${Math.abs(ratio)} ${right} ${strike}${later}`;
  });
  return `${units}: ${texts.join(', ')}`;
}

/** The positions after further orders of single contracts, which no combo accounts for. */
function randomPart(positions: readonly Holding[], random: (below: number) => number): Holding[] {
  return positions
    .map((position) => ({ ...position, qty: position.qty - Math.sign(position.qty) * random(3) }))
    .filter(({ qty }) => qty !== 0);
}

/** Whole numbers from 0, the same ones every time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
