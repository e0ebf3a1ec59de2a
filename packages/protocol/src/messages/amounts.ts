/** Texts that name amounts in dollars, where each amount stands in them, and its reading (ERR-1). Clients carry this file. */

import { formatCents, type Micros } from '../units.ts';
import { coded, codeOf, GAP } from './refusal.ts';

/** Reasons of a declined order; the names in braces stand for the amounts. */
export const AMOUNT_REJECT = {
  insufficientMargin: 'insufficient margin for short (need ~{need}, have {have})',
  insufficientBuyingPower: 'insufficient buying power (need ~{need}, have {have})',
  houseLineExceeded: 'house line exceeded (need ~{need}, headroom {headroom})',
} as const;

/** Refusals of a withdrawal (PAY-2, CUS-6). */
export const AMOUNT_MESSAGES = coded({
  insufficientWithdrawable: {
    status: 400,
    error: 'insufficient withdrawable balance (need ~{need}, have {have})',
  },
  belowSmallestPayout: { status: 400, error: 'amount below the smallest payout ({need})' },
});

/** Amounts in US dollars, rounded to cents as in the text. */
export interface Amounts {
  readonly need?: number;
  readonly have?: number;
  readonly headroom?: number;
}

/** A text of the catalogue with anything in its gaps. */
export type Filled<Text extends string> = Text extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Text;

export function filledText<Text extends string>(
  text: Text,
  gaps: Readonly<Record<string, string>>,
): Filled<Text> {
  return text.replace(GAP, (gap, name: string) => gaps[name] ?? gap) as Filled<Text>;
}

/** Both amounts with two decimals. */
export function needHave({ needMicros, haveMicros }: { needMicros: Micros; haveMicros: Micros }): {
  need: string;
  have: string;
} {
  return { need: formatCents(needMicros), have: formatCents(haveMicros) };
}

/** The names of the amounts in a text, in the order in which they stand there, by code. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries(AMOUNT_REJECT).map(([name, text]) => [codeOf(name), text] as const),
    ...Object.values(AMOUNT_MESSAGES).map(({ code, error }) => [code, error] as const),
  ].map(([code, text]) => [code, [...text.matchAll(GAP)].map(([, name]) => name!)]),
);
const AMOUNT = /-?\d+\.\d\d/g;

/**
 * The amounts that the text of a refusal names.
 *
 * @example amountsIn('insufficient-buying-power', 'insufficient buying power (need ~12.50, have 3.00)') // { need: 12.5, have: 3 }
 */
export function amountsIn(code: string, text: string): Amounts {
  const names = NAMES.get(code);
  if (names === undefined) return {};
  const amounts = text.match(AMOUNT) ?? [];
  return Object.fromEntries(amounts.map((amount, i) => [names[i]!, Number(amount)]));
}
