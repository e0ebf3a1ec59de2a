import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAction } from '@venue/protocol';
import { addressOf, seriesIdOf, Venue } from '../../test/venue.ts';
import type { OrderCommand } from '../entry/command.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { RESTING_ORDERS_MAX, VISITS_MAX } from '../state/limits.ts';
import { previewOrder } from './preview.ts';

describe('BAT-7 bounds', () => {
  const account = addressOf('alice');
  const seriesId = seriesIdOf('AAPL-C-190');

  /** Bids of a micro, one above the other, by orders of batches. */
  function bids(venue: Venue, who: string, count: number): void {
    for (const name of ['alice', who]) venue.account(name);
    const place = (at: number): BatchAction => ({
      ...{
        type: 'place',
        seriesId,
        side: 'buy',
        qtyMicros: 1,
        priceMicros: 1_000 + at,
        tif: 'gtc',
        stp: 'taker',
      },
    });
    for (let at = 0; at < count; at += 64) {
      const actions = Array.from({ length: Math.min(64, count - at) }, (_, i) => place(at + i));
      venue.apply({ kind: 'batch', account: addressOf(who), actions });
    }
  }

  function reasons(venue: Venue, ...actions: BatchAction[]): (string | undefined)[] {
    const outcome = venue.apply({ kind: 'batch', account, actions });
    assert.ok('results' in outcome);
    return outcome.results.map((one) => ('reason' in one ? one.reason : undefined));
  }

  /** The status of an order placed by itself. */
  function status(
    venue: Venue,
    order: Pick<OrderCommand, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros'>,
  ) {
    const outcome = venue.apply({ kind: 'order', account, ...order });
    return 'status' in outcome ? outcome.status : outcome.refusal;
  }

  const walk: BatchAction = {
    ...{ type: 'place', seriesId, side: 'sell', qtyMicros: 1_000_000_000, priceMicros: 2 },
    ...{ tif: 'fok', stp: 'taker' },
  };

  test('an account has ten thousand resting orders of batches; others, amends and orders placed alone pass', () => {
    const venue = Venue.listed();
    bids(venue, 'alice', RESTING_ORDERS_MAX);
    const { state } = venue;
    const own = venue.account('alice').index;
    assert.equal(state.orders.countOf(own), RESTING_ORDERS_MAX);
    const bid = { seriesId, side: 'buy', qtyMicros: 1, priceMicros: 2_000 } as const;
    const place: BatchAction = { type: 'place', ...bid, tif: 'gtc', stp: 'taker' };
    const { lastOrderId } = state;
    const orderId = lastOrderId;
    const amend: BatchAction = { type: 'amend', ref: { orderId }, qtyMicros: 7 };
    assert.deepEqual(
      reasons(
        venue,
        place,
        { ...place, tif: 'ioc' },
        amend,
        { type: 'cancel', ref: { orderId } },
        place,
        place,
      ),
      ['too many resting orders', ...[undefined, undefined, undefined, undefined], 'too many resting orders'],
    );
    assert.equal(status(venue, bid), 'rested');
    const restored = restoreState([...stateLines(state)]);
    assert.equal(stateDigest(restored), stateDigest(state));
    assert.equal(restored.terms.countsOf(own).resting, RESTING_ORDERS_MAX);
    const preview = previewOrder(
      state,
      venue.account('alice'),
      { ...bid, terms: { tif: 'gtc', stp: 'taker' } },
      state.ts,
    );
    assert.equal('reason' in preview.outcome && preview.outcome.reason, 'too many resting orders');
    assert.equal(previewOrder(state, venue.account('alice'), bid, state.ts).outcome.status, 'rested');
  });

  test('an entry looks at so many orders; what is placed or amended after that is declined, cancels pass', () => {
    const venue = Venue.listed();
    // Less than a tenth, as the positions of the account count, too.
    bids(venue, 'bob', 4_999);
    const bid: BatchAction = {
      type: 'place',
      seriesId,
      side: 'buy',
      qtyMicros: 1,
      priceMicros: 1,
      tif: 'gtc',
      stp: 'taker',
      clientId: 'a',
    };
    assert.deepEqual(reasons(venue, bid), [undefined]);
    const walks = Array.from({ length: VISITS_MAX / 5_000 }, () => walk);
    const amend: BatchAction = { type: 'amend', ref: { clientId: 'a' }, qtyMicros: 5 };
    const again: BatchAction = { ...bid, clientId: 'b' };
    const unfilled = walks.map(() => 'fok cannot fill');
    assert.deepEqual(reasons(venue, ...walks, again), [...unfilled, undefined]);
    const after = reasons(venue, ...walks, walk, { ...bid, clientId: 'c' }, amend, bid, {
      type: 'cancel',
      ref: { clientId: 'a' },
    });
    assert.deepEqual(after, [
      ...unfilled,
      ...Array.from({ length: 3 }, () => 'too much work'),
      undefined,
      undefined,
    ]);
    // The next entry begins at zero.
    assert.deepEqual(reasons(venue, { ...bid, clientId: 'c' }), [undefined]);
  });

  test('what trades counts for more, and an order placed by itself trades with any number', () => {
    const venue = Venue.listed();
    bids(venue, 'bob', 5_000);
    venue.account('alice');
    venue.apply({ kind: 'margin', account, enabled: true });
    const sell = { seriesId, side: 'sell', qtyMicros: 5_000, priceMicros: 1 } as const;
    assert.deepEqual(reasons(venue, { type: 'place', ...sell, tif: 'ioc', stp: 'taker' }), ['too much work']);
    const terms = { tif: 'ioc', stp: 'taker' } as const;
    const { outcome } = previewOrder(venue.state, venue.account('alice'), { ...sell, terms }, venue.state.ts);
    assert.equal('reason' in outcome && outcome.reason, 'too much work');
    assert.equal(status(venue, sell), 'filled');
  });
});
