/** Cancels all orders after a time, unless a later guard replaces it (GRD-1). */

import { required } from './field.ts';
import { type ActionOf, kindOf } from './kind.ts';
import { integer } from './schema.ts';
import { isWhole, isWithin, whole } from './value.ts';

/** A guard's shortest and longest time, ms (GRD-1). */
export const GUARD_MS_MIN = 5_000;
export const GUARD_MS_MAX = 600_000;

const isTime = isWithin(GUARD_MS_MIN, GUARD_MS_MAX);
const MS = whole(
  integer('5,000 to 600,000 ms until all orders leave; 0 removes the guard'),
  (value): value is number => value === 0 || isTime(value),
);

export const GUARD = kindOf('guard', {
  /** 0 removes the guard. */
  ms: { ...required('ms', MS), isLogged: isWhole },
});
export type GuardAction = ActionOf<typeof GUARD>;
