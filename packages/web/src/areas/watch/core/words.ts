/** Alerts in words. */

import { formatPrice } from '../../../basics/numbers.ts';
import type { Measure, PriceAlert } from './watched.ts';

const WORDS: Readonly<Record<Measure, string>> = {
  spot: '',
  mark: ' mark',
  bid: ' bid',
  ask: ' ask',
  iv: ' IV',
};

type Terms = Omit<PriceAlert, 'id'>;
type LabelOf = (name: string) => string;

/** `BTC above 97,000.00`; `BTC 28 Nov 95,000 call IV below 45%` */
export function alertWords({ of, measure, side, level }: Terms, labelOf: LabelOf): string {
  return `${labelOf(of)}${WORDS[measure]} ${side} ${valueText(measure, level)}`;
}

/** `BTC is above 97,000.00, at 97,012.50.` */
export function firedWords({ of, measure, side, level }: Terms, value: number, labelOf: LabelOf): string {
  return `${labelOf(of)}${WORDS[measure]} is ${side} ${valueText(measure, level)}, at ${valueText(measure, value)}.`;
}

export function valueText(measure: Measure, value: number): string {
  return measure === 'iv' ? `${Math.round(value * 100) / 100}%` : formatPrice(value);
}
