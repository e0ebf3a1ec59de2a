/** Gauges with a value for each active underlying. */

import { type Instrument, isStopped, type State } from '@venue/engine';
import { Gauge, type Registry } from 'prom-client';

interface SymbolSource {
  readonly state: State;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Null for an underlying without a value. */
type SymbolGauge = readonly [
  name: string,
  help: string,
  read: (instrument: Instrument, source: SymbolSource) => number | null,
];

const GAUGES: readonly SymbolGauge[] = [
  [
    'venue_feed_age_seconds',
    'Since the newest print of a symbol, whatever its source; absent before the first',
    ({ sources }, { now }) => {
      const newest = Math.max(...[...sources.values()].map(({ ts }) => ts));
      return Number.isFinite(newest) ? (now() - newest) / 1_000 : null;
    },
  ],
  // A jump lasts long enough for any scrape to see it; a stop may be over within a tick.
  [
    'venue_spot_jumped',
    '1 from the tick that finds a spot too far from its median until it has been back for a minute',
    ({ jump }) => Number(jump !== null),
  ],
  [
    'venue_liquidation_stopped',
    '1 while a jump of the symbol stops liquidation',
    (instrument, { state }) => Number(isStopped(instrument, state.ts)),
  ],
];

/** Adds the gauges to a registry. Call once. */
export function watchSymbols(source: SymbolSource, registry: Registry): void {
  for (const [name, help, read] of GAUGES) {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames: ['symbol'], registers: [registry] },
      collect: () => {
        gauge.reset();
        for (const instrument of source.state.instruments.values()) {
          const value = instrument.active ? read(instrument, source) : null;
          if (value !== null) gauge.set({ symbol: instrument.symbol }, value);
        }
      },
    });
  }
}
