/** The declaration of one variable. */

import type { Kind } from './kinds.ts';

/** Who reads variables: the processes, and words of the command that need no process. */
export const READERS = [
  'exchange',
  'feed',
  'maker',
  'watcher',
  'batcher',
  'verify',
  'reserves',
  'operator',
  'operator settle',
  'vault deploy',
  'profile',
  'venue',
  'tests',
] as const;
export type Reader = (typeof READERS)[number];

export interface Terms<Reads extends Reader, Needs extends Reader, Default> {
  /** Who reads it and can do without. */
  readonly readBy?: readonly Reads[];
  /** Who does not start without it. */
  readonly neededBy?: readonly Needs[];
  /** Describes it, as it reads behind "it is". */
  readonly meaning: string;
  /** The text that stands for an absent one. */
  readonly default?: Default;
  /** Says what happens without it, where there is no default or it depends on others. */
  readonly absent?: string;
  /** Whether messages and other processes must not see it. */
  readonly secret?: true;
  /** The decision behind it. */
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

/** Declares one. */
export function variable<
  T,
  const Reads extends Reader = never,
  const Needs extends Reader = never,
  const Default extends string | number | undefined = undefined,
>(kind: Kind<T>, terms: Terms<Reads, Needs, Default>): Variable<T, Reads, Needs, Default> {
  return { kind, ...terms };
}
