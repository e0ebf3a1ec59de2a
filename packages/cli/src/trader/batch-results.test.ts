import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActionWire } from '@venue/protocol';
import type { ActionResult } from '@venue/sdk';
import { colourless } from '../terminal/style.ts';
import { isDeclined, isIdle, resultsText } from './batch-results.ts';

const SERIES = 'BTC-1795827600-C-92000';
const ACTIONS: ActionWire[] = [
  { type: 'place', seriesId: SERIES, side: 'buy', qty: 3, price: 12 },
  { type: 'place', seriesId: SERIES, side: 'buy', qty: 3, price: 12, postOnly: true },
  { type: 'amend', orderId: 4, qty: 2 },
  { type: 'cancel', orderId: 5 },
  { type: 'cancel', clientId: 'gone' },
  { type: 'cancel-all' },
  { type: 'guard', ms: 0 },
];
const RESULTS: ActionResult[] = [
  {
    type: 'place',
    status: 'partial',
    orderId: 7,
    fills: [
      { price: 10, qty: 1 },
      { price: 11, qty: 1 },
    ],
    restedQty: 1,
  },
  { type: 'place', status: 'rejected', orderId: 0, fills: [], reason: 'post-only would trade' },
  { type: 'amend', status: 'rested', orderId: 4, fills: [], restedQty: 2 },
  { type: 'cancel', ok: true, orderId: 5 },
  { type: 'cancel', ok: false, orderId: 0 },
  { type: 'cancel-all', ok: true, pulled: 3 },
  { type: 'guard', ok: true },
];

test('BAT-3: every result has a row with its action', () => {
  const [header, ...rows] = resultsText(ACTIONS, RESULTS, { width: Infinity, paint: colourless });
  assert.match(header!, /^# +action +outcome +order +filled +at USD +rests$/);
  for (const [i, row] of [
    /^1 +buy 3 BTC-\S+ at no more than 12\.00 USD +partial +7 +2 +10\.50 +1$/,
    /^2 +buy 3 .*, post-only +rejected: post-only would trade +- +- +- +-$/,
    /^3 +amend 4: quantity 2 +rested +4 +- +- +2$/,
    /^4 +cancel 5 +cancelled +5 /,
    /^5 +cancel gone +nothing to cancel +- /,
    /^6 +cancel all orders +3 cancelled +- /,
    /^7 +guard off +removed +- /,
  ].entries())
    assert.match(rows[i]!, row);
  assert.equal(rows.length, 7);
});

test('the exit code tells declined orders and cancels that found nothing from the rest', () => {
  const numbers = (is: (result: ActionResult) => boolean) =>
    RESULTS.flatMap((result, i) => (is(result) ? [i + 1] : []));
  assert.deepEqual([numbers(isDeclined), numbers(isIdle)], [[2], [5]]);
});
