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
    contract: {
      id: 'meta',
      tag: 'Market',
      summary: 'Underlyings with their prices, and series pending review',
      text: 'A spot is the median over the sources that printed within 60 s; `feedFresh` is false, and the last value still shown, when none has (FEED-2). `pendingReview` names the series that the oracle refused to settle.',
    },
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
    contract: {
      id: 'series',
      tag: 'Market',
      summary: 'Every live series of an underlying',
      text: 'Live series only: what expired, settled or waits for review is not in it. Large, more than a thousand rows for a full symbol, and it changes only when the roll lists new contracts (LIST-3). Keep `seriesId`; `sid` may be another after a restart (LIST-5).',
      errors: ['unknownSymbol'],
    },
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
    contract: {
      id: 'chain',
      tag: 'Market',
      summary: 'Calls and puts of one expiry, a row a strike',
      text: 'The expensive read. `mid` is the mark: the midpoint, the price of the only side that rests, or null (MARK-1). `iv` and `delta` are what the market maker annotated, 0 where it did not. `volume` counts contracts since listing, `openInterest` is the sum of long positions (LIST-6). An expiry without series has no rows.',
      errors: ['unknownSymbol'],
    },
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
    contract: {
      id: 'book',
      tag: 'Market',
      summary: 'Twelve levels a side of one series',
      text: 'Aggregated by price, best first on each side. A series that expired keeps its name and has an empty book.',
      errors: ['unknownSeries'],
    },
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
    contract: {
      id: 'tape',
      tag: 'Market',
      summary: 'The newest 50 prints of an underlying, newest first',
      text: '`side` is the taker’s: `buy` means that an offer was lifted. A restart empties the tape.',
      errors: ['unknownSymbol'],
    },
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
    contract: {
      id: 'settlements',
      tag: 'Market',
      summary: 'What the expiries of an underlying settled at and why, newest first',
      text: 'One price for each underlying and expiry, with the averages it was decided from (ORA-1, ORA-2). `refused` lists what waits for review, and is absent when nothing does.',
      errors: ['unknownSymbol'],
    },
    handle: ({ query }) => settlementsView(instrumentOf(services, query.symbol)),
  });
}

/** The underlying that a query names, in any case. */
function instrumentOf({ state }: Services, symbol: string): Instrument {
  return state.instruments.get(upperSymbol(symbol)) ?? refuse('unknownSymbol');
}
