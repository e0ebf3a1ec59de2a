import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accountOf, positionOf, seriesOf } from '../test/market.ts';
import {
  addPosition,
  FLAT,
  houseUseUsd,
  Inventory,
  largestUse,
  limitUse,
  roomOf,
  shiftOf,
} from './inventory.ts';
import { halfSpreadOf } from './spread.ts';

const LIMITS = { deltaUsd: 1_000, vegaUsd: 100, positionSizes: 10 };
const SKEW = { deltaBps: 10, volShare: 0.02 };
const VALUE = { price: 5, delta: 0.5, gamma: 0.02, vega: 20, theta: -3, vol: 0.4, forwardDelta: 0.5 };

test('positions add up to dollars of delta, gamma per cent and vega per point', () => {
  const long = addPosition(FLAT, 4, VALUE, 100);
  assert.deepEqual(long, { deltaUsd: 200, gammaUsd: 8, vegaUsd: 0.8 });
  assert.deepEqual(addPosition(long, -4, VALUE, 100), FLAT);
});

test('long delta moves the centre down with the spot, long vega with the volatility, never past the limit', () => {
  const shift = (deltaUsd: number, vegaUsd: number) =>
    shiftOf(limitUse({ deltaUsd, gammaUsd: 0, vegaUsd }, LIMITS), SKEW);
  assert.deepEqual(shift(500, 0), { spot: -0.0005, vol: 0 });
  assert.deepEqual(shift(-5_000, 50), { spot: 0.001, vol: -0.01 });
  assert.deepEqual(shift(0, 0), { spot: 0, vol: 0 });
  assert.equal(largestUse({ delta: -0.3, vega: 0.2 }), 0.3);
  assert.equal(largestUse({ delta: 0.3, vega: -7 }), 1);
});

describe('room', () => {
  const room = (change: Partial<Parameters<typeof roomOf>[0]>) =>
    roomOf({
      right: 'C',
      held: 0,
      positionMax: 10,
      use: { delta: 0, vega: 0 },
      isFullHouse: false,
      ...change,
    });

  test('is what the position leaves of its limit, on either side', () => {
    assert.deepEqual(room({ held: 4 }), { bid: 6, ask: 14 });
    assert.deepEqual(room({ held: -12 }), { bid: 22, ask: 0 });
  });

  test('is zero on the side that would exceed a limit of delta', () => {
    assert.deepEqual(room({ use: { delta: 1, vega: 0 } }), { bid: 0, ask: 10 });
    assert.deepEqual(room({ right: 'P', use: { delta: 1, vega: 0 } }), { bid: 10, ask: 0 });
    assert.deepEqual(room({ use: { delta: -1, vega: 0 } }), { bid: 10, ask: 0 });
  });

  test('is zero on the side that would exceed a limit of vega', () => {
    assert.deepEqual(room({ use: { delta: 0, vega: 1 } }), { bid: 0, ask: 10 });
    assert.deepEqual(room({ right: 'P', use: { delta: 0, vega: -1 } }), { bid: 10, ask: 0 });
  });

  test('HOUSE-1: beyond half of the house line, only room to close a position is left', () => {
    assert.deepEqual(room({ isFullHouse: true }), { bid: 0, ask: 0 });
    assert.deepEqual(room({ isFullHouse: true, held: -3 }), { bid: 3, ask: 0 });
    assert.deepEqual(room({ isFullHouse: true, held: 3 }), { bid: 0, ask: 3 });
  });
});

