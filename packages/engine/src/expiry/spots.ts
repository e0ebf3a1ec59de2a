/** Prints of the price sources, and the spot computed from them (FEED-1, FEED-2). */

import { MESSAGES, type Micros, REJECT, ROW_REJECT, type RowFault, toMicros } from '@venue/protocol';
import type { PrintRow, PrintsCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf, RowError } from '../entry/outcome.ts';
import { SOURCE_NAME_LENGTH_MAX, SOURCES_PER_SYMBOL_MAX } from '../state/limits.ts';
import type { Instrument, PriceSource } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { medianMicros } from './median.ts';
import { keepForgotten, samplePrint } from './oracle.ts';
import { keepSpot } from './recent-spots.ts';

/** Accepts the valid rows of a push, with the log's time, and reports the faults of the others. */
export function takePrints(state: State, effects: Effects, command: PrintsCommand): OutcomeOf<'prints'> {
  const rowErrors: RowError[] = [];
  const printed = new Set<Instrument>();
  command.prints.forEach((print, i) => {
    const instrument = state.instruments.get(print.symbol);
    const error = checkPrint(state, instrument, print);
    if (error !== null || instrument === undefined) {
      rowErrors.push({ i, error: error ?? MESSAGES.unknownSymbol.error });
      return;
    }
    const priceMicros = toMicros(print.priceMicros);
    const taken = { source: print.source, priceMicros, ts: state.ts };
    makeRoom(state, instrument, print.source);
    samplePrint(state, instrument, taken);
    instrument.sources.set(print.source, taken);
    printed.add(instrument);
  });
  for (const instrument of printed) updateSpot(state, effects, instrument);
  return { accepted: command.prints.length - rowErrors.length, rowErrors };
}

/** Updates every spot to the log's time: sources become stale without printing. */
export function updateSpots(state: State, effects: Effects): void {
  for (const instrument of state.instruments.values()) updateSpot(state, effects, instrument);
}

/** True if some source printed within the staleness limit, inclusive. */
export function isFeedFresh(state: State, instrument: Instrument, nowMs: number): boolean {
  const { sourceStaleMs } = parametersOf(state);
  for (const { ts } of instrument.sources.values()) if (nowMs - ts <= sourceStaleMs) return true;
  return false;
}

function checkPrint(state: State, instrument: Instrument | undefined, print: PrintRow): RowFault | null {
  if (instrument === undefined || !instrument.active) return MESSAGES.unknownSymbol.error;
  if (!(Number.isSafeInteger(print.priceMicros) && print.priceMicros > 0)) return REJECT.badPrice;
  if (print.source.length === 0 || print.source.length > SOURCE_NAME_LENGTH_MAX) return ROW_REJECT.badSource;
  return hasRoom(instrument, print.source) || stalest(state, instrument) !== null
    ? null
    : ROW_REJECT.tooManySources;
}

function hasRoom({ sources }: Instrument, source: string): boolean {
  return sources.has(source) || sources.size < SOURCES_PER_SYMBOL_MAX;
}

/** A stale source gives up its place to a new one, so that names can keep changing (OWN-16). */
function makeRoom(state: State, instrument: Instrument, source: string): void {
  if (hasRoom(instrument, source)) return;
  const { source: forgotten } = stalest(state, instrument)!;
  keepForgotten(state, instrument, forgotten);
  instrument.sources.delete(forgotten);
}

/** The source that printed longest ago, if it is stale. */
function stalest(state: State, { sources }: Instrument): PriceSource | null {
  let oldest: PriceSource | null = null;
  for (const source of sources.values()) if (oldest === null || source.ts < oldest.ts) oldest = source;
  const { sourceStaleMs } = parametersOf(state);
  return oldest !== null && state.ts - oldest.ts > sourceStaleMs ? oldest : null;
}

/** The last value stays if every source is stale. */
function updateSpot(state: State, effects: Effects, instrument: Instrument): void {
  const { sourceStaleMs } = parametersOf(state);
  const fresh: Micros[] = [];
  for (const { priceMicros, ts } of instrument.sources.values()) {
    if (state.ts - ts <= sourceStaleMs) fresh.push(priceMicros);
  }
  if (fresh.length === 0) return;
  const spot = medianMicros(fresh);
  if (spot === instrument.spotMicros) return;
  instrument.spotMicros = spot;
  keepSpot(state, instrument);
  effects.spotMoved(instrument.symbol);
}
