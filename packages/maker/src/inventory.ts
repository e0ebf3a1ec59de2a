/** The maker's positions and their effect on its quotes (OWN-61). */

import type { Position, Right } from '@venue/protocol';
import type { LimitParameters, SkewParameters } from './parameters.ts';
import type { SeriesValue, Shift } from './pricing.ts';

/** Net greeks of one symbol. */
export interface Exposure {
  /** Dollars of the underlying. */
  readonly deltaUsd: number;
  /** Change of `deltaUsd` per one per cent move of the spot. */
  readonly gammaUsd: number;
  /** Dollars per point of volatility. */
  readonly vegaUsd: number;
}

export const FLAT: Exposure = { deltaUsd: 0, gammaUsd: 0, vegaUsd: 0 };

/**
 * Largest share of its house line (HOUSE-1) that the maker uses: values move, and its quotes can all trade together.
 */
const HOUSE_SHARE_MAX = 0.5;
/** Entry margin of a short (MAR-1), as shares of spot and of strike. */
const SHOCK = 0.2;
const FLOOR = 0.1;

/** The maker's own values of a contract and its underlying. */
export interface Opinion {
  readonly price: number;
  readonly spot: number;
}

/** What the maker holds, and how far it may go. */
export interface Holdings {
  readonly positions: readonly Position[];
  /** Used of the line by the venue's account, in dollars. */
  readonly exposure: number;
  /** The house line (HOUSE-1), or the equity of an account. */
  readonly houseLine: number;
}

/** The venue's latest positions, and the house line they use: by the venue's account and by the maker's own values. */
export class Inventory {
  #positions: ReadonlyMap<string, Position> = new Map();
  #marks = new Map<string, number>();
  #houseLine: number | null = null;
  #houseShare = 0;
  #ownShare = 0;

  replace({ positions, exposure, houseLine }: Holdings): void {
    this.#positions = new Map(positions.map((position) => [position.seriesId, position]));
    this.#marks = new Map(positions.map(({ seriesId, mark }) => [seriesId, mark]));
    this.#houseLine = houseLine;
    this.#houseShare = shareOf(exposure, houseLine);
  }

  /** Revalues the positions. Marks are ignored, because anyone can set them where a book is empty (MARK-1). */
  revalue(opinionOf: (position: Position) => Opinion): void {
    if (this.#houseLine === null) return;
    let useUsd = 0;
    for (const position of this.#positions.values()) useUsd += houseUseUsd(position, opinionOf(position));
    this.#ownShare = shareOf(useUsd, this.#houseLine);
  }

  /** Contracts of a series, negative when short. */
  of(seriesId: string): number {
    return this.#positions.get(seriesId)?.qty ?? 0;
  }

  /** The venue's mark of a position; undefined if there is none, or if the mark has been acted on. */
  markOf(seriesId: string): number | undefined {
    return this.#marks.get(seriesId);
  }

  /** Call when the series' ladder was renewed, which makes its old mark irrelevant. */
  forgetMark(seriesId: string): void {
    this.#marks.delete(seriesId);
  }

  /** Share of the house line in use, at the venue's marks. */
  get houseShare(): number {
    return this.#houseShare;
  }

  /** The same at the maker's own values. */
  get ownShare(): number {
    return this.#ownShare;
  }

  get isFullHouse(): boolean {
    return this.#ownShare >= HOUSE_SHARE_MAX;
  }
}

function shareOf(useUsd: number, houseLine: number): number {
  return houseLine > 0 ? useUsd / houseLine : 1;
}

/** House line used by a position (HOUSE-1), in dollars: margin of a short, value of a long. */
export function houseUseUsd(
  { optType, strike, qty }: Pick<Position, 'optType' | 'strike' | 'qty'>,
  { price, spot }: Opinion,
): number {
  if (qty >= 0) return qty * price;
  const away = optType === 'call' ? strike - spot : spot - strike;
  return -qty * (price + Math.max(SHOCK * spot - Math.max(away, 0), FLOOR * strike));
}

/** Adds a position to the net greeks of its symbol. */
export function addPosition(sum: Exposure, qty: number, value: SeriesValue, spot: number): Exposure {
  return {
    deltaUsd: sum.deltaUsd + qty * value.delta * spot,
    gammaUsd: sum.gammaUsd + (qty * value.gamma * spot * spot) / 100,
    vegaUsd: sum.vegaUsd + (qty * value.vega) / 100,
  };
}

/** Used share of a symbol's limits: signed, 1 or -1 at the limit. */
export interface LimitUse {
  readonly delta: number;
  readonly vega: number;
}

export function limitUse({ deltaUsd, vegaUsd }: Exposure, limits: LimitParameters): LimitUse {
  return { delta: deltaUsd / limits.deltaUsd, vega: vegaUsd / limits.vegaUsd };
}

/** The larger of the two, from 0 to 1. */
export function largestUse({ delta, vega }: LimitUse): number {
  return Math.min(1, Math.max(Math.abs(delta), Math.abs(vega)));
}

/**
 * The shift of the centre caused by inventory: long delta sells the underlying cheaper, long vega sells volatility
 * cheaper.
 */
export function shiftOf({ delta, vega }: LimitUse, { deltaBps, volShare }: SkewParameters): Shift {
  return { spot: (-deltaBps / 10_000) * clamp(delta) || 0, vol: -volShare * clamp(vega) || 0 };
}

function clamp(use: number): number {
  return Math.max(-1, Math.min(1, use));
}

/** Contracts that the maker will still buy and sell in a series. */
export interface Room {
  readonly bid: number;
  readonly ask: number;
}

export interface RoomTerms {
  readonly right: Right;
  readonly held: number;
  readonly positionMax: number;
  readonly use: LimitUse;
  readonly isFullHouse: boolean;
}

/** At a limit, the side that would exceed it closes. */
export function roomOf({ right, held, positionMax, use, isFullHouse }: RoomTerms): Room {
  const [bidUp, askUp] = right === 'C' ? [1, -1] : [-1, 1];
  const isBidShut = use.delta * bidUp >= 1 || use.vega >= 1;
  const isAskShut = use.delta * askUp >= 1 || use.vega <= -1;
  // Past its share of the house line the maker only closes positions.
  const bidMax = isFullHouse ? Math.max(0, -held) : positionMax - held;
  const askMax = isFullHouse ? Math.max(0, held) : positionMax + held;
  return { bid: isBidShut ? 0 : Math.max(0, bidMax), ask: isAskShut ? 0 : Math.max(0, askMax) };
}
