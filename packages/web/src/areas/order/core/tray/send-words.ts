/** The two lines of the tray's button: what it does, and at which price and for how much money. */

import { microsToDecimal, toMicros } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import { formatExact, parseAmount } from '../../../../basics/numbers.ts';
import type { Tray } from '../form/order.ts';
import { moneyText, type SendWords } from '../ticket/send-words.ts';
import { aimOf } from './aim.ts';
import { type TrayTerms, tradesNothing } from './terms.ts';
import { closingParts, netWords, rollParts, shortName, sizeWords } from './words.ts';

type Shown = Pick<Tray, 'legs' | 'rolls' | 'isClosing' | 'preview' | 'cautions'>;

/**
 * The order with the part of it that would trade now; the tray's heading has the name in full.
 *
 * @example traySendWords(tray, order.terms, nowMs) // { what: 'Sell 0.5 iron condor', how: 'at 131.00 · credit $63.33' }
 */
export function traySendWords(tray: Shown, terms: TrayTerms, nowMs: number): SendWords {
  const { preview, cautions, legs } = tray;
  const { qty, net, tif } = terms;
  const isAsked = cautions.length > 0;
  const name = shortName(legs);
  if (tradesNothing(preview) && !isAsked)
    return { what: 'Nothing would trade', how: netWords(net, name.side) };
  const trades = preview !== null && preview.filledQty > 0 ? preview.filledQty : qty;
  const act = actOf(tray, terms, nowMs, sizeWords({ qty, trades }));
  const how = `${act.at} ${formatExact(Math.abs(net))}${tif === 'fok' ? ', all or none' : ''} · ${totalText(tray, terms)}`;
  return isAsked ? { what: 'Send anyway', how: `${act.what} ${how}` } : { what: act.what, how };
}

/** Why there is no order yet. */
export function missingText({
  legs,
  price,
  place,
  qty,
}: Pick<Tray, 'legs' | 'price' | 'place' | 'qty'>): string {
  if (legs.length === 0) return 'Choose a strategy';
  if (legs.length === 1) return 'Add a leg';
  if (price === '' && place !== null) return 'Reading prices…';
  return parseAmount(qty).ok ? 'Enter a price' : 'Enter a quantity';
}

interface Act {
  readonly what: string;
  /** The words before the price of a unit; the total says its direction. */
  readonly at: string;
}

function actOf(tray: Shown, terms: TrayTerms, nowMs: number, size: string): Act {
  const { side, text } = shortName(terms.legs);
  switch (aimOf(tray)) {
    case 'trade':
      return { what: `${side === 'buy' ? 'Buy' : 'Sell'} ${size} ${text}`, at: 'at' };
    case 'roll': {
      const { what, dates } = rollParts(terms, nowMs);
      return { what, at: `${dates} at` };
    }
    case 'close':
      return { what: `Close ${size} ${shortName(closingParts(terms.legs)).text}`, at: 'at' };
  }
}

/** The amount that changes hands in all, with the fee of the part that trades now. */
function totalText({ preview }: Shown, { net, qty }: TrayTerms): string {
  if (preview !== null && preview.filledQty > 0) return moneyText(preview.cost + preview.fee);
  const micros = microsOf(Math.abs(net * qty));
  return Number.isSafeInteger(micros) ? moneyText(Math.sign(net) * microsToDecimal(toMicros(micros))) : '…';
}
