import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Account } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk/browser';
import { Market } from './chain/market.ts';
import { Live } from './live.ts';
import { Allowance } from './session/allowance.ts';
import { createStores, NOBODY } from './stores.ts';

const never = () => new Promise<never>(() => {});

/** An account that the tests tell from others by its cash. */
const accountOf = (cash: number) => ({ cash, positions: [], openOrders: [] }) as unknown as Account;

it('a read that was under way while a write was answered does not undo it, and is repeated', async (t) => {
  const reads: PromiseWithResolvers<Account>[] = [];
  const me = () => {
    const read = Promise.withResolvers<Account>();
    reads.push(read);
    return read.promise;
  };
  const client = { market: { health: never, meta: never }, account: { me, fills: never } };
  const stores = createStores();
  stores.session.setState({ ...NOBODY, state: 'ready' });
  let nowMs = 1_000;
  const now = () => nowMs;
  const live = new Live({
    ...{ client: client as unknown as VenueClient, stores, market: new Market(), now },
    allowance: new Allowance(now),
    send: (act) => act(),
    isShown: () => true,
    onFills() {},
    onOtherVenue() {},
  });
  const cash = () => stores.holdings.getState().account?.cash;
  live.start();
  t.after(() => live.stop());
  live.takeAccount(accountOf(2));
  reads[0]!.resolve(accountOf(1));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(cash(), 2);
  nowMs += 1;
  live.hurry('meta');
  assert.equal(reads.length, 2, 'read again at once');
  reads[1]!.resolve(accountOf(3));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(cash(), 3);
});
