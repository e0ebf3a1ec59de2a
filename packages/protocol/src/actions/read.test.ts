import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ALL,
  AMEND,
  BAD_FIELDS,
  BAD_TYPES,
  CANCEL,
  COMBO,
  GUARD,
  LACKING,
  LEGS,
  LIMIT,
  MARKET,
  NO_ACTIONS,
  numbered,
  SERIES,
  STRANGE_NAMES,
} from '../../test/bad-actions.ts';
import { malformed, required } from '../messages/fields.ts';
import { MESSAGES } from '../messages/messages.ts';
import { readAction, readActions } from './read.ts';

describe('BAT-1: actions that are well-formed', () => {
  const limit = {
    type: 'place',
    seriesId: SERIES,
    side: 'buy',
    qtyMicros: 2_000_000,
    priceMicros: 3_500_000,
    tif: 'gtc',
    stp: 'taker',
  };
  const market = { ...limit, side: 'sell', qtyMicros: 1, priceMicros: null, tif: 'ioc' };
  const combo = { type: 'combo', legs: LEGS, qtyMicros: 2_000_000, netMicros: null, tif: 'ioc' };
  const cases: readonly (readonly [string, object, object])[] = [
    ['a limit order has every default', LIMIT, limit],
    ['a market order is ioc', MARKET, market],
    ['a market order may be fok', { ...MARKET, tif: 'fok' }, { ...market, tif: 'fok' }],
    [
      'a market order may be reduce-only',
      { ...MARKET, reduceOnly: true },
      { ...market, flag: 'reduce-only' },
    ],
    ['an ioc limit', { ...LIMIT, tif: 'ioc' }, { ...limit, tif: 'ioc' }],
    [
      'a fok limit, reduce-only',
      { ...LIMIT, tif: 'fok', reduceOnly: true },
      { ...limit, tif: 'fok', flag: 'reduce-only' },
    ],
    ['a post-only order', { ...LIMIT, postOnly: true }, { ...limit, flag: 'post-only' }],
    [
      'a post-only order until a date',
      { ...LIMIT, tif: 'gtd', expiresAt: 1_764_374_400_123, postOnly: true },
      { ...limit, tif: 'gtd', expiresAt: 1_764_374_400_123, flag: 'post-only' },
    ],
    ['flags that are false are absent', { ...LIMIT, postOnly: false, reduceOnly: false }, limit],
    ['false beside a flag', { ...LIMIT, postOnly: true, reduceOnly: false }, { ...limit, flag: 'post-only' }],
    [
      'own orders and a client id',
      { ...LIMIT, stp: 'both', clientId: 'A_-9' },
      { ...limit, stp: 'both', clientId: 'A_-9' },
    ],
    [
      'qty 0 and price 0, which the engine rejects',
      { ...LIMIT, qty: 0, price: 0 },
      { ...limit, qtyMicros: 0, priceMicros: 0 },
    ],
    [
      'expiresAt 0, which the engine rejects',
      { ...LIMIT, tif: 'gtd', expiresAt: 0 },
      { ...limit, tif: 'gtd', expiresAt: 0 },
    ],
    [
      'any name of 64 characters',
      { ...LIMIT, seriesId: '~'.repeat(64) },
      { ...limit, seriesId: '~'.repeat(64) },
    ],
    ['CMB-1 a combo is ioc and without a limit', COMBO, combo],
    [
      'CMB-1 a combo that must bring in, with all fields',
      { ...COMBO, net: -0.5, tif: 'fok', clientId: 'A_-9' },
      { ...combo, netMicros: -500_000, tif: 'fok', clientId: 'A_-9' },
    ],
    ['CMB-1 a combo of no cost, whatever the sign', { ...COMBO, net: -0 }, { ...combo, netMicros: 0 }],
    [
      'CMB-1 four legs of names that no series has, each ratio there is',
      { ...COMBO, legs: [1, 10, 2, 9].map((ratio, i) => ({ ...LEGS[0], seriesId: `A-${i}`, ratio })) },
      { ...combo, legs: [1, 10, 2, 9].map((ratio, i) => ({ ...LEGS[0], seriesId: `A-${i}`, ratio })) },
    ],
    ['a new total', AMEND, { type: 'amend', ref: { orderId: 7 }, qtyMicros: 3_000_000 }],
    [
      'a new price of an order by client id, filled at most',
      { type: 'amend', clientId: 'x', price: 1.25, filledAtMost: 0 },
      { type: 'amend', ref: { clientId: 'x' }, priceMicros: 1_250_000, filledAtMostMicros: 0 },
    ],
    ['a cancel by id', { type: 'cancel', orderId: 1 }, { type: 'cancel', ref: { orderId: 1 } }],
    ['a cancel by client id', CANCEL, { type: 'cancel', ref: { clientId: 'a-1' } }],
    ['everything', ALL, { type: 'cancel-all', scope: 'all' }],
    ['everything of a side', { ...ALL, side: 'sell' }, { type: 'cancel-all', scope: 'all', side: 'sell' }],
    [
      'symbols in upper case, sorted by bytes',
      { ...ALL, symbols: ['b2', 'BTC', 'aapl', 'B_', '9'] },
      { type: 'cancel-all', scope: { symbols: ['9', 'AAPL', 'B2', 'BTC', 'B_'] } },
    ],
    [
      'series as named, sorted by bytes',
      { ...ALL, seriesIds: ['b', 'B', 'a'], side: 'buy' },
      { type: 'cancel-all', scope: { series: ['B', 'a', 'b'] }, side: 'buy' },
    ],
    [
      '64 symbols',
      { ...ALL, symbols: numbered(64) },
      { type: 'cancel-all', scope: { symbols: numbered(64).sort() } },
    ],
    ['no guard', { type: 'guard', ms: 0 }, { type: 'guard', ms: 0 }],
    ['the shortest guard', { type: 'guard', ms: 5_000 }, { type: 'guard', ms: 5_000 }],
    ['the longest guard', { type: 'guard', ms: 600_000 }, { type: 'guard', ms: 600_000 }],
  ];
  for (const [title, posted, expected] of cases) {
    it(title, () => assert.deepEqual(readActions([posted]), [expected]));
  }

  it('BAT-2: 64 actions, in order', () => {
    const read = readActions(Array.from({ length: 64 }, (_, i) => ({ type: 'cancel', orderId: i + 1 })));
    assert.ok(Array.isArray(read));
    assert.deepEqual(
      read.map(({ ref }) => ref.orderId),
      Array.from({ length: 64 }, (_, i) => i + 1),
    );
  });
});

