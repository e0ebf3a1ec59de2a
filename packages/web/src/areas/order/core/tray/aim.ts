/** The purpose of the tray's order, which decides its name, and whether its own figures or those of the book after it count. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import type { Tray } from '../form/order.ts';
import { commonMicros } from './is-combo.ts';
import type { TrayTerms } from './terms.ts';
import { closingWords, orderWords, rollWords, spreadName } from './words.ts';

/** To trade its legs, to close what is held, or to move that to a later expiry. */
type Aim = 'trade' | 'close' | 'roll';

type Aimed = Pick<Tray, 'rolls' | 'isClosing'>;

/** Its legs stop being a close or a roll when one of them is changed. */
export function aimOf({ rolls, isClosing }: Aimed): Aim {
  if (rolls !== null) return 'roll';
  return isClosing ? 'close' : 'trade';
}

/**
 * The tray's heading.
 *
 * @param qty units; null while none can be read
 */
export function trayTitle(tray: Aimed & Pick<Tray, 'legs'>, qty: number | null, nowMs: number): string {
  const { legs, rolls } = tray;
  if (rolls !== null) return rollWords({ legs, qty: qty ?? commonMicros(rolls) / MICROS_PER_UNIT }, nowMs);
  if (tray.isClosing) return closingWords(legs, nowMs);
  const name = legs.length === 0 ? null : spreadName(legs, nowMs);
  return name === null || !name.isKnown ? 'Strategy' : name.text;
}

/** The order as its notice is headed. */
export function sentWords(aimed: Aimed, terms: TrayTerms, nowMs: number): string {
  const aim = aimOf(aimed);
  if (aim === 'close') return closingWords(terms.legs, nowMs, terms);
  return aim === 'roll' ? rollWords(terms, nowMs) : orderWords(terms, nowMs);
}
