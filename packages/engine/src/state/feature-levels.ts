import type { VenueParameters } from './parameters.ts';

/** The additions of a feature level to those below it. */
export interface FeatureLevel {
  /** Kinds of entry. */
  readonly kinds?: readonly string[];
  /** True for a command of an older kind that has something of this level, such as a field or an action. */
  readonly isNeededFor?: (command: { readonly kind: string }) => boolean;
  readonly parameters?: readonly (keyof VenueParameters)[];
}

/**
 * The feature levels that this release reads, the lowest first. A new kind of entry, a new field of one and a new field
 * of the state each need another level at the end (OWN-72). A released level never changes.
 */
export const FEATURE_LEVELS: readonly FeatureLevel[] = [{}];
