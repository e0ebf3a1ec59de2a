/** The maker's status line of each minute, and its figures. */

import type { Exposure } from './inventory.ts';
import { ladderOf } from './ladder.ts';
import type { Counts, Stats } from './stats.ts';
import type { Quote } from './symbol-quoter.ts';

export interface Figures {
  readonly quoted: number;
  /** Mean distance of best bid and ask, over the series that have both, in basis points of spot. */
  readonly spreadBps: number;
  /** The same in points of volatility: total spread over total vega. */
  readonly spreadVolPoints: number;
  readonly exposures: ReadonlyMap<string, Exposure>;
  /** Share of the house line in use, at the venue's marks and at the maker's own values. */
  readonly houseShare: number;
  readonly ownShare: number;
  readonly isFenced: boolean;
}

/** Means over the standing quotes. */
export function spreadsOf(quotes: Iterable<Quote>): Pick<Figures, 'spreadBps' | 'spreadVolPoints'> {
  let [count, bps, spreads, vegas] = [0, 0, 0, 0];
  for (const quote of quotes) {
    const { bids, asks } = ladderOf(quote);
    const { spot, value, room } = quote;
    const [bid, ask] = [bids[0], asks[0]];
    if (bid === undefined || ask === undefined || room.ask === 0) continue;
    count += 1;
    bps += ((ask[0] - bid[0]) / spot) * 10_000;
    spreads += ask[0] - bid[0];
    vegas += value.vega / 100;
  }
  return { spreadBps: count > 0 ? bps / count : 0, spreadVolPoints: vegas > 0 ? spreads / vegas : 0 };
}

/** The status line of each minute. */
export function statusLine(figures: Figures, minute: Counts, stats: Stats): string {
  const { quoted, spreadBps, spreadVolPoints, exposures, houseShare, ownShare } = figures;
  const holdings = [...exposures].filter(([, { deltaUsd, vegaUsd }]) => deltaUsd !== 0 || vegaUsd !== 0);
  const greeks = holdings.map(
    ([symbol, { deltaUsd, gammaUsd, vegaUsd }]) =>
      `${symbol} delta ${deltaUsd.toFixed(0)} gamma ${gammaUsd.toFixed(0)} vega ${vegaUsd.toFixed(0)} USD`,
  );
  return [
    `quotes stand in ${quoted} series, spread ${spreadBps.toFixed(1)} bps of spot or ${spreadVolPoints.toFixed(2)} points of volatility`,
    ...(greeks.length === 0 ? ['no inventory'] : greeks),
    `house line ${(houseShare * 100).toFixed(1)} % at marks, ${(ownShare * 100).toFixed(1)} % at own values`,
    `last minute: ${minute.fills} fills, edge ${minute.edgeUsd.toFixed(2)} USD, ${minute.rows} rows in ${minute.pushes} pushes, ${minute.refused} refused, ${minute.skipped} looks skipped`,
    `push p50 ${stats.percentile(0.5).toFixed(1)} ms p99 ${stats.percentile(0.99).toFixed(1)} ms`,
  ].join('; ');
}
