/** A squeeze: prices jump, shorts are called, ticks follow, and sometimes a trader buys back or quotes in between. */

import type { MicrosLevel } from '@venue/protocol';
import type { Command, PrintsCommand, QuotesCommand } from '../../src/entry/command.ts';
import type { ModelSeries } from '../model/records.ts';
import { buyingPower } from '../model/risk.ts';
import { bookSide, positionIn } from '../model/state.ts';
import { unit } from '../model/units.ts';
import { generateQuotes } from './market.ts';
import { generateMargin, generateOrder, generateReducer } from './orders.ts';
import type { Step } from './step.ts';
import { LARGEST, openSeries, type World } from './world.ts';

const TICK_MS = 5_000;
/** Long enough for symbols without new prices to go stale. */
const STALE_MS = 61_000;

/** The entries up to the second tick after the jump, which liquidates (LIQ-1). */
export function squeeze(world: World, maintain: () => Command): Step[] {
  const { random, state } = world;
  const leavesOneStale = random.chance(0.3);
  const quote: Step = { afterMs: 10, command: () => shortQuotes(world) };
  const order: Step = { afterMs: 10, command: () => generateOrder(world) };
  const build = random.chance(0.8) ? shortToTheLimit(world) : [];
  const between: Step[] = [
    quote,
    order,
    ...[0, 1, 2].map(() => ({ afterMs: 10, command: () => generateReducer(world) })),
    { afterMs: 10, command: () => generateMargin(world) },
    { afterMs: 10, command: () => absurdAsk(world) },
  ];
  return [
    ...build,
    { afterMs: leavesOneStale ? STALE_MS : 10, command: () => jump(world, leavesOneStale) },
    ...(random.chance(0.5) ? [quote] : []),
    { afterMs: TICK_MS, command: maintain },
    ...Array.from({ length: random.between(0, 4) }, () => random.pick(between)),
    ...(random.chance(0.6) ? [quote] : []),
    { afterMs: TICK_MS, command: maintain },
    ...(random.chance(0.3) ? [order, { afterMs: TICK_MS, command: maintain }] : []),
    ...(state.parameters?.riskMark === 'model'
      ? [0, 1, 2].flatMap(() => quarter(between, world, maintain))
      : []),
  ];
}

/** Another tick of a liquidation in quarters, with something before it that may end the call. */
function quarter(between: readonly Step[], { random }: World, maintain: () => Command): Step[] {
  const before = random.chance(0.5) ? [random.pick(between)] : [];
  return [...before, { afterMs: TICK_MS, command: maintain }];
}

/** A trader sells about as much as margin allows, and the maker or another account buys it. */
export function shortToTheLimit(world: World): Step[] {
  const { random, state } = world;
  const account = random.pick(state.accounts.filter(({ role }) => role === 'trader'));
  const open = openSeries(world);
  if (open.length === 0 || account === undefined) return [];
  const series = random.pick(open.slice(0, 10));
  const price = Math.max(1, Math.round(Number(unit(state, series, 'entry')) * random.pick([0.01, 0.1])));
  const trader = account.address!;
  const size = () => {
    const each = Math.max(1, Number(unit(state, series, 'entry')) - price);
    const power = Math.max(0, Number(buyingPower(state, account)));
    return Math.max(1, Math.min(Math.floor((power * random.pick([0.5, 0.8]) * 1e6) / each), 1e12));
  };
  const { seriesId, sid } = series;
  const sell = { kind: 'order', account: trader, seriesId, side: 'sell', priceMicros: price } as const;
  const buyer = random.pick(state.accounts.filter(({ role }) => role === 'trader')).address!;
  const buy = (qtyMicros: number): Command => {
    if (random.chance(0.6)) return { ...sell, account: buyer, side: 'buy', qtyMicros };
    return { kind: 'quotes', session: null, rows: [{ sid, bids: [[price, qtyMicros]], asks: [] }] };
  };
  return [
    { afterMs: 1, command: () => ({ kind: 'margin', account: trader, enabled: true }) },
    { afterMs: 1, command: () => ({ ...sell, qtyMicros: size() }) },
    { afterMs: 1, command: () => buy(size()) },
  ];
}

/** Moves all sources of all symbols, or of one, together: usually against the existing shorts. */
export function jump({ random, state }: World, oneAlone: boolean): PrintsCommand {
  const priced = state.instruments.filter(({ spot, active }) => spot > 0n && active);
  const moved = oneAlone ? priced.slice(0, 1) : priced;
  const prints = moved.flatMap(({ symbol, spot, sources }) => {
    const factor = random.pick([0.4, 0.7, 1, 1.4, 1.8, 2.5]);
    const priceMicros = Math.max(1, Math.min(Math.round(Number(spot) * factor), 1e12));
    return sources.slice(0, 3).map(({ source }) => ({ symbol, source, priceMicros }));
  });
  return { kind: 'prints', prints };
}

/** An ask at the end of the exact range: alone in its book it sets the mark, and puts every short in margin call. */
export function absurdAsk(world: World): Command {
  const { random, state } = world;
  const margined = state.accounts.filter(({ marginEnabled }) => marginEnabled);
  const shorted = shortedSeries(world);
  if (margined.length === 0 || shorted.length === 0) return generateOrder(world);
  const qtyMicros = random.pick([1, 1_000_000, 4_000_000]);
  return {
    kind: 'order',
    account: random.pick(margined).address!,
    seriesId: random.pick(shorted).seriesId,
    side: 'sell',
    qtyMicros,
    priceMicros: Math.floor(LARGEST / Math.max(1, qtyMicros / 1_000_000)),
  };
}

/** Quotes in series that traders are short: too few asks, far too expensive ones, or none. */
export function shortQuotes(world: World): QuotesCommand {
  const { random } = world;
  const shorted = shortedSeries(world);
  if (shorted.length === 0) return generateQuotes(world);
  const rows = Array.from({ length: random.between(1, 3) }, () => {
    const series = random.pick(shorted);
    return { sid: series.sid, bids: null, asks: asksFor(world, series) };
  });
  return { kind: 'quotes', session: null, rows };
}

/** Open series in which some trader is short. */
export function shortedSeries(world: World): ModelSeries[] {
  const traders = world.state.accounts.filter(({ role }) => role === 'trader');
  return openSeries(world).filter(({ sid }) => traders.some((account) => positionIn(account, sid).qty < 0n));
}

function asksFor({ random, state }: World, series: ModelSeries): MicrosLevel[] {
  const spot = Number(state.instruments.find(({ symbol }) => symbol === series.symbol)!.spot);
  const inside = series.right === 'C' ? spot - Number(series.strike) : Number(series.strike) - spot;
  const fair = Math.round(Math.max(inside, 0) + spot * 0.03) + 1;
  const bid = bookSide(state, series.sid, 'buy')[0]?.price;
  const mark = bid === undefined ? BigInt(fair) : (bid + BigInt(fair)) / 2n;
  // The most a buy-back may pay with this book (LIQ-2).
  const limit = Number(unit(state, series, 'entry', mark));
  return random.weighted<MicrosLevel[]>([
    [
      4,
      [
        [fair, 100_000],
        [limit + random.between(0, 1), 20_000_000],
      ],
    ],
    [4, [[fair, random.between(1, 8) * 100_000]]],
    [
      3,
      [
        [fair, 100_000],
        [fair + 1_000, 20_000_000],
      ],
    ],
    [
      2,
      [
        [fair, 100_000],
        [fair * 100, 20_000_000],
      ],
    ],
    [
      1,
      [
        [fair, 1],
        [fair * 50, 1_000_000_000],
      ],
    ],
    [3, []],
  ]);
}
