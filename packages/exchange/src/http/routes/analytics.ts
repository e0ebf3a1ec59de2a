/** Volatilities and equity by the hour (HIS-4). */

import type { Instrument } from '@venue/engine';
import { upperSymbol } from '@venue/protocol';
import {
  EquityListSchema,
  EquityQuerySchema,
  IvListSchema,
  IvQuerySchema,
  TickerListSchema,
  TickersQuerySchema,
  VolatilityQuerySchema,
  VolatilitySchema,
} from '@venue/protocol/wire';
import { volatilityIndex } from '../../analytics/volatility-index.ts';
import type { HourlyPage, HourlyQuery } from '../../history/hourly-reads.ts';
import { equityListView, ivListView, volatilityView } from '../../views/hourly.ts';
import { refuse } from '../errors.ts';
import { fromHistory } from '../history.ts';
import { Content, JSON_TYPE, type Route, route, Shown } from '../route.ts';
import { accountOf, type Services } from '../services.ts';
import { spanOf } from '../spans.ts';

export const ROWS_MAX = 1_500;

export function analyticsRoutes(services: Services): Route[] {
  return [tickers(services), iv(services), volatility(services), equity(services)];
}

function tickers(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/tickers',
    access: 'public',
    query: TickersQuerySchema,
    answer: TickerListSchema,
    contract: { summary: 'Prices, volume, volatility and greeks of every live series of an underlying' },
    handle: async ({ query }) => {
      const instrument = instrumentOf(services, query.symbol);
      const { seq, json } = await services.tickers.list(instrument);
      return new Shown(seq, new Content(JSON_TYPE, json));
    },
  });
}

function iv(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/iv',
    access: 'public',
    query: IvQuerySchema,
    answer: IvListSchema,
    contract: { summary: 'Implied volatility at the money of one expiry, by the hour' },
    handle: async ({ query }) => {
      const { symbol } = instrumentOf(services, query.symbol);
      const of = { kind: 'iv', symbol, expiryTs: Number(query.expiryTs) } as const;
      const page = await pageOf(services, of, query);
      return new Shown(page.seq, ivListView(page));
    },
  });
}

function volatility(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/volatility',
    access: 'public',
    query: VolatilityQuerySchema,
    answer: VolatilitySchema,
    contract: { summary: 'The 30-day volatility index of an underlying, now and by the hour' },
    handle: async ({ query }) => {
      const instrument = instrumentOf(services, query.symbol);
      const { symbol } = instrument;
      const page = await pageOf(services, { kind: 'volatility', symbol }, query);
      const index = volatilityIndex(services.state, instrument);
      return new Shown(page.seq, volatilityView(symbol, index, page));
    },
  });
}

function equity(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/equity',
    access: 'bearer',
    query: EquityQuerySchema,
    answer: EquityListSchema,
    contract: { summary: 'The equity of the account by the hour' },
    handle: async ({ bearer, query }) => {
      const { index } = accountOf(services, bearer!);
      const page = await pageOf(services, { kind: 'equity', account: index }, query);
      return new Shown(page.seq, equityListView(page));
    },
  });
}

function pageOf(
  services: Services,
  of: HourlyQuery['of'],
  { from, to }: { readonly from?: string; readonly to?: string },
): Promise<HourlyPage> {
  const span = spanOf(from, to);
  return fromHistory(services, (history) => history.read('hourly', { of, ...span, limit: ROWS_MAX }));
}

/** The underlying that a query names, in any case. */
function instrumentOf({ state }: Services, symbol: string): Instrument {
  return state.instruments.get(upperSymbol(symbol)) ?? refuse('unknownSymbol');
}
