/** Volatilities and greeks of an underlying's series, as the messages of its channel make them (HIS-3, STR-2). */

import { parseSeriesId, type Ticker, type TickerMembers } from '@venue/protocol';
import { impliedVol } from '@venue/protocol/implied-vol';
import { minutesLeft, yearsOf } from '@venue/protocol/margin';
import type { ChannelMessage } from '@venue/sdk/browser';

/** NaN where there is none: without a mark above intrinsic value there is no volatility, and without one no greek. */
export interface LegGreeks {
  readonly iv: number;
  readonly delta: number;
  readonly gamma: number;
  readonly theta: number;
  readonly vega: number;
  /** Volatilities at which the model gives the best bid and the best ask. */
  readonly bidIv: number;
  readonly askIv: number;
}

export class LiveTickers {
  readonly #tickers = new Map<string, Ticker>();
  readonly #greeks = new Map<string, LegGreeks>();
  #spot = Number.NaN;

  /** Takes the next message in order. Returns the series of which something changed, and which may be gone. */
  take({ type, spot, tickers = [] }: Pick<ChannelMessage, 'type'> & TickerMembers): readonly string[] {
    if (type === 'snapshot') this.#tickers.clear();
    this.#spot = spot ?? this.#spot;
    for (const ticker of tickers) {
      this.#greeks.delete(ticker.seriesId);
      if ('gone' in ticker) this.#tickers.delete(ticker.seriesId);
      else this.#tickers.set(ticker.seriesId, ticker);
    }
    if (type === 'snapshot') this.#greeks.clear();
    return tickers.map(({ seriesId }) => seriesId);
  }

  /** Worked out when it is first asked for after a change; null for a series that is not traded. */
  greeksOf(seriesId: string, nowMs: number): LegGreeks | null {
    const known = this.#greeks.get(seriesId);
    if (known !== undefined) return known;
    const ticker = this.#tickers.get(seriesId);
    if (ticker === undefined) return null;
    const made = legGreeks(ticker, this.#spot, nowMs);
    this.#greeks.set(seriesId, made);
    return made;
  }
}

function legGreeks(ticker: Ticker, spot: number, nowMs: number): LegGreeks {
  const { iv, delta, gamma, theta, vega, bid, ask } = ticker;
  return {
    iv: iv ?? Number.NaN,
    delta: delta ?? Number.NaN,
    gamma: gamma ?? Number.NaN,
    theta: theta ?? Number.NaN,
    vega: vega ?? Number.NaN,
    bidIv: ivAt(ticker.seriesId, { price: bid, spot, nowMs }),
    askIv: ivAt(ticker.seriesId, { price: ask, spot, nowMs }),
  };
}

function ivAt(
  seriesId: string,
  { price, spot, nowMs }: { readonly price: number | null; readonly spot: number; readonly nowMs: number },
): number {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined || price === null) return Number.NaN;
  const years = yearsOf(minutesLeft({ cutoffMs: terms.expiryTs * 1_000 }, nowMs));
  const { right, strikeMicros } = terms;
  return impliedVol({ right, forward: spot, strike: strikeMicros / 1e6, years, price }) ?? Number.NaN;
}
