/** Reconciles the parameters of the environment with those of the log: all nodes share the log's (FINE-4). */

import { isDeepStrictEqual } from 'node:util';
import {
  type ConfigureCommand,
  isRefused,
  parametersAt,
  type State,
  type VenueParameters,
} from '@venue/engine';
import type { Logger } from '../observe/logger.ts';
import type { ConfigurationChange } from './applier.ts';
import type { Sequencer } from './sequencer.ts';

export interface ConfiguredNode {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly state: State;
  readonly logger: Pick<Logger, 'warn'>;
  readonly randomBytes: RandomBytes;
}

export type RandomBytes = (size: number) => Uint8Array;

const ID_BYTES = 16;

/**
 * The entry that puts parameters in force. It brings an id for a ledger that has none; of the ids that several nodes
 * draw, the first in the log stands (VEN-1).
 */
export function configureCommand(
  { venue }: Pick<State, 'venue'>,
  parameters: ConfigureCommand['parameters'],
  randomBytes: RandomBytes,
): ConfigureCommand {
  if (venue !== null) return { kind: 'configure', parameters };
  return { kind: 'configure', parameters, venue: Buffer.from(randomBytes(ID_BYTES)).toString('hex') };
}

/**
 * Appends the parameters of the environment if they differ from the state's, and logs which. They then hold for every
 * node (FINE-4), as far as the feature level in force knows them. The level stays; `firstFeatureLevel` is for a log
 * without one. Rejects if they change a parameter that is fixed for the life of the log.
 */
export async function putInForce(
  parameters: VenueParameters,
  { firstFeatureLevel, ...node }: ConfiguredNode & { readonly firstFeatureLevel: () => Promise<number> },
): Promise<void> {
  let isOvertaken = true;
  while (isOvertaken) {
    const { featureLevels, parameters: inForce } = node.state;
    const version = inForce?.version ?? (await firstFeatureLevel());
    isOvertaken = await propose(parametersAt(version, parameters, featureLevels), node);
  }
}

/** Returns whether another node has raised the feature level meanwhile. */
async function propose(
  parameters: VenueParameters,
  { sequencer, state, logger, randomBytes }: ConfiguredNode,
): Promise<boolean> {
  const { parameters: inForce } = state;
  const changed = inForce === null ? [] : differingKeys(inForce, parameters);
  if (inForce !== null && changed.length === 0) return false;
  if (inForce !== null)
    logger.warn(
      { changed },
      'this node has other parameters than the log, and puts them in force for all nodes',
    );
  return sequencer.submit(configureCommand(state, parameters, randomBytes), (outcome) => {
    if (isRefused(outcome)) throw new Error(`the log refuses the configuration: ${outcome.refusal}`);
    if (outcome.conflict === 'version') return true;
    if (outcome.conflict) throw new Error(`the log has another ${outcome.conflict}, which can never change`);
    return false;
  });
}

/** Logs the parameters that some node, perhaps this one, has put in force. */
export function sayConfigured(
  logger: Pick<Logger, 'info'>,
  { seq, before, after }: ConfigurationChange,
): void {
  const changed = before === null ? Object.keys(after) : differingKeys(before, after);
  logger.info({ seq, changed }, 'parameters were put in force');
  if (changed.includes('version')) logger.info({ level: after.version }, 'feature level in force');
}

function differingKeys(one: VenueParameters, other: VenueParameters): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof VenueParameters>;
  return [...keys].filter((key) => !isDeepStrictEqual(one[key], other[key]));
}
