/** Prices that jump, with ticks around them: up and back, to and fro, or further with every step (RSK-5). */

import type { Command, PrintsCommand, QuotesCommand } from '../../src/entry/command.ts';
import { shortedSeries, shortToTheLimit } from './squeeze.ts';
import type { Step } from './step.ts';
import type { World } from './world.ts';

const TICK_MS = 5_000;
/** Long enough for a jump to be over. */
const CALM_MS = 61_000;
/** Ticks that last longer than a jump stops liquidation. */
const LONG = 16;

/** Bounds that a venue begins with or changes to: mostly one that a squeeze passes. */
export const JUMP_STOPS = [0, 500, 1_500, 1_500, 4_000];

/** Shorts, then one of the three with a tick every five seconds, and sometimes a calm that ends it. */
export function jumps(world: World, maintain: () => Command): Step[] {
  const { random, state } = world;
  const moved = random.pick(state.instruments);
  const base = Number(moved.spot);
  const tick: Step = { afterMs: TICK_MS, command: maintain };
  const at = (factor: number): Step => ({
    afterMs: 1,
    command: () => printsAt(world, moved.symbol, base * factor),
  });
  const [high, steps] = [random.pick([0.01, 0.8, 1.2, 1.6, 100]), random.between(3, 6)];
  const courses = [
    () => [at(high), tick, tick, tick, at(1), tick, tick],
    () => Array.from({ length: LONG }, () => [at(random.pick([1, high])), tick]).flat(),
    () =>
      Array.from({ length: LONG }, (_, i) => (i % 3 === 0 ? [at(1.5 ** (i / 3 + 1)), tick] : [tick])).flat(),
  ];
  return [
    ...(random.chance(0.8) ? shortToTheLimit(world) : []),
    ...(random.chance(0.8) ? [{ afterMs: 1, command: () => annotations(world) }] : []),
    ...random
      .pick(courses)()
      .slice(0, random.chance(0.3) ? steps : undefined),
    ...(random.chance(0.3) ? [tick, { ...tick, afterMs: CALM_MS }] : []),
  ];
}

/** Without a volatility the model liquidates nobody anyway. */
function annotations(world: World): QuotesCommand {
  const rows = shortedSeries(world).map(({ sid }) => ({ sid, bids: null, asks: null, iv: 0.5 }));
  return { kind: 'quotes', session: null, rows };
}

/** All known sources of a symbol, so that none of them holds the spot back. */
function printsAt({ state }: World, symbol: string, price: number): PrintsCommand {
  const { sources } = state.instruments.find((one) => one.symbol === symbol)!;
  const priceMicros = Math.max(1, Math.min(Math.round(price), 1e12));
  return { kind: 'prints', prints: sources.map(({ source }) => ({ symbol, source, priceMicros })) };
}
