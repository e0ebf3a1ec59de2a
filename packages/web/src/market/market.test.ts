import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chain, ChainLeg } from '@venue/protocol';
import { COLUMNS, Market } from './market.ts';

const EXPIRY_TS = 1_800_000_000;

function leg(right: string, strike: number, over: Partial<ChainLeg> = {}): ChainLeg {
  return {
    ...{ seriesId: `BTC-${EXPIRY_TS}-${right}-${strike}`, sid: strike, mid: 3, iv: 0.5, delta: 0.4 },
    ...{ bid: { price: 2.9, qty: 1 }, ask: { price: 3.1, qty: 2 }, openInterest: 0, volume: 0 },
    ...over,
  };
}

function chainOf(strikes: readonly number[], over: Partial<ChainLeg> = {}): Chain {
  const rows = strikes.map((strike) => ({
    strike,
    call: leg('C', strike, over),
    put: leg('P', strike),
  }));
  return { symbol: 'BTC', expiryTs: EXPIRY_TS, spot: 100, sessionOpen: true, rows };
}

function changes(market: Market): string[] {
  const seen: string[] = [];
  market.takeChanged((legIndex, column, value) => {
    seen.push(`${market.shape!.legs[legIndex]!.right}${legIndex} ${COLUMNS[column]} ${value}`);
  });
  return seen;
}

describe('the chain in columns', () => {
  test('reports each change once', () => {
    const market = new Market();
    market.apply(chainOf([90, 100]));
    assert.equal(changes(market).length, 4 * COLUMNS.length);
    assert.deepEqual(changes(market), []);
    market.apply(chainOf([90, 100], { mid: 3.05 }));
    assert.deepEqual(changes(market), ['C0 mark 3.05', 'C2 mark 3.05']);
    market.apply(chainOf([90, 100], { mid: 3.05 }));
    assert.deepEqual(changes(market), []);
  });

  test('keeps its shape while the strikes stay, and notifies when they change', () => {
    const market = new Market();
    let shaped = 0;
    market.subscribe({
      shaped: () => {
        shaped += 1;
      },
    });
    market.apply(chainOf([90, 100]));
    const { shape } = market;
    market.apply(chainOf([90, 100], { mid: 9 }));
    assert.equal(market.shape, shape);
    market.apply(chainOf([90, 100, 110]));
    assert.notEqual(market.shape, shape);
    assert.equal(shaped, 2);
  });

  test('an empty side and a missing annotation are unknown, not zero', () => {
    const market = new Market();
    market.apply(chainOf([90], { bid: null, mid: null, iv: 0, delta: 0 }));
    const call = market.shape!.rows[0]!.call!;
    for (const column of ['bid', 'bidQty', 'mark', 'iv', 'delta'] as const)
      assert.ok(Number.isNaN(market.value(call, column)), column);
    assert.equal(market.value(call, 'ask'), 3.1);
    assert.equal(market.value(call, 'oi'), 0);
  });

  test('a missing price is not a spot', () => {
    const market = new Market();
    market.apply({ ...chainOf([90]), spot: 0 });
    assert.ok(Number.isNaN(market.spot));
  });
});
