import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { aimOf, buttonWords, sentWords, trayTitle } from './aim.ts';
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
  it('is named by what is held, in title, button and notice', () => {
    const name = /^Close BTC \d+ \w+ 90\/92\/97\/99 iron condor$/;
    assert.match(trayTitle(CLOSE, 0.5, NOW), name);
    assert.match(sentWords(CLOSE, terms(620), NOW), /^Close 0\.5 BTC .* iron condor$/);
    assert.match(
      buttonWords(CLOSE, terms(620), NOW, 0.5),
      /^Close 0\.5 BTC .* iron condor at a cost of 620\.00$/,
    );
    assert.match(buttonWords(CLOSE, terms(-12), NOW, 0.2), /^Close 0\.2 of 0\.5 .* for a credit of 12\.00$/);
    const loose = [leg('C', 97_000, 'sell'), leg('P', 97_000, 'buy')];
    const words = buttonWords({ ...CLOSE, isClosing: true }, terms(5, loose), NOW, 0.5);
    assert.match(words, /: −1 97,000 put, \+1 97,000 call at a cost of 5\.00$/);
  });

  it('is a trade once a leg is changed, and a roll is no close', () => {
    assert.equal(aimOf({ rolls: null, isClosing: false }), 'trade');
    assert.equal(aimOf({ rolls: [{ seriesId: id('C', 97_000), qty: 1 }], isClosing: false }), 'roll');
    const opened = { ...CLOSE, isClosing: false };
    assert.match(buttonWords(opened, terms(620), NOW, 0.5), /^Buy 0\.5 /);
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
      'Realises +$5.00 before its fee · Book after it: lose at most $500.00 · gains are unlimited',
    );
    assert.match(
      closeLine(null, { hasFee: false }, { ...call, hasManyExpiries: true }),
      /^Book after it, held to expiry: lose/,
    );
    assert.equal(closeLine(null, { hasFee: false }, null), '');
  });
});
