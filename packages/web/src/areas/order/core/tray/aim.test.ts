import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { aimOf, sentWords, trayTitle } from './aim.ts';
import { closeLine } from './outcome-line.ts';
import { realizedBy } from './terms.ts';

const NOW = Date.UTC(2026, 10, 20);
const id = (right: 'C' | 'P', strike: number) => `BTC-1795827600-${right}-${strike}`;
const leg = (right: 'C' | 'P', strike: number, side: 'buy' | 'sell'): SpreadLeg => ({
  ...{ seriesId: id(right, strike), side, ratio: 1 },
});
/** Buys back a condor that was sold. */
const CONDOR = [
  leg('P', 90_000, 'sell'),
  leg('P', 92_000, 'buy'),
  leg('C', 97_000, 'buy'),
  leg('C', 99_000, 'sell'),
];
const CLOSE = { legs: CONDOR, rolls: null, isClosing: true };
const terms = (net: number, legs = CONDOR) => ({ legs, qty: 0.5, net, tif: 'ioc' as const });

describe('TERM-11: the close of a strategy', () => {
  it('is named by what is held, in title and notice', () => {
    const name = /^Close BTC \d+ \w+ 90\/92\/97\/99 iron condor$/;
    assert.match(trayTitle(CLOSE, 0.5, NOW), name);
    assert.match(sentWords(CLOSE, terms(620), NOW), /^Close 0\.5 BTC .* iron condor$/);
  });

  it('is a trade once a leg is changed, and a roll is no close', () => {
    assert.equal(aimOf({ rolls: null, isClosing: false }), 'trade');
    assert.equal(aimOf({ rolls: [{ seriesId: id('C', 97_000), qty: 1 }], isClosing: false }), 'roll');
    const opened = { ...CLOSE, isClosing: false };
    assert.match(sentWords(opened, terms(620), NOW), /^Buy 0\.5 /);
    assert.equal(trayTitle({ ...opened, legs: [] }, null, NOW), 'Strategy');
  });

  it('realises what it trades at against the average prices, if as much is held', () => {
    const held = (qty: number) =>
      new Map(
        CONDOR.map(({ seriesId, side }) => [
          seriesId,
          { qty: side === 'buy' ? -qty : qty, avgPrice: side === 'buy' ? 400 : 110 },
        ]),
      );
    // Sold for 580 a unit, bought back for 620 and a fee of 2.
    const counted = { units: 0.5, paid: 312, hasFee: true };
    assert.equal(realizedBy({ legs: CONDOR }, counted, held(0.5)), -22);
    assert.equal(realizedBy({ legs: CONDOR }, counted, held(0.4)), null);
    assert.equal(realizedBy({ legs: CONDOR }, counted, held(-1)), null);
    assert.equal(realizedBy({ legs: CONDOR }, counted, new Map()), null);
  });

  it('says of the book after it what still depends on a price', () => {
    const empty = { greatestLoss: 22, greatestGain: -22, breakEvens: [], hasManyExpiries: false };
    assert.equal(closeLine(-22, { hasFee: true }, empty), 'Realises −$22.00 after its fee');
    const call = { greatestLoss: 500, greatestGain: null, breakEvens: [], hasManyExpiries: false };
    assert.equal(
      closeLine(5, { hasFee: false }, call),
      'Realises +$5.00 before its fee · Positions after: max loss $500.00 · max profit unlimited',
    );
    assert.match(
      closeLine(null, { hasFee: false }, { ...call, hasManyExpiries: true }),
      /^Positions after, held to expiry: max loss/,
    );
    assert.equal(closeLine(null, { hasFee: false }, null), '');
  });
});
