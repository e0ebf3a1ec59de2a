/** Samples of the hour as their routes show them (HIS-4). */

import { type EquityList, type IvList, microsToDecimal, toMicros, type Volatility } from '@venue/protocol';
import { HOUR_MS } from '../history/hour-slots.ts';
import type { HourlyPage, StoredSample } from '../history/hourly-reads.ts';
import { VALUE_UNIT } from '../history/rows.ts';

export function ivListView(page: HourlyPage): IvList {
  return {
    rows: page.samples.map(({ t, value }) => ({ t: t * HOUR_MS, iv: value / VALUE_UNIT })),
    ...nextOf(page),
  };
}

/** Null, as the index now is, where it cannot be told. */
export function volatilityView(symbol: string, index: number | null, page: HourlyPage): Volatility {
  const rows = page.samples.map(({ t, value }) => ({ t: t * HOUR_MS, index: value / VALUE_UNIT }));
  const rounded = index === null ? null : Math.round(index * VALUE_UNIT) / VALUE_UNIT;
  return { symbol, index: rounded, rows, ...nextOf(page) };
}

export function equityListView(page: HourlyPage): EquityList {
  return {
    rows: page.samples.map(equityRow),
    ...nextOf(page),
    ...(page.completeFromMs > 0 && { completeFrom: page.completeFromMs }),
  };
}

function equityRow({ t, value }: StoredSample): EquityList['rows'][number] {
  return { t: t * HOUR_MS, equity: microsToDecimal(toMicros(value)) };
}

function nextOf({ samples, hasMore }: HourlyPage): { next?: number } {
  return hasMore ? { next: (samples.at(-1)!.t + 1) * HOUR_MS } : {};
}
