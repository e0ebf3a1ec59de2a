/** The chain on the screen as columns of numbers: its channel writes into it, and the painter reads from it. */

import type { Chain, ChainLeg } from '@venue/protocol';
import type { Touch } from './touch.ts';

/** The figures of a contract, in storage order. */
export const COLUMNS = [
  ...(['bid', 'bidQty', 'ask', 'askQty', 'mark', 'iv', 'delta', 'oi', 'volume'] as const),
  ...(['gamma', 'theta', 'vega', 'bidIv', 'askIv'] as const),
] as const;
export type Column = (typeof COLUMNS)[number];
export const COLUMN_COUNT = COLUMNS.length;

/** Those that no chain brings: they are known once something has worked them out. */
export type GreekColumn = 'gamma' | 'theta' | 'vega' | 'bidIv' | 'askIv';
const GREEK_COLUMNS: readonly GreekColumn[] = ['gamma', 'theta', 'vega', 'bidIv', 'askIv'];

/** One contract of the chain. */
export interface Leg {
  /** Index of its row of numbers. */
  readonly index: number;
  readonly seriesId: string;
  readonly strike: number;
  readonly right: 'C' | 'P';
}

export interface StrikeRow {
  readonly strike: number;
  readonly call: Leg | null;
  readonly put: Leg | null;
}

/** The chain's layout. A new object whenever it changes, and only then, so that React renders the table only then. */
export interface ChainShape {
  readonly symbol: string;
  readonly expiryTs: number;
  /** Spot when the layout was made, 0 if unknown. */
  readonly spot: number;
  readonly rows: readonly StrikeRow[];
  readonly legs: readonly Leg[];
}

/** Called after the shape changed, or only numbers did. */
export interface MarketListener {
  shaped?(): void;
  numbered?(): void;
}

/**
 * Unknown numbers are NaN. The painter calls `takeChanged` and paints what it reports, so that no number is compared
 * twice and no change is missed.
 */
export class Market {
  shape: ChainShape | null = null;
  spot = Number.NaN;
  /** The spot on which the screen is centred, taken when the expiry was opened or recentred. NaN before that. */
  centre = Number.NaN;
  #values = new Float64Array(0);
  #changed = new Uint8Array(0);
  readonly #listeners = new Set<MarketListener>();

  /** Applies the whole chain as it is now. */
  apply(chain: Chain): void {
    const isNew = !isSameShape(this.shape, chain);
    if (isNew) this.#reshape(chain);
    this.spot = chain.spot > 0 ? chain.spot : Number.NaN;
    if (Number.isNaN(this.centre)) this.centre = this.spot;
    this.shape!.rows.forEach((row, i) => {
      const { call, put } = chain.rows[i]!;
      if (row.call !== null) this.#write(row.call.index, call);
      if (row.put !== null) this.#write(row.put.index, put);
    });
    for (const listener of this.#listeners) {
      if (isNew) listener.shaped?.();
      listener.numbered?.();
    }
  }

