/** The feature level that each entry needs, so that no node gets an entry that it cannot read (OWN-72). */

import type { BatchActionType } from '@venue/protocol';
import type { VenueParameters } from '../state/parameters.ts';
import type { State } from '../state/state.ts';
import type { Command, CommandKind } from './command.ts';

/** The highest feature level this release reads. Rises with every new kind of entry, and with every new meaning of one. */
export const FEATURE_LEVEL = 7;
/** The level of the first releases, which recorded no level. */
export const FIRST_FEATURE_LEVEL = 1;

/** From this level on a transaction's deposits are known by its block (CUS-2). */
export const CUSTODY_LEVEL = 3;

/** From this level on a ledger has an id, and orders have terms, client ids and deadlines (VEN-1). */
export const BATCH_LEVEL = 4;

/** From this level on accounts have quote sets, and marks may come of a model (QTS-1, RSK-1). */
export const SETS_LEVEL = 5;

/** From this level on accounts may be margined for defined risk, and orders may have several legs (DRM-1, CMB-1). */
export const SPREADS_LEVEL = 6;

/**
 * From this level on the state knows since when an account has been in margin call, deadlines have an entry, a jump may
 * stop liquidation, and what operators do has their names (OPS-1, DUE-1, RSK-5, OPS-2).
 */
export const CALLS_LEVEL = 7;

/** The kinds introduced after the first level. */
const LATER_KINDS: ReadonlyMap<CommandKind, number> = new Map<CommandKind, number>([
  ['sign-in', 2],
  ['park', CUSTODY_LEVEL],
  ['attest', CUSTODY_LEVEL],
  ['settle-propose', CUSTODY_LEVEL],
  ['settle-confirm', CUSTODY_LEVEL],
  ['bind', CUSTODY_LEVEL],
  ['epoch', CUSTODY_LEVEL],
  ['adopt', CUSTODY_LEVEL],
  ['void', CUSTODY_LEVEL],
  ['freeze-withdrawals', CUSTODY_LEVEL],
  ['hold-deposit', CUSTODY_LEVEL],
  ['reverse-deposit', CUSTODY_LEVEL],
  ['halt-payouts', CUSTODY_LEVEL],
  ['payout-wait', CUSTODY_LEVEL],
  ['approve-payout', CUSTODY_LEVEL],
  ['rekey', BATCH_LEVEL],
  ['batch', BATCH_LEVEL],
  ['quote-set', SETS_LEVEL],
  ['due', CALLS_LEVEL],
  ['overstep', CALLS_LEVEL],
]);

/** A newer release wrote this log. The message is one line: the node must be upgraded. */
export class NewerLogError extends Error {
  override name = 'NewerLogError';

  /** `subject` names what the newer release wrote, such as `entry 7 (order)`; `detail` says how that shows. */
  constructor(subject: string, detail: string) {
    super(`${subject} was written by a newer release; upgrade this node (${detail.split('\n')[0]})`);
  }
}

/** What of a command decides which level it needs. */
type Levelled = Pick<Command, 'kind'> | Command;

/** An attempt to write an entry that some node of the venue may not know yet. */
export class FeatureLevelError extends Error {
  override name = 'FeatureLevelError';

  constructor(command: Levelled, inForce: number) {
    super(
      `entries of kind ${command.kind} need feature level ${levelOf(command)}, and ${inForce} is in force`,
    );
  }
}

/** The feature level that all nodes of the venue are known to read. */
export function levelInForce({ parameters }: Pick<State, 'parameters'>): number {
  return parameters?.version ?? FIRST_FEATURE_LEVEL;
}

/** True if every node of the venue reads such an entry. */
export function isWritable(state: Pick<State, 'parameters'>, command: Levelled): boolean {
  return levelOf(command) <= levelInForce(state);
}

/** Throws `FeatureLevelError` for a command above the level in force. */
export function assertWritable(state: Pick<State, 'parameters'>, command: Levelled): void {
  if (!isWritable(state, command)) throw new FeatureLevelError(command, levelInForce(state));
}

/** Throws `NewerLogError` for a level that this release does not read. */
export function assertReadable(level: number, subject: string): void {
  if (level > FEATURE_LEVEL)
    throw new NewerLogError(subject, `feature level ${level}, and this release reads up to ${FEATURE_LEVEL}`);
}

/** New fields of an old kind are looked at here, too. */
function levelOf(command: Levelled): number {
  if ('by' in command && command.by !== undefined) return CALLS_LEVEL;
  if (bringsEarlyId(command)) return BATCH_LEVEL;
  if (hasAction(command, 'combo', 'margin-mode')) return SPREADS_LEVEL;
  if (hasAction(command, 'protect', 'unfreeze')) return SETS_LEVEL;
  if (usesCustodyFields(command)) return CUSTODY_LEVEL;
  return Math.max(LATER_KINDS.get(command.kind) ?? FIRST_FEATURE_LEVEL, levelOfParameters(command));
}

function hasAction(command: Levelled, ...types: readonly BatchActionType[]): boolean {
  if (command.kind !== 'batch' || !('actions' in command)) return false;
  return command.actions.some(({ type }) => types.includes(type));
}

/** An id beside parameters of a level that knows none. An entry that raises the level may bring one. */
function bringsEarlyId(command: Levelled): boolean {
  if (command.kind !== 'configure' || !('parameters' in command)) return false;
  return command.venue !== undefined && command.parameters.version < BATCH_LEVEL;
}

function usesCustodyFields(command: Levelled): boolean {
  if (command.kind !== 'deposit' || !('blockHash' in command)) return false;
  return command.chainId !== undefined || command.vault !== undefined;
}

/** Parameters that came with a level. */
const LATER_PARAMETERS = [
  [CUSTODY_LEVEL, ['payoutMinMicros', 'houseLineFunded']],
  [SETS_LEVEL, ['riskMark', 'markMakers', 'impactMicros', 'paperMakerCashMicros', 'setLevelsMax']],
  [CALLS_LEVEL, ['jumpStopBps']],
] as const satisfies (readonly [number, readonly (keyof VenueParameters)[]])[];

/** The highest level that the parameters of a command came with, if they say that they are of a lower one. */
function levelOfParameters(command: Levelled): number {
  if (!('parameters' in command)) return FIRST_FEATURE_LEVEL;
  // A node that does not read the level that an entry puts in force stops at it anyway.
  const { parameters } = command;
  const early = LATER_PARAMETERS.filter(
    ([level, names]) => parameters.version < level && names.some((name) => name in parameters),
  );
  return early.at(-1)?.[0] ?? FIRST_FEATURE_LEVEL;
}

/** The parameters as nodes of a feature level know them. */
export function parametersAt(version: number, parameters: VenueParameters): VenueParameters {
  const unknown = LATER_PARAMETERS.filter(([level]) => version < level).flatMap(([, names]) => [...names]);
  const known = Object.entries({ ...parameters, version }).filter(
    ([name]) => !unknown.some((one) => one === name),
  );
  return Object.fromEntries(known) as unknown as VenueParameters;
}
