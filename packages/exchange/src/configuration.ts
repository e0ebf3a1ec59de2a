/** The parameters of the environment and those of the log: nodes share what the log has (FINE-4). */

import { isDeepStrictEqual } from 'node:util';
import { isRefused, type State, type VenueParameters } from '@venue/engine';
import type { Logger } from './logger.ts';
import type { ConfigurationChange, Sequencer } from './sequencer.ts';

/**
 * Appends the parameters of the environment where the state has others, and says which: they hold for every node from then
 * on (FINE-4). Rejects where the log has one that can never change.
 */
export async function putInForce(
  parameters: VenueParameters,
  {
    sequencer,
    state,
    logger,
  }: { sequencer: Pick<Sequencer, 'submit'>; state: State; logger: Pick<Logger, 'warn'> },
): Promise<void> {
  const { parameters: inForce } = state;
  const changed = inForce === null ? [] : differingKeys(inForce, parameters);
  if (inForce !== null && changed.length === 0) return;
  if (inForce !== null)
    logger.warn(
      { changed },
      'this node has other parameters than the log, and puts them in force for all nodes',
    );
  await sequencer.submit({ kind: 'configure', parameters }, (outcome) => {
    if (isRefused(outcome)) throw new Error(`the log refuses the configuration: ${outcome.refusal}`);
    if (outcome.conflict) throw new Error(`the log has another ${outcome.conflict}, which can never change`);
  });
}

/** Tells an operator of what some node, this one perhaps, has put in force. */
export function sayConfigured(
  logger: Pick<Logger, 'info'>,
  { seq, before, after }: ConfigurationChange,
): void {
  const changed = before === null ? Object.keys(after) : differingKeys(before, after);
  logger.info({ seq, changed }, 'parameters were put in force');
}

function differingKeys(one: VenueParameters, other: VenueParameters): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof VenueParameters>;
  return [...keys].filter((key) => !isDeepStrictEqual(one[key], other[key]));
}
