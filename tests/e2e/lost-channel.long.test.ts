/** The messages of one channel are lost on the way while others are busy, or its series ends (STR-5). */

// @seconds 17

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it, type TestContext } from 'node:test';
import { ChannelEndedError, openChannels, VenueClient } from '@venue/sdk';
import { ExpiringVenue } from '../../packages/exchange/test/expiring.ts';
import { type Json, type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { ended, run, start } from './cli-command.ts';
import { eventually } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

/** Beats that may pass before a fault is noticed: they come every 5 s, and 12 s is the most that it may take. */
const BEATS_MAX = 2;
const BUSY_MS = 200;

describe('a proxy that loses the messages of one channel', () => {
  let venue: LocalVenue;
  let sid: number;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    ({ sid, seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());

  /** A book of its own, a busy channel beside it, and the beats since messages of the book began to be lost. */
  async function faulty(t: TestContext, isLost: (proxy: FaultyProxy) => boolean) {
    const proxy = await FaultyProxy.start(venue.url);
    const seen = { isFaulty: false, beats: 0 };
    proxy.dropMessages((text) => {
      if (seen.isFaulty && text.startsWith('{"type":"beat"')) seen.beats += 1;
      return seen.isFaulty && isLost(proxy) && text.startsWith(`{"channel":"book:${seriesId}"`);
    });
    let price = 100_000;
    const busy = setInterval(() => {
      price += 1;
      void venue.feed([{ symbol: 'BTC', source: 'a', price }]);
    }, BUSY_MS);
    const channels = openChannels(new VenueClient({ url: proxy.url }), {
      retry: { firstMs: 50, limitMs: 50 },
    });
    t.after(() => {
      clearInterval(busy);
      channels.close();
      proxy.stop();
    });
    const others = { messages: 0, losses: 0 };
    channels.listen('spots', {
      onMessage: () => (others.messages += 1),
      onRight: (isRight) => (others.losses += isRight ? 0 : 1),
    });
    const book = await channels.book(seriesId).right();
    return { proxy, seen, others, book };
  }

  /** Quotes another quantity, of which the book is not told. */
  const quote = (qty: number) => venue.quote({ rows: [[sid, [[1_000, qty]], [[1_010, qty]]]] });
  const bidOf = ({ bids }: { readonly bids: readonly { readonly qty: number }[] }) => bids[0]?.qty;

  it('is noticed by the beats, and healed over the same connection once it has passed', async (t) => {
    let isOver = false;
    const { proxy, seen, others, book } = await faulty(t, () => !isOver);
    const noticed = new Promise<number>((resolve) => {
      book.onChange(() => {
        if (!book.isRight) resolve(seen.beats);
        isOver ||= !book.isRight;
      });
    });
    seen.isFaulty = true;
    await quote(7);
    const beats = await noticed;
    assert.ok(beats <= BEATS_MAX, `${beats} beats`);
    assert.notEqual(bidOf(book), 7);
    await book.right();
    assert.equal(seen.beats, beats, 'no further beat was needed');
    assert.equal(bidOf(book), 7);
    assert.deepEqual([proxy.upgrades.length, others.losses], [1, 0]);
    assert.ok(others.messages > 10);
  });

  it('is healed by another connection where it lasts as long as the first one', async (t) => {
    const { proxy, seen, book } = await faulty(t, ({ upgrades }) => upgrades.length === 1);
    seen.isFaulty = true;
    await quote(8);
    await eventually('it is noticed', () => !book.isRight);
    await book.right();
    assert.ok(seen.beats <= BEATS_MAX, `${seen.beats} beats`);
    assert.deepEqual([bidOf(book), proxy.upgrades.length], [8, 2]);
  });
});

describe('a series that ends', () => {
  let expiring: ExpiringVenue;
  before(async () => {
    expiring = await ExpiringVenue.start();
  });
  after(() => expiring.stop());

  it('ends its book and the chain of its expiry, and is listed no more', async () => {
    const { venue, expiryTs } = expiring;
    const seriesId = expiring.series('C', 100_000);
    const channels = openChannels(new VenueClient({ url: venue.url }));
    const book = await channels.book(seriesId).right();
    const listed: Json[] = [];
    channels.listen('listing:BTC', { onMessage: ({ expiries }) => listed.push(...expiries) });
    const env = { VENUE_URL: venue.url };
    // By this machine's clock the expiry may be less than half an hour away.
    const watching = start(['watch', 'chain', 'BTC', '--expiry', `${expiryTs}`, '--json'], { env });
    const watched = ended(watching);
    await once(watching.stdout!, 'data');
    const chain = channels.messages(`chain:BTC:${expiryTs}`);
    assert.equal((await chain.next()).value?.type, 'snapshot');
    await expiring.expireAt({ a: 100_000, b: 100_000 });
    while (!(await chain.next()).done);
    const { code, stderr } = await watched;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /chain:BTC:\d+ has ended/);
    await eventually('the book has ended', () => book.error !== null);
    assert.ok(book.error instanceof ChannelEndedError);
    assert.equal(book.error.reason, 'settled');
    assert.equal(book.isRight, false);
    await eventually('it is listed no more', () =>
      listed.some((row) => row.expiryTs === expiryTs && row.gone),
    );
    assert.match((await run(['watch', 'book', seriesId], { env })).stderr, /channel has ended/);
    const again = channels.book(seriesId);
    await assert.rejects(again.right(), ChannelEndedError);
    channels.close();
  });
});
