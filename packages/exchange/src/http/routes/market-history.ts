/** All prints, and candles: public reads of the history (HIS-1, HIS-2). */

import { parametersOf } from '@venue/engine';
import { type Interval, upperSymbol } from '@venue/protocol';
import { profileOf } from '@venue/protocol/simulation';
import {
  CandleListSchema,
  CandlesQuerySchema,
  PAGE_ROWS_MAX,
  TradeListSchema,
  TradesQuerySchema,
} from '@venue/protocol/wire';
import type { CandleKind, Span } from '../../history/candles.ts';
import type { MarketShown, PrintsQuery } from '../../history/market-reads.ts';
import type { PastProfile } from '../../history/simulated-past.ts';
import { candleListView, tradeListView } from '../../views/market-history.ts';
import { refuse } from '../errors.ts';
import { fromHistory } from '../history.ts';
import { type Route, route, Shown } from '../route.ts';
import type { Services } from '../services.ts';
import { spanOf } from '../spans.ts';

const CANDLES_MAX = 1_500;

const MINUTES: Readonly<Record<Interval, Span>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '4h': 240,
  '1d': 1_440,
};

export function marketHistoryRoutes(services: Services): Route[] {
  return [trades(services), candles(services)];
}

function trades(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/trades',
    access: 'public',
    query: TradesQuerySchema,
    answer: TradeListSchema,
    contract: {
      id: 'trades',
      tag: 'Market',
      summary: 'Every print of a series or an underlying, newest first',
      text: 'All prints of the log, of one series or of an underlying. `id` ascends and is the same at every node; `before`, the id of a trade, and `limit` ask for a page, and an answer with `before` has older ones after it. `side` is the taker’s. `x-venue-seq` is the entry that the answer shows (HIS-1).',
      errors: ['symbolOrSeries', 'unknownSymbol', 'unknownSeries', 'historyUnavailable'],
    },
    handle: async ({ query }) => {
      const { symbol, seriesId, before, limit } = query;
      const of = tradesOf(services, symbol, seriesId);
      const page = await fromHistory(services, (history) =>
        history.read('prints', {
          of,
          before: before === undefined ? Number.MAX_SAFE_INTEGER : Number(before),
          limit: limit === undefined ? PAGE_ROWS_MAX : Number(limit),
        }),
      );
      if (seriesId !== undefined) checkKnown(services, page, seriesId);
      return new Shown(page.seq, tradeListView(page));
    },
  });
}

function tradesOf(services: Services, symbol?: string, seriesId?: string): PrintsQuery['of'] {
  if ((symbol === undefined) === (seriesId === undefined)) refuse('symbolOrSeries');
  return seriesId === undefined ? { symbol: symbolOf(services, symbol!) } : { seriesId };
}

function candles(services: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/candles',
    access: 'public',
    query: CandlesQuerySchema,
    answer: CandleListSchema,
    contract: {
      id: 'candles',
      tag: 'Market',
      summary: 'Candles of a spot, or of the trades or marks of a series',
      text: 'Of [t, t + interval) in UTC, by the time of the log; an interval without a price is left out, and the last one is still open. Candles that begin in [from, to) are answered: the first 1,500, with `next` where more follow; without `from` the last 1,500. Spots count with every change, trades with every print. Marks are sampled right after the first entry in a minute, where they changed; those of 1m and 5m are kept for 7 days, of longer intervals for 90. A paper market with simulated prices may show 90 days of a spot from before its first price, as candles with `simulated: true` (HIS-5). `x-venue-seq` is the entry that the answer shows (HIS-2).',
      errors: ['unknownSymbol', 'unknownSeries', 'historyUnavailable'],
    },
    handle: async ({ query }) => {
      const [kind, text] = query.of.split(/:(.*)/s) as [CandleKind, string];
      const name = kind === 'spot' ? symbolOf(services, text) : text;
      const span = MINUTES[query.interval];
      const times = spanOf(query.from, query.to);
      const past = kind === 'spot' ? pastOf(services, name) : undefined;
      const page = await fromHistory(services, (history) =>
        history.read('candles', { kind, name, span, ...times, limit: CANDLES_MAX, past }),
      );
      if (kind !== 'spot') checkKnown(services, page, name);
      return new Shown(page.seq, candleListView(page, span));
    },
  });
}

function symbolOf({ state }: Services, symbol: string): string {
  return state.instruments.get(upperSymbol(symbol))?.symbol ?? refuse('unknownSymbol');
}

/** Undefined with real money, however the node is set: its charts show prices that were taken (HIS-5). */
function pastOf({ state, showsSimulatedPast }: Services, name: string): PastProfile | undefined {
  const { symbol, assetClass } = state.instruments.get(name)!;
  const isShown = showsSimulatedPast && parametersOf(state).fundingMode === 'paper';
  return isShown ? { symbol, annualVol: profileOf(symbol, assetClass).annualVol } : undefined;
}

/** A series that the venue once had is known by its prints and marks, one that was just listed by the state. */
function checkKnown({ state }: Services, { isKnown }: MarketShown, seriesId: string): void {
  if (!isKnown && !state.seriesById.has(seriesId)) refuse('unknownSeries');
}
