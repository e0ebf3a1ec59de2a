/** Makes a quote set, changes its protection and makes its allowance whole; a quantity of 0 ends the set (QTS-3). */

import { FROZEN_MS_MAX, WINDOW_MS_MAX, WINDOW_MS_MIN } from '../quote-sets.ts';
import { optional, required } from './field.ts';
import { type ActionOf, kindOf, type PostedOf } from './kind.ts';
import { contracts, integer, number } from './schema.ts';
import { SET } from './unfreeze.ts';
import { amount, isWithin, SYMBOL, whole } from './value.ts';

const WINDOW = '100 to 600,000 ms: a push so long after the first fill makes the allowance whole again';
const QTY = 'Contracts that may trade before the set is pulled and frozen; 0 ends the set';

export const PROTECT = kindOf(
  'protect',
  {
    /** 1 to `QUOTE_SETS_MAX`. */
    set: required('set', SET),
    /** The one underlying that the set quotes, in upper case. */
    symbol: required('symbol', SYMBOL),
    /** A push this long or longer after the first fill makes the allowance whole again. */
    windowMs: required('windowMs', whole(integer(WINDOW), isWithin(WINDOW_MS_MIN, WINDOW_MS_MAX))),
    /** Contracts that may trade before the set is pulled and frozen. */
    qtyMicros: required('qty', amount(contracts(QTY))),
    /** Contracts times absolute delta that may trade; absent for no such limit. */
    deltaMicros: optional('delta', amount(number('Contracts times absolute delta that may trade'))),
    /** The time for which a set that is used up stays frozen; 0 until it is unfrozen. */
    frozenMs: required(
      'frozenMs',
      whole(integer('0 to 86,400,000 ms; 0 until the set is unfrozen'), isWithin(0, FROZEN_MS_MAX)),
    ),
  },
  { readFirst: ['deltaMicros'] },
);
export type ProtectAction = ActionOf<typeof PROTECT>;
export type ProtectActionWire = PostedOf<typeof PROTECT>;
