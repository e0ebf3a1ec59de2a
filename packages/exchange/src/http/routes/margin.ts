/** Lets an account check its own margin: where its money is locked, and what an order would change. */

import { previewOrder } from '@venue/engine';
import {
  MarginReportSchema,
  OrderPreviewAnswerSchema,
  OrderPreviewRequestSchema,
} from '@venue/protocol/wire';
import { marginReport, previewView } from '../../views/margin.ts';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { amountsOf } from './orders.ts';

export function marginRoutes(services: Services): Route[] {
  return [report(services), preview(services)];
}

function report(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/margin',
    access: 'bearer',
    answer: MarginReportSchema,
    contract: { summary: 'What is locked, by series and by resting order' },
    handle: ({ bearer }) => {
      const { state, accountPages } = services;
      const account = accountOf(services, bearer!);
      const make = () => JSON.stringify(marginReport(state, account));
      return new Content(JSON_TYPE, accountPages.page(state, account, { name: 'margin', make }));
    },
  });
}

/** A preview is answered with 200 even if the order would be declined, because the preview itself succeeded. */
function preview(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/order/preview',
    access: 'bearer',
    body: OrderPreviewRequestSchema,
    answer: OrderPreviewAnswerSchema,
    contract: { summary: 'What an order would fill, cost and lock; nothing is placed' },
    handle: ({ bearer, body }) => {
      const { seriesId, side } = body;
      const command = { kind: 'order', account: bearer!, seriesId, side, ...amountsOf(body) } as const;
      const account = accountOf(services, bearer!);
      return previewView(previewOrder(services.state, account, command, services.now()));
    },
  });
}