describe('HOUSE-1 use of the house line', () => {
  test('is value of a long, and value with entry margin of a short', () => {
    const call = { optType: 'call', strike: 110 } as const;
    const at = { price: 2, spot: 100 };
    assert.equal(houseUseUsd({ ...call, qty: 3 }, at), 6);
    assert.equal(houseUseUsd({ ...call, qty: -3 }, at), 3 * (2 + 11));
    assert.equal(houseUseUsd({ ...call, strike: 100, qty: -3 }, at), 3 * (2 + 20));
    assert.equal(houseUseUsd({ optType: 'put', strike: 95, qty: -3 }, at), 3 * (2 + 15));
    assert.equal(houseUseUsd({ optType: 'put', strike: 120, qty: -3 }, at), 3 * (2 + 20));
  });

  test('measures house use by the maker’s values, not the venue’s marks (MARK-1)', () => {
    const inventory = new Inventory();
    const short = positionOf(seriesOf({ sid: 1, strike: 100 }), -10);
    const revalueAt = (price: number) => inventory.revalue(() => ({ price, spot: 100 }));
    revalueAt(2);
    assert.equal(inventory.isFullHouse('BTC'), false);
    inventory.replace(accountOf({ houseLine: 1_000, exposure: 1e10, positions: [{ ...short, mark: 1e9 }] }));
    revalueAt(2);
    assert.deepEqual(
      [inventory.houseShare, inventory.ownShare, inventory.isFullHouse('BTC')],
      [1e7, 0.22, false],
    );
    revalueAt(30);
    assert.deepEqual([inventory.ownShare, inventory.isFullHouse('BTC')], [0.5, true]);
  });

  test('is full if the venue grants no line', () => {
    const inventory = new Inventory();
    inventory.replace(accountOf({ houseLine: 0 }));
    inventory.revalue(() => ({ price: 1, spot: 1 }));
    assert.equal(inventory.isFullHouse('BTC'), true);
  });
});

describe('half spread', () => {
  const parameters = {
    vol: 0.01,
    deltaBps: 10,
    gapSeconds: 3_600,
    expiryShare: 1,
    expiryHours: 12,
    inventoryShare: 1,
    moveSeconds: 0,
  };
  const far = { value: VALUE, spot: 100, atmVol: 0.4, leftMs: 365 * 86_400_000, use: 0, farSpreads: 1 };
  const half = (change: Partial<typeof far>) => halfSpreadOf(parameters, { ...far, ...change });

  test('is the loss from an error in volatility, in price, and from an hour’s move', () => {
    const move = 100 * 0.4 * Math.sqrt(1 / (365 * 24));
    assert.ok(Math.abs(half({}) - (0.01 * 20 + 0.001 * 100 * 0.5 + 0.5 * 0.02 * move * move)) < 1e-12);
  });

  test('widens with vega, gamma, delta, the nearness of expiry and inventory', () => {
    assert.ok(half({ value: { ...VALUE, vega: 21 } }) > half({}));
    assert.ok(half({ value: { ...VALUE, gamma: 0.03 } }) > half({}));
    assert.ok(half({ value: { ...VALUE, forwardDelta: -0.3 } }) < half({}));
    assert.ok(half({ farSpreads: 3 }) > half({}));
    assert.ok(Math.abs(half({ leftMs: 0 }) - 2 * half({})) < 1e-9);
    assert.ok(Math.abs(half({ use: 0.5 }) - 1.5 * half({})) < 1e-9);
  });

  test('is by vega: deep in the money as out of it, and for its delta never wider than at the money', () => {
    const thrifty = { ...parameters, moveSeconds: 90 };
    const at = (delta: number, vega: number, farSpreads = 3) =>
      halfSpreadOf(thrifty, {
        ...far,
        farSpreads,
        value: { ...VALUE, price: 5, gamma: 0, vega, delta, forwardDelta: delta },
      });
    const risk = (delta: number, vega: number) => 3 * (0.01 * vega + 0.001 * 100 * delta);
    const move = (delta: number) => delta * 100 * 0.4 * Math.sqrt(90 / (365 * 86_400));
    assert.ok(Math.abs(at(0.99, 2) - Math.max(risk(0.01, 2), move(0.5))) < 1e-9);
    assert.ok(Math.abs(at(-0.01, 2) - Math.max(risk(0.01, 2), move(0.01))) < 1e-9);
    // What keeps a quote standing is no risk, and so not multiplied.
    assert.equal(at(1, 0), at(1, 0, 1));
    assert.ok(at(1, 0) <= at(0.5, 0, 1));
  });

  test('is at least half a tick', () => {
    assert.equal(half({ value: { ...VALUE, price: 50, vega: 0, gamma: 0, forwardDelta: 0 } }), 0.025);
  });
});
