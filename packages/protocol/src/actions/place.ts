/** Places an order (BAT-1). */

import { limit, required } from './field.ts';
import { type ActionOf, kindOf, type PostedOf } from './kind.ts';
import { contracts, price } from './schema.ts';
import { TERMS } from './terms.ts';
import { amount, SERIES_ID, SIDE } from './value.ts';

export const PLACE = kindOf('place', {
  seriesId: required('seriesId', SERIES_ID),
  side: required('side', SIDE),
  /** 0 is well-formed and rejected as `bad qty`. */
  qtyMicros: required('qty', amount(contracts('Quantity, fractions allowed, exact to a millionth'))),
  /** Null for a market order; 0 is well-formed and rejected as `bad price`. */
  priceMicros: limit('price', amount(price('Limit price; a market order has none'))),
  ...TERMS,
});
export type PlaceAction = ActionOf<typeof PLACE>;
export type PlaceActionWire = PostedOf<typeof PLACE>;
