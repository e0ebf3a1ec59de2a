/**
 * The effects of moves in spots and volatilities, and of days passing, on a book: profit and loss, greeks, and margin by
 * the venue's own rule (MAR-1, DRM-1). Where only spot and volatility move it gives what `POST /v1/simulate` answers, to
 * the micro (CMB-4).
 */

import {
  clampMicros,
  ExactSum,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  mulDivCeilClamped,
  mulDivFloorClamped,
} from '@venue/protocol';
import { type Greeks, greeksOf } from '@venue/protocol/greeks';
import {
  chargeMicros,
  ENTRY_MARGIN,
  intrinsicMicros,
  Legs,
  MAINTENANCE_MARGIN,
  maintenanceOf,
  minutesLeft,
  modelPriceMicros,
  premiumMicros,
  requirementMicros,
  yearsOf,
} from '@venue/protocol/margin';
import { thetaLeft } from '../../../market/greeks.ts';
import type { Book, BookLine } from './book.ts';

/** An imagined market. All zero is the present one. */
export interface Imagined {
  /** Share by which every spot moves: 0.1 is 10 % up. */
  readonly spot: number;
  /** Added to every volatility: 0.05 is five points more. */
  readonly vol: number;
  readonly days: number;
}

export const PRESENT: Imagined = { spot: 0, vol: 0, days: 0 };

/** The account in the imagined market, in US dollars. */
export interface Outlook {
  /** The change of equity against the present. */
  readonly change: number;
  readonly equity: number;
  readonly unrealized: number;
  readonly locked: number;
  readonly buyingPower: number;
  readonly maintenance: number;
  readonly isCalled: boolean;
}

/** Net greeks of all positions on one underlying. */
export interface NetGreeks extends Greeks {
  readonly symbol: string;
  /** Its price, as imagined. */
  readonly spot: number;
}

const DAY_MS = 86_400_000;

interface Group {
  readonly entry: Legs;
  readonly maintenance: Legs;
}

/** A book, with what all outlooks on it share. One outlook after another: they use the same scratch space. */
export class WhatIf {
  readonly book: Book;
  /** The groups of defined-risk margin; by line its group and its place among the legs of that. */
  readonly #groups: Group[] = [];
  readonly #groupAt: Group[] = [];
  readonly #legAt: number[] = [];

  constructor(book: Book) {
    this.book = book;
    if (book.marginMode === 'defined-risk') this.#group();
  }

  outlook(imagined: Imagined): Outlook {
    const { book } = this;
    const market = this.#market(imagined);
    const equity = new ExactSum().add(book.cashMicros);
    const margin = new MarginSums(book.reservedMicros);
    for (const [place, line] of book.lines.entries()) {
      const isOver = market.isOver(line);
      const mark = market.markMicros(line);
      equity.addMulDivFloor(line.qtyMicros, mark, MICROS_PER_UNIT);
      if (isOver) margin.locked.add(-line.reserveMicros);
      const qty = isOver ? 0 : line.qtyMicros;
      const net = isOver ? 0 : line.qtyMicros - line.restingSellMicros;
      const spotMicros = market.spotMicros(line.symbol);
      const premium = premiumMicros(line, { spotMicros, markMicros: mark }, book.premiumTerm);
      const entryUnit = clampMicros(premium + chargeMicros(line, spotMicros, ENTRY_MARGIN));
      const unit = clampMicros(premium + chargeMicros(line, spotMicros, MAINTENANCE_MARGIN));
      const group = this.#groupAt[place];
      if (group === undefined) margin.add({ net, entryUnit, qty, unit });
      else {
        group.entry.set(this.#legAt[place]!, net, entryUnit, 0);
        group.maintenance.set(this.#legAt[place]!, qty, unit, mark);
      }
    }
    for (const group of this.#groups) margin.addGroup(group);
    return this.#shown(equity.clamped(), margin);
  }

  /** By underlying, in the order of the book. A position that nothing is known of but its payoff has the delta of that. */
  greeks(imagined: Imagined): NetGreeks[] {
    const market = this.#market(imagined);
    const sums = new Map<string, { delta: number; gamma: number; vega: number; theta: number }>();
    for (const line of this.book.lines) {
      if (line.qtyMicros === 0 || market.isOver(line) || !line.isLive) continue;
      const sum = sums.get(line.symbol) ?? { delta: 0, gamma: 0, vega: 0, theta: 0 };
      const qty = line.qtyMicros / MICROS_PER_UNIT;
      const each = greeksOf({
        right: line.right,
        // In dollars, as gamma is for a dollar.
        forward: market.spotMicros(line.symbol) / MICROS_PER_UNIT,
        strike: line.strikeMicros / MICROS_PER_UNIT,
        years: market.years(line),
        vol: market.vol(line) ?? 0,
      });
      for (const name of ['delta', 'gamma', 'vega'] as const) sum[name] += qty * each[name];
      sum.theta += qty * thetaLeft(each.theta, market.leftMs(line.expiryTs));
      sums.set(line.symbol, sum);
    }
    return [...sums].map(([symbol, sum]) => ({
      symbol,
      spot: microsToDecimal(market.spotMicros(symbol)),
      ...sum,
    }));
  }

  #market(imagined: Imagined): ImaginedMarket {
    return new ImaginedMarket(this.book, imagined);
  }

  #shown(equity: Micros, { locked, maintenance }: MarginSums): Outlook {
    const { book } = this;
    const change = microsToDecimal(clampMicros(equity - book.equityMicros));
    const lockedMicros = locked.clamped();
    const maintenanceMicros = maintenance.clamped();
    return {
      change,
      equity: microsToDecimal(equity),
      unrealized: microsToDecimal(clampMicros(book.unrealizedMicros + equity - book.equityMicros)),
      locked: microsToDecimal(lockedMicros),
      buyingPower: microsToDecimal(clampMicros(book.cashMicros - lockedMicros)),
      maintenance: microsToDecimal(maintenanceMicros),
      isCalled: equity < maintenanceMicros,
    };
  }

  #group(): void {
    const groups = new Map<string, Group>();
    for (const [place, line] of this.book.lines.entries()) {
      const key = `${line.symbol} ${line.expiryTs}`;
      const group = groups.get(key) ?? { entry: new Legs(), maintenance: new Legs() };
      groups.set(key, group);
      const leg = { ...line, unitMicros: 0, markMicros: 0 };
      group.entry.insert(leg);
      group.maintenance.insert(leg);
      this.#groupAt[place] = group;
    }
    // A leg that came later may have moved the others.
    for (const [place, { right, strikeMicros }] of this.book.lines.entries())
      this.#legAt[place] = this.#groupAt[place]!.entry.find(right, strikeMicros);
    this.#groups.push(...groups.values());
  }
}

