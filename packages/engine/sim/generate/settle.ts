/**
 * Attempts at hand settlement, by one person or by two: usually what an operator would do, at the edge of every gate,
 * and beyond it.
 */

import type {
  Command,
  SettleCommand,
  SettleConfirmCommand,
  SettleProposeCommand,
} from '../../src/entry/command.ts';
import type { OperatorCommand } from '../../src/entry/custody-command.ts';
import type { SettleTarget } from '../../src/state/records.ts';
import type { ModelDecision, ModelProposal, ModelSeries } from '../model/records.ts';
import type { ModelState } from '../model/state.ts';
import type { Random } from '../random.ts';
import { LARGEST, type World } from './world.ts';

/** Null for the holder of a settlement secret, whom nobody has named. */
export const OPERATORS = ['ann', 'bo', 'cy-2', null] as const;

type ByHand = OperatorCommand | SettleCommand | SettleProposeCommand | SettleConfirmCommand;

const BY_HAND: ReadonlySet<string> = new Set<ByHand['kind']>([
  ...(['settle', 'settle-propose', 'settle-confirm', 'bind', 'epoch', 'adopt', 'void', 'release'] as const),
  ...(['freeze-withdrawals', 'hold-deposit', 'reverse-deposit', 'approve-payout'] as const),
]);

/** True for what people do, who may have names. */
export function isByHand(command: Command): command is ByHand {
  return BY_HAND.has(command.kind);
}

const BOUND_MAX_BPS = 1_000;

type Sight = Pick<World, 'random' | 'state' | 'parameters'>;

export function generateSettle(world: World): SettleCommand {
  return {
    kind: 'settle',
    ...wishFor(world),
    secrets: world.random.weighted<readonly [boolean, boolean]>([
      [30, [true, true]],
      [1, [true, false]],
      [1, [false, true]],
      [1, [false, false]],
    ]),
  };
}

/** Usually with one secret. */
export function generatePropose(random: Random, state: ModelState): SettleProposeCommand {
  return {
    kind: 'settle-propose',
    ...wishFor({ random, state, parameters: state.parameters! }),
    secrets: random.weighted<readonly [boolean, boolean]>([
      [10, [true, false]],
      [10, [false, true]],
      [1, [true, true]],
      [1, [false, false]],
    ]),
  };
}

/** Usually what the other secret proposed. */
export function generateConfirm(
  random: Random,
  state: ModelState,
  proposal: ModelProposal,
): SettleConfirmCommand {
  const wish = wishFor({ random, state, parameters: state.parameters! });
  const { id, secret } = proposal;
  return {
    kind: 'settle-confirm',
    id: random.weighted<number | null>([
      [20, id],
      [1, id - 1],
      [1, null],
    ]),
    target: random.chance(0.85) ? proposal.target : wish.target,
    priceMicros: random.chance(0.85) ? Number(proposal.price) : wish.priceMicros,
    secrets: random.weighted<readonly [boolean, boolean]>([
      [20, [secret === 2, secret === 1]],
      [2, [secret === 1, secret === 2]],
      [1, [true, true]],
      [1, [false, false]],
    ]),
  };
}

function wishFor(sight: Sight): Pick<SettleCommand, 'target' | 'priceMicros'> {
  const series = seriesFor(sight);
  const decision = sight.state.decisions.find(
    ({ symbol, expiryTs }) => symbol === series?.symbol && expiryTs === series.expiryTs,
  );
  return { target: targetFor(sight, series), priceMicros: priceFor(sight, decision) };
}

/** Usually one under review, otherwise any. */
function seriesFor({ random, state }: Sight): ModelSeries | undefined {
  const pending = state.series.filter(({ status }) => status === 'pending-review');
  if (pending.length > 0 && random.chance(0.85)) return random.pick(pending);
  return state.series.length === 0 ? undefined : random.pick(state.series);
}

function targetFor({ random }: Sight, series: ModelSeries | undefined): SettleTarget | null {
  if (series === undefined || random.chance(0.02)) return null;
  const { seriesId, symbol, expiryTs } = series;
  return random.weighted<SettleTarget>([
    [10, { seriesId }],
    [10, { symbol, expiryTs }],
    [0.3, { seriesId: 'BTC-1-C-1' }],
    [0.3, { symbol, expiryTs: expiryTs + 1 }],
    [0.3, { symbol: 'NONE', expiryTs }],
  ]);
}

/** The price already decided, one within the bound, exactly at the bound, or past it. */
function priceFor({ random, parameters }: Sight, decision: ModelDecision | undefined): number | null {
  if (random.chance(0.04)) return random.pick([null, 0, 1, LARGEST]);
  const anchor = Number(decision?.anchor ?? 50_000_000);
  const decided = decision?.price ?? null;
  if (decided !== null && random.chance(0.6)) return Number(decided);
  const bps = Math.min(parameters.oracle.handBps, BOUND_MAX_BPS);
  const room = Math.floor(anchor / 10_000) * bps + Math.floor(((anchor % 10_000) * bps) / 10_000);
  const price = random.weighted([
    [4, anchor],
    [3, anchor + Math.floor(room * random.unit())],
    [2, anchor + room],
    [2, anchor - room],
    [1, anchor + room + 1],
    [1, anchor - room - 1],
    [0.5, anchor * 2],
  ]);
  return Math.max(0, Math.min(price, LARGEST));
}