  applyGreeks(greeksOf: (leg: Leg) => Readonly<Record<GreekColumn, number>>): void {
    for (const leg of this.shape?.legs ?? []) {
      const greeks = greeksOf(leg);
      for (const column of GREEK_COLUMNS)
        this.#set(leg.index * COLUMN_COUNT + COLUMNS.indexOf(column), greeks[column]);
    }
    for (const listener of this.#listeners) listener.numbered?.();
  }

  /** Clears everything when another expiry is chosen. */
  clear(): void {
    this.shape = null;
    this.centre = Number.NaN;
    for (const listener of this.#listeners) listener.shaped?.();
  }

  /** Clears everything and the spot when another underlying is chosen. */
  reset(): void {
    this.spot = Number.NaN;
    this.clear();
  }

  /** Centres on the current spot. */
  recentre(): void {
    this.centre = this.spot;
    for (const listener of this.#listeners) listener.numbered?.();
  }

  value(leg: Leg, column: Column): number {
    return this.#values[leg.index * COLUMN_COUNT + COLUMNS.indexOf(column)]!;
  }

  touchOf(leg: Leg): Touch {
    return {
      bid: this.value(leg, 'bid'),
      ask: this.value(leg, 'ask'),
      mark: this.value(leg, 'mark'),
    };
  }

  /** Number of contracts with a bid or an ask. */
  quotedCount(): number {
    const isQuoted = (leg: Leg) => this.value(leg, 'bid') > 0 || this.value(leg, 'ask') > 0;
    return this.shape?.legs.filter(isQuoted).length ?? 0;
  }

  /** The leg of a series, if it is on the screen. */
  legOf(seriesId: string): Leg | undefined {
    return this.shape?.legs.find((leg) => leg.seriesId === seriesId);
  }

  /** Calls back for each number that changed since the last call, and resets the changes. */
  takeChanged(paint: (legIndex: number, columnIndex: number, value: number) => void): void {
    const changed = this.#changed;
    for (let i = 0; i < changed.length; i++) {
      if (changed[i] === 0) continue;
      changed[i] = 0;
      const leg = Math.floor(i / COLUMN_COUNT);
      paint(leg, i - leg * COLUMN_COUNT, this.#values[i]!);
    }
  }

  /** Marks everything as changed, because the cells are new. */
  touchAll(): void {
    this.#changed.fill(1);
  }

  subscribe(listener: MarketListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #reshape(chain: Chain): void {
    this.shape = shapeOf(chain);
    this.#values = new Float64Array(this.shape.legs.length * COLUMN_COUNT).fill(Number.NaN);
    this.#changed = new Uint8Array(this.#values.length).fill(1);
  }

  #set(at: number, value: number): void {
    if (Object.is(this.#values[at], value)) return;
    this.#values[at] = value;
    this.#changed[at] = 1;
  }

  #write(index: number, leg: ChainLeg | null): void {
    let at = index * COLUMN_COUNT;
    const set = (value: number) => {
      this.#set(at, value);
      at += 1;
    };
    set(leg?.bid?.price ?? Number.NaN);
    set(leg?.bid?.qty ?? Number.NaN);
    set(leg?.ask?.price ?? Number.NaN);
    set(leg?.ask?.qty ?? Number.NaN);
    set(leg?.mid ?? Number.NaN);
    // An annotation of 0 means there is none.
    const isAnnotated = leg !== null && leg.iv !== 0;
    set(isAnnotated ? leg.iv : Number.NaN);
    set(isAnnotated ? leg.delta : Number.NaN);
    set(leg?.openInterest ?? Number.NaN);
    set(leg?.volume ?? Number.NaN);
  }
}

function shapeOf({ symbol, expiryTs, spot, rows }: Chain): ChainShape {
  const legs: Leg[] = [];
  const legOf = (leg: ChainLeg | null, strike: number, right: 'C' | 'P'): Leg | null => {
    if (leg === null) return null;
    const made = { index: legs.length, seriesId: leg.seriesId, strike, right };
    legs.push(made);
    return made;
  };
  const strikes = rows.map(({ strike, call, put }) => ({
    strike,
    call: legOf(call, strike, 'C'),
    put: legOf(put, strike, 'P'),
  }));
  return { symbol, expiryTs, spot, rows: strikes, legs };
}

function isSameShape(shape: ChainShape | null, { symbol, expiryTs, rows }: Chain): boolean {
  if (shape === null || shape.symbol !== symbol || shape.expiryTs !== expiryTs) return false;
  if (shape.rows.length !== rows.length) return false;
  return shape.rows.every(({ strike, call, put }, i) => {
    const row = rows[i]!;
    return (
      strike === row.strike && call?.seriesId === row.call?.seriesId && put?.seriesId === row.put?.seriesId
    );
  });
}
