/** Orders of an account, open and closed, by the holder of its token (CID-2, DET-4). */

import { CLIENT_ID, upperSymbol } from '@venue/protocol';
import { OrderListSchema, OrderRecordSchema, OrdersQuerySchema } from '@venue/protocol/wire';
import type { OrdersPage } from '../../history/order-reads.ts';
import { orderListView, orderView } from '../../views/order-record.ts';
import { refuse } from '../errors.ts';
import { fromHistory } from '../history.ts';
import { type Route, route } from '../route.ts';
import { accountOf, type Services } from '../services.ts';

const ORDERS_LIMIT = 100;
const ORDER_ID = /^[1-9][0-9]{0,15}$/;

export function orderLookupRoutes(services: Services): Route[] {
  return [orders(services), order(services), orderByClientId(services)];
}

function orders(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/orders',
    access: 'bearer',
    query: OrdersQuerySchema,
    answer: OrderListSchema,
    contract: {
      id: 'orders',
      tag: 'Account',
      summary: 'The orders of the account, open and closed, newest first',
      text: 'Every order that was accepted, newest first, with all that the node has applied; `before`, the id of an order, and `limit` ask for a page, and an answer with `before` has older ones after it. `cause` says why an order closed: `filled`, `user`, `ioc`, `stp`, `gtd`, `guard`, `margin`, `settlement` or `liquidation`. `status` follows from it: `filled`, `expired` for `gtd`, else `cancelled`, also where part of it filled. What a closed order did not fill is `qty` less `filledQty`; its `remaining` is 0 (CID-2, DET-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
    handle: async ({ bearer, query }) => {
      const { index } = accountOf(services, bearer!);
      const page = await fromHistory<OrdersPage>(services, (history) =>
        history.read('orders', {
          account: index,
          status: query.status ?? null,
          symbol: symbolOf(services, query.symbol),
          before: query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before),
          limit: query.limit === undefined ? ORDERS_LIMIT : Number(query.limit),
        }),
      );
      return orderListView(page);
    },
  });
}

/** A symbol that the venue does not know is refused, as an empty list would say that there are no orders in it. */
function symbolOf({ state }: Services, symbol: string | undefined): string | null {
  if (symbol === undefined) return null;
  return state.instruments.get(upperSymbol(symbol))?.symbol ?? refuse('unknownSymbol');
}

function order(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/orders/{orderId}',
    access: 'bearer',
    answer: OrderRecordSchema,
    contract: {
      id: 'orderById',
      tag: 'Account',
      summary: 'One order of the account',
      text: 'As the list shows it. Somebody else’s looks like one that does not exist (CID-2).',
      errors: ['unknownOrder', 'historyUnavailable'],
    },
    handle: async ({ bearer, params }) => {
      const { index } = accountOf(services, bearer!);
      const id = params.get('orderId')!;
      if (!ORDER_ID.test(id)) refuse('unknownOrder');
      const found = await fromHistory(services, (history) =>
        history.read('order', { account: index, id: Number(id) }),
      );
      return orderView(found ?? refuse('unknownOrder'));
    },
  });
}

function orderByClientId(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/orders/client/{clientId}',
    access: 'bearer',
    answer: OrderRecordSchema,
    contract: {
      id: 'orderByClientId',
      tag: 'Account',
      summary: 'The newest order of the account with a client id',
      text: 'Several orders may have had the same client id, one after the other: the newest is answered (CID-1, CID-2).',
      errors: ['unknownOrder', 'historyUnavailable'],
    },
    handle: async ({ bearer, params }) => {
      const { index } = accountOf(services, bearer!);
      const clientId = params.get('clientId')!;
      if (!CLIENT_ID.test(clientId)) refuse('unknownOrder');
      const found = await fromHistory(services, (history) =>
        history.read('order', { account: index, clientId }),
      );
      return orderView(found ?? refuse('unknownOrder'));
    },
  });
}
