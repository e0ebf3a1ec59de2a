/** Whatever is posted, the resulting log entry must be readable: one that is not stops every later start. */

// @process exchange-http
// @seconds 5

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCommand } from '@venue/engine';
import {
  type Call,
  DEPOSITS,
  FEED_TOKEN,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  pricedVenue,
  signIn,
  startVenue,
} from '../../test/support.ts';

const ODD: readonly unknown[] = [
  ...['', ' ', 'foo bar', 'é', 'ß', '\u0000', 'x'.repeat(65), 'btc', 'A-1', 'btc,eth', 'all', '0x', '12'],
  ...[0, -0, -1, 1.5, 1e-9, 1e21, 1e300, 2 ** 53],
  ...[null, true, [], {}],
];
const FEED = { headers: { 'x-feed-token': FEED_TOKEN } };
const MAKER = { headers: { 'x-maker-token': MAKER_TOKEN } };
const OPERATOR = { headers: { 'x-operator-token': OPERATOR_TOKEN } };
const SETTLERS = {
  headers: {
    'x-settle-token-1': DEPOSITS.VENUE_SETTLE_TOKEN_1!,
    'x-settle-token-2': DEPOSITS.VENUE_SETTLE_TOKEN_2!,
  },
};
const HASH = `0x${'AB'.repeat(32)}`;

/** An action of each kind, with every field that it may have. */
const ACTIONS: readonly object[] = [
  {
    ...{ type: 'place', seriesId: 'BTC-1-C-1', side: 'buy', qty: 1, price: 1, stp: 'none', clientId: 'a' },
    ...{ tif: 'gtd', expiresAt: 4e12, postOnly: true, reduceOnly: false },
  },
  { type: 'amend', clientId: 'a', qty: 1, price: 1, filledAtMost: 1 },
  { type: 'amend', orderId: 1, qty: 1 },
  { type: 'cancel', orderId: 1 },
  { type: 'cancel', clientId: 'a' },
  { type: 'cancel-all', symbols: ['BTC'], side: 'buy' },
  { type: 'cancel-all', seriesIds: ['BTC-1-C-1'] },
  { type: 'guard', ms: 0 },
];

function oddActions(odd: unknown): unknown[] {
  const inLists = [
    { type: 'cancel-all', symbols: [odd] },
    { type: 'cancel-all', seriesIds: ['A', odd] },
  ];
  const inFields = ACTIONS.flatMap((action) =>
    Object.keys(action).map((name) => ({ ...action, [name]: odd })),
  );
  return [odd, ...inLists, ...inFields];
}

type Request = readonly [path: string, body: unknown, call: Call];

function tradersRequests(odd: unknown, token: string): Request[] {
  const order = { seriesId: 'BTC-1-C-1', side: 'buy', qty: 1, price: 1 };
  const bodies: [string, unknown][] = [
    ['/v1/cancel', { symbols: [odd] }],
    ['/v1/cancel', { symbols: odd }],
    ['/v1/order/cancel', { orderId: odd }],
    ['/v1/margin', { enabled: odd }],
    ['/v1/withdraw', { amount: odd }],
    ...Object.keys(order).map((name): [string, unknown] => ['/v1/order', { ...order, [name]: odd }]),
    ...oddActions(odd).map((action): [string, unknown] => ['/v1/batch', { actions: [action] }]),
  ];
  return bodies.map(([path, body]) => [path, body, { token }]);
}

function othersRequests(odd: unknown, address: string): Request[] {
  const print = { symbol: 'BTC', source: 'a', price: 1 };
  const deposit = { address, amount: 1, txHash: HASH, logIndex: 0, blockNumber: 1, blockHash: HASH };
  return [
    ...Object.keys(print).map(
      (name): Request => ['/v1/feed/prints', { prints: [{ ...print, [name]: odd }] }, FEED],
    ),
    ['/v1/maker/session', { attemptId: odd }, MAKER],
    ['/v1/maker/pull', { session: odd }, MAKER],
    ['/v1/quotes', { rows: [[odd, [[1, 1]], [[2, 1]], 0.5, 0.5]] }, MAKER],
    ['/v1/quotes', { rows: [[0, [[odd, 1]], [[2, odd]], odd, odd]] }, MAKER],
    ['/v1/operator/settle', { seriesId: odd, price: 1 }, SETTLERS],
    ['/v1/operator/settle', { symbol: odd, expiryTs: odd, price: odd }, SETTLERS],
    ['/v1/operator/settle', odd, SETTLERS],
    ...Object.keys(deposit).map((name): Request => ['/v1/deposit', { ...deposit, [name]: odd }, OPERATOR]),
    ['/v1/operator/held/release', { address: odd }, OPERATOR],
    ['/v1/operator/payouts/commit', { ids: [odd], txHash: HASH }, OPERATOR],
  ];
}

async function postAll(venue: LocalVenue): Promise<void> {
  const { address, token } = await signIn(venue);
  const requests = ODD.flatMap((odd) => [...tradersRequests(odd, token), ...othersRequests(odd, address)]);
  for (const [path, body, call] of requests) {
    const { status } = await venue.post(path, body, call);
    assert.notEqual(status, 500, `${path} ${JSON.stringify(body)}`);
  }
}

describe('odd values in every field', () => {
  for (const mode of ['paper', 'deposits'] as const) {
    it(`cause no unreadable entry, in ${mode} mode`, async (t) => {
      const { VENUE_FUNDING_MODE: _, ...secrets } = DEPOSITS;
      const venue = mode === 'paper' ? await pricedVenue(secrets) : await startVenue(DEPOSITS);
      t.after(() => venue.exchange.stop());
      await postAll(venue);
      const { entries } = venue.store;
      assert.ok(entries.length > 100);
      for (const { kind, body } of entries) assert.doesNotThrow(() => decodeCommand(kind, body));
    });
  }
});
