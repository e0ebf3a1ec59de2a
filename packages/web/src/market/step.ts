/** Arrow keys in a ticket field: one step up or down from the typed value. */

import { MICROS_PER_UNIT, type Micros, microsToDecimal } from '@venue/protocol';
import { microsOf } from '../basics/micros.ts';
import { parseAmount, priceFieldText, qtyFieldText } from '../basics/numbers.ts';

export interface Step {
  readonly direction: 1 | -1;
  /** Shift takes ten steps, Alt a tenth of one. */
  readonly size: 'one' | 'ten' | 'tenth';
}

/** The step that a key asks for; null for any other key. */
export function stepOf({
  key,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey'>): Step | null {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  return { direction: key === 'ArrowUp' ? 1 : -1, size: shiftKey ? 'ten' : altKey ? 'tenth' : 'one' };
}

const TIMES = { one: 1, ten: 10, tenth: 0.1 } as const;
const CENT = MICROS_PER_UNIT / 100;

/**
 * The text of a field after a step: one contract for a quantity; for a price a cent, or about a thousandth of it in
 * powers of ten. The value stays above zero, and unreadable text stays as it is.
 *
 * @example stepped('price', '1240', { direction: 1, size: 'one' }) // '1,241.00'
 */
export function stepped(field: 'qty' | 'price', text: string, { direction, size }: Step): string {
  const typed = parseAmount(text.trim() === '' ? '0' : text);
  if (!typed.ok) return text;
  const unit = field === 'qty' ? MICROS_PER_UNIT : priceStep(typed.micros);
  const by = Math.max(1, Math.round(unit * TIMES[size]));
  const next = typed.micros + direction * by;
  // This step would reach zero; a smaller one may fit.
  if (next <= 0) return text;
  const decimal = microsToDecimal(next as Micros);
  return field === 'qty' ? qtyFieldText(decimal) : priceFieldText(decimal);
}

/**
 * A price that a pointer has come to, as text for its field: rounded to a step, under a dollar to a hundredth of a cent.
 * Never zero.
 *
 * @example snapped(1067.38) // '1,067.00'
 */
export function snapped(price: number): string {
  const micros = Math.max(0, microsOf(price));
  const step = micros < MICROS_PER_UNIT ? CENT / 100 : priceStep(micros as Micros);
  return priceFieldText(microsToDecimal(Math.max(step, Math.round(micros / step) * step) as Micros));
}

function priceStep(micros: number): number {
  if (micros < 100 * MICROS_PER_UNIT) return CENT;
  return 10 ** (Math.floor(Math.log10(micros)) - 3);
}
