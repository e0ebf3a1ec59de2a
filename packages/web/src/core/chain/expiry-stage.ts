/** What has become of an expiry, which expiries the page shows, and what a settlement or its refusal comes to. */

import type { FillRecord, Position, RefusedExpiry, Settlement, SettlementList } from '@venue/protocol';
import { settlementWindow } from '../dates.ts';
import type { PricePoint } from './history.ts';

export type ExpiryStage =
  | { readonly kind: 'trading' }
  /** The half hour that is averaged into the price. */
  | { readonly kind: 'window' }
  /** Past its cutoff, and no word of the oracle yet. */
  | { readonly kind: 'settling' }
  | { readonly kind: 'settled'; readonly settlement: Settlement }
  | { readonly kind: 'review'; readonly refused: RefusedExpiry };

/** The stage of an expiry (Unix seconds) by the venue's clock; what the venue has said of it counts more than the clock. */
export function expiryStage(
  expiryTs: number,
  { decided, nowMs }: { readonly decided: SettlementList | null; readonly nowMs: number },
): ExpiryStage {
  const settlement = decided?.settlements.find((one) => one.expiryTs === expiryTs);
  if (settlement !== undefined) return { kind: 'settled', settlement };
  const refused = decided?.refused?.find((one) => one.expiryTs === expiryTs);
  if (refused !== undefined) return { kind: 'review', refused };
  if (nowMs >= expiryTs * 1_000) return { kind: 'settling' };
  return { kind: settlementWindow(expiryTs, nowMs).isOpen ? 'window' : 'trading' };
}

/** Whether a contract that is held can be traded, or what it waits for: its price, or an operator. */
export type HeldStage = 'trading' | 'settling' | 'review';

export interface HeldMoment {
  /** Series that the oracle refused. */
  readonly pendingReview: readonly string[];
  readonly nowMs: number;
}

/** The stage of a position, of whatever underlying, by the venue's clock and its list of what waits for review. */
export function heldStage(
  { seriesId, expiryTs }: Pick<Position, 'seriesId' | 'expiryTs'>,
  { pendingReview, nowMs }: HeldMoment,
): HeldStage {
  if (pendingReview.includes(seriesId)) return 'review';
  return nowMs >= expiryTs * 1_000 ? 'settling' : 'trading';
}

/** How long an expiry that has settled keeps its tab. */
const REMEMBERED_MS = 24 * 3_600_000;

export interface ExpiryChoice {
  readonly listed: readonly number[];
  readonly decided: SettlementList | null;
  readonly chosen: number | null;
  readonly nowMs: number;
}

/** Expiries that get a tab, ascending: those listed, those in review, those of the last day, and the one looked at. */
export function shownExpiries({ listed, decided, chosen, nowMs }: ExpiryChoice): number[] {
  const recent = (decided?.settlements ?? []).filter((one) => nowMs - one.expiryTs * 1_000 < REMEMBERED_MS);
  const shown = [...listed, ...[...recent, ...(decided?.refused ?? [])].map(({ expiryTs }) => expiryTs)];
  if (chosen !== null) shown.push(chosen);
  return [...new Set(shown)].sort((a, b) => a - b);
}

export interface WindowEstimate {
  /** Average from the start of the window on. */
  readonly soFar: number;
  /** What it comes to by the cutoff if the price stays where it is. */
  readonly ifUnchanged: number;
  /** How much of the window that has passed the page has seen, from 0 to 1; the first price stands for the rest. */
  readonly seenShare: number;
}

/**
 * The settlement price as it would come out of the spots that the page has seen: each holds until the next, the first
 * from the start of the window on (ORA-1). The venue averages each of its sources and takes the median, so that this is
 * near to its price and not the same. Null before the window and without a spot in it.
 */
