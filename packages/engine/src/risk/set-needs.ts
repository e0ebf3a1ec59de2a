/** The need of the quotes of a set at the current marks and spots, row by row and in all. */

import { MICROS_MAX, type Micros, ZERO } from '@venue/protocol';
import { ENTRY_MARGIN } from '@venue/protocol/margin';
import { hasQuotes, type QuoteSet, type QuotesNeed, type RowNeed, type SetRow } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { marginMicros } from './margin.ts';
import { memosOf } from './memos.ts';
import { marksByModel } from './risk-marks.ts';
import { SetSums } from './set-sums.ts';
import { marginUnitMicros } from './units.ts';

/** The memo of a row's need; everything that it is computed from is compared here at every use. */
export function needOfRow(state: State, row: SetRow): RowNeed {
  const series = state.series[row.sid]!;
  const unitMicros = row.askMicros > 0 ? marginUnitMicros(state, series, ENTRY_MARGIN) : ZERO;
  const { need: known, version } = row;
  if (known !== null && known.version === version && known.unitMicros === unitMicros) return known;
  let sum = 0;
  let highest = 0;
  let levels = 0;
  // In a copy of the state the quotes of a series that is not copied are still the original's.
  const { orders } = series.book;
  const addSide = (ids: readonly number[], unit: Micros | null) => {
    for (const id of ids) {
      const h = orders.find(id);
      if (h === null) continue;
      const each = unit ?? orders.price(h);
      sum = Math.min(sum + marginMicros(each, orders.remaining(h)), MICROS_MAX);
      highest = Math.max(highest, each);
      levels += 1;
    }
  };
  addSide(row.bids, null);
  addSide(row.asks, unitMicros);
  row.need = {
    version,
    unitMicros,
    sumMicros: sum,
    highestUnitMicros: highest,
    levels,
    hasAsks: row.askMicros > 0,
  };
  return row.need;
}

/** The need of all quotes of a set. Rows that did not change cost nothing. */
export function needOfSet(state: State, set: QuoteSet): QuotesNeed {
  const { setSums } = memosOf(state);
  let sums = setSums.get(set);
  if (sums === undefined) {
    sums = new SetSums();
    setSums.set(set, sums);
  }
  keepUp(state, set, sums);
  return sums;
}

/** Counts the rows again whose need may have changed since the last call. */
function keepUp(state: State, set: QuoteSet, sums: SetSums): void {
  const { rows } = set;
  const changed = sums.changes.take(state, state.instruments.get(set.symbol)!);
  for (const sid of changed ?? rows.keys()) sums.put(sid, countedNeed(state, sums, rows.get(sid)));
  if (changed === null) sums.dropOthers(rows);
}

function countedNeed(state: State, { changes }: SetSums, row: SetRow | undefined): RowNeed | undefined {
  if (row === undefined || !hasQuotes(row)) return undefined;
  const need = needOfRow(state, row);
  const markRow = need.hasAsks && marksByModel(state) ? memosOf(state).markRows[row.sid] : undefined;
  if (markRow !== undefined) changes.noteRead(state, state.series[row.sid]!, markRow);
  return need;
}
