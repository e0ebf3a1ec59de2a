/** The margin of one short contract, and the only memo of it (MAR-1). */

import { clampMicros, type Micros, toMicros } from '@venue/protocol';
import {
  chargeMicros,
  ENTRY_MARGIN,
  floorMicros,
  MAINTENANCE_MARGIN,
  type MarginRates,
  premiumMicros,
  shockMicros,
} from '@venue/protocol/margin';
import { BUY, SELL } from '../book/book.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { memosOf } from './memos.ts';
import { marksByModel, modelMarkMicros, positionMarkMicros } from './risk-marks.ts';
import type { ValuationKey, ValuationStore } from './valuations.ts';

/** The parts of the margin of one short contract. */
export interface MarginTerms {
  readonly spotMicros: Micros;
  readonly markMicros: Micros;
  readonly premiumMicros: Micros;
  readonly shockMicros: Micros;
  readonly floorMicros: Micros;
  readonly unitMicros: Micros;
}

/**
 * Margin of one short contract: premium + max(shock x spot - OTM, floor x strike), each share rounded up. The premium
 * term is the mark, or at least intrinsic if the parameters say so (MAR-1).
 */
export function marginTerms(state: State, series: Series, rates: MarginRates): MarginTerms {
  const markMicros = positionMarkMicros(state, series);
  return {
    spotMicros: series.instrument.spotMicros,
    markMicros,
    premiumMicros: premiumAt(state, series, markMicros),
    shockMicros: toMicros(shockMicros(series, series.instrument.spotMicros, rates)),
    floorMicros: floorMicros(series, rates),
    unitMicros: marginUnitMicros(state, series, rates),
  };
}

/** The margin of one short contract at the mark of its series. */
export function marginUnitMicros(state: State, series: Series, rates: MarginRates): Micros {
  const valuations = valuationsFor(state, series);
  return rates === ENTRY_MARGIN
    ? valuations.entryUnitMicros(series.sid)
    : valuations.maintenanceUnitMicros(series.sid);
}

/** The entry margin of one short contract at a given mark, which may differ from the series' current one. */
export function entryUnitAtMicros(state: State, series: Series, mark: Micros): Micros {
  const charge = valuationsFor(state, series).entryChargeMicros(series.sid);
  return clampMicros(premiumAt(state, series, mark) + charge);
}

/**
 * The memo, with the row of the series up to date. A row is valid while all its inputs are unchanged; they are compared
 * here at every use, so that nobody has to announce changes.
 */
export function valuationsFor(state: State, series: Series): ValuationStore {
  const { valuations } = memosOf(state);
  const key = marksByModel(state) ? keyByModel(state, series) : keyByBook(series);
  if (!valuations.isFrom(series.sid, key)) revalue(state, series, key);
  return valuations;
}

function keyByBook({ book, instrument, status }: Series): ValuationKey {
  return {
    bid: book.top(BUY),
    ask: book.top(SELL),
    spot: instrument.spotMicros,
    status: numberOf(status),
  };
}

/** The mark itself is compared, which has a memo of its own. */
function keyByModel(state: State, series: Series): ValuationKey {
  const { instrument, status } = series;
  return {
    bid: modelMarkMicros(state, series),
    ask: BY_MODEL,
    spot: instrument.spotMicros,
    status: numberOf(status),
  };
}

/** In place of an ask in a key whose bid is a mark of the model: no price. */
const BY_MODEL = -1;

function numberOf(status: Series['status']): number {
  return status === 'live' ? 0 : status === 'settled' ? 2 : 1;
}

function revalue(state: State, series: Series, key: ValuationKey): void {
  const { valuations } = memosOf(state);
  const { sid } = series;
  const { spotMicros } = series.instrument;
  if (!valuations.isChargedAt(sid, spotMicros)) {
    valuations.charge(sid, spotMicros, {
      entryMicros: chargeMicros(series, spotMicros, ENTRY_MARGIN),
      maintenanceMicros: chargeMicros(series, spotMicros, MAINTENANCE_MARGIN),
    });
  }
  const mark = positionMarkMicros(state, series);
  valuations.mark(sid, key, { markMicros: mark, premiumMicros: premiumAt(state, series, mark) });
}

function premiumAt(state: State, series: Series, markMicros: Micros): Micros {
  const { spotMicros } = series.instrument;
  return premiumMicros(series, { spotMicros, markMicros }, parametersOf(state).marginPremium);
}
