/** Arrows in a field of the ticket: one step up or down from what is typed. */

import { MICROS_PER_UNIT, type Micros, microsToDecimal } from '@venue/protocol';
import { formatExact, formatSize, parseAmount } from '../numbers.ts';

export interface Step {
  readonly direction: 1 | -1;
  /** Shift takes ten steps, Alt a tenth of one. */
  readonly size: 'one' | 'ten' | 'tenth';
}

const TIMES = { one: 1, ten: 10, tenth: 0.1 } as const;
const CENT = MICROS_PER_UNIT / 100;

/**
 * What a field shows after a step: a contract for a quantity; for a price a cent, or a thousandth of it by tens. It
 * stays above zero, and what cannot be read stays as it is.
 *
 * @example stepped('price', '1240', { direction: 1, size: 'one' }) // '1,241.00'
 */
export function stepped(field: 'qty' | 'price', text: string, { direction, size }: Step): string {
  const typed = parseAmount(text.trim() === '' ? '0' : text);
  if (!typed.ok) return text;
  const unit = field === 'qty' ? MICROS_PER_UNIT : priceStep(typed.micros);
  const by = Math.max(1, Math.round(unit * TIMES[size]));
  const next = typed.micros + direction * by;
  // Down to nothing is one step too far, a smaller one may fit.
  if (next <= 0) return text;
  const decimal = microsToDecimal(next as Micros);
  return field === 'qty' ? qtyText(decimal) : formatExact(decimal);
}

/**
 * Contracts as a field takes them: ungrouped, since `1,234` alone could be read as a little over one.
 *
 * @example qtyText(1234) // '1234'
 */
export function qtyText(contracts: number): string {
  return formatSize(contracts).replaceAll(',', '');
}

function priceStep(micros: number): number {
  if (micros < 100 * MICROS_PER_UNIT) return CENT;
  return 10 ** (Math.floor(Math.log10(micros)) - 3);
}
