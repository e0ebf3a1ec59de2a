/** Lets a frozen set quote again, with a whole allowance (QTS-3). */

import { QUOTE_SETS_MAX } from '../quote-sets.ts';
import { required } from './field.ts';
import { type ActionOf, kindOf, type PostedOf } from './kind.ts';
import { integerWithin } from './schema.ts';
import { isWithin, whole } from './value.ts';

export const SET = whole(
  integerWithin(1, QUOTE_SETS_MAX, 'Number of a quote set of the account'),
  isWithin(1, QUOTE_SETS_MAX),
);

export const UNFREEZE = kindOf('unfreeze', { set: required('set', SET) });
export type UnfreezeAction = ActionOf<typeof UNFREEZE>;
export type UnfreezeActionWire = PostedOf<typeof UNFREEZE>;
