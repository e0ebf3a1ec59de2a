/** Quote sets: pushes, their refusals, and the list of the sets. */

import { Venue } from '../support.ts';
import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';
import { send } from './scribe.ts';

const PUSH = 'POST /v1/quote-sets/{set}';

export const QUOTES: Chapter = {
  title: 'quote sets',
  on: 'paper',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    const { venue } = (await new Venue(stage.url).get('/v1/venue')).body;
    const alice = await Player.enter(stage, 'Alice');
    const act = async (player: Player, ...actions: object[]) =>
      send(stage, 'POST /v1/batch', { body: await player.batch(venue, actions) });
    const row = (bids: readonly (readonly number[])[], more: object = {}) => ({
      seriesId,
      bids,
      asks: null,
      ...more,
    });
    const push = (name: string, summary: string, request: object) =>
      scribe.record(stage, { operation: PUSH, name, summary, request });
    const pushOf = async (...quotes: object[]) => alice.push(venue, { quotes });

    await push('unknownSet', 'A set that nothing protects', await pushOf(row([[2_000, 1]])));
    const protection = {
      type: 'protect',
      set: 1,
      symbol: 'BTC',
      windowMs: 1_000,
      qty: 2,
      delta: 1.5,
      frozenMs: 0,
    };
    await act(alice, protection);
    const late = await pushOf(row([[1_900, 1]]));
    const ladder = row(
      [
        [2_000, 1],
        [1_990, 2],
      ],
      { iv: 0.6, delta: 0.5 },
    );
    await push(
      'applied',
      'A ladder of bids, and a level above the limit',
      await pushOf(ladder, row([[1_980, 5]])),
    );
    await push('stalePush', 'A nonce that is older than that of the last push', late);
    await push('set-malformed', 'A number that no set has', {
      ...(await pushOf(ladder)),
      params: { set: '17' },
    });
    const plain = await pushOf(ladder);
    await push('contentEncoded', 'A body that is said to be compressed', {
      ...plain,
      headers: { ...plain.headers, 'content-encoding': 'gzip' },
    });
    const { headers } = alice;
    const list = (name: string, summary: string) =>
      scribe.record(stage, { operation: 'GET /v1/quote-sets', name, summary, request: { headers } });
    await list('quoting', 'A set with two quotes');
    const bob = await Player.enter(stage, 'Bob');
    await send(stage, 'POST /v1/margin', { body: await bob.margin(true) });
    await send(stage, 'POST /v1/order', { body: await bob.order({ seriesId, side: 'sell', qty: 2 }) });
    await push('setFrozen', 'A set whose allowance is used up', await pushOf(ladder));
    await list('frozen', 'A set that is frozen until it is unfrozen');
    await act(alice, { ...protection, qty: 1_000, delta: undefined });
    await push(
      'insufficient-buying-power',
      'Quotes that buying power does not cover',
      await pushOf(row([[2_000, 900]])),
    );
  },
};
