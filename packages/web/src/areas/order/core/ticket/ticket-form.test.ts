import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account, OpenOrder, OrderPreviewAnswer, Position } from '@venue/protocol';
import type { ActionResult, OutcomeUnknownError } from '@venue/sdk/browser';
import type { BatchDone } from '../../../../session/batches.ts';
import type { Holdings } from '../../../../session/state.ts';
import { createStores } from '../../../../terminal/stores.ts';
import { adviceText } from '../form/advice-text.ts';
import { NO_ORDER, type Ticket } from '../form/order.ts';
import { orderLegs } from './order-legs.ts';
import { type TicketMarket, ticketForm } from './ticket-form.ts';

const CALL = 'BTC-1795827600-C-97000';
const resting = (id: number, side: 'buy' | 'sell') =>
  ({ ...{ id, seriesId: CALL, side, price: side === 'buy' ? 100 : 9_000 }, qty: 0.3 }) as OpenOrder;

/** An account that is short 0.3 of a call, and rests a buy of as much far below the market. */
const MARKET: TicketMarket = {
  holdings: {
    ...createStores().holdings.getState(),
    positions: new Map([[CALL, { seriesId: CALL, symbol: 'BTC', qty: -0.3 } as Position]]),
    orders: new Map([[CALL, [resting(7, 'buy'), resting(8, 'sell')]]]),
  } satisfies Holdings,
  link: 'live',
  touchOf: () => ({ bid: 1_500, ask: 1_600, mark: 1_550 }),
  labelOf: () => 'the call',
  settlesNear: () => null,
};
const CLOSE: Ticket = {
  ...NO_ORDER,
  ...{ legs: [{ seriesId: CALL, side: 'buy', ratio: 1 }], qty: '0.3', price: '1680' },
  ...{ isClosing: true, tif: 'ioc', flag: 'reduce-only' },
};
const NOTHING = {
  ...{ status: 'rejected', reason: 'nothing to reduce', code: 'nothing-to-reduce', fills: [], restedQty: 0 },
} as unknown as OrderPreviewAnswer;
const AMOUNTS = { before: { buyingPower: 0 }, after: { buyingPower: 0 } };
const answered = (...results: unknown[]): BatchDone => ({
  ...{ results: results as ActionResult[], account: {} as Account, seq: 1, isRecovered: false },
});
const sent = { ...ticketForm.summary(CLOSE, MARKET)!, no: 1, typedQty: '0.3', knownIds: new Set<number>() };

describe('the form of the ticket', () => {
  it('TIF-3: sends a close by itself, or after the cancel of what rests to close the same', () => {
    const kinds = (ticket: Ticket) => ticketForm.summary(ticket, MARKET)?.actions.map(({ type }) => type);
    assert.deepEqual(kinds(CLOSE), ['place']);
    assert.deepEqual(kinds({ ...CLOSE, isWithCancels: true }), ['cancel', 'place']);
    assert.equal(kinds({ ...CLOSE, price: '' }), undefined);
    assert.equal(sent.title, 'Buy 0.3 the call');
  });

  it('TIF-3: offers the cancels where the venue would refuse the close, or cut it', () => {
    const advice = (preview: OrderPreviewAnswer, market = MARKET) =>
      ticketForm.advice({ ...CLOSE, preview }, market);
    const offer = advice(NOTHING)!;
    assert.deepEqual(offer, { kind: 'cancel-first', orders: 1 });
    assert.match(
      adviceText(offer, { canDeposit: false }),
      /^1 resting order counts as closing it already\.$/,
    );
    assert.deepEqual(orderLegs({ terms: sent.terms, preview: NOTHING, mark: 1_550 }, 0.5), []);
    const cut = (qty: number) =>
      ({ ...AMOUNTS, status: 'filled', qty, fills: [] }) as unknown as OrderPreviewAnswer;
    assert.equal(advice(cut(0.1))?.kind, 'cancel-first');
    assert.equal(advice(cut(0.3)), null);
    const holdings = { ...MARKET.holdings, orders: new Map() };
    assert.equal(advice(NOTHING, { ...MARKET, holdings })?.kind, 'explain');
  });

  it('keeps a market order back while prices are stale', () => {
    const bar = (kind: Ticket['kind'], link: TicketMarket['link']) =>
      ticketForm.faults({ ...CLOSE, isClosing: false, flag: null, kind }, { ...MARKET, link }).bar;
    assert.deepEqual(bar('market', 'stale')?.advice, { kind: 'make-limit', priceMicros: 1_550_000_000 });
    assert.equal(bar('market', 'offline')?.of, 'link');
    assert.deepEqual([bar('market', 'live'), bar('limit', 'stale')], [null, null]);
  });

  it('asks nothing about an order that will be refused', () => {
    const cautions = (preview: OrderPreviewAnswer | null) =>
      ticketForm.faults({ ...CLOSE, isClosing: false, price: '9000', preview }, MARKET).cautions.length;
    assert.deepEqual([cautions(null), cautions(NOTHING)], [2, 0]);
  });

  it('lets the bound of a close follow the market, but not a question while it can still trade', () => {
    const followed = (ask: number, patch: Partial<Ticket> = {}) => {
      const market = { ...MARKET, touchOf: () => ({ bid: ask - 100, ask, mark: ask }) };
      return ticketForm.followed({ ...CLOSE, price: '1,680.00', ...patch }, market)?.price;
    };
    assert.deepEqual([followed(1_600), followed(2_000)], [undefined, '2,100.00']);
    const asked = { cautions: ['Sure?'] };
    assert.deepEqual([followed(1_650, asked), followed(1_700, asked)], [undefined, '1,785.00']);
    assert.equal(followed(2_000, { isClosing: false }), undefined);
  });

  it('TIF-3: counts what was cancelled with the answer, and offers it no more', () => {
    const cancel = { type: 'cancel', ok: true, orderId: 7 };
    const fills = [{ qty: 0.3, price: 1_600 }];
    const filled = answered(cancel, { type: 'place', status: 'filled', orderId: 9, fills });
    const { card, message } = ticketForm.settled(filled, sent, MARKET);
    assert.deepEqual([card?.tone, card?.text], ['good', '0.3 filled at 1,600.00, 1 resting order cancelled']);
    assert.equal(message, null);
    const refused = { ...NOTHING, type: 'place' };
    const of = (...results: unknown[]) => ticketForm.settled(answered(...results), sent, MARKET).message;
    assert.equal(of(refused)?.advice.kind, 'cancel-first');
    const after = of(cancel, refused);
    assert.deepEqual(
      [after?.text, after?.advice.kind],
      ['nothing to reduce, 1 resting order cancelled', 'explain'],
    );
  });

  it('CID-1: tells of an order whose answer was lost', async () => {
    const found = { verdict: 'not carried out', account: null, fillsSince: [], orderIds: [] };
    const card = await ticketForm.lost(found as unknown as OutcomeUnknownError, sent, {} as never);
    assert.equal(card.title, 'Not placed: Buy 0.3 the call');
  });
});
