/** The tray as an order, and what of it trades. */

import {
  COMBO_LEGS_MIN,
  type ComboFill,
  type ComboPreviewAnswer,
  type FillRecord,
  type Micros,
  microsToDecimal,
  type Position,
  parseSeriesId,
} from '@venue/protocol';
import type { ComboTerms } from '@venue/sdk/browser';
import { linesOf, type Outcome, outcomeOf } from '@venue/sdk/spreads';
import { inMicros } from '../../../../basics/micros.ts';
import { parseAmount } from '../../../../basics/numbers.ts';
import type { Tray } from '../form/order.ts';
import type { PayoffLeg } from '../payoff/payoff-leg.ts';
import { feesOf } from '../payoff/portfolio.ts';
import { inOrder, namedLegs } from './legs.ts';
import { type QuoteOf, readNet } from './net.ts';

/** A combo with amounts in decimals; the client gives it an id. */
export type TrayTerms = Omit<ComboTerms, 'qty' | 'net' | 'clientId'> & {
  readonly qty: number;
  readonly net: number;
};

export interface TrayOrder {
  readonly terms: TrayTerms;
  /** Units. */
  readonly qtyMicros: Micros;
}

/** The tray's order, or null while it is incomplete. */
export function orderOf(tray: Pick<Tray, 'legs' | 'qty' | 'price' | 'isCredit' | 'tif'>): TrayOrder | null {
  const qty = parseAmount(tray.qty);
  const net = readNet(tray);
  if (tray.legs.length < COMBO_LEGS_MIN || !qty.ok || qty.micros === 0 || net === null) return null;
  const terms: TrayTerms = {
    legs: inOrder(tray.legs),
    qty: microsToDecimal(qty.micros),
    net: microsToDecimal(net),
    tif: tray.tif === 'fok' ? 'fok' : 'ioc',
  };
  return { terms, qtyMicros: qty.micros };
}

/** True where the venue would take the order and trade nothing of it. */
export function tradesNothing(preview: ComboPreviewAnswer | null): boolean {
  return preview !== null && preview.status !== 'rejected' && preview.filledQty === 0;
}

/** The part of the order whose consequences are worked out: the part that trades now, or all of it at the net while nothing would. */
export interface Counted {
  /** Units. */
  readonly units: number;
  /** Dollars paid for all of them, negative if received; with the fee where the venue has said it. */
  readonly paid: number;
  readonly hasFee: boolean;
}

export interface Consequences extends Outcome {
  readonly counted: Counted;
}

/**
 * Greatest loss and gain, and break-evens, by the SDK: each expiry settles at a price of its own. Null for amounts beyond
 * what the venue can count, which it refuses.
 */
export function consequencesOf(terms: TrayTerms, preview: ComboPreviewAnswer | null): Consequences | null {
  try {
    const counted = countedOf(terms, preview);
    return { counted, ...outcomeOf(linesOf(terms.legs, counted.units), counted.paid) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export interface Book {
  readonly positions: Iterable<Pick<Position, 'seriesId' | 'symbol' | 'qty' | 'avgPrice'>>;
  /** The newest first. */
  readonly fills: readonly FillRecord[];
}

/** The outcome of a book that is held to expiry. */
export interface HeldOutcome extends Outcome {
  readonly hasManyExpiries: boolean;
}

/**
 * The outcome of all that is held of the underlying once the counted part has traded, which is what matters for an
 * order that moves a position. Positions count at the prices and fees they were opened with, as in the payoff of the
 * book.
 */
export function bookAfter(
  { legs }: TrayTerms,
  { units, paid }: Counted,
  { positions, fills }: Book,
): HeldOutcome | null {
  const symbol = namedLegs(legs)[0]?.symbol;
  const held = [...positions].filter((position) => position.symbol === symbol);
  const qtys = new Map<string, number>();
  try {
    for (const { seriesId, qty } of [...held, ...linesOf(legs, units)])
      qtys.set(seriesId, inMicros((qtys.get(seriesId) ?? 0) + Number(qty)));
    const lines = [...qtys].map(([seriesId, qty]) => ({ seriesId, qty })).filter(({ qty }) => qty !== 0);
    const spent = held.reduce(
      (sum, { seriesId, qty, avgPrice }) => sum + qty * avgPrice + feesOf({ seriesId, qty }, fills),
      paid,
    );
    const expiries = new Set(lines.map(({ seriesId }) => parseSeriesId(seriesId)?.expiryTs));
    return { ...outcomeOf(lines, inMicros(spent)), hasManyExpiries: expiries.size > 1 };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The result that the counted part of a close realises against the average prices, with the fee if that is counted; null
 * where less is held than it closes.
 */
export function realizedBy(
  { legs }: Pick<TrayTerms, 'legs'>,
  { units, paid }: Counted,
  positions: ReadonlyMap<string, Pick<Position, 'qty' | 'avgPrice'>>,
): number | null {
  let realized = -paid;
  for (const line of linesOf(legs, units)) {
    const qty = Number(line.qty);
    const held = positions.get(line.seriesId);
    if (held === undefined || held.qty * qty >= 0 || inMicros(Math.abs(held.qty) - Math.abs(qty)) < 0)
      return null;
    realized += qty * held.avgPrice;
  }
  return inMicros(realized);
}

function countedOf({ qty, net }: TrayTerms, preview: ComboPreviewAnswer | null): Counted {
  if (preview === null || preview.filledQty === 0)
    return { units: qty, paid: inMicros(net * qty), hasFee: false };
  return { units: preview.filledQty, paid: inMicros(preview.cost + preview.fee), hasFee: true };
}

/**
 * The same as legs of a payoff. What is paid is one amount of the whole combo: it stands as the fee of the first leg, and
 * no leg has a price.
 */
export function payoffLegs({ legs }: TrayTerms, { units, paid }: Counted, quoteOf: QuoteOf): PayoffLeg[] {
  return namedLegs(legs).map(({ seriesId, right, strike, expiryTs, side, ratio }, i) => {
    const iv = quoteOf(seriesId)?.iv ?? Number.NaN;
    return {
      ...{ seriesId, right, strike, expiryTs },
      qty: (side === 'buy' ? ratio : -ratio) * units,
      price: 0,
      fee: i === 0 ? paid : 0,
      iv: Number.isNaN(iv) ? 0 : iv,
    };
  });
}

/** Units that traded, and what one of them cost on average before fees; NaN without any. */
export function filledOf(
  { legs }: Pick<TrayTerms, 'legs'>,
  fills: readonly ComboFill[],
): { readonly units: number; readonly net: number } {
  const [first] = legs;
  const ofFirst = fills.filter(({ seriesId }) => seriesId === first?.seriesId);
  const units = inMicros(ofFirst.reduce((sum, { qty }) => sum + qty, 0) / (first?.ratio ?? 1));
  const cost = fills.reduce((sum, { side, price, qty }) => sum + (side === 'buy' ? price : -price) * qty, 0);
  return { units, net: units === 0 ? Number.NaN : inMicros(cost / units) };
}
