import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chain, ChainLeg, ChainRow } from '@venue/protocol';
import { smilesOf } from './smile.ts';

function leg(iv: number): ChainLeg {
  const none = { bid: null, ask: null, mid: null, delta: 0, openInterest: 0, volume: 0 };
  return { seriesId: 'X', sid: 1, iv, ...none };
}

/** A strike with the volatilities of its call and put; null where nothing is listed. */
function row(strike: number, call: number | null, put: number | null): ChainRow {
  return { strike, call: call === null ? null : leg(call), put: put === null ? null : leg(put) };
}

function chain(expiryTs: number, spot: number, rows: ChainRow[]): Chain {
  return { symbol: 'BTC', expiryTs, spot, sessionOpen: true, rows };
}

describe('smile', () => {
  test('takes the volatility of the out-of-the-money leg, else of the other', () => {
    const rows = [
      row(90, 0.61, 0.62),
      row(80, 0.7, 0),
      row(100, 0.51, 0.52),
      row(110, 0, 0.45),
      row(120, 0.4, null),
    ];
    assert.deepEqual(smilesOf([chain(7, 100, rows)]), [
      {
        expiryTs: 7,
        points: [
          { strike: 80, iv: 0.7, right: 'C' },
          { strike: 90, iv: 0.62, right: 'P' },
          { strike: 100, iv: 0.51, right: 'C' },
          { strike: 110, iv: 0.45, right: 'P' },
          { strike: 120, iv: 0.4, right: 'C' },
        ],
      },
    ]);
  });

  test('a strike without a volatility is left out, as is an expiry without any', () => {
    const smiles = smilesOf([
      chain(9, 100, [row(100, 0.5, 0.5)]),
      chain(8, 100, [row(100, 0, 0), row(110, null, null)]),
      chain(7, 100, [row(90, 0, 0), row(100, 0.6, 0.6)]),
    ]);
    assert.deepEqual(
      smiles.map(({ expiryTs, points }) => [expiryTs, points.map(({ strike }) => strike)]),
      [
        [7, [100]],
        [9, [100]],
      ],
    );
  });
});
