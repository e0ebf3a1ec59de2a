/** The declaration of one variable. */

import type { Kind } from './kinds.ts';

/** The readers of variables: the processes, and command words that need no process. */
export const READERS = [
  'exchange',
  'follower',
  'feed',
  'maker',
  'crowd',
  'up',
  'watcher',
  'batcher',
  'checker',
  'attestor',
  'push',
  'verify',
  'reserves',
  'operator',
  'operator commit',
  'operator settle',
  'operator settle propose',
  'operator payouts approve',
  'vault deploy',
  'vault gate',
  'profile',
  'wallet',
  'venue',
  'tests',
] as const;
export type Reader = (typeof READERS)[number];

export interface Terms<Reads extends Reader, Needs extends Reader, Default> {
  /** Readers for which it is optional. */
  readonly readBy?: readonly Reads[];
  /** Readers that do not start without it. */
  readonly neededBy?: readonly Needs[];
  /** Describes the value; follows "it is". */
  readonly meaning: string;
  /** The text used when the variable is absent. */
  readonly default?: Default;
  /** The effect of its absence, if it has no default or the default depends on other variables. */
  readonly absent?: string;
  /** True if messages and other processes must not see it. */
  readonly secret?: true;
  /** The decision that explains it. */
  readonly code?: string;
}

export interface Variable<
  T = unknown,
  Reads extends Reader = Reader,
  Needs extends Reader = Reader,
  Default = unknown,
> extends Terms<Reads, Needs, Default> {
  readonly kind: Kind<T>;
}

/** Declares a variable. */
export function variable<
  T,
  const Reads extends Reader = never,
  const Needs extends Reader = never,
  const Default extends string | number | undefined = undefined,
>(kind: Kind<T>, terms: Terms<Reads, Needs, Default>): Variable<T, Reads, Needs, Default> {
  return { kind, ...terms };
}
