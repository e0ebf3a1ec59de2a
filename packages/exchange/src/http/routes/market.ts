/** Public reads: no authentication. */

import type { Instrument } from '@venue/engine';
import { upperSymbol } from '@venue/protocol';
import {
  BookQuerySchema,
  BookSchema,
  ChainQuerySchema,
  ChainSchema,
  MetaSchema,
  SeriesListSchema,
  SettlementListSchema,
  SymbolQuerySchema,
  TapeSchema,
} from '@venue/protocol/wire';
import { instrumentsView, pendingReviewView, tapePrintView } from '../../views/market.ts';
import { settlementsView } from '../../views/settlements.ts';
import { refuse } from '../errors.ts';
import { Content, JSON_TYPE, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

const TAPE_SHOWN = 50;

export function marketRoutes(services: Services): Route[] {
  return [
    meta(services),
    series(services),
    chain(services),
    book(services),
    tape(services),
    settlements(services),
  ];
}

function meta({ state, now }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/meta',
    access: 'public',
    answer: MetaSchema,
    contract: { summary: 'Underlyings with their prices, and series pending review' },
    handle: () => ({ instruments: instrumentsView(state, now()), pendingReview: pendingReviewView(state) }),
  });
}

function series(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/series',
    access: 'public',
    query: SymbolQuerySchema,
    answer: SeriesListSchema,
    contract: { summary: 'Every live series of an underlying' },
    handle: ({ query }) =>
      new Content(JSON_TYPE, services.pages.series(instrumentOf(services, query.symbol), services.now())),
  });
}

function chain(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/chain',
    access: 'public',
    query: ChainQuerySchema,
    answer: ChainSchema,
    contract: { summary: 'Calls and puts of one expiry, a row a strike' },
    handle: ({ query }) =>
      new Content(
        JSON_TYPE,
        services.pages.chain(instrumentOf(services, query.symbol), Number(query.expiryTs), {
          nowMs: services.now(),
          seq: services.state.seq,
        }),
      ),
  });
}

function book({ state, pages }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/book',
    access: 'public',
    query: BookQuerySchema,
    answer: BookSchema,
    contract: { summary: 'Twelve levels a side of one series' },
    handle: ({ query }) =>
      new Content(JSON_TYPE, pages.book(state.seriesById.get(query.seriesId) ?? refuse('unknownSeries'))),
  });
}

function tape(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/tape',
    access: 'public',
    query: SymbolQuerySchema,
    answer: TapeSchema,
    contract: { summary: 'The newest 50 prints of an underlying, newest first' },
    handle: ({ query }) => {
      const { symbol } = instrumentOf(services, query.symbol);
      return { symbol, fills: services.tape.newest(symbol, TAPE_SHOWN).map(tapePrintView) };
    },
  });
}

function settlements(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/settlements',
    access: 'public',
    query: SymbolQuerySchema,
    answer: SettlementListSchema,
    contract: { summary: 'What the expiries of an underlying settled at and why, newest first' },
    handle: ({ query }) => settlementsView(instrumentOf(services, query.symbol)),
  });
}

/** The underlying that a query names, in any case. */
function instrumentOf({ state }: Services, symbol: string): Instrument {
  return state.instruments.get(upperSymbol(symbol)) ?? refuse('unknownSymbol');
}
