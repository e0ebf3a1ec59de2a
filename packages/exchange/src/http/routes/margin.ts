/** Lets an account check its own margin: where its money is locked, and what an order would change. */

import { type PreviewedOrder, previewOrder } from '@venue/engine';
import { type OrderPreviewRequest, type PlaceAction, readActions } from '@venue/protocol';
import {
  MarginReportSchema,
  OrderPreviewAnswerSchema,
  OrderPreviewRequestSchema,
} from '@venue/protocol/wire';
import { marginReport, previewView } from '../../views/margin.ts';
import { HttpError } from '../errors.ts';
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

/** Without the type of an action the body is that of a single order, whose unknown properties are ignored. */
function previewedOrder(body: OrderPreviewRequest): PreviewedOrder {
  const { type, seriesId, side } = body;
  if (type !== 'place') return { seriesId, side, ...amountsOf(body) };
  const actions = readActions([body]);
  if ('error' in actions)
    throw new HttpError({ ...actions, error: actions.error.replace('actions[0].', '') });
  const [action] = actions as readonly [PlaceAction];
  return { ...action, terms: action };
}

/** A preview is answered with 200 even if the order would be declined, because the preview itself succeeded. */
function preview(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/order/preview',
    access: 'bearer',
    atNode: false,
    body: OrderPreviewRequestSchema,
    answer: OrderPreviewAnswerSchema,
    contract: { summary: 'What an order would fill, cost and lock; nothing is placed' },
    handle: ({ bearer, body }) => {
      const order = previewedOrder(body);
      const account = accountOf(services, bearer!);
      return previewView(order, previewOrder(services.state, account, order, services.now()));
    },
  });
}
