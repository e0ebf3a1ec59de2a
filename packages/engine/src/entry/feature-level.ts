/** The feature level that each entry needs, so that no node gets an entry that it cannot read (OWN-72). */

import { FEATURE_LEVELS, type FeatureLevel } from '../state/feature-levels.ts';
import type { VenueParameters } from '../state/parameters.ts';
import type { State } from '../state/state.ts';
import type { Command } from './command.ts';

/** The level of everything that no later level adds. */
export const FIRST_FEATURE_LEVEL = 1;
/** The highest feature level this release reads. */
export const FEATURE_LEVEL = FEATURE_LEVELS.length;

/** A newer release wrote this log. The message is one line: the node must be upgraded. */
export class NewerLogError extends Error {
  override name = 'NewerLogError';

  /** `subject` names what the newer release wrote, such as `entry 7 (order)`; `detail` says how that shows. */
  constructor(subject: string, detail: string) {
    super(`${subject} was written by a newer release; upgrade this node (${detail.split('\n')[0]})`);
  }
}

/** An attempt to write an entry that some node of the venue may not know yet. */
export class FeatureLevelError extends Error {
  override name = 'FeatureLevelError';

  constructor({ kind }: Levelled, needed: number, inForce: number) {
    super(`entries of kind ${kind} need feature level ${needed}, and ${inForce} is in force`);
  }
}

/** The parts of a command that decide which level it needs. */
type Levelled = Pick<Command, 'kind'> | Command;
/** The part of a state that decides which commands may be written. */
type Written = Pick<State, 'parameters' | 'featureLevels'>;

/** The feature level that all nodes of the venue are known to read. */
export function levelInForce({ parameters }: Pick<State, 'parameters'>): number {
  return parameters?.version ?? FIRST_FEATURE_LEVEL;
}

/** True if every node of the venue reads such an entry. */
export function isWritable(state: Written, command: Levelled): boolean {
  return levelOf(state, command) <= levelInForce(state);
}

/** Throws `FeatureLevelError` for a command above the level in force. */
export function assertWritable(state: Written, command: Levelled): void {
  if (!isWritable(state, command))
    throw new FeatureLevelError(command, levelOf(state, command), levelInForce(state));
}

/** Throws `NewerLogError` for a level that this release does not read. */
export function assertReadable(
  { featureLevels }: Pick<State, 'featureLevels'>,
  level: number,
  subject: string,
): void {
  const { length } = featureLevels;
  if (level > length)
    throw new NewerLogError(subject, `feature level ${level}, and this release reads up to ${length}`);
}

function levelOf({ featureLevels }: Written, command: Levelled): number {
  return featureLevels.findLastIndex((added, at) => isNeeded(added, { level: at + 1, command })) + 1;
}

/** The first level is needed for everything. */
function isNeeded(
  { kinds, isNeededFor, parameters }: FeatureLevel,
  { level, command }: { readonly level: number; readonly command: Levelled },
): boolean {
  if (level === FIRST_FEATURE_LEVEL || kinds?.includes(command.kind) || isNeededFor?.(command)) return true;
  // A node that does not read the level that an entry puts in force stops at it anyway.
  if (!('parameters' in command) || command.parameters.version >= level) return false;
  return parameters?.some((name) => name in command.parameters) ?? false;
}

/** The parameters as nodes of a feature level know them. */
export function parametersAt(
  version: number,
  parameters: VenueParameters,
  featureLevels: readonly FeatureLevel[] = FEATURE_LEVELS,
): VenueParameters {
  const unknown = featureLevels.slice(version).flatMap(({ parameters: names = [] }) => names);
  const known = Object.entries({ ...parameters, version }).filter(
    ([name]) => !unknown.some((one) => one === name),
  );
  return Object.fromEntries(known) as unknown as VenueParameters;
}