describe('BAT-1 DET-1: actions that are not', () => {
  for (const { good, field, values } of BAD_FIELDS) {
    for (const value of values) {
      const posted = { ...good, [field]: value };
      it(JSON.stringify(posted).slice(0, 150), () => {
        assert.deepEqual(readActions([GUARD, posted]), malformed(`actions[1].${field}`));
      });
    }
  }

  for (const [posted, field] of LACKING) {
    it(`${JSON.stringify(posted)} lacks ${field}`, () => {
      assert.deepEqual(readActions([GUARD, GUARD, posted]), required(`actions[2].${field}`));
    });
  }

  for (const type of BAD_TYPES) {
    it(`type ${JSON.stringify(type)}`, () => {
      assert.deepEqual(readActions([{ ...LIMIT, type }]), malformed('actions[0].type'));
    });
  }

  for (const posted of NO_ACTIONS) {
    it(`an action that is ${JSON.stringify(posted)}`, () => {
      assert.deepEqual(readActions([ALL, posted]), malformed('actions[1]'));
    });
  }

  it('a property whose name is no name is not repeated', () => {
    for (const name of STRANGE_NAMES) {
      assert.deepEqual(readActions([{ ...ALL, [name]: 1 }]), malformed('actions[0]'));
    }
  });

  it('DET-1: one action by itself, with faults that name the property alone', () => {
    assert.deepEqual(readAction(ALL), (readActions([ALL]) as unknown[])[0]);
    assert.deepEqual(readAction({ ...LIMIT, qty: 'x' }), malformed('qty'));
    assert.deepEqual(readAction({ ...LIMIT, type: 'x' }), malformed('type'));
    assert.deepEqual(readAction({}), required('type'));
    assert.deepEqual(readAction({ ...ALL, symbols: numbered(65) }), malformed('symbols'));
    for (const name of STRANGE_NAMES)
      assert.deepEqual(readAction({ ...ALL, [name]: 1 }), malformed('actions[0]'));
  });

  it('BAT-2: neither none nor what is no list', () => {
    assert.deepEqual(readActions(undefined), required('actions'));
    for (const actions of [null, [], {}, 'cancel-all', 1, { length: 1, 0: ALL }]) {
      assert.deepEqual(readActions(actions), malformed('actions'));
    }
  });

  it('BAT-7: all cancels together name 64 series, and 64 underlyings', () => {
    const each = (list: 'seriesIds' | 'symbols', ...sizes: number[]) =>
      readActions([{ ...ALL }, ...sizes.map((size) => ({ ...ALL, [list]: numbered(size) }))]);
    for (const list of ['seriesIds', 'symbols'] as const) {
      assert.equal((each(list, 63, 1) as unknown[]).length, 3);
      assert.deepEqual(each(list, 63, 1, 1), malformed(`actions[3].${list}`));
    }
    const both = [
      { ...ALL, seriesIds: numbered(64) },
      { ...ALL, symbols: numbered(64) },
    ];
    assert.equal((readActions(both) as unknown[]).length, 2);
  });

  it('BAT-2 DET-1: too many actions is said before any malformation', () => {
    assert.deepEqual(readActions(new Array(65).fill(null)), MESSAGES.tooManyActions);
  });
});
