import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActionWire, BatchActionType } from '@venue/protocol';
import type { ActionResult } from '@venue/sdk';
import { Command } from 'commander';
import { colourless } from '../../terminal/style.ts';
import { addOrderWords } from '../order-words.ts';
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
  {
    type: 'combo',
    legs: [
      { seriesId: SERIES, side: 'sell', ratio: 2 },
      { seriesId: 'BTC-1795827600-C-94000', side: 'buy', ratio: 1 },
    ],
    qty: 2,
  },
  { type: 'margin-mode', mode: 'defined-risk' },
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
  {
    type: 'combo',
    status: 'filled',
    orderId: 9,
    fills: [
      { seriesId: SERIES, side: 'sell', price: 12, qty: 2 },
      { seriesId: SERIES, side: 'sell', price: 10, qty: 2 },
      { seriesId: 'BTC-1795827600-C-94000', side: 'buy', price: 5, qty: 2 },
    ],
    restedQty: 0,
  },
  { type: 'margin-mode', ok: true },
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
    // Two units: 44 received for four of the first leg, 10 paid for two of the other.
    /^8 +combo of 2: sell 2 .* +filled +9 +2 +-17\.00 +-$/,
    /^9 +margin defined-risk +done +- /,
  ].entries())
    assert.match(rows[i]!, row);
  assert.equal(rows.length, 9);
});

test('the exit code tells declined orders and cancels that found nothing from the rest', () => {
  const numbers = (is: (result: ActionResult) => boolean) =>
    RESULTS.flatMap((result, i) => (is(result) ? [i + 1] : []));
  assert.deepEqual([numbers(isDeclined), numbers(isIdle)], [[2], [5]]);
});

const TYPES: Readonly<Record<BatchActionType, true>> = {
  ...{ place: true, combo: true, amend: true, cancel: true, 'cancel-all': true },
  ...{ guard: true, protect: true, unfreeze: true, 'margin-mode': true },
};

test('BAT-1: the help of a batch names all of its actions, in lines of one width', () => {
  const venue = new Command();
  addOrderWords(venue);
  const batch = venue.commands.find((command) => command.name() === 'batch')!;
  let help = '';
  batch.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const words = new Set(help.split(/[\s,.:]+/));
  for (const type of Object.keys(TYPES)) assert.ok(words.has(type), type);
  assert.deepEqual(
    help.split('\n').filter((line) => line.length > 120),
    [],
  );
});
