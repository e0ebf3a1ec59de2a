/** Prints and candles as their routes show them (HIS-1, HIS-2). */

import {
  type Candle,
  type CandleList,
  microsToDecimal,
  type Trade,
  type TradeList,
  toMicros,
} from '@venue/protocol';
import type { Span, StoredCandle } from '../history/candles.ts';
import type { CandlesPage, PrintsPage, StoredPrint } from '../history/market-reads.ts';
import { MINUTE_MS } from '../history/rows.ts';

export function tradeListView({ prints, hasMore }: PrintsPage): TradeList {
  return { trades: prints.map(tradeView), ...(hasMore && { before: prints.at(-1)!.id }) };
}

export function candleListView({ candles, hasMore }: CandlesPage, span: Span): CandleList {
  const next = () => (candles.at(-1)!.t + span) * MINUTE_MS;
  return { candles: candles.map(candleView), ...(hasMore && { next: next() }) };
}

function tradeView({ id, seriesId, price, qty, buy, ts, self }: StoredPrint): Trade {
  return {
    ...{ id, seriesId, price: decimal(price), qty: decimal(qty), side: buy === 1 ? 'buy' : 'sell', ts },
    ...(self === 1 && { self: true }),
  };
}

function candleView({ t, o, h, l, c, v, simulated }: StoredCandle): Candle {
  return {
    ...{ t: t * MINUTE_MS, o: decimal(o), h: decimal(h), l: decimal(l), c: decimal(c) },
    ...(v !== null && { v: decimal(v) }),
    ...(simulated && { simulated }),
  };
}

function decimal(micros: number): number {
  return microsToDecimal(toMicros(micros));
}
