import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { micros, Venue } from '../../test/venue.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import { previewOrder } from '../trading/preview.ts';
import { riskOf } from './margin.ts';

const SERIES = 'AAPL-C-190';

/** Bob offers two contracts, short, and alice takes one of them. */
function traded(): Venue {
  const venue = Venue.listed();
  const bob = venue.account('bob').address!;
  venue.apply({ kind: 'margin', account: bob, enabled: true });
  order(venue, 'bob', 'sell', '2', '3');
  order(venue, 'alice', 'buy', '1', '3');
  return venue;
}

function order(venue: Venue, name: string, side: 'buy' | 'sell', qty: string, price: string) {
  const [qtyMicros, priceMicros] = [micros(qty), micros(price)];
  const account = venue.account(name).address!;
  const { seriesId } = venue.series(SERIES);
  return venue.apply({ kind: 'order', account, seriesId, side, qtyMicros, priceMicros });
}

/** Compares with a restored state, whose memo is still empty. */
function assertFresh({ state }: Venue): void {
  const restored = restoreState(stateLines(state));
  for (const { index } of state.accounts) {
    const [kept, fresh] = [state, restored].map((one) => riskOf(one, one.accounts[index]!));
    assert.deepEqual(kept, fresh, `account ${index}`);
  }
}

const CHANGES: readonly [string, (venue: Venue) => void][] = [
  ['a better price', (venue) => order(venue, 'carol', 'buy', '1', '2.80')],
  ['the end of a side', (venue) => order(venue, 'carol', 'buy', '1', '3')],
  ['another spot', (venue) => venue.print('AAPL', 'feed', '230')],
  [
    'a review of what nobody quotes, as one source is too few',
    (venue) => {
      order(venue, 'carol', 'buy', '1', '3');
      assertFresh(venue);
      venue.wait(venue.series(SERIES).cutoffMs + 1 - venue.nowMs);
      venue.maintain([2, 3]);
      assert.equal(venue.series(SERIES).status, 'pending-review');
    },
  ],
];

describe('MAR-1 the valuation of positions', () => {
  for (const [name, change] of CHANGES) {
    test(`follows ${name}`, () => {
      const venue = traded();
      assertFresh(venue);
      change(venue);
      assertFresh(venue);
    });
  }

  test('is not affected by a preview, whose book has its own version count', () => {
    const venue = traded();
    const { seriesId } = venue.series(SERIES);
    const wanted = { seriesId, side: 'buy', qtyMicros: micros('1'), priceMicros: micros('3') } as const;
    const account = venue.account('alice');
    previewOrder(venue.state, account, wanted, venue.nowMs);
    order(venue, 'carol', 'buy', '1', '2.80');
    assertFresh(venue);
  });
});
