/** What the maker shows of itself: a line for a person, and metrics in the text format of Prometheus. */

import type { Exposure } from './inventory.ts';
import { ladderOf } from './ladder.ts';
import type { Counts, Stats } from './stats.ts';
import type { Quote } from './symbol-quoter.ts';

export interface Figures {
  readonly quoted: number;
  /** Mean distance of best bid and ask, of the series that have both, in basis points of spot. */
  readonly spreadBps: number;
  /** The same in points of volatility: all spreads over all vegas. */
  readonly spreadVolPoints: number;
  readonly exposures: ReadonlyMap<string, Exposure>;
  /** Share of the house line in use, at the venue's marks and at the maker's own values. */
  readonly houseShare: number;
  readonly ownShare: number;
  readonly isFenced: boolean;
}

/** Means over the quotes that stand. */
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

/** The line of a minute. */
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

/** All figures, version 0.0.4 of the text format. */
export function metricsText(figures: Figures, stats: Stats): string {
  const { total } = stats;
  const exposures = [...figures.exposures];
  const bySymbol = (pick: (exposure: Exposure) => number) =>
    exposures.map(([symbol, exposure]): Sample => [`{symbol="${symbol}"}`, pick(exposure)]);
  return [
    metric('quoted_series', 'gauge', 'Series with quotes on the book', figures.quoted),
    metric('spread_bps', 'gauge', 'Mean spread in basis points of spot', figures.spreadBps),
    metric('spread_vol_points', 'gauge', 'All spreads over all vegas', figures.spreadVolPoints),
    metric(
      'delta_usd',
      'gauge',
      'Net delta in dollars of the underlying',
      bySymbol((e) => e.deltaUsd),
    ),
    metric(
      'gamma_usd',
      'gauge',
      'Change of the net delta for one per cent',
      bySymbol((e) => e.gammaUsd),
    ),
    metric(
      'vega_usd',
      'gauge',
      'Dollars per point of volatility',
      bySymbol((e) => e.vegaUsd),
    ),
    metric('house_share', 'gauge', 'Share of the house line in use, at marks', figures.houseShare),
    metric('own_house_share', 'gauge', 'The same at the values of the maker', figures.ownShare),
    metric('fenced', 'gauge', 'Whether another maker has taken over', Number(figures.isFenced)),
    metric('fills_total', 'counter', 'Trades', total.fills),
    metric('edge_usd', 'gauge', 'Trades against fair value since the start, in dollars', total.edgeUsd),
    metric('rows_total', 'counter', 'Rows pushed', total.rows),
    metric('rows_refused_total', 'counter', 'Rows that the venue refused', total.refused),
    metric('looks_skipped_total', 'counter', 'Looks at the market that a slow push cost', total.skipped),
    metric('push_ms', 'summary', 'Round trip of a push', [
      ['{quantile="0.5"}', stats.percentile(0.5)],
      ['{quantile="0.99"}', stats.percentile(0.99)],
    ]),
    `venue_maker_push_ms_count ${total.pushes}\n`,
  ].join('');
}

type Sample = readonly [labels: string, value: number];

function metric(name: string, type: string, help: string, samples: number | readonly Sample[]): string {
  const rows: readonly Sample[] = typeof samples === 'number' ? [['', samples]] : samples;
  const lines = rows.map(([labels, value]) => `venue_maker_${name}${labels} ${value}\n`);
  return `# HELP venue_maker_${name} ${help}\n# TYPE venue_maker_${name} ${type}\n${lines.join('')}`;
}
