/** Changes a resting order in place (AMD-1). */

import { optional } from './field.ts';
import { type ActionOf, kindOf } from './kind.ts';
import { REF_FIELD } from './ref.ts';
import { contracts, price } from './schema.ts';
import { amount } from './value.ts';

export const AMEND = kindOf(
  'amend',
  {
    ref: REF_FIELD,
    /** The new total, what is filled included. */
    qtyMicros: optional('qty', amount(contracts('New total quantity, what is filled included'))),
    priceMicros: optional('price', amount(price('New limit price'))),
    /** The amend is refused once more than this is filled. */
    filledAtMostMicros: optional('filledAtMost', amount(contracts('Refused once more than this is filled'))),
  },
  {
    check: (posted) => {
      if (!posted.has('qty') && !posted.has('price')) posted.missing('qty');
    },
  },
);
export type AmendAction = ActionOf<typeof AMEND>;
