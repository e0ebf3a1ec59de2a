/** Lets an account see what trades, or a move of the market, would make of it (CMB-4). */

import { type MarketShift, type OrderRequest, simulate } from '@venue/engine';
import { decimalToMicros, malformed, required, type SimulateRequest } from '@venue/protocol';
import { SimulateRequestSchema, SimulationSchema } from '@venue/protocol/wire';
import { simulatedAccount, simulatedCurves } from '../../views/simulation.ts';
import { HttpError } from '../errors.ts';
import { type Route, route, Shown } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { Turns } from '../turns.ts';
import { amountsOf } from './orders.ts';

export function simulateRoutes(services: Services): Route[] {
  return [simulation(services)];
}

/** Account and margin are of one moment; the curves follow from it, and take their time in slices, one request after another. */
function simulation(services: Services): Route {
  const turns = new Turns();
  return route({
    method: 'POST',
    path: '/v1/simulate',
    access: 'bearer',
    atNode: false,
    body: SimulateRequestSchema,
    answer: SimulationSchema,
    contract: {
      summary: 'What trades and a move of the market would make of the account; nothing is placed',
    },
    handle: async ({ bearer, body }) => {
      const imagined = { legs: body.legs.map(legOf), shift: shiftOf(body) };
      using _ = await turns.take();
      const { state } = services;
      const account = accountOf(services, bearer!);
      const result = simulate(state, account, imagined, services.now());
      if ('leg' in result) throw legFault(result);
      const { seq } = state;
      const moment = simulatedAccount(state, account, result);
      return new Shown(seq, { ...moment, curves: await simulatedCurves(result) });
    },
  });
}

function legOf({ seriesId, side, ...amounts }: SimulateRequest['legs'][number]): OrderRequest {
  return { seriesId, side, ...amountsOf(amounts) };
}

function shiftOf({ spotShift = 0, volShift = 0 }: SimulateRequest): MarketShift {
  const spotMicros = decimalToMicros(spotShift);
  if (spotMicros === undefined) throw new HttpError(malformed('spotShift'));
  return { spotMicros, vol: volShift };
}

function legFault({ leg, reason }: { readonly leg: number; readonly reason: string | null }): HttpError {
  const place = `legs[${leg}]`;
  return new HttpError(
    reason === null ? required(`${place}.price`) : { status: 400, error: `${place}: ${reason}` },
  );
}
