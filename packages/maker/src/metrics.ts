/** The maker's metrics: its quotes, its inventory and its pushes. */

import { createRegistry } from '@venue/telemetry';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Exposure } from './inventory.ts';
import type { Counts, Stats } from './stats.ts';
import type { Figures } from './status.ts';

export interface MakerMetricsSource {
  readonly figures: () => Figures;
  readonly stats: Stats;
}

type GaugeRow = readonly [name: string, help: string, read: (figures: Figures) => number];
type ExposureRow = readonly [name: string, help: string, read: (exposure: Exposure) => number];
type CounterRow = readonly [name: string, help: string, read: (total: Counts) => number];

const GAUGES: readonly GaugeRow[] = [
  ['quoted_series', 'Series with quotes on the book', ({ quoted }) => quoted],
  ['spread_bps', 'Mean spread in basis points of spot', ({ spreadBps }) => spreadBps],
  ['spread_vol_points', 'All spreads over all vegas', ({ spreadVolPoints }) => spreadVolPoints],
  ['house_share', 'Share of the house line in use, at marks', ({ houseShare }) => houseShare],
  ['own_house_share', 'The same at the values of the maker', ({ ownShare }) => ownShare],
  ['fenced', '1 once another maker has taken over', ({ isFenced }) => Number(isFenced)],
];

const EXPOSURES: readonly ExposureRow[] = [
  ['delta_usd', 'Net delta in dollars of the underlying', ({ deltaUsd }) => deltaUsd],
  ['gamma_usd', 'Change of the net delta for one per cent', ({ gammaUsd }) => gammaUsd],
  ['vega_usd', 'Dollars per point of volatility', ({ vegaUsd }) => vegaUsd],
];

const COUNTERS: readonly CounterRow[] = [
  ['fills_total', 'Trades', ({ fills }) => fills],
  ['pushes_total', 'Pushes of quotes', ({ pushes }) => pushes],
  ['rows_total', 'Rows pushed', ({ rows }) => rows],
  ['rows_refused_total', 'Rows that the venue refused', ({ refused }) => refused],
  ['looks_skipped_total', 'Looks at the market that a slow push cost', ({ skipped }) => skipped],
];

const PERCENTILES = [0.5, 0.99];

/** A registry that reads the maker's figures on every scrape. */
export function makerRegistry({ figures, stats }: MakerMetricsSource): Registry {
  const registry = createRegistry('maker');
  const registers = [registry];
  for (const [name, help, read] of GAUGES) {
    const collect = (): void => gauge.set(read(figures()));
    const gauge = new Gauge({ name: `venue_maker_${name}`, help, registers, collect });
  }
  for (const [name, help, read] of EXPOSURES) {
    const collect = (): void => {
      for (const [symbol, exposure] of figures().exposures) gauge.set({ symbol }, read(exposure));
    };
    const gauge = new Gauge({
      name: `venue_maker_${name}`,
      help,
      labelNames: ['symbol'],
      registers,
      collect,
    });
  }
  for (const [name, help, read] of COUNTERS) {
    const collect = (): void => {
      counter.reset();
      counter.inc(read(stats.total));
    };
    const counter = new Counter({ name: `venue_maker_${name}`, help, registers, collect });
  }
  addTrades(registry, stats);
  return registry;
}

function addTrades(registry: Registry, stats: Stats): void {
  const registers = [registry];
  const edge: Gauge = new Gauge({
    name: 'venue_maker_edge_usd',
    help: 'Trades against fair value since the start, in dollars',
    registers,
    collect: () => edge.set(stats.total.edgeUsd),
  });
  const trips: Gauge = new Gauge({
    name: 'venue_maker_push_ms',
    help: 'Round trip of the last pushes',
    labelNames: ['quantile'],
    registers,
    collect: () => {
      for (const quantile of PERCENTILES) trips.set({ quantile }, stats.percentile(quantile));
    },
  });
}
