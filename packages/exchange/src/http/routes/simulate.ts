/** Lets an account see what trades, or a move of the market, would make of it (CMB-4). */

import {
  type Account,
  type Imagined,
  legFaultOf,
  type MarketShift,
  type OrderRequest,
  simulate,
} from '@venue/engine';
import { decimalToMicros, malformed, REJECT, required, type SimulateRequest } from '@venue/protocol';
import { SimulateRequestSchema, SimulationSchema } from '@venue/protocol/wire';
import { WaitingLine } from '../../auth/waiting-line.ts';
import { curveHoldings } from '../../views/pnl-curves.ts';
import { simulatedAccount } from '../../views/simulation.ts';
import { HttpError, reasonRefusal, refuse } from '../errors.ts';
import { type Route, route, Shown } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { amountsOf } from './orders.ts';

/** Beyond this many the newest of the client with most waiting is refused. */
const SIMULATIONS_WAITING_MAX = 256;

/** Beside these two that take time to bring about: `series expired` and `series settled`. */
const LEG_ERRORS: readonly string[] = [
  'legs[N].price required',
  ...[REJECT.unknownSeries, REJECT.badQty, REJECT.badPrice].map((reason) => `legs[N]: ${reason}`),
];

export function simulateRoutes(services: Services): Route[] {
  return [simulation(services)];
}

/**
 * Account and margin are of one moment; the curves follow from it in a thread of their own. One at a time, in turns of the accounts,
 * so that nobody waits for all that another one asks.
 */
function simulation(services: Services): Route {
  const line = new WaitingLine(SIMULATIONS_WAITING_MAX);
  return route({
    method: 'POST',
    path: '/v1/simulate',
    access: 'bearer',
    atNode: false,
    body: SimulateRequestSchema,
    answer: SimulationSchema,
    contract: {
      id: 'simulate',
      tag: 'Account',
      summary: 'What trades and a move of the market would make of the account; nothing is placed',
      text: 'The account as if `legs` had been filled in order, each at its `price` or else at the mark, and then every spot and volatility had moved. Nothing is checked against the account: a negative `buyingPower` is the answer. No fees are taken, and resting orders stay. A leg that no order could be is refused with its place and an order’s reason, as in `legs[0]: series expired`. `curves` are profit and loss on each underlying since its positions were opened, at 41 prices around the imagined spot: `now` by Black-76, at each expiry by the payoff of what has expired by then, as if settled at the same price, and by Black-76 for the rest. The volatility of a series is the one that its mark implies, else the newest annotated one; without either it counts with its payoff. Simulations are worked out one at a time, one of every account before a second of any; an account that has hundreds waiting is refused (CMB-4).',
      errors: ['tooManySimulations'],
      fieldErrors: LEG_ERRORS,
    },
    handle: async ({ bearer, body }) => {
      const imagined = { legs: body.legs.map(legOf), shift: shiftOf(body) };
      const account = accountOf(services, bearer!);
      // What is wrong with a request is told at once, and takes no place of those that wait.
      const fault = legFaultOf(services.state, imagined.legs, services.now());
      if (fault !== null) throw legFault(fault);
      const shown = await line.run(bearer!, () => simulated(services, account, imagined));
      return shown ?? refuse('tooManySimulations');
    },
  });
}

async function simulated(services: Services, account: Account, imagined: Imagined): Promise<Shown<unknown>> {
  const { state, curveThread } = services;
  const result = simulate(state, account, imagined, services.now());
  if ('leg' in result) throw legFault(result);
  const { seq } = state;
  const moment = simulatedAccount(state, account, result);
  const holdings = curveHoldings(result.holdings);
  return new Shown(seq, { ...moment, curves: await curveThread.curves({ holdings, ts: result.state.ts }) });
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
  return new HttpError(reason === null ? required(`${place}.price`) : reasonRefusal(reason, place));
}