/** Spots, volatilities and marks of an imagined market. */
class ImaginedMarket {
  readonly #imagined: Imagined;
  readonly #spots = new Map<string, Micros>();
  readonly #atMs: number;
  readonly #isPresent: boolean;

  constructor({ spots, atMs }: Book, imagined: Imagined) {
    const { spot, vol, days } = imagined;
    this.#imagined = imagined;
    this.#atMs = atMs + days * DAY_MS;
    this.#isPresent = spot === 0 && vol === 0 && days === 0;
    const factor = MICROS_PER_UNIT + Math.round(spot * MICROS_PER_UNIT);
    for (const [symbol, now] of Object.entries(spots))
      this.#spots.set(symbol, clampMicros(Math.max(1, mulDivFloorClamped(now, factor, MICROS_PER_UNIT))));
  }

  spotMicros(symbol: string): Micros {
    return this.#spots.get(symbol)!;
  }

  /** True once it has been paid out at the imagined spot. */
  isOver({ expiryTs, isLive }: BookLine): boolean {
    return this.#imagined.days > 0 && (!isLive || this.leftMs(expiryTs) <= 0);
  }

  vol({ vol }: BookLine): number | null {
    return vol === null ? null : Math.max(0, vol + this.#imagined.vol);
  }

  years({ expiryTs }: BookLine): number {
    return yearsOf(minutesLeft({ cutoffMs: expiryTs * 1_000 }, this.#atMs));
  }

  /** The venue's own in the present market, and else the model's, or its payoff. */
  markMicros(line: BookLine): Micros {
    if (this.#isPresent) return line.markMicros;
    const spotMicros = this.spotMicros(line.symbol);
    const vol = this.vol(line);
    if (!line.isLive || vol === null || this.isOver(line)) return intrinsicMicros(line, spotMicros);
    return modelPriceMicros(line, { spotMicros, years: this.years(line), vol });
  }

  /** Dates of an outlook are days from now, whose product with a day may be off by less than a millisecond. */
  leftMs(expiryTs: number): number {
    return Math.round(expiryTs * 1_000 - this.#atMs);
  }
}

/** Margin that the contract's rule adds up leg by leg, and defined-risk mode by groups. */
class MarginSums {
  readonly locked: ExactSum;
  readonly maintenance = new ExactSum();

  constructor(reservedMicros: Micros) {
    this.locked = new ExactSum().add(reservedMicros);
  }

  add(leg: {
    readonly net: number;
    readonly entryUnit: Micros;
    readonly qty: number;
    readonly unit: Micros;
  }): void {
    const { net, entryUnit, qty, unit } = leg;
    if (net < 0) this.locked.add(mulDivCeilClamped(entryUnit, -net, MICROS_PER_UNIT));
    if (qty < 0) this.maintenance.add(mulDivCeilClamped(unit, -qty, MICROS_PER_UNIT));
  }

  addGroup({ entry, maintenance }: Group): void {
    this.locked.add(requirementMicros(entry));
    this.maintenance.add(maintenanceOf(maintenance));
  }
}
