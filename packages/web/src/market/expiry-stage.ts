/** The stages of an expiry, the expiries the page shows, and the results of a settlement or refusal. */

import type { FillRecord, Position, RefusedExpiry, Settlement, SettlementList } from '@venue/protocol';
import { settlementWindow } from '../basics/dates.ts';
import { expiryKey } from './decisions.ts';
import type { PricePoint } from './history.ts';

export type ExpiryStage =
  | { readonly kind: 'trading' }
  /** The half hour averaged into the settlement price. */
  | { readonly kind: 'window' }
  /** Past its cutoff, without a decision of the oracle yet. */
  | { readonly kind: 'settling' }
  | { readonly kind: 'settled'; readonly settlement: Settlement }
  | { readonly kind: 'review'; readonly refused: RefusedExpiry };

/** The stage of an expiry (Unix seconds) by the venue's clock; a decision of the venue overrides the clock. */
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

/**
 * The expiry that stands beside the chosen one: the wanted one, as long as it is listed and trades, or else the next after
 * the chosen one, or the nearest before it. Null where there is no other.
 */
export function secondExpiry(
  listed: readonly number[],
  {
    first,
    wanted,
    nowMs,
  }: {
    readonly first: number | null;
    readonly wanted: number | null;
    readonly nowMs: number;
  },
): number | null {
  const others = listed.filter((one) => one !== first && one * 1_000 > nowMs);
  if (wanted !== null && others.includes(wanted)) return wanted;
  return others.find((one) => one > (first ?? 0)) ?? others.at(-1) ?? null;
}

/** The stage of a held contract: it can be traded, waits for its settlement price, or waits for an operator. */
export type HeldStage = 'trading' | 'settling' | 'review';

export interface HeldMoment {
  /** The expiries whose settlement the oracle refused, by `expiryKey`. */
  readonly inReview: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The stage of a position in any underlying, by the venue's clock and its expiries in review. */
export function heldStage(
  position: Pick<Position, 'symbol' | 'expiryTs'>,
  { inReview, nowMs }: HeldMoment,
): HeldStage {
  if (inReview.has(expiryKey(position))) return 'review';
  return nowMs >= position.expiryTs * 1_000 ? 'settling' : 'trading';
}

/** How long a settled expiry keeps its tab. */
const REMEMBERED_MS = 24 * 3_600_000;

export interface ExpiryChoice {
  readonly listed: readonly number[];
  readonly decided: SettlementList | null;
  readonly chosen: number | null;
  readonly nowMs: number;
}

/** Expiries with a tab, ascending: listed, in review, settled within the last day, and the chosen one. */
export function shownExpiries({ listed, decided, chosen, nowMs }: ExpiryChoice): number[] {
  const recent = (decided?.settlements ?? []).filter((one) => nowMs - one.expiryTs * 1_000 < REMEMBERED_MS);
  const shown = [...listed, ...[...recent, ...(decided?.refused ?? [])].map(({ expiryTs }) => expiryTs)];
  if (chosen !== null) shown.push(chosen);
  return [...new Set(shown)].sort((a, b) => a - b);
}

export interface WindowEstimate {
  /** Average since the start of the window. */
  readonly soFar: number;
  /** The average at the cutoff if the price stays unchanged. */
  readonly ifUnchanged: number;
  /** Share of the elapsed window that the page has seen, from 0 to 1; the first price stands in for the rest. */
  readonly seenShare: number;
}

/**
 * Estimates the settlement price from the spots the page has seen: each holds until the next, the first from the start
 * of the window (ORA-1). The venue averages each of its sources and takes the median, so its price is close to this but
 * not equal. Null before the window and without a spot in it.
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

/** The payout of one of the account's positions. */
export interface Payout {
  readonly id: number;
  readonly seriesId: string;
  /** Contracts held, negative for a short. */
  readonly qty: number;
  /** Dollars per contract. */
  readonly payout: number;
  /** Change in cash, in dollars: negative where a short paid. */
  readonly cash: number;
  readonly realized: number;
}

/** Payouts of an expiry from the account's settlement fills, which name the side that closed (FINE-7). */
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

/** Payout of one contract at a price of the underlying, in dollars. */
export function intrinsicOf(
  { optType, strike }: Pick<Position, 'optType' | 'strike'>,
  price: number,
): number {
  return Math.max(0, optType === 'call' ? price - strike : strike - price);
}

/** The venue's default bound on a hand settlement's distance from the anchor. */
const HAND_BOUND = 0.01;

/** The range a hand settlement must lie in; null without a print, in which case nobody can settle. */
export function handRange({ anchor }: Pick<RefusedExpiry, 'anchor'>): { low: number; high: number } | null {
  return anchor === null ? null : { low: anchor * (1 - HAND_BOUND), high: anchor * (1 + HAND_BOUND) };
}

/** Why the oracle refused an expiry, in words. */
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
