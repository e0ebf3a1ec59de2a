/** The one price of a combo: what a unit costs by the books of its legs, in dollars, negative where it brings in. */

import { MICROS_PER_UNIT, type Micros, microsToDecimal, toMicros } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { microsOf } from '../../../../basics/micros.ts';
import { parseAmount, priceFieldText } from '../../../../basics/numbers.ts';
import type { Tray } from '../form/order.ts';

/** Best prices, middle and volatility of a contract; NaN if there is none. */
export interface LegQuote {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  readonly iv: number;
  /** Left out where nobody gives a volatility. */
  readonly delta?: number;
}

export type QuoteOf = (seriesId: string) => LegQuote | null;

/** Each NaN where a leg lacks the price for it. */
export interface Nets {
  /** Every leg at the best opposite price: what trades at once. */
  readonly touch: number;
  readonly mid: number;
  /** Every leg at the best price of its own side: what somebody else would have to give. */
  readonly far: number;
}

export function netsOf(legs: readonly SpreadLeg[], quoteOf: QuoteOf): Nets {
  const net = (priceOf: (quote: LegQuote, leg: SpreadLeg) => number) => {
    let micros = 0;
    for (const leg of legs) {
      const quote = quoteOf(leg.seriesId);
      const price = quote === null ? Number.NaN : priceOf(quote, leg);
      micros += microsOf(price) * (leg.side === 'buy' ? leg.ratio : -leg.ratio);
    }
    return Number.isNaN(micros) ? Number.NaN : microsToDecimal(toMicros(micros));
  };
  return {
    touch: net(({ bid, ask }, { side }) => (side === 'buy' ? ask : bid)),
    mid: net(({ mid }) => mid),
    far: net(({ bid, ask }, { side }) => (side === 'buy' ? bid : ask)),
  };
}

/** The legs that cannot trade, as nobody stands on the other side of their books. */
export function emptyLegs(legs: readonly SpreadLeg[], quoteOf: QuoteOf): SpreadLeg[] {
  return legs.filter(({ seriesId, side }) => {
    const quote = quoteOf(seriesId);
    return quote !== null && Number.isNaN(side === 'buy' ? quote.ask : quote.bid);
  });
}

const CENT = MICROS_PER_UNIT / 100;

/**
 * The net at a place of the slider: 0 is the touch, 0.5 the middle, 1 the far touch; a cent is the least step. NaN where
 * the books say none.
 */
export function netAt({ touch, mid, far }: Nets, share: number): number {
  const [from, to, part] = share <= 0.5 ? [touch, mid, share * 2] : [mid, far, share * 2 - 1];
  if (part === 0) return from;
  if (part === 1) return to;
  const micros = Math.round(((from + (to - from) * part) * MICROS_PER_UNIT) / CENT) * CENT;
  return Number.isNaN(micros) ? Number.NaN : microsToDecimal(toMicros(micros));
}

/** The place of a net on the slider, 0 to 1; null without touch, middle and far touch. */
export function shareOf({ touch, mid, far }: Nets, net: number): number | null {
  if (Number.isNaN(touch + mid + far + net)) return null;
  const part = (from: number, to: number) => (to === from ? 0 : (net - from) / (to - from));
  const isNear = net >= Math.min(mid, touch) && touch >= mid;
  const share = isNear ? part(touch, mid) / 2 : 0.5 + part(mid, far) / 2;
  return Math.min(1, Math.max(0, share));
}

/** A net as its field has it: the amount, and whether it is received. */
export function typedNet(net: number): Pick<Tray, 'price' | 'isCredit'> {
  if (Number.isNaN(net)) return { price: '', isCredit: false };
  return { price: priceFieldText(Math.abs(net)), isCredit: net < 0 };
}

/** The net that is typed, in micros; null while it is no amount. A typed minus says the same as the switch. */
export function readNet({ price, isCredit }: Pick<Tray, 'price' | 'isCredit'>): Micros | null {
  const typed = parseAmount(price);
  if (!typed.ok) return null;
  return toMicros(isCredit ? 0 - typed.micros : typed.micros);
}
