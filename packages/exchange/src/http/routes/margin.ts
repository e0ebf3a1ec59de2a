/** Lets an account check its own margin: where its money is locked, and what an order would change. */

import { comboTerms, type PreviewedOrder, previewCombo, previewOrder } from '@venue/engine';
import {
  type ComboAction,
  type ComboPreviewRequest,
  type OrderPreviewRequest,
  type PlaceAction,
  readAction,
} from '@venue/protocol';
import {
  ComboPreviewAnswerSchema,
  ComboPreviewRequestSchema,
  MarginReportSchema,
  OrderPreviewAnswerSchema,
  OrderPreviewRequestSchema,
} from '@venue/protocol/wire';
import { Type } from 'typebox';
import { comboPreviewView, marginReport, previewView } from '../../views/margin.ts';
import { HttpError } from '../errors.ts';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { compileCheck } from '../validate.ts';
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
    contract: {
      id: 'marginReport',
      tag: 'Account',
      summary: 'What is locked, by series and by resting order',
      text: 'Line by line what `locked` is made of. Margin of a short contract is `premium + max(shock x spot - OTM, floor x strike)`, with a shock of 20 % and a floor of 10 % to open, 12 % and 6 % to keep (MAR-1).',
    },
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
  const fault = checkOrder(body);
  if (fault !== null) throw new HttpError(fault);
  if (type !== 'place') return { seriesId, side, ...amountsOf(body) };
  const action = actionOf<PlaceAction>(body);
  return { ...action, terms: action };
}

const checkOrder = compileCheck('body', OrderPreviewRequestSchema);

function actionOf<T extends PlaceAction | ComboAction>(body: object): T {
  const action = readAction(body);
  if ('error' in action) throw new HttpError(action);
  return action as T;
}

function isCombo(body: OrderPreviewRequest | ComboPreviewRequest): body is ComboPreviewRequest {
  return body.type === 'combo';
}

/** A preview is answered with 200 even if the order would be declined, because the preview itself succeeded. */
function preview(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/order/preview',
    access: 'bearer',
    atNode: false,
    body: Type.Union([OrderPreviewRequestSchema, ComboPreviewRequestSchema]),
    readsBody: true,
    answer: Type.Union([OrderPreviewAnswerSchema, ComboPreviewAnswerSchema]),
    contract: {
      id: 'previewOrder',
      tag: 'Trading',
      summary: 'What an order or a combo would fill, cost and lock; nothing is placed',
      text: 'Runs the checks and the matching of an order, or of a combo with `type` `combo` (CMB-3), on a copy. One that would be declined is a 200 with `status` `rejected`: it was the preview that was asked for. Does not count against the limit of orders.',
      explains: [{ schema: OrderPreviewRequestSchema, has: [] }],
    },
    handle: ({ bearer, body }) => {
      if (isCombo(body)) {
        const combo = actionOf<ComboAction>(body);
        const asked = { ...combo, terms: comboTerms(combo.tif, undefined) };
        const account = accountOf(services, bearer!);
        return comboPreviewView(previewCombo(services.state, account, asked, services.now()));
      }
      const order = previewedOrder(body);
      const account = accountOf(services, bearer!);
      return previewView(order, previewOrder(services.state, account, order, services.now()));
    },
  });
}
