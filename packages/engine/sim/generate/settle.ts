/** Attempts at hand settlement: usually what an operator would do, at the edge of every gate, and beyond it. */

import type { SettleCommand, SettleTarget } from '../../src/entry/command.ts';
import type { ModelDecision, ModelSeries } from '../model/state.ts';
import { LARGEST, type World } from './world.ts';

const BOUND_MAX_BPS = 1_000;

export function generateSettle(world: World): SettleCommand {
  const { random, state } = world;
  const series = seriesFor(world);
  const decision = state.decisions.find(
    ({ symbol, expiryTs }) => symbol === series?.symbol && expiryTs === series.expiryTs,
  );
  return {
    kind: 'settle',
    target: targetFor(world, series),
    priceMicros: priceFor(world, decision),
    secrets: random.weighted<readonly [boolean, boolean]>([
      [30, [true, true]],
      [1, [true, false]],
      [1, [false, true]],
      [1, [false, false]],
    ]),
  };
}

/** Usually one under review, otherwise any. */
function seriesFor({ random, state }: World): ModelSeries | undefined {
  const pending = state.series.filter(({ status }) => status === 'pending-review');
  if (pending.length > 0 && random.chance(0.85)) return random.pick(pending);
  return state.series.length === 0 ? undefined : random.pick(state.series);
}

function targetFor({ random }: World, series: ModelSeries | undefined): SettleTarget | null {
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
function priceFor({ random, parameters }: World, decision: ModelDecision | undefined): number | null {
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
