/** Trading writes: order, cancel, cancel of one order, margin. */

import type { Command, OrderAccepted, OrderRejected, State, Trade } from '@venue/engine';
import { decimalToMicros, declined, microsToDecimal, type OrderRequest } from '@venue/protocol';
import {
  CancelAnswerSchema,
  CancelOrderAnswerSchema,
  CancelOrderRequestSchema,
  CancelRequestSchema,
  MarginAnswerSchema,
  MarginRequestSchema,
  OrderAcceptedSchema,
  OrderAnswerSchema,
  OrderRejectedSchema,
  OrderRequestSchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { listedSymbols } from '../batch-arrival.ts';
import { Refused, type Route, route, type Shown } from '../route.ts';
import { type Accepted, type Services, submit } from '../services.ts';
import { cancelOrderText, cancelText, exactInteger, marginText, orderText, symbolsOf } from '../texts.ts';
import { callerOf } from '../writes.ts';

export function orderRoutes(services: Services): Route[] {
  return [order(services), cancel(services), cancelOrder(services), margin(services)];
}

function order(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/order',
    access: 'signed',
    body: OrderRequestSchema,
    answer: OrderAnswerSchema,
    contract: {
      id: 'order',
      tag: 'Trading',
      summary: 'Place a limit or market order',
      text: 'Quantities in contracts, prices in dollars, both decimals exact to a millionth (NUM-2); the signed text has them as integer micros. Without `price` it is a market order, whose unfilled rest is cancelled; `0` is a limit price and rejected (ORD-5). The first check that fails answers (ORD-1). A 400 with `status` was well formed and declined, one with `error` was not. Never repeat an order blindly after a timeout: read `/v1/me` and `/v1/fills` first.',
      errors: ['fieldHasNewline', 'badQty', 'badPrice'],
      answers: { 200: OrderAcceptedSchema, 400: OrderRejectedSchema },
    },
    handle: async (request) => {
      const { body } = request;
      const caller = await callerOf(services, request, orderText(body));
      const { seriesId, side } = body;
      const command = { kind: 'order', ...caller, seriesId, side, ...amountsOf(body) } as const;
      return submit(services, command, (outcome) => orderAnswer(services.state, outcome));
    },
  });
}

/** An unrepresentable amount becomes 0, which the engine rejects in its place in the order of checks (ORD-1, NUM-2). */
export function amountsOf({ qty, price }: Pick<OrderRequest, 'qty' | 'price'>): {
  qtyMicros: number;
  priceMicros: number | null;
} {
  return {
    qtyMicros: decimalToMicros(qty) ?? 0,
    priceMicros: price === undefined ? null : (decimalToMicros(price) ?? 0),
  };
}

function orderAnswer(state: State, outcome: OrderAccepted | OrderRejected): unknown {
  const account = accountView(state, outcome.account);
  if (outcome.status === 'rejected') {
    const { status, reason } = outcome;
    return new Refused(400, { status, reason, fills: [], orderId: 0, account }, declined(reason).code);
  }
  const { status, orderId, trades, restedMicros } = outcome;
  return { status, orderId, fills: trades.map(tradeView), restedQty: microsToDecimal(restedMicros), account };
}

function tradeView({ priceMicros, qtyMicros }: Trade) {
  return { price: microsToDecimal(priceMicros), qty: microsToDecimal(qtyMicros) };
}

/** The errors of the scope of a cancel. */
export const CANCEL_ERRORS = [
  'fieldHasNewline',
  'symbolAndSymbols',
  'symbolComma',
  'symbolReserved',
] as const;

function cancel(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/cancel',
    access: 'signed',
    body: CancelRequestSchema,
    answer: CancelAnswerSchema,
    contract: {
      id: 'cancel',
      tag: 'Trading',
      summary: 'Cancel every resting order, or those of some symbols',
      text: 'Every resting order of the account, or those in the underlyings of `symbols` or `symbol`. The scope is signed, in upper case and sorted. `ok: false` when nothing matched, which is no error (ORD-9, ORD-10).',
      errors: CANCEL_ERRORS,
    },
    handle: async (request) => {
      const symbols = symbolsOf(request.body);
      const caller = await callerOf(services, request, cancelText(request.body));
      const scope =
        symbols && (caller.authorization ? symbols : listedSymbols(services.state, [...new Set(symbols)]));
      const command = { kind: 'cancel', ...caller, symbols: scope } as const;
      return submitForAccount(services, command, ({ pulled }) => ({ ok: pulled > 0, pulled }));
    },
  });
}

function cancelOrder(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/order/cancel',
    access: 'signed',
    body: CancelOrderRequestSchema,
    answer: CancelOrderAnswerSchema,
    contract: {
      id: 'cancelOrder',
      tag: 'Trading',
      summary: 'Cancel one resting order',
      text: 'An order that does not rest, or is somebody else’s, gives `ok: false`, which is no error (ORD-12).',
    },
    handle: async (request) => {
      const orderId = exactInteger('orderId', request.body.orderId);
      const caller = await callerOf(services, request, cancelOrderText(request.body));
      const command = { kind: 'cancel-order', ...caller, orderId } as const;
      return submitForAccount(services, command, ({ ok }) => ({ ok, orderId }));
    },
  });
}

function margin(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/margin',
    access: 'signed',
    body: MarginRequestSchema,
    answer: MarginAnswerSchema,
    contract: {
      id: 'setMargin',
      tag: 'Trading',
      summary: 'Turn margin on or off',
      text: 'Off by default. On, the account may open shorts, and nothing else changes (ACC-3).',
      errors: ['marginShortExposure'],
    },
    handle: async (request) => {
      const { enabled } = request.body;
      const caller = await callerOf(services, request, marginText(request.body));
      const command = { kind: 'margin', ...caller, enabled } as const;
      return submitForAccount(services, command, ({ marginEnabled }) => ({ ok: true, marginEnabled }));
    },
  });
}

/** Submits a command of an account and resolves with what `answer` makes of its outcome, and with the account after it. */
function submitForAccount<
  C extends Extract<Command, { readonly kind: 'cancel' | 'cancel-order' | 'margin' }>,
>(services: Services, command: C, answer: (outcome: Accepted<C>) => object): Promise<Shown<object>> {
  return submit(services, command, (outcome) => ({
    ...answer(outcome),
    account: accountView(services.state, outcome.account),
  }));
}
