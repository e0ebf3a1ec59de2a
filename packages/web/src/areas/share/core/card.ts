/**
 * A picture of a payoff, in words: what it shows of an order, for one unit of it. It is made of the order's terms alone,
 * so that no account, address or size of a book can be in it (TERM-17).
 */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { outcomeOf, type SpreadLeg } from '@venue/sdk/spreads';
import { expiryLabel } from '../../../basics/dates.ts';
import { inMicros } from '../../../basics/micros.ts';
import { formatPrice } from '../../../basics/numbers.ts';
import { placeText } from '../../../session/address.ts';
import type { PayoffLeg } from '../../order/core/payoff/payoff-leg.ts';
import { commonMicros } from '../../order/core/tray/is-combo.ts';
import { namedLegs } from '../../order/core/tray/legs.ts';
import { spreadName } from '../../order/core/tray/words.ts';

export interface ShareOrder {
  /** Legs of one underlying; parts of one series may come apart. */
  readonly legs: readonly PayoffLeg[];
  /** Dollars, NaN while unknown. */
  readonly spot: number;
  /** Venue time, unix ms. */
  readonly atMs: number;
  /** True where the fee is not known, and left out. */
  readonly isWithoutFee: boolean;
  readonly isPaper: boolean;
}

export interface Card {
  readonly title: string;
  /** One a leg. */
  readonly legs: readonly string[];
  readonly figures: readonly (readonly [label: string, text: string])[];
  /** Spot, time, and what the figures are of. */
  readonly foot: string;
  readonly isPaper: boolean;
  /** The legs of one unit, for the line of the payoff. */
  readonly unit: readonly PayoffLeg[];
  /** The fragment of the address that opens the same order. */
  readonly hash: string;
}

/** Null for legs that cancel each other, and for amounts beyond what the venue can count. */
export function cardOf(order: ShareOrder): Card | null {
  try {
    const { unit, paid } = unitOf(order.legs);
    return unit.length === 0 ? null : cardOfUnit(unit, paid, order);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function cardOfUnit(
  unit: readonly PayoffLeg[],
  paid: number,
  { spot, atMs, isWithoutFee, isPaper }: ShareOrder,
): Card {
  const outcome = outcomeOf(unit, paid);
  const spread = unit.map(({ seriesId, qty }): SpreadLeg => {
    return { seriesId, side: qty > 0 ? 'buy' : 'sell', ratio: Math.abs(qty) };
  });
  const named = namedLegs(spread);
  const { symbol, expiryTs } = named[0]!;
  const name = spreadName(spread, atMs);
  const lines = named.map(({ side, ratio, expiryTs: of, strike, right }) => {
    const word = right === 'C' ? 'call' : 'put';
    return `${side === 'buy' ? 'Buy' : 'Sell'} ${ratio} × ${expiryLabel(of, atMs)} ${strike.toLocaleString('en-US')} ${word}`;
  });
  const now = Number.isNaN(spot) ? '' : `${symbol} at ${formatPrice(spot)}, `;
  return {
    title: name.isKnown ? name.text : `${symbol} ${expiryLabel(expiryTs, atMs)}`,
    legs: lines,
    figures: figuresOf(outcome, { paid, isPaper }),
    foot: `${now}${timeText(atMs)}. For one unit, ${isWithoutFee ? 'without' : 'with'} the fee.`,
    ...{ isPaper, unit },
    hash: placeText({
      ...{ symbol, expiryTs },
      seriesId: spread.length === 1 ? spread[0]!.seriesId : null,
      legs: spread.length === 1 ? null : spread,
    }),
  };
}

/** The whole card as a sentence, in place of the picture. */
export function cardWords({ title, legs, figures, foot, isPaper }: Card): string {
  const parts = figures.map(([label, text]) => `${label} ${text}`);
  return `${isPaper ? 'Paper: ' : ''}${title}. ${legs.join(', ')}. ${parts.join(', ')}. ${foot}`;
}

type Outcome = ReturnType<typeof outcomeOf>;

/** The amount paid stands as the fee of the first leg. */
function unitOf(legs: readonly PayoffLeg[]): { readonly unit: readonly PayoffLeg[]; readonly paid: number } {
  const qtys = new Map<string, number>();
  for (const { seriesId, qty } of legs) qtys.set(seriesId, (qtys.get(seriesId) ?? 0) + qty);
  const held = [...qtys].map(([seriesId, qty]) => ({ seriesId, qty })).filter(({ qty }) => qty !== 0);
  if (held.length === 0) return { unit: [], paid: 0 };
  const units = commonMicros(held) / MICROS_PER_UNIT;
  const total = legs.reduce((sum, { qty, price, fee }) => sum + qty * price + fee, 0);
  const paid = inMicros(total / units);
  const unit = held.map(({ seriesId, qty }, i) => {
    const leg = legs.find((one) => one.seriesId === seriesId)!;
    return { ...leg, qty: Math.round(qty / units), price: 0, fee: i === 0 ? paid : 0 };
  });
  return { unit, paid };
}

function figuresOf(
  { greatestLoss, greatestGain, breakEvens }: Outcome,
  { paid, isPaper }: { readonly paid: number; readonly isPaper: boolean },
): Card['figures'] {
  const unit = isPaper ? 'paper $' : '$';
  const bound = (amount: number | null) =>
    amount === null ? 'unlimited' : amount <= 0 ? 'none' : `${unit}${formatPrice(amount)}`;
  const evens = breakEvens.length === 0 ? 'none' : breakEvens.map((at) => formatPrice(at)).join(', ');
  return [
    [paid < 0 ? 'Net credit per unit' : 'Net debit per unit', `${unit}${formatPrice(Math.abs(paid))}`],
    ['Max profit per unit', bound(greatestGain)],
    ['Max loss per unit', bound(greatestLoss)],
    [breakEvens.length > 1 ? 'Break-evens' : 'Break-even', evens],
  ];
}

/** `26 Nov 2026, 09:36 UTC`: a picture is looked at anywhere and any time. */
function timeText(atMs: number): string {
  const at = new Date(atMs);
  const date = at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${date}, ${at.toISOString().slice(11, 16)} UTC`;
}
