/** The rows of a maker's push: ladders beside, through and to the limit of what stands, and some that are refused. */

import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import type { ModelSeries, ModelSet } from '../model/records.ts';
import { buyingPower } from '../model/risk.ts';
import { bookSide } from '../model/state.ts';
import { unit } from '../model/units.ts';
import { type Ladders, malformedLadders } from './malformed.ts';
import { plainSpot } from './market.ts';
import { LARGEST, openSeries, type World } from './world.ts';

export const UNKNOWN_SID = 999_999;

export function rowsFor(world: World, set: ModelSet | undefined): MicrosQuote[] {
  const { random, state } = world;
  const count = random.weighted([
    [6, random.between(1, 3)],
    [3, random.between(4, 8)],
    [0.4, 40],
  ]);
  const open = openSeries(world).filter(({ symbol }) => set === undefined || symbol === set.symbol);
  const few = open.slice(0, 10);
  const rows = Array.from({ length: count }, () => {
    if (state.series.length === 0 || random.chance(0.01)) return { sid: UNKNOWN_SID, bids: [], asks: null };
    const series = few.length > 0 && random.chance(0.95) ? random.pick(few) : random.pick(state.series);
    return rowFor(world, set, series);
  });
  if (count === 1 || !random.chance(0.1)) return rows;
  return [...rows, rows[0]!];
}

function rowFor(world: World, set: ModelSet | undefined, series: ModelSeries): MicrosQuote {
  const { random } = world;
  const delta = random.pick([0, 0.07, 0.25, -0.5, -0.5, 0.123_456_7, 1, -1.5]);
  const annotations = random.chance(0.6)
    ? { ...(random.chance(0.7) && { delta }), ...(random.chance(0.5) && { iv: random.between(1, 90) / 100 }) }
    : {};
  return { sid: series.sid, ...laddersFor(world, set, series), ...annotations };
}

function laddersFor(world: World, set: ModelSet | undefined, series: ModelSeries): Ladders {
  const { random } = world;
  return random.weighted([
    [12, () => fresh(world, set, series)],
    [3, () => present(world, set, series)],
    [1.5, () => ({ ...fresh(world, set, series), bids: null })],
    [1.5, () => ({ ...fresh(world, set, series), asks: null })],
    [1, () => ({ bids: [], asks: [] })],
    [0.7, () => ({ bids: null, asks: [] })],
    [0.3, () => ({ bids: null, asks: null })],
    [3, () => toTheMeans(world, set, series)],
    [0.7, () => wrong(world, set, series)],
  ])();
}

/** Beside whatever stands, at times through it. */
function fresh(world: World, set: ModelSet | undefined, series: ModelSeries): Ladders {
  const { random, state } = world;
  const { spot } = state.instruments.find(({ symbol }) => symbol === series.symbol)!;
  const inside = series.right === 'C' ? spot - series.strike : series.strike - spot;
  const value = Math.max(Number(inside), 0) + plainSpot(world, spot) * (0.01 + random.unit() * 0.04);
  const [bid, ask] = (['buy', 'sell'] as const).map((side) => bookSide(state, series.sid, side)[0]?.price);
  const fair = Math.max(2, Math.round(value));
  const low = ask !== undefined && random.chance(0.85) ? Math.min(fair, Number(ask)) : fair;
  const high = bid !== undefined && random.chance(0.85) ? Math.max(fair, Number(bid)) : fair;
  const step = Math.max(1, Math.round(fair * 0.01));
  const levels = (from: number, direction: 1 | -1): MicrosLevel[] =>
    Array.from({ length: random.between(1, 3) }, (_, at): MicrosLevel => {
      return [from + direction * step * (at + 1), sizeFor(world, set)];
    });
  return { bids: levels(low, -1).filter(([price]) => price > 0), asks: levels(high, 1) };
}

/** Mostly within the limit. */
function sizeFor({ random }: World, set: ModelSet | undefined): number {
  const limit = Number(set?.protection.qty ?? 1_000_000n);
  return random.weighted([
    [6, Math.min(random.between(1, 20) * 100_000, Math.max(1, limit))],
    [2, Math.min(Math.ceil(limit / 3), 20_000_000)],
    [2, Math.min(limit, 20_000_000)],
    [0.4, Math.min(limit + 1, LARGEST)],
    [0.3, 1],
  ]);
}

/** A ladder that stands: unchanged, smaller, or with a new level behind. */
function present(world: World, set: ModelSet | undefined, series: ModelSeries): Ladders {
  const { random, state } = world;
  const standing = (side: 'buy' | 'sell') =>
    bookSide(state, series.sid, side)
      .filter((order) => order.set !== null && order.set === set)
      .map(({ price, remaining }): MicrosLevel => [Number(price), Number(remaining)]);
  const [bids, asks] = [standing('buy'), standing('sell')];
  if (bids.length > 0 && random.chance(0.4)) bids[0] = [bids[0]![0], Math.max(1, bids[0]![1] - 1)];
  if (asks.length > 1 && random.chance(0.3)) asks.pop();
  const last = asks.at(-1)?.[0];
  if (last !== undefined && random.chance(0.3)) asks.push([last + 1_000, sizeFor(world, set)]);
  return { bids, asks };
}

/** One level that takes what is left of buying power, or a little more (QTS-4). */
function toTheMeans(world: World, set: ModelSet | undefined, series: ModelSeries): Ladders {
  const { random, state } = world;
  if (set === undefined) return fresh(world, set, series);
  const means = Math.max(0, Number(buyingPower(state, state.accounts[set.owner]!) + set.reserve));
  const share = random.pick([0.6, 0.95, 0.999_999, 1, 1.000_001, 1.05]);
  const { bids, asks } = fresh(world, set, series);
  const level = random.chance(0.5) ? bids?.[0] : asks?.[0];
  if (level === undefined) return { bids, asks };
  const isBid = level === bids?.[0];
  const limit = Math.max(1, Math.min(Number(set.protection.qty - set.used), 1e12));
  const price = Math.floor((means * share * 1_000_000) / limit);
  if (isBid && random.chance(0.5) && price > 0 && price < 1e13) return { bids: [[price, limit]], asks: [] };
  const each = isBid ? level[0] : Number(unit(state, series, 'entry'));
  const qty = Math.max(1, Math.min(Math.floor((means * share * 1_000_000) / Math.max(1, each)), 1e13));
  return isBid ? { bids: [[level[0], qty]], asks: [] } : { bids: [], asks: [[level[0], qty]] };
}

function wrong(world: World, set: ModelSet | undefined, series: ModelSeries): Ladders {
  const good = fresh(world, set, series);
  const price = good.asks![0]![0];
  return world.random.pick<Ladders>([
    ...malformedLadders(good, 1_000),
    { bids: null, asks: [[1, 1]] },
    { bids: [[LARGEST, 1]], asks: null },
    { bids: [[1, LARGEST]], asks: [] },
    { bids: [], asks: [[LARGEST, LARGEST]] },
    { bids: Array.from({ length: 65 }, (_, at): MicrosLevel => [price - at, 1]), asks: null },
  ]);
}
