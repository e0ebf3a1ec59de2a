/**
 * The end of an expiry: positions in odd quantities, prints through the averaging window that agree or do not, and a
 * tick at the cutoff; then attempts to trade, quote and settle the expired series.
 */

import type { Command, OrderCommand, PrintRow, QuotesCommand } from '../../src/entry/command.ts';
import type { Side } from '../../src/state/series.ts';
import type { ModelSeries } from '../model/records.ts';
import { bookSide } from '../model/state.ts';
import { firstPrints, generateQuotes, plainSpot } from './market.ts';
import { generateSettle } from './settle.ts';
import type { Step } from './step.ts';
import { LARGEST, openSeries, type World } from './world.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 30 * MINUTE_MS;
const TICK_MS = 5_000;

/** Takes an expiry to its cutoff and past it; empty if none is open. */
export function expire(world: World, maintain: () => Command): Step[] {
  const { random } = world;
  const expiries = [...new Set(openSeries(world).map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
  if (expiries.length === 0) return [];
  const expiryTs = random.chance(0.8) ? expiries[0]! : random.pick(expiries);
  const series = openSeries(world).filter((listed) => listed.expiryTs === expiryTs);
  const shared = random.chance(0.5) ? styleOf(world) : null;
  const chosen = shared === absurd ? callsOf(series) : [1, 2, 3].map(() => random.pick(series));
  return [
    { afterMs: 0, command: () => ({ kind: 'margin', account: random.pick(world.traders), enabled: true }) },
    ...positions(world, chosen),
    ...printsUpTo(world, expiryTs * 1000, shared),
    ...(random.chance(0.3) ? [{ atMs: expiryTs * 1000, command: () => tradeIn(world, chosen) }] : []),
    { atMs: expiryTs * 1000 + random.pick([0, 1, 1, 2_000, 61_000]), command: maintain },
    ...(random.chance(0.8) ? aftermath(world, maintain, chosen) : []),
  ];
}

/** One call per symbol: at absurd prices they owe more together than can be paid, though perhaps not alone. */
function callsOf(series: readonly ModelSeries[]): ModelSeries[] {
  const symbols = [...new Set(series.map(({ symbol }) => symbol))];
  return symbols.map((name) => series.find(({ symbol, right }) => symbol === name && right === 'C')!);
}

/** Quotes in quantities that divide no payout evenly, and traders who take them and add orders. */
function positions(world: World, chosen: readonly ModelSeries[]): Step[] {
  const trades = Array.from({ length: world.random.between(2, 5) }, (): Step => {
    return { afterMs: 1, command: () => tradeIn(world, chosen) };
  });
  const buys = chosen.map((series): Step => ({ afterMs: 1, command: () => tradeIn(world, [series], 'buy') }));
  return [{ afterMs: 1, command: () => oddQuotes(world, chosen) }, ...buys, ...trades];
}

function oddQuotes({ random, state }: World, chosen: readonly ModelSeries[]): QuotesCommand {
  const rows = chosen.map(({ sid, symbol }) => {
    const { spot } = state.instruments.find((instrument) => instrument.symbol === symbol)!;
    const price = Math.max(2, Math.min(Math.round(Number(spot) * 0.03), 1e12));
    const qty = () => random.between(1, 3_333_333);
    return { sid, bids: [[price - 1, qty()]], asks: [[price, qty()]] } as const;
  });
  return { kind: 'quotes', session: null, rows };
}

function tradeIn(
  { random, state, traders }: World,
  chosen: readonly ModelSeries[],
  side: Side = random.pick(['buy', 'sell'] as const),
): OrderCommand {
  const series = random.pick(chosen);
  const touch = bookSide(state, series.sid, side === 'buy' ? 'sell' : 'buy')[0]?.price;
  return {
    kind: 'order',
    account: random.pick(traders),
    seriesId: series.seriesId,
    side,
    qtyMicros: random.between(1, 1_999_999),
    priceMicros: Number(touch ?? 10_000n),
  };
}

interface Timed {
  readonly atMs: number;
  readonly rows: PrintRow[];
}

/** Prints for every symbol, at the instants around which the window and staleness change. */
function printsUpTo(world: World, cutoffMs: number, shared: Style | null): Step[] {
  const prints = world.state.instruments
    .filter(({ active, spot }) => active && spot > 0n)
    .flatMap(({ symbol, spot }) =>
      (shared ?? styleOf(world))(world, symbol, { base: plainSpot(world, spot), cutoffMs }),
    );
  const instants = [...new Set(prints.map(({ atMs }) => atMs))].sort((a, b) => a - b);
  return instants
    .filter((atMs) => atMs > world.now() + 50)
    .map((atMs) => {
      const rows = prints.filter((print) => print.atMs === atMs).flatMap((print) => print.rows);
      return { atMs, command: () => ({ kind: 'prints', prints: rows }) };
    });
}

interface Course {
  readonly base: number;
  readonly cutoffMs: number;
}

type Style = (world: World, symbol: string, course: Course) => Timed[];

function styleOf({ random }: World): Style {
  return random.weighted<Style>([
    [6, wandering],
    [3, exactlyApart],
    [3, absurd],
    [1, crowded],
  ]);
}

/** Sources that print now and then, close together or with one outlier; some fall silent around the age limit. */
function wandering({ random, parameters }: World, symbol: string, { base, cutoffMs }: Course): Timed[] {
  const { staleMs } = parameters.oracle;
  const isApart = random.chance(0.25);
  return ['a', 'b', 'c'].flatMap((source, place) => {
    const level = isApart && place === 2 ? base * random.pick([0.97, 1.02]) : base;
    const lasts = [
      0,
      0,
      1,
      -1,
      staleMs - 1,
      staleMs,
      staleMs + 1,
      1_000,
      1_000,
      1_000,
      random.between(0, WINDOW_MS),
    ];
    const ages = [
      ...(random.chance(0.3) ? [WINDOW_MS + random.between(-1, 1)] : []),
      ...Array.from({ length: random.between(0, 3) }, () => random.between(0, WINDOW_MS)),
      random.pick(lasts),
      ...(random.chance(0.2) ? [-1] : []),
    ];
    return ages.map((age) => {
      const priceMicros = sound(level * (0.998 + random.unit() * 0.004));
      return { atMs: cutoffMs - age, rows: [{ symbol, source, priceMicros }] };
    });
  });
}

/** New sources that print once each, so that their averages are exactly as far apart as allowed, or a micro further. */
function exactlyApart({ random, parameters }: World, symbol: string, { base, cutoffMs }: Course): Timed[] {
  const middle = Math.ceil(base / 10_000) * 10_000;
  const far = middle + (middle / 10_000) * parameters.oracle.dispersionBps + random.between(-1, 1);
  const name = `${cutoffMs / 1000}`;
  const age = random.pick([0, 500, 1_000]);
  return [middle, middle, far].map((priceMicros, place) => {
    return { atMs: cutoffMs - age, rows: [{ symbol, source: `${name}-${place}`, priceMicros }] };
  });
}

/** More new sources than there is room for: the usual ones lose their places inside the window, and must still count. */
function crowded({ random }: World, symbol: string, { base, cutoffMs }: Course): Timed[] {
  const print = (source: string) => ({
    symbol,
    source,
    priceMicros: sound(base * (0.999 + random.unit() * 0.002)),
  });
  const crowd = Array.from({ length: random.between(14, 17) }, (_, at) => print(`crowd-${cutoffMs}-${at}`));
  return [
    { atMs: cutoffMs - 10 * MINUTE_MS, rows: ['a', 'b', 'c'].map(print) },
    { atMs: cutoffMs - random.pick([0, 1_000, 2 * MINUTE_MS]), rows: crowd },
  ];
}

/** The lowest and highest printable prices, from new sources so that they are not averaged with realistic ones. */
function absurd({ random }: World, symbol: string, { cutoffMs }: Course): Timed[] {
  const priceMicros = Math.floor(LARGEST / random.pick([LARGEST, 1, 8, 10, 10, 10]));
  const isNew = random.chance(0.8);
  const other = random.chance(0.2) ? 1 : priceMicros;
  const rows = ['a', 'b', 'c'].map((source) => {
    const name = isNew ? `absurd-${cutoffMs}-${source}` : source;
    return { symbol, source: name, priceMicros: source === 'c' ? other : priceMicros };
  });
  return [{ atMs: cutoffMs - random.pick([0, 1_000]), rows }];
}

function sound(price: number): number {
  return Math.max(1, Math.min(Math.round(price), LARGEST));
}

/** After the tick: writes to expired series, hand settlement, and margin calls of remaining shorts. */
function aftermath(world: World, maintain: () => Command, chosen: readonly ModelSeries[]): Step[] {
  const { random } = world;
  const late: Step[] = [
    { afterMs: 5, command: () => tradeIn(world, chosen) },
    { afterMs: 5, command: () => oddQuotes(world, chosen) },
    { afterMs: 5, command: () => generateQuotes(world) },
    { afterMs: TICK_MS, command: maintain },
  ];
  const settle = (): Step => ({ afterMs: random.pick([5, 5, 1_000]), command: () => generateSettle(world) });
  return [
    ...Array.from({ length: random.between(0, 3) }, () => random.pick(late)),
    ...(random.chance(0.4) ? [{ afterMs: 5, command: () => firstPrints(world) }] : []),
    ...Array.from({ length: random.between(1, 5) }, settle),
    ...(random.chance(0.3) ? [late[3]!, settle()] : []),
  ];
}
