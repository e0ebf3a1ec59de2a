/** Jumps of a spot, during which the accounts that they concern are not liquidated for a while (RSK-5). */

import { jumpStopBps, recentMedianMicros } from '../expiry/recent-spots.ts';
import type { Account } from '../state/account.ts';
import { BPS, JUMP_MS } from '../state/limits.ts';
import type { Instrument, Jump } from '../state/series.ts';
import type { State } from '../state/state.ts';

/**
 * Judges every spot by the median of its last 60 s, and names the symbols whose jump stops liquidation now. A jump lasts
 * until the spot has been back for 60 s, so that one which comes and goes does not stop liquidation again and again.
 */
export function watchJumps(state: State): string[] {
  for (const instrument of state.instruments.values()) instrument.jump = jumpOf(state, instrument);
  return [...state.instruments.values()]
    .filter((one) => isStopped(one, state.ts))
    .map(({ symbol }) => symbol);
}

/** True in the first 60 s of a jump, while the spot is not back. */
export function isStopped({ jump }: Instrument, ts: number): boolean {
  return jump !== null && jump.backTs === null && ts < stopEndMs(jump);
}

/** When a jump no longer stops liquidation, Unix milliseconds. */
export function stopEndMs({ sinceTs }: Jump): number {
  return sinceTs + JUMP_MS;
}

/** True if the account holds contracts, long or short, on a symbol whose jump stops liquidation. */
export function isSpared({ ts }: State, { positions }: Account): boolean {
  for (const { qtyMicros, series } of positions)
    if (qtyMicros !== 0 && isStopped(series.instrument, ts)) return true;
  return false;
}

function jumpOf(state: State, instrument: Instrument): Jump | null {
  const { ts } = state;
  const { jump } = instrument;
  const lasting = jump === null || isOver(jump, ts) ? null : jump;
  if (isFar(state, instrument)) return { sinceTs: lasting?.sinceTs ?? ts, backTs: null };
  return lasting === null ? null : { ...lasting, backTs: lasting.backTs ?? ts };
}

function isOver({ backTs }: Jump, ts: number): boolean {
  return backTs !== null && ts - backTs >= JUMP_MS;
}

function isFar(state: State, instrument: Instrument): boolean {
  const bps = jumpStopBps(state);
  const median = bps === 0 ? null : recentMedianMicros(instrument, state.ts);
  if (median === null) return false;
  const distance = BigInt(Math.abs(instrument.spotMicros - median));
  return distance * BigInt(BPS) > BigInt(bps) * BigInt(median);
}
