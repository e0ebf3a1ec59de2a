/** Every refusal of the venue, by its code (ERR-1). */

import { AMOUNT_MESSAGES, AMOUNT_REJECT } from './amounts.ts';
import { EDGE_MESSAGES, PUSH_MESSAGES } from './around.ts';
import { FIELDS } from './fields.ts';
import type { VenueCode } from './helps.ts';
import { GAP_MESSAGES, MESSAGES } from './messages.ts';
import { BATCH_REJECT, REJECT, ROW_REJECT } from './reasons.ts';
import { codeOf } from './refusal.ts';

/** The text of each refusal, with names in braces for what it fills in. A code means one text wherever it stands. */
export const CATALOGUE: ReadonlyMap<VenueCode, string> = new Map([
  ...Object.values({ ...MESSAGES, ...AMOUNT_MESSAGES, ...GAP_MESSAGES, ...FIELDS }).map(textOf),
  ...Object.values({ ...EDGE_MESSAGES, ...PUSH_MESSAGES }).map(textOf),
  ...Object.entries({ ...REJECT, ...BATCH_REJECT, ...AMOUNT_REJECT, ...ROW_REJECT }).map(
    ([name, text]): [VenueCode, string] => [codeOf(name) as VenueCode, text],
  ),
]);

function textOf({ code, error }: { readonly code: VenueCode; readonly error: string }): [VenueCode, string] {
  return [code, error];
}
