import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, OpenOrder } from '@venue/protocol';
import type { ActionResult, VenueClient } from '@venue/sdk/browser';
import { createStores } from '../../../terminal/stores.ts';
import { Notices } from '../../notices/core/notices.ts';
import { AccountActions } from './actions.ts';

const CALL = 'BTC-1795827600-C-97000';
const ORDER = { id: 7, seriesId: CALL, side: 'buy', price: 100, qty: 2, remaining: 1.5 } as OpenOrder;

function benchOf(result: ActionResult) {
  const stores = createStores();
  stores.holdings.setState({ orders: new Map([[CALL, [ORDER]]]) });
  const actions = new AccountActions({
    ...{ stores, notices: new Notices(stores.notices), client: {} as VenueClient },
    send: (act) => act(),
    async sendBatch() {
      return { results: [result], account: {} as Account, seq: 1, isRecovered: false };
    },
    onAccount() {},
    labelOf: () => 'BTC 28 Nov 97,000 call',
  });
  return {
    actions,
    told: () => stores.notices.getState().list.map(({ title, text }) => `${title}: ${text}`),
  };
}

describe('the notices of what is done to a resting order', () => {
  it('name the order a person cancelled as its row does, and by its number once it has left', async () => {
    const { actions, told } = benchOf({ type: 'cancel', ok: true, orderId: 7 } as ActionResult);
    await actions.cancelOrder(7);
    await actions.cancelOrder(8);
    assert.deepEqual(told().sort(), [
      'Cancel buy 1.5 BTC 28 Nov 97,000 call: Cancelled.',
      'Cancel order 8: Cancelled.',
    ]);
  });

  it('name the order that was changed', async () => {
    const rested = { type: 'amend', ok: true, status: 'rested', orderId: 7, fills: [], restedQty: 1 };
    const { actions, told } = benchOf(rested as unknown as ActionResult);
    assert.equal(await actions.amend(ORDER, { type: 'amend', orderId: 7, price: 110 }), null);
    assert.match(told()[0]!, /^Change buy 1\.5 BTC 28 Nov 97,000 call: Now /);
  });
});
