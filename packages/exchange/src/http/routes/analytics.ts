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
    contract: {
      id: 'tickers',
      tag: 'Market',
      summary: 'Prices, volume, volatility and greeks of every live series of an underlying',
      text: 'By Black’s formula of 1976, with the spot as forward, no interest, and years of 365 days: `iv` is the volatility at which it gives the mark, over whole minutes to the cutoff, rounded up; the greeks are at that volatility, `vega` for 0.01 of it and `theta` for a day. Where the mark is at or under intrinsic value `iv` is null, `delta` 0, 1 or -1 by moneyness and the others 0; without a mark all five are null. `mark` is the one that accounts are valued at. `settlementSoFar` is there in the half hour before a cutoff. `x-venue-seq` is the entry that the answer shows (HIS-3).',
      errors: ['unknownSymbol'],
    },
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
    contract: {
      id: 'iv',
      tag: 'Market',
      summary: 'Implied volatility at the money of one expiry, by the hour',
      text: 'Sampled in the first minute of every hour of the log, from the marks of the strikes next to the spot. Rows whose `t` is in [from, to) are answered: the first 1,500, with `next` where more follow; without `from` the last 1,500. An expiry that never was has no rows. `x-venue-seq` is the entry that the answer shows (HIS-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
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
    contract: {
      id: 'volatility',
      tag: 'Market',
      summary: 'The 30-day volatility index of an underlying, now and by the hour',
      text: 'By the method of the VIX, in percent, over the two expiries around 30 days, or the nearest one if one side has none: from the middles of bid and ask of options out of the money. Null with fewer than five priced strikes a side. Rows are sampled in the first minute of every hour of the log and paged as those of `GET /v1/iv` (HIS-4).',
      errors: ['unknownSymbol', 'historyUnavailable'],
    },
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
    contract: {
      id: 'equity',
      tag: 'Account',
      summary: 'The equity of the account by the hour',
      text: 'Sampled in the first minute of every hour of the log, where it changed: an hour without a row has the equity of the last row before it. Paged as `GET /v1/iv`. `completeFrom` says from when on there are rows, where the venue no longer has the log from before. `x-venue-seq` is the entry that the answer shows (HIS-4).',
      errors: ['historyUnavailable'],
    },
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
