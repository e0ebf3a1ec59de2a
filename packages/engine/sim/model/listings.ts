/** Prices and listings in the model (FEED-1, FEED-2, LIST-1 to LIST-6). */

import { formatSeriesId, type Micros, type Right } from '@venue/protocol';
import type { PrintRow, PrintsCommand } from '../../src/entry/command.ts';
import { keepSpot } from './jumps.ts';
import { floorDiv, MOST, median } from './numbers.ts';
import { forgetSource, keepSample } from './oracle.ts';
import type { ModelInstrument } from './records.ts';
import { instrumentOf, type ModelState, parametersOf } from './state.ts';

const SOURCES_MAX = 16;
const SOURCE_NAME_MAX = 64;

export interface ModelPrintsOutcome {
  accepted: number;
  rowErrors: { i: number; error: string }[];
}

export function takePrints(state: ModelState, command: PrintsCommand): ModelPrintsOutcome {
  const outcome: ModelPrintsOutcome = { accepted: 0, rowErrors: [] };
  command.prints.forEach((print, i) => {
    const error = takePrint(state, print);
    if (error === undefined) outcome.accepted += 1;
    else outcome.rowErrors.push({ i, error });
  });
  // Without a new print, a spot follows its sources only at the next tick.
  const failed = outcome.rowErrors.map(({ i }) => i);
  const printed = command.prints.filter((_, i) => !failed.includes(i)).map(({ symbol }) => symbol);
  for (const instrument of state.instruments) {
    if (printed.includes(instrument.symbol)) refreshSpot(state, instrument);
  }
  return outcome;
}

function takePrint(state: ModelState, print: PrintRow): string | undefined {
  const instrument = instrumentOf(state, print.symbol);
  if (instrument === undefined || !instrument.active) return 'unknown symbol';
  if (print.source === '' || print.source.length > SOURCE_NAME_MAX) return 'bad source';
  if (print.priceMicros <= 0 || print.priceMicros > Number.MAX_SAFE_INTEGER) return 'bad price';
  const price = BigInt(print.priceMicros);
  const known = instrument.sources.find((other) => other.source === print.source);
  if (known === undefined && !makeRoom(state, instrument)) return 'too many sources';
  if (known === undefined) instrument.sources.push({ source: print.source, price: 0n, ts: 0 });
  Object.assign(known ?? instrument.sources.at(-1)!, { price, ts: state.ts });
  keepSample(state, { symbol: print.symbol, source: print.source, price });
  return undefined;
}

/** If there is no place for a new source, the one that printed longest ago must be stale and is removed. */
function makeRoom(state: ModelState, instrument: ModelInstrument): boolean {
  if (instrument.sources.length < SOURCES_MAX) return true;
  const oldest = instrument.sources.reduce((a, b) => (b.ts < a.ts ? b : a));
  if (state.ts - oldest.ts <= parametersOf(state).sourceStaleMs) return false;
  instrument.sources = instrument.sources.filter((source) => source !== oldest);
  forgetSource(state, instrument.symbol, oldest.source);
  return true;
}

/** The median over the fresh sources; without any, the last value stays (FEED-2). */
export function refreshSpot(state: ModelState, instrument: ModelInstrument): void {
  const fresh = freshPrices(state, instrument);
  if (fresh.length > 0) instrument.spot = median(fresh);
  keepSpot(state, instrument);
}

export function freshPrices(state: ModelState, instrument: ModelInstrument): bigint[] {
  const { sourceStaleMs } = parametersOf(state);
  return instrument.sources.filter(({ ts }) => state.ts - ts <= sourceStaleMs).map(({ price }) => price);
}

/** Lists missing series for the upcoming expiries, if these have changed (LIST-3). */
export function roll(state: ModelState, instrument: ModelInstrument, expiries: readonly number[]): void {
  if (!instrument.active || freshPrices(state, instrument).length === 0) return;
  if (instrument.rolledFor !== null && instrument.rolledFor.join() === expiries.join()) return;
  instrument.rolledFor = [...expiries];
  for (const expiryTs of expiries) {
    for (const strike of strikes(instrument.spot, parametersOf(state).strikesPerSide)) {
      for (const right of ['C', 'P'] as const) list(state, instrument.symbol, expiryTs, right, strike);
    }
  }
}

function list(state: ModelState, symbol: string, expiryTs: number, right: Right, strike: bigint): void {
  const seriesId = formatSeriesId({ symbol, expiryTs, right, strikeMicros: Number(strike) as Micros });
  if (state.series.some((series) => series.seriesId === seriesId)) return;
  const sid = state.series.length;
  state.series.push({
    ...{ sid, seriesId, symbol, expiryTs, right, strike },
    ...{ status: 'live', payout: 0n, iv: 0, delta: 0, volume: 0n, annotations: [] },
  });
}

/** Strikes around the step nearest to spot, ascending (LIST-2). */
function strikes(spot: bigint, perSide: number): bigint[] {
  const step = stepOf(spot);
  const centre = floorDiv(spot * 2n + step, step * 2n) * step;
  const around: bigint[] = [];
  for (let at = -perSide; at <= perSide; at++) around.push(centre + BigInt(at) * step);
  return around.filter((strike) => strike > 0n && strike <= MOST);
}

/** Upper bounds of spot in hundredths of a dollar, and the step below each (LIST-1). */
const STEPS: readonly (readonly [bigint, bigint])[] = [
  [25_00n, 50n],
  [100_00n, 1_00n],
  [250_00n, 2_50n],
  [1_000_00n, 5_00n],
  [2_500_00n, 10_00n],
  [5_000_00n, 25_00n],
  [10_000_00n, 50_00n],
];

function stepOf(spot: bigint): bigint {
  const cent = 10_000n;
  const row = STEPS.find(([bound]) => spot < bound * cent);
  // Above the table, a tenfold price has a tenfold step.
  return row === undefined ? stepOf(spot / 10n) * 10n : row[1] * cent;
}
