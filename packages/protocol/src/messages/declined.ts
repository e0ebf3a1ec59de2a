/** The code and the amounts of a reason that the engine gave as a text (ERR-1). */

import { AMOUNT_REJECT, type Amounts, amountsIn } from './amounts.ts';
import { BATCH_REJECT, REJECT, type ReasonCode, ROW_REJECT } from './reasons.ts';
import { codeOf } from './refusal.ts';

/** How a result tells programs why it was declined. */
export interface Declined extends Amounts {
  readonly code: ReasonCode;
}

const CODES: ReadonlyMap<string, ReasonCode> = new Map(
  Object.entries({ ...REJECT, ...BATCH_REJECT, ...ROW_REJECT }).map(([name, text]) => [
    text,
    codeOf(name) as ReasonCode,
  ]),
);
/** The beginnings of texts with amounts, which none of the others has. */
const BEGINNINGS: readonly (readonly [string, ReasonCode])[] = Object.entries(AMOUNT_REJECT).map(
  ([name, text]) => [text.slice(0, text.indexOf('{')), codeOf(name) as ReasonCode],
);

/**
 * The code and amounts of a text of the catalogue, for programs. Throws for any other text: a reason that is in no table
 * has no code.
 *
 * @example declined('insufficient buying power (need ~12.50, have 3.00)')
 * // { code: 'insufficient-buying-power', need: 12.5, have: 3 }
 */
export function declined(reason: string): Declined {
  const plain = CODES.get(reason);
  if (plain !== undefined) return { code: plain };
  const found = BEGINNINGS.find(([beginning]) => reason.startsWith(beginning));
  if (found === undefined) throw new RangeError(`no reason of the catalogue: ${reason}`);
  const [, code] = found;
  return { code, ...amountsIn(code, reason) };
}
