import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchAction, PlaceAction } from '@venue/protocol';
import { addressOf, micros, Venue } from '../../test/venue.ts';

const NAMES = ['AAPL-C-190', 'AAPL-C-195', 'BTC-C-100000'];

function placed(venue: Venue, name: string, tenths: number): PlaceAction {
  const { seriesId } = venue.series(name);
  return {
    ...{ type: 'place', seriesId, side: 'buy', qtyMicros: micros('1'), priceMicros: tenths * 100_000 },
    ...{ tif: 'gtc', stp: 'taker' },
  };
}

function send(venue: Venue, actions: readonly BatchAction[]) {
  const outcome = venue.apply({ kind: 'batch', account: addressOf('alice'), actions });
  assert.ok('results' in outcome);
  return outcome.results;
}

test('BAT-7: each cancel of a batch pulls what those before left, and what was placed since', () => {
  const venue = Venue.listed();
  venue.account('alice');
  const all = (scope: 'all' | { series: string[] } | { symbols: string[] }, side?: 'buy' | 'sell') =>
    ({ type: 'cancel-all', scope, ...(side !== undefined && { side }) }) as BatchAction;
  const [first] = NAMES.map((name) => venue.series(name).seriesId);
  const results = send(venue, [
    ...NAMES.map((name) => placed(venue, name, 10)),
    all('all', 'sell'),
    all({ series: [first!] }),
    all({ series: [first!] }),
    placed(venue, NAMES[0]!, 9),
    placed(venue, NAMES[1]!, 9),
    all({ symbols: ['AAPL'] }),
    all({ symbols: ['AAPL'] }, 'buy'),
    all('all', 'buy'),
  ]);
  const pulled = results.flatMap((result) => (result.type === 'cancel-all' ? [result.pulled] : []));
  assert.deepEqual(pulled, [0, 1, 0, 3, 0, 1]);
  const { state } = venue;
  assert.equal(state.orders.countOf(venue.account('alice').index), 0);
  venue.checkReplay();
});

test('BAT-7: 64 cancels of a batch walk the orders of the account once', () => {
  const venue = Venue.listed();
  venue.account('alice');
  const resting = 300;
  for (let at = 0; at < resting; at += 50) {
    const actions = Array.from({ length: 50 }, (_, i) => placed(venue, NAMES[i % 2]!, 1 + at + i));
    send(
      venue,
      actions.map((action) => ({ ...action, qtyMicros: micros('0.01') })),
    );
  }
  const { orders } = venue.state;
  assert.equal(orders.countOf(venue.account('alice').index), resting);
  let steps = 0;
  const nextOf = orders.nextOf.bind(orders);
  orders.nextOf = (h) => {
    steps += 1;
    return nextOf(h);
  };
  const { seriesId } = venue.series(NAMES[2]!);
  const scope = { series: [seriesId] };
  send(
    venue,
    Array.from({ length: 64 }, (): BatchAction => ({ type: 'cancel-all', scope })),
  );
  assert.ok(steps <= 2 * resting, `${steps} steps over ${resting} orders`);
});
