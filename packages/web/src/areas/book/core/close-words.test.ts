import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComboRecord, OrderRecord } from '@venue/protocol';
import { closeWords, contractWords, limitOf, priceWords, sideOf, termsWords } from './close-words.ts';

const closed = (cause: OrderRecord['cause'], filledQty = 0) => closeWords({ cause, filledQty, qty: 5 });

describe('CID-2: the close of an order in words', () => {
  it('has a sentence of its own for every cause', () => {
    const causes = [
      'filled',
      'user',
      'ioc',
      'stp',
      'gtd',
      'guard',
      'margin',
      'settlement',
      'liquidation',
    ] as const;
    const words = causes.map((cause) => closed(cause));
    assert.equal(new Set(words).size, causes.length);
    for (const each of words) assert.match(each, /^[A-Z]/);
  });

  it('adds what had filled, unless that is all or nothing', () => {
    assert.equal(closed('user'), 'You cancelled it');
    assert.equal(closed('user', 2.5), 'You cancelled it, 2.5 of 5 filled');
    assert.equal(closed('filled', 5), 'Filled');
    assert.equal(closed('ioc'), 'IOC, nothing filled');
    assert.equal(closed('ioc', 2.5), 'IOC, 2.5 of 5 filled');
  });

  it("shows a newer venue's cause as it is", () => {
    assert.equal(closed('comet' as 'user'), 'comet');
    assert.equal(closed(null), 'Closed');
  });

  it('names time in force and flag where they are not the plain ones', () => {
    assert.equal(termsWords({ tif: 'gtc', flag: null, price: 12 }), '');
    assert.equal(termsWords({ tif: 'ioc', flag: null, price: null }), '');
    assert.equal(
      termsWords({ tif: 'ioc', flag: 'reduce-only', price: 12 }),
      'Immediate or cancel, Reduce-only',
    );
  });

  it('names a combo by its spread, and says of its net whether it is paid or received (CMB-3)', () => {
    const combo: ComboRecord = {
      ...{ id: 7, symbol: 'BTC', net: -20, qty: 2, remaining: 0, filledQty: 0, avgPrice: null },
      legs: [
        { seriesId: 'BTC-1795827600-C-92000', side: 'buy', ratio: 1 },
        { seriesId: 'BTC-1795827600-C-94000', side: 'sell', ratio: 2 },
      ],
      ...{ tif: 'ioc', flag: null, status: 'cancelled', cause: 'ioc', ts: 1, closedAt: 1 },
    };
    assert.match(contractWords(combo, String), /^BTC \d+ \w+( \d+)? 92\/94 1x2 call ratio$/);
    const legs = combo.legs.map((leg) => ({ ...leg, ratio: 1 }));
    const spread = {
      ...combo,
      legs: legs.map((leg, i) => ({ ...leg, side: i === 0 ? 'sell' : 'buy' }) as const),
    };
    assert.match(contractWords(spread, String), /^BTC \d+ \w+( \d+)? 92\/94 call spread$/);
    assert.equal(sideOf(spread), 'sell');
    assert.equal(priceWords(combo, -20, 2), '20.00 credit');
    assert.equal(priceWords(combo, 3.5, 2), '3.50 debit');
    assert.equal(limitOf(combo), -20);
    assert.equal(closeWords(combo), closed('ioc'));
  });
});
