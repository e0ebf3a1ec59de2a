import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActionWire } from '@venue/protocol';
import { actionText } from './action-text.ts';

const ORDER = { type: 'place', seriesId: 'BTC-1795827600-C-92000', side: 'sell', qty: 0.5 } as const;

test('an action reads as a sentence, without what goes without saying', () => {
  for (const [action, text] of [
    [ORDER, 'sell 0.5 BTC-1795827600-C-92000 at the market'],
    [{ ...ORDER, tif: 'ioc', stp: 'taker' }, 'sell 0.5 BTC-1795827600-C-92000 at the market'],
    [{ ...ORDER, price: 2, tif: 'gtc' }, 'sell 0.5 BTC-1795827600-C-92000 at no less than 2.00 USD'],
    [
      { ...ORDER, price: 2, tif: 'gtd', expiresAt: 1_795_827_600_000, postOnly: true, clientId: 'q-7' },
      'sell 0.5 BTC-1795827600-C-92000 at no less than 2.00 USD, until 2026-11-28 01:00:00 UTC, post-only, as q-7',
    ],
    [
      { ...ORDER, side: 'buy', price: 2, tif: 'fok', reduceOnly: true, stp: 'maker' },
      'buy 0.5 BTC-1795827600-C-92000 at no more than 2.00 USD, fok, reduce-only, stp maker',
    ],
    [{ type: 'amend', orderId: 17, qty: 3 }, 'amend 17: quantity 3'],
    [
      { type: 'amend', clientId: '17', price: 2, filledAtMost: 0 },
      'amend client:17: price 2.00 USD, if no more than 0 is filled',
    ],
    [{ type: 'cancel', clientId: 'q-7' }, 'cancel q-7'],
    [{ type: 'cancel-all' }, 'cancel all orders'],
    [{ type: 'cancel-all', symbols: ['BTC', 'ETH'], side: 'buy' }, 'cancel all buy orders of BTC, ETH'],
    [{ type: 'guard', ms: 90_000 }, 'guard 1m30s'],
    [{ type: 'guard', ms: 0 }, 'guard off'],
  ] as [ActionWire, string][])
    assert.equal(actionText(action), text);
});
