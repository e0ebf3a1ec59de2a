import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Account, Micros, OrderPreviewAnswer } from '@venue/protocol';
import type { Action, ActionResult, VenueClient } from '@venue/sdk/browser';
import { createStores } from '../../../../terminal/stores.ts';
import { Notices } from '../../../notices/core/notices.ts';
import { OrderDesk } from './desk.ts';
import type { OrderForm, Settled } from './order-form.ts';

const CALL = 'BTC-1795827600-C-97000';
const [CARD, MESSAGE] = [
  { tone: 'plain', title: 'a card', text: 'of it' } as const,
  { text: 'no', advice: { kind: 'other' }, of: 'account' } as const,
];

/** A desk over a form that says what each test wants to hear. */
function benchOf() {
  const stores = createStores();
  const sent: (readonly Action[])[] = [];
  const bench = {
    ...{ stores, sent, previews: 0, nowMs: 0, cautions: [] as string[], answer: async () => {} },
    ...{ settled: { card: CARD, message: null } as Settled },
  };
  const form: OrderForm<string, OrderPreviewAnswer, null> = {
    blank: { qty: '7' },
    summary: ({ qty }) =>
      qty === '' ? null : { terms: qty, qtyMicros: 1 as Micros, title: 'Buy it', actions: [] },
    faults: () => ({ bar: null, cautions: bench.cautions }),
    advice: () => null,
    followed: () => null,
    settled: () => bench.settled,
    async preview() {
      bench.previews += 1;
      return { status: 'filled' } as OrderPreviewAnswer;
    },
    lost: () => CARD,
  };
  class Desk extends OrderDesk<string, OrderPreviewAnswer, null> {
    begin = () =>
      this.dispatch({
        type: 'begun',
        with: { isOpen: true, legs: [{ seriesId: CALL, side: 'buy', ratio: 1 }], qty: '1' },
      });
    protected override market = () => null;
  }
  const options = {
    ...{ stores, client: {} as VenueClient, notices: new Notices(stores.notices), take: () => true },
    send: <T>(act: () => Promise<T>) => act(),
    async sendBatch(actions: readonly Action[]) {
      sent.push(actions);
      await bench.answer();
      return { results: [] as ActionResult[], account: {} as Account, seq: 1, isRecovered: false };
    },
    onAccount() {},
    venueNow: () => bench.nowMs,
    now: () => 0,
  };
  return Object.assign(bench, { desk: new Desk(options, stores.ticket, form) });
}

describe('the desk of an order', () => {
  let bench: ReturnType<typeof benchOf>;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    bench = benchOf();
    bench.desk.begin();
  });
  afterEach(() => mock.timers.reset());
  const order = () => bench.stores.ticket.getState();
  const titles = () => bench.stores.notices.getState().list.map(({ title }) => title);

  it('sends once, and is empty after an order that was taken', async () => {
    await Promise.all([bench.desk.send(), bench.desk.send()]);
    assert.deepEqual([bench.sent.length, order().isOpen, order().qty], [1, false, '7']);
    assert.deepEqual(titles(), ['a card']);
  });

  it('asks with the first press and sends with the second', async () => {
    bench.cautions = ['Sure?'];
    await bench.desk.send();
    assert.deepEqual([bench.sent.length, order().cautions], [0, ['Sure?']]);
    await bench.desk.send();
    assert.equal(bench.sent.length, 1);
  });

  it('sends nothing that is incomplete, or past its cutoff', async () => {
    bench.desk.edit({ qty: '' });
    await bench.desk.send();
    bench.desk.edit({ qty: '1' });
    bench.nowMs = 1_795_827_600_000;
    await bench.desk.send();
    assert.equal(bench.sent.length, 0);
  });

  it('says a refusal beside the order, or in a notice where another has begun', async () => {
    bench.settled = { card: null, message: MESSAGE };
    await bench.desk.send();
    assert.deepEqual([order().advice?.text, order().sending, titles()], ['no', 'no', []]);
    bench.answer = async () => void bench.desk.begin();
    await bench.desk.send();
    assert.deepEqual([order().advice, titles()], [null, ['Not placed: Buy it']]);
    bench.settled = { card: CARD, message: MESSAGE };
    await bench.desk.send();
    assert.deepEqual([order().advice, titles().length], [null, 2]);
  });

  it('leaves an order that has begun meanwhile to its person', async () => {
    bench.answer = async () => void bench.desk.begin();
    await bench.desk.send();
    assert.equal(order().isOpen, true);
  });

  it('previews again, and forgets what was asked, when the account is margined otherwise', async () => {
    const { holdings, session } = bench.stores;
    session.setState({ state: 'ready' });
    bench.cautions = ['Sure?'];
    const account = (marginEnabled: boolean) =>
      holdings.setState({ account: { marginEnabled, openOrders: [] as Account['openOrders'] } as Account });
    await bench.desk.send();
    account(true);
    // Known at last, it is no other.
    assert.deepEqual(order().cautions, ['Sure?']);
    account(false);
    assert.deepEqual(order().cautions, []);
    mock.timers.tick(0);
    assert.equal(bench.previews, 1);
    mock.timers.tick(0);
    await Promise.resolve();
    account(false);
    mock.timers.tick(0);
    assert.equal(bench.previews, 1);
  });

  it('a sign-out drops the preview that is shown, and the one on its way', async () => {
    const { session } = bench.stores;
    session.setState({ state: 'ready' });
    mock.timers.tick(0);
    await new Promise(setImmediate);
    assert.equal(order().preview?.status, 'filled');
    mock.timers.tick(2_000);
    assert.equal(bench.previews, 2);
    session.setState({ state: 'none' });
    await new Promise(setImmediate);
    assert.equal(order().preview, null);
  });
});
