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

/** The maker's holdings, and how far it may go. */
export interface Holdings {
  readonly positions: readonly Position[];
  /** Used of the line by the venue's account, in dollars. */
  readonly exposure: number;
  /** The house line (HOUSE-1), or the equity of an account. */
  readonly houseLine: number;
  /** Which underlyings it quotes; by default all. */
  readonly quotes?: (symbol: string) => boolean;
}

/** An account, and the shares of its line that it uses: by the venue's account and by the maker's own values. */
interface Line extends Holdings {
  readonly houseShare: number;
  ownShare: number;
}

/** The venue's latest positions of all accounts of the maker, and what they use of each one's line. */
export class Inventory {
  #positions: ReadonlyMap<string, Position> = new Map();
  #marks = new Map<string, number>();
  #lines: readonly Line[] = [];

  replace(...accounts: readonly Holdings[]): void {
    // What another account still holds of a symbol is no inventory of the one that quotes it.
    const positions = accounts.flatMap((account) =>
      account.positions.filter(({ symbol }) => quotes(account, symbol)),
    );
    this.#positions = new Map(positions.map((position) => [position.seriesId, position]));
    this.#marks = new Map(positions.map(({ seriesId, mark }) => [seriesId, mark]));
    this.#lines = accounts.map((account, i) => ({
      ...account,
      houseShare: shareOf(account.exposure, account.houseLine),
      ownShare: this.#lines[i]?.ownShare ?? 0,
    }));
  }

  /** Revalues the positions. Marks are ignored, because anyone can set them where a book is empty (MARK-1). */
  revalue(opinionOf: (position: Position) => Opinion): void {
    for (const line of this.#lines) {
      let useUsd = 0;
      for (const position of line.positions) useUsd += houseUseUsd(position, opinionOf(position));
      line.ownShare = shareOf(useUsd, line.houseLine);
    }
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

  /** Share of the house line in use, at the venue's marks; of several accounts the largest. */
  get houseShare(): number {
    return Math.max(0, ...this.#lines.map(({ houseShare }) => houseShare));
  }

  /** The same at the maker's own values. */
  get ownShare(): number {
    return Math.max(0, ...this.#lines.map(({ ownShare }) => ownShare));
  }

  /** True if the account that quotes a symbol has used what it may of its line. */
  isFullHouse(symbol: string): boolean {
    return this.#lines.some((line) => quotes(line, symbol) && line.ownShare >= HOUSE_SHARE_MAX);
  }
}

function quotes(account: Holdings, symbol: string): boolean {
  return account.quotes?.(symbol) ?? true;
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
