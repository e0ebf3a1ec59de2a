/** Feature levels, settlements by two people, attempts to sign in and repairs, each between other entries. */

import type { Address } from '@venue/protocol';
import type { Command } from '../../src/entry/command.ts';
import type { FeatureLevel } from '../../src/state/feature-levels.ts';
import { openProposals } from '../model/hand-settlement.ts';
import type { ModelProposal } from '../model/records.ts';
import type { ModelState } from '../model/state.ts';
import type { Random } from '../random.ts';
import { generateRepair } from './repairs.ts';
import { generateConfirm, generatePropose } from './settle.ts';
import { addressOf, type World } from './world.ts';

/** The levels that a simulated engine reads: a venue begins at the first, and one that adds nothing comes into force. */
export const LEVELS: readonly FeatureLevel[] = [{}, {}];
/** Wallets that only sign in, and occasionally trade. */
const STRANGERS = 4;

/** The frequency of asides: a proposal ends before long, and repairs build on each other. */
export function asideShare(state: ModelState, hasCustody: boolean): number {
  if (newestProposals(state).length > 0) return 0.3;
  if (maySettleByTwo(state)) return 0.1;
  return hasCustody ? 0.3 : 0.03;
}

function maySettleByTwo(state: ModelState): boolean {
  return state.series.some(({ status }) => status === 'pending-review');
}

/**
 * A raise, usually by a level already in force; an older node's configuration; half of a settlement by two people; an
 * attempt to sign in; or, where there is custody, what operators do to it.
 */
export function generateAside(
  random: Random,
  { state, hasCustody }: Pick<World, 'state' | 'hasCustody'>,
  newestLevel: number,
): Command {
  if (maySettleByTwo(state) && random.chance(0.6)) return byTwo(random, state);
  const { accounts } = state;
  const parameters = state.parameters!;
  if (random.chance(0.1))
    return { kind: 'configure', parameters: { version: random.between(1, newestLevel) } };
  if (random.chance(0.1)) return { kind: 'configure', parameters: { ...parameters, version: 1 } };
  if (hasCustody && random.chance(0.9)) return generateRepair(random, state);
  const wallets = accounts.flatMap(({ address }) => (address === null ? [] : [address]));
  const stranger = addressOf('a', 900 + random.between(1, STRANGERS));
  return signIn(random, state, random.chance(0.3) && wallets.length > 0 ? random.pick(wallets) : stranger);
}

/** A node proposes an id, which counts if the log has none; or a copy of the log gets one of its own (VEN-1). */
export function generateVenueId(random: Random, { parameters }: ModelState): Command {
  const venue = random.next().toString(16).padStart(32, '0');
  if (random.chance(0.3)) return { kind: 'rekey', venue };
  return { kind: 'configure', parameters: { version: parameters!.version }, venue };
}

/** The newest of each secret, where it may be confirmed: what people look at first. */
function newestProposals(state: ModelState): ModelProposal[] {
  const isNewest = ({ id, secret }: ModelProposal) =>
    !state.proposals.some((other) => other.secret === secret && other.id > id);
  return openProposals(state).filter(isNewest);
}

function byTwo(random: Random, state: ModelState): Command {
  const open = newestProposals(state);
  const [proposal] = open.length > 0 ? [random.pick(open)] : state.proposals.slice(-1);
  return proposal !== undefined && random.chance(0.7)
    ? generateConfirm(random, state, proposal)
    : generatePropose(random, state);
}

/** Usually names the last spent challenge, sometimes the one before, as a lagging node would. */
function signIn(random: Random, { challenges }: ModelState, address: Address): Command {
  const spent = [0, ...challenges.filter((one) => one.address === address).map(({ seq }) => seq)];
  const after = random.chance(0.7) ? spent.at(-1)! : random.pick(spent);
  return { kind: 'sign-in', address, after, signed: random.chance(0.7) };
}
