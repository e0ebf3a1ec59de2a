/** Prices and quotes: a wandering spot, a market maker around a rough fair value, and invalid rows. */

import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import type {
  PrintRow,
  PrintsCommand,
  PullCommand,
  QuoteSessionCommand,
  QuotesCommand,
} from '../../src/entry/command.ts';
import type { ModelSeries } from '../model/records.ts';
import { bookSide, MAKER } from '../model/state.ts';
import { type Ladders, malformedLadders } from './malformed.ts';
import { LARGEST, openSeries, type World } from './world.ts';

const SOURCES = ['a', 'b', 'c'];
/** Initial spots in micros, some at a boundary of the strike step table. */
const STARTS = [3_100_000, 24_990_000, 99_500_000, 249_000_000, 1_000_000_000, 2_499_000_000, 61_234_567_890];

export function firstPrints(world: World): PrintsCommand {
  const prints = world.parameters.symbols.flatMap(({ symbol }) => {
    const priceMicros = world.random.pick(STARTS);
    return SOURCES.map((source) => ({ symbol, source, priceMicros }));
  });
  return { kind: 'prints', prints };
}

export function generatePrints(world: World): PrintsCommand {
  const { random } = world;
  const prints: PrintRow[] = [];
  for (const { symbol, spot } of world.state.instruments) {
    if (random.chance(0.2)) continue;
    const base = plainSpot(world, spot) * drift(world);
    for (const source of SOURCES) {
      if (random.chance(0.7)) prints.push({ symbol, source, priceMicros: near(world, base) });
    }
  }
  if (random.chance(0.15)) prints.push(hostilePrint(world));
  return { kind: 'prints', prints };
}

/** The spot, or usually another price if the spot is too absurd for any market to follow. */
export function plainSpot({ random }: World, spot: bigint): number {
  const isAbsurd = spot < 1_000_000n || spot > 1_000_000_000_000n;
  return isAbsurd && random.chance(0.8) ? random.pick(STARTS) : Number(spot);
}

function drift({ random }: World): number {
  return random.weighted([
    [8, 1],
    [4, random.pick([0.95, 1.05])],
    [3, random.pick([0.6, 0.8, 1.3, 1.6])],
  ]);
}

function near({ random }: World, base: number): number {
  return Math.max(1, Math.min(Math.round(base * (0.997 + random.unit() * 0.006)), LARGEST));
}

function hostilePrint({ random }: World): PrintRow {
  const source = random.pick(['a', `extra-${random.between(0, 19)}`, 'x'.repeat(65)]);
  const symbol = random.pick(['BTC', 'AAPL', 'NONE']);
  return { symbol, source, priceMicros: random.pick([0, -1, 1, 50_000_000, LARGEST, LARGEST + 1]) };
}

export function generateQuotes(world: World): QuotesCommand {
  const { random } = world;
  const rows = Array.from({ length: random.between(1, 5) }, () => quoteRow(world));
  const session = quoteSession(world);
  return { kind: 'quotes', session, rows };
}

/** Usually the live quote session, sometimes none, a fenced one or one never registered. */
function quoteSession({ random, state }: World): number | null {
  return random.weighted([
    [6, null],
    [6, state.quoteSession === 0 ? null : state.quoteSession],
    [0.5, Math.max(1, state.quoteSession + random.pick([-1, 1]))],
  ]);
}

/** Few attempt ids, so that they repeat. */
export function generateQuoteSession({ random }: World): QuoteSessionCommand {
  return { kind: 'quote-session', attemptId: `attempt ${random.between(1, 12)}` };
}

export function generatePull({ random, state }: World): PullCommand {
  return { kind: 'pull', session: Math.max(0, state.quoteSession - (random.chance(0.3) ? 1 : 0)) };
}

function quoteRow(world: World): MicrosQuote {
  const { random, state } = world;
  if (state.series.length === 0 || random.chance(0.03)) {
    return { sid: 999_999, bids: [], asks: [] };
  }
  const open = openSeries(world);
  const series = open.length > 0 && random.chance(0.95) ? nearOf(world, open) : random.pick(state.series);
  const annotations = random.chance(0.3) ? { iv: volatility(random.between(1, 90)), delta: -0.25 } : {};
  return { sid: series.sid, ...ladders(world, series), ...annotations };
}

/** Mostly plausible; some at the ends of what counts for the model, and past them. */
function volatility(percent: number): number {
  const odd = new Map([
    [1, 0],
    [2, 5],
    [3, 5.000_001],
    [4, 1e-9],
  ]);
  return odd.get(percent) ?? percent / 100;
}

/** Concentrates activity in few series, so that they trade. */
function nearOf(world: World, open: readonly ModelSeries[]): ModelSeries {
  return world.random.pick(open.slice(0, 10));
}

function ladders(world: World, series: ModelSeries): Ladders {
  return world.random.weighted([
    [14, () => freshLadders(world, series)],
    [4, () => presentLadders(world, series)],
    [2, () => ({ ...freshLadders(world, series), bids: null })],
    [2, () => ({ ...freshLadders(world, series), asks: null })],
    [1, () => ({ bids: [], asks: [] })],
    [2, () => ({ bids: null, asks: [] })],
    [0.5, () => ({ bids: null, asks: null })],
    [2, () => wrongLadders(world, series)],
  ])();
}

/** Two or three levels on each side of a rough value; steep enough to cross a trader's order at times. */
function freshLadders(world: World, series: ModelSeries): Ladders {
  const { random, state } = world;
  const spot = Number(state.instruments.find(({ symbol }) => symbol === series.symbol)!.spot);
  const inside = series.right === 'C' ? spot - Number(series.strike) : Number(series.strike) - spot;
  const fair = Math.max(inside, 0) + spot * (0.01 + random.unit() * 0.05);
  const half = Math.max(1, Math.round(fair * 0.02));
  const levels = (direction: 1 | -1): MicrosLevel[] =>
    Array.from({ length: random.between(1, 3) }, (_, at): MicrosLevel => {
      return [Math.round(fair) + direction * half * (at + 1), random.between(1, 40) * 250_000];
    });
  return { bids: levels(-1).filter(([price]) => price > 0), asks: levels(1) };
}

/** The quotes now resting, unchanged or with one level changed. */
function presentLadders({ random, state }: World, series: ModelSeries): Ladders {
  const resting = (side: 'buy' | 'sell') =>
    bookSide(state, series.sid, side)
      .filter(({ owner }) => owner === MAKER)
      .map(({ price, remaining }): MicrosLevel => [Number(price), Number(remaining)]);
  const bids = resting('buy');
  const asks = resting('sell');
  if (bids.length > 0 && random.chance(0.5)) bids[0] = [bids[0]![0], bids[0]![1] + 1];
  if (asks.length > 1 && random.chance(0.3)) asks.pop();
  return { bids, asks };
}

function wrongLadders(world: World, series: ModelSeries): Ladders {
  return world.random.pick<Ladders>([
    ...malformedLadders(freshLadders(world, series), 1_000_000),
    { bids: [[1, LARGEST]], asks: [] },
    { bids: [], asks: [[LARGEST, LARGEST]] },
  ]);
}
