/** Trading writes: order, cancel, cancel of one order, margin. */

import type { OrderAccepted, OrderRejected, State, Trade } from '@venue/engine';
import { decimalToMicros, declined, microsToDecimal, type OrderRequest } from '@venue/protocol';
import {
  CancelAnswerSchema,
  CancelOrderAnswerSchema,
  CancelOrderRequestSchema,
  CancelRequestSchema,
  MarginAnswerSchema,
  MarginRequestSchema,
  OrderAnswerSchema,
  OrderRequestSchema,
} from '@venue/protocol/wire';
import { accountView } from '../../views/account.ts';
import { listedSymbols } from '../listed-symbols.ts';
import { Refused, type Route, route } from '../route.ts';
import { type Services, submit } from '../services.ts';
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
    contract: { summary: 'Place a limit or market order' },
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

function cancel(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/cancel',
    access: 'signed',
    body: CancelRequestSchema,
    answer: CancelAnswerSchema,
    contract: { summary: 'Cancel every resting order, or those of some symbols' },
    handle: async (request) => {
      const symbols = symbolsOf(request.body);
      const caller = await callerOf(services, request, cancelText(request.body));
      const scope =
        symbols && (caller.authorization ? symbols : listedSymbols(services.state, [...new Set(symbols)]));
      return submit(services, { kind: 'cancel', ...caller, symbols: scope }, ({ account, pulled }) => ({
        ok: pulled > 0,
        pulled,
        account: accountView(services.state, account),
      }));
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
    contract: { summary: 'Cancel one resting order' },
    handle: async (request) => {
      const orderId = exactInteger('orderId', request.body.orderId);
      const caller = await callerOf(services, request, cancelOrderText(request.body));
      return submit(services, { kind: 'cancel-order', ...caller, orderId }, ({ account, ok }) => ({
        ok,
        orderId,
        account: accountView(services.state, account),
      }));
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
    contract: { summary: 'Turn margin on or off' },
    handle: async (request) => {
      const { enabled } = request.body;
      const caller = await callerOf(services, request, marginText(request.body));
      return submit(services, { kind: 'margin', ...caller, enabled }, ({ account, marginEnabled }) => ({
        ok: true,
        marginEnabled,
        account: accountView(services.state, account),
      }));
    },
  });
}
