/** The opening of a venue, and the pauses and expiries of its life. */

import type { Command } from '../../src/entry/command.ts';
import type { Random } from '../random.ts';
import { funding } from './custody.ts';
import { firstPrints, generateQuotes } from './market.ts';
import { generateApproval } from './sessions.ts';
import type { World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Every venue opens with parameters, wallets, first prices, listings, some quotes, keys and margin. */
export function opening(world: World): (() => Command)[] {
  const { parameters, traders, random, hasCustody } = world;
  const margined = traders.filter(() => random.chance(0.7));
  return [
    () => ({ kind: 'configure', parameters }),
    ...traders.flatMap((address) =>
      hasCustody ? funding(world, address) : [(): Command => ({ kind: 'open', address })],
    ),
    () => firstPrints(world),
    () => ({ kind: 'maintain', expiries: expiriesAt(random, world.now()) }),
    ...[1, 2, 3].map(() => () => generateQuotes(world)),
    ...traders.map(() => () => generateApproval(world)),
    ...margined.map((account) => (): Command => ({ kind: 'margin', account, enabled: true })),
  ];
}

/** Usually short; occasionally long enough for prices to go stale, series to expire or sessions to end. */
export function pause(random: Random): number {
  return random.weighted([
    [60, random.between(0, 300)],
    [25, random.between(300, 4_000)],
    [10, 5 * SECOND_MS],
    [2, 59_999 + random.between(0, 2)],
    [1.5, 20 * MINUTE_MS],
    [0.5, random.between(1, 3) * DAY_MS],
  ]);
}

/** The next two instants of a grid of expiries; occasionally one that has just passed, as from a slow proposer. */
export function expiriesAt(random: Random, nowMs: number): number[] {
  const grid: number[] = [];
  const grain = 15 * MINUTE_MS;
  const first = Math.floor(nowMs / grain) + (random.chance(0.9) ? 1 : 0);
  grid.push(first * grain, (Math.floor(nowMs / DAY_MS) + 2) * DAY_MS);
  return [...new Set(grid)].map((ms) => ms / SECOND_MS);
}
