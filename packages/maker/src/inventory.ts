/** What the maker holds, and what that makes of its quotes (OWN-61). */

import type { MakerAccount, Position, Right } from '@venue/protocol';
import type { LimitParameters, SkewParameters } from './parameters.ts';
import type { SeriesValue, Shift } from './pricing.ts';

/** Net greeks of one symbol. */
export interface Exposure {
  /** Dollars of the underlying. */
  readonly deltaUsd: number;
  /** Change of that for one per cent of the spot. */
  readonly gammaUsd: number;
  /** Dollars per point of volatility. */
  readonly vegaUsd: number;
}

export const FLAT: Exposure = { deltaUsd: 0, gammaUsd: 0, vegaUsd: 0 };

/** The maker never uses more of its house line (HOUSE-1) than this: values move, and its quotes can all trade at once. */
const HOUSE_SHARE_MAX = 0.5;
/** What a short has to hold at entry (MAR-1), as shares of spot and of strike. */
const SHOCK = 0.2;
const FLOOR = 0.1;

/** What the maker takes a contract and its underlying to be worth. */
export interface Opinion {
  readonly price: number;
  readonly spot: number;
}

/** Positions as the venue last told them, and what they use of the house line: by its account, and by the maker's own. */
export class Inventory {
  #positions: ReadonlyMap<string, Position> = new Map();
  #marks = new Map<string, number>();
  #houseLine: number | null = null;
  #houseShare = 0;
  #ownShare = 0;

  replace({ positions, exposure, houseLine }: MakerAccount): void {
    this.#positions = new Map(positions.map((position) => [position.seriesId, position]));
    this.#marks = new Map(positions.map(({ seriesId, mark }) => [seriesId, mark]));
    this.#houseLine = houseLine;
    this.#houseShare = shareOf(exposure, houseLine);
  }

  /** Values what is held anew. Marks have no say in it: anybody can set them where a book is empty (MARK-1). */
  reckon(opinionOf: (position: Position) => Opinion): void {
    if (this.#houseLine === null) return;
    let useUsd = 0;
    for (const position of this.#positions.values()) useUsd += houseUseUsd(position, opinionOf(position));
    this.#ownShare = shareOf(useUsd, this.#houseLine);
  }

  /** Contracts of a series, negative when short. */
  of(seriesId: string): number {
    return this.#positions.get(seriesId)?.qty ?? 0;
  }

  /** What the venue values a position at, or nothing where none is held or where that was acted upon. */
  markOf(seriesId: string): number | undefined {
    return this.#marks.get(seriesId);
  }

  /** The ladder of the series was renewed: what its mark was before that is no news. */
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

/** What a position counts against the house line (HOUSE-1), in dollars: margin of a short, value of a long. */
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

/** How much of its limits a symbol's inventory uses: signed, 1 or -1 at the limit. */
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

/** Where inventory moves the centre: long delta sells the underlying cheaper, long vega sells volatility cheaper. */
export function shiftOf({ delta, vega }: LimitUse, { deltaBps, volShare }: SkewParameters): Shift {
  return { spot: (-deltaBps / 10_000) * clamp(delta) || 0, vol: -volShare * clamp(vega) || 0 };
}

function clamp(use: number): number {
  return Math.max(-1, Math.min(1, use));
}

/** How many contracts the maker will still buy and sell in a series. */
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

/** A limit that is reached shuts the side that would go further past it. */
export function roomOf({ right, held, positionMax, use, isFullHouse }: RoomTerms): Room {
  const [bidUp, askUp] = right === 'C' ? [1, -1] : [-1, 1];
  const isBidShut = use.delta * bidUp >= 1 || use.vega >= 1;
  const isAskShut = use.delta * askUp >= 1 || use.vega <= -1;
  // Past its share of the house line only what closes a position is welcome.
  const bidMax = isFullHouse ? Math.max(0, -held) : positionMax - held;
  const askMax = isFullHouse ? Math.max(0, held) : positionMax + held;
  return { bid: isBidShut ? 0 : Math.max(0, bidMax), ask: isAskShut ? 0 : Math.max(0, askMax) };
}