export function windowEstimate(
  spots: readonly PricePoint[],
  { expiryTs, nowMs }: { readonly expiryTs: number; readonly nowMs: number },
): WindowEstimate | null {
  const { opensMs, closesMs } = settlementWindow(expiryTs, nowMs);
  const untilMs = Math.min(nowMs, closesMs);
  const inside = spots.filter(({ second }) => second * 1_000 >= opensMs && second * 1_000 <= untilMs);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || untilMs <= opensMs) return null;
  let sum = 0;
  for (const [i, { second, price }] of inside.entries()) {
    const fromMs = i === 0 ? opensMs : second * 1_000;
    const next = inside[i + 1];
    sum += price * ((next === undefined ? untilMs : next.second * 1_000) - fromMs);
  }
  return {
    soFar: sum / (untilMs - opensMs),
    ifUnchanged: (sum + last.price * (closesMs - untilMs)) / (closesMs - opensMs),
    seenShare: (untilMs - first.second * 1_000) / (untilMs - opensMs),
  };
}

/** What one of the account's positions got. */
export interface Payout {
  readonly id: number;
  readonly seriesId: string;
  /** Contracts that were held, negative for a short. */
  readonly qty: number;
  /** Dollars a contract. */
  readonly payout: number;
  /** What it moved in cash, in dollars: negative where a short paid. */
  readonly cash: number;
  readonly realized: number;
}

/** Payouts of an expiry out of the account's fills: its settlement rows, which name the side that closed (FINE-7). */
export function payoutsOf(
  expiry: { readonly symbol: string; readonly expiryTs: number },
  fills: readonly FillRecord[],
): Payout[] {
  return fills
    .filter(({ kind, seriesId }) => kind === 'settlement' && isOf(seriesId, expiry))
    .map(({ id, seriesId, side, qty, price, realized }) => {
      const held = side === 'sell' ? qty : -qty;
      return { id, seriesId, qty: held, payout: price, cash: held * price, realized };
    });
}

/** Positions that wait for the price of an expiry. */
export function waitingPositions(
  { symbol, expiryTs }: { readonly symbol: string; readonly expiryTs: number },
  positions: Iterable<Position>,
): Position[] {
  return [...positions].filter((one) => one.symbol === symbol && one.expiryTs === expiryTs);
}

function isOf(
  seriesId: string,
  { symbol, expiryTs }: { readonly symbol: string; readonly expiryTs: number },
): boolean {
  return seriesId.startsWith(`${symbol}-${expiryTs}-`);
}

/** What a contract pays at a price of the underlying, in dollars. */
export function intrinsicOf(
  { optType, strike }: Pick<Position, 'optType' | 'strike'>,
  price: number,
): number {
  return Math.max(0, optType === 'call' ? price - strike : strike - price);
}

/** How far from the anchor an operator may settle, by the venue's usual bound. */
const HAND_BOUND = 0.01;

/** The prices between which a hand settlement must lie; null where there was no print, so that nobody can settle. */
export function handRange({ anchor }: Pick<RefusedExpiry, 'anchor'>): { low: number; high: number } | null {
  return anchor === null ? null : { low: anchor * (1 - HAND_BOUND), high: anchor * (1 + HAND_BOUND) };
}

/** Which test an expiry failed, in words. */
export function refusalText({ reason, sources, dispersionBps }: RefusedExpiry): string {
  const fresh = sources.filter((source) => source.fresh).length;
  if (reason === 'too few fresh sources') {
    const had =
      fresh === 0 ? 'No price source' : fresh === 1 ? 'Only one price source' : `Only ${fresh} price sources`;
    return `${had} had printed within the last minute before the cutoff. The venue needs at least two.`;
  }
  if (reason === 'dispersion too wide' && dispersionBps !== null)
    return `The averages of the price sources lie ${percentOf(dispersionBps)} apart. More than 1% is not trusted.`;
  return `The price was refused: ${reason}.`;
}

/** Basis points as percent: 299.4 gives `2.99%`. */
export function percentOf(bps: number): string {
  return `${(bps / 100).toFixed(2)}%`;
}
