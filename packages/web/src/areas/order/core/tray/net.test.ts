import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyLegs, type LegQuote, netAt, netsOf, readNet, shareOf, typedNet } from './net.ts';

const quote = (bid: number, ask: number): LegQuote => ({ bid, ask, mid: (bid + ask) / 2, iv: 0.5 });
const QUOTES: Readonly<Record<string, LegQuote>> = {
  low: quote(10.1, 10.3),
  high: quote(4, 4.4),
  bare: { bid: Number.NaN, ask: 3, mid: Number.NaN, iv: Number.NaN },
};
const quoteOf = (seriesId: string) => QUOTES[seriesId] ?? null;
const buy = (seriesId: string, ratio = 1) => ({ seriesId, side: 'buy', ratio }) as const;
const sell = (seriesId: string, ratio = 1) => ({ seriesId, side: 'sell', ratio }) as const;

describe('CMB-1 the net price of a combo', () => {
  it('is the sum of its legs, exact to the micro', () => {
    assert.deepEqual(netsOf([buy('low'), sell('high', 2)], quoteOf), { touch: 2.3, mid: 1.8, far: 1.3 });
    assert.deepEqual(netsOf([sell('low'), buy('high')], quoteOf), { touch: -5.7, mid: -6, far: -6.3 });
  });

  it('is unknown where a leg has nobody on the other side, or is in no chain yet', () => {
    const nets = netsOf([buy('low'), sell('bare')], quoteOf);
    assert.ok(Number.isNaN(nets.touch) && Number.isNaN(nets.mid));
    assert.equal(nets.far, 7.1);
    assert.deepEqual(emptyLegs([buy('low'), sell('bare'), buy('none')], quoteOf), [sell('bare')]);
    assert.ok(Number.isNaN(netsOf([buy('none')], quoteOf).far));
  });

  it('lies on the slider between touch, middle and far touch', () => {
    const nets = { touch: 2.3, mid: 1.8, far: 1.3 };
    for (const [share, net] of [
      [0, 2.3],
      [0.25, 2.05],
      [0.5, 1.8],
      [0.75, 1.55],
      [1, 1.3],
    ] as const) {
      assert.equal(netAt(nets, share), net);
      assert.ok(Math.abs(shareOf(nets, net)! - share) < 1e-9, `${share}`);
    }
    assert.equal(shareOf(nets, 9), 0);
    assert.equal(shareOf(nets, -9), 1);
    assert.equal(shareOf({ ...nets, mid: Number.NaN }, 2), null);
    assert.ok(Number.isNaN(netAt({ ...nets, far: Number.NaN }, 0.75)));
  });

  it('is typed as an amount and a direction', () => {
    assert.deepEqual(typedNet(-5.7), { price: '5.70', isCredit: true });
    assert.deepEqual(typedNet(Number.NaN), { price: '', isCredit: false });
    assert.equal(readNet({ price: '5.70', isCredit: true }), -5_700_000);
    assert.equal(readNet({ price: '0', isCredit: true }), 0);
    assert.equal(readNet({ price: '5.7.1', isCredit: false }), null);
  });
});
