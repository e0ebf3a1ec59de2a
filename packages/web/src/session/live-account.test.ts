import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Chain } from '@venue/protocol';
import { UnauthorizedError } from '@venue/sdk/browser';
import { accountOf, CHAIN, NAME, rowOf, settled, withChain } from '../../test/live-page.ts';
import type { LiveOptions } from './live.ts';
import { NOBODY } from './state.ts';

describe('the account on the stream', () => {
  const order = (id: number, more: object = {}) => ({
    id,
    seriesId: 'S',
    remaining: 1,
    cause: null,
    ...more,
  });

  async function signedIn(t: TestContext, given: Partial<LiveOptions> = {}) {
    const page = await withChain(t, given);
    page.stores.session.setState({ ...NOBODY, state: 'ready', address: '0xa' });
    page.live.onSignedIn();
    await settled();
    return page;
  }

  it('shows it with its orders as they change, and forgets it after sign-out (STR-1)', async (t) => {
    const { live, channels, stores, asOf, pass } = await signedIn(t);
    const held = () => stores.holdings.getState();
    const position = { seriesId: 'S', symbol: 'BTC', qty: 2 };
    channels.tell('account', {
      type: 'snapshot',
      seq: 1,
      cash: 10,
      held: 3,
      openOrderCount: 2,
      positions: [position],
    });
    await settled();
    assert.equal(held().account, null, 'not without its orders');
    channels.tell('orders', { type: 'snapshot', seq: 1, orders: [order(1), order(2)] });
    await settled();
    assert.deepEqual(
      [held().account!.cash, held().account!.held, [...held().positions.keys()]],
      [10, 3, ['S']],
    );
    const { orders } = held();
    const gone = { seriesId: 'S', qty: 0 };
    channels.tell('account', { type: 'delta', seq: 2, cash: 11, held: null, positions: [gone] });
    await settled();
    assert.deepEqual(
      [held().account!.cash, 'held' in held().account!, held().positions.size],
      [11, false, 0],
    );
    assert.equal(held().orders, orders, 'the same object while no order changes');
    channels.tell('orders', { type: 'delta', seq: 3, orders: [order(1, { cause: 'filled' }), order(3)] });
    await settled();
    assert.deepEqual(
      held().account!.openOrders.map(({ id }) => id),
      [2, 3],
    );
    const legs = [{ seriesId: 'S', side: 'buy', ratio: 1 }];
    const combo = { id: 4, legs, symbol: 'BTC', net: 1, qty: 1, remaining: 0, cause: 'filled' };
    channels.tell('orders', { type: 'delta', seq: 4, orders: [combo] });
    await settled();
    assert.equal(held().account!.openOrders.length, 2, 'a combo never rests');
    pass(0, true);
    assert.equal(asOf.accountMs, 1_000);
    live.onSignedOut();
    assert.deepEqual([held().account, held().fills, channels.followed.has('account')], [null, [], false]);
  });

  it('takes the account of an answer, unless the channels have brought a later one', async (t) => {
    const { live, channels, stores } = await signedIn(t);
    const cash = () => stores.holdings.getState().account?.cash;
    live.takeAccount(accountOf(2));
    assert.equal(cash(), 2, 'nothing is better');
    channels.tell('account', { type: 'snapshot', seq: 10, cash: 3, openOrderCount: 0 });
    channels.tell('orders', { type: 'snapshot', seq: 10, orders: [] });
    await settled();
    live.takeAccount(accountOf(4, 10));
    live.takeAccount(accountOf(4));
    assert.equal(cash(), 3, 'it is no later, or may not be');
    live.takeAccount(accountOf(5, 12));
    assert.equal(cash(), 5, 'before its channels bring it');
    channels.tell('account', { type: 'delta', seq: 11, cash: 4 });
    await settled();
    assert.equal(cash(), 5, 'what was before the answer is not shown');
    channels.tell('account', { type: 'delta', seq: 12, cash: 5, equity: 6 });
    await settled();
    assert.deepEqual([cash(), stores.holdings.getState().account?.equity], [5, 6]);
    channels.followed.get('orders')!.onRight!(false);
    live.takeAccount(accountOf(7));
    assert.equal(cash(), 7, 'they are cut off');
  });

  it('reads its fills once, and gets those after them pushed', async (t) => {
    const seen: number[][] = [];
    const { channels } = await signedIn(t, { onFills: (_, fills) => seen.push(fills.map(({ id }) => id)) });
    assert.deepEqual([seen, channels.fillsAfter], [[[7, 5]], [7]]);
    channels.tellFill(8);
    await settled();
    channels.tellFill(9);
    await settled();
    assert.deepEqual(seen.slice(1), [
      [8, 7, 5],
      [9, 8, 7, 5],
    ]);
  });

  it('ends with its session', async (t) => {
    const refused: string[] = [];
    const { channels } = await signedIn(t, { onRefused: ({ message }) => refused.push(message) });
    channels.followed.get('account')!.onRefused!(new UnauthorizedError(401, 'revoked'));
    channels.followed.get('orders')!.onRefused!(new Error('too many channels'));
    assert.deepEqual(refused, ['revoked']);
  });
});

it('a chain begins again with each snapshot', async (t) => {
  const { channels, market } = await withChain(t);
  const rows: Chain['rows'] = [rowOf(70, 1) as never];
  channels.tell(NAME, { ...CHAIN, rows });
  assert.deepEqual(
    market.shape!.rows.map(({ strike }) => strike),
    [70],
  );
});
