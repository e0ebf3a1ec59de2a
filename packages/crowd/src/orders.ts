/** How a trader puts an intention into orders: at once at the price that is shown, or patiently inside the spread. */

import type { Action } from '@venue/sdk';
import type { Random } from './random.ts';
import type { Leg } from './view.ts';

export type PlaceAction = Extract<Action, { type: 'place' }>;

export interface Wish {
  readonly leg: Leg;
  readonly side: 'buy' | 'sell';
  readonly qty: number;
  /** Cut to what closes a position. */
  readonly reduceOnly?: boolean;
}

/** Patient orders leave by themselves. */
const PATIENCE_MS: readonly [min: number, max: number] = [30_000, 240_000];
/** Cheaper options are not worth waiting for. */
const PATIENT_PRICE_MIN = 0.2;

/** Takes the price that is shown, and no worse one; null if there is none. */
export function takes({ leg, side, qty, reduceOnly = false }: Wish): PlaceAction | null {
  const level = side === 'buy' ? leg.ask : leg.bid;
  if (level === null || qty <= 0) return null;
  const { seriesId } = leg;
  const flags = reduceOnly ? { reduceOnly } : {};
  return { type: 'place', seriesId, side, qty, price: level.price, tif: 'ioc', ...flags };
}

/** Rests inside the spread for a while; null where there is no room inside it. */
export function waits({ leg, side, qty }: Wish, random: Random, nowMs: number): PlaceAction | null {
  if (leg.bid === null || leg.ask === null || qty <= 0 || leg.bid.price < PATIENT_PRICE_MIN) return null;
  const [bid, ask] = [leg.bid.price, leg.ask.price];
  const share = random.between(0.15, 0.5);
  const wanted = side === 'buy' ? bid + share * (ask - bid) : ask - share * (ask - bid);
  const price = Number(wanted.toPrecision(4));
  if (price <= bid || price >= ask) return null;
  const expiresAt = Math.round(nowMs + random.between(...PATIENCE_MS));
  return { type: 'place', seriesId: leg.seriesId, side, qty, price, tif: 'gtd', expiresAt };
}
