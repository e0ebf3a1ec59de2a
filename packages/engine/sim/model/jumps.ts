/** Jumps in the model: every spot and every judgement is kept, and searched at each question (RSK-5). */

import { median } from './numbers.ts';
import type { ModelAccount, ModelInstrument } from './records.ts';
import { instrumentOf, type ModelState, parametersOf } from './state.ts';

const MINUTE_MS = 60_000;

export interface ModelJump {
  readonly sinceTs: number;
  readonly backTs: number | null;
}

/** Call it when parameters have come into force, and whenever the spot may have moved. */
export function keepSpot(state: ModelState, instrument: ModelInstrument): void {
  if (parametersOf(state).jumpStopBps === 0) Object.assign(instrument, { moves: [], judged: [] });
  else if (instrument.spot > 0n && instrument.moves.at(-1)?.spot !== instrument.spot)
    instrument.moves.push({ ts: state.ts, spot: instrument.spot });
}

/** Judges every symbol at a tick; returns those that are stopped. */
export function judgeJumps(state: ModelState): string[] {
  const bps = parametersOf(state).jumpStopBps;
  if (bps === 0) return [];
  for (const instrument of state.instruments) {
    const middle = minuteMedian(instrument, state.ts);
    const distance = middle === null ? 0n : instrument.spot - middle;
    const far = (distance < 0n ? -distance : distance) * 10_000n > BigInt(bps) * (middle ?? 0n);
    const before = jumpOf(instrument);
    instrument.judged.push({ ts: state.ts, far });
    note(state, before, instrument);
  }
  return state.instruments.filter((one) => isStopped(state, one)).map(({ symbol }) => symbol);
}

/** Each of the sixty whole seconds before the present one has the spot that it ended with; the first known goes back. */
export function minuteMedian({ moves }: ModelInstrument, ts: number): bigint | null {
  const [first] = moves;
  if (first === undefined) return null;
  const endOf = (second: number) => (second + 1) * 1000;
  const firstEnd = endOf(Math.floor(first.ts / 1000));
  const ends = Array.from({ length: 60 }, (_, at) => endOf(Math.floor(ts / 1000) - 1 - at));
  return median(ends.map((end) => moves.filter((move) => move.ts < Math.max(end, firstEnd)).at(-1)!.spot));
}

/** The jump that the judgements so far make. */
export function jumpOf({ judged }: ModelInstrument): ModelJump | null {
  let sinceTs: number | null = null;
  let backTs: number | null = null;
  for (const { ts, far } of judged) {
    if (backTs !== null && ts - backTs >= MINUTE_MS) sinceTs = null;
    if (far) sinceTs ??= ts;
    if (far || sinceTs === null) backTs = null;
    else backTs ??= ts;
  }
  return sinceTs === null ? null : { sinceTs, backTs };
}

function isStopped({ ts }: ModelState, instrument: ModelInstrument): boolean {
  const jump = jumpOf(instrument);
  return jump !== null && jump.backTs === null && ts < jump.sinceTs + MINUTE_MS;
}

export function isSpared(state: ModelState, { positions }: ModelAccount): boolean {
  const held = [...positions].filter(([, { qty }]) => qty !== 0n);
  const symbols = new Set(held.map(([sid]) => state.series[sid]!.symbol));
  return [...symbols].some((symbol) => isStopped(state, instrumentOf(state, symbol)!));
}

function note(state: ModelState, before: ModelJump | null, instrument: ModelInstrument): void {
  const jump = jumpOf(instrument);
  const found: Record<string, boolean> = {
    'jump of a spot': before === null && jump !== null,
    'spot back in a jump': before?.backTs === null && typeof jump?.backTs === 'number',
    'spot far again in a jump':
      before?.backTs != null && jump?.sinceTs === before.sinceTs && jump.backTs === null,
    'jump longer than its stop': jump?.backTs === null && !isStopped(state, instrument),
    'jump over': before !== null && jump?.sinceTs !== before.sinceTs,
  };
  for (const [what, isSo] of Object.entries(found)) if (isSo) state.notes.push(what);
}
