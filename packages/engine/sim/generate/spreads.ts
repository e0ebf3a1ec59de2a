/** Accounts in defined-risk mode: spreads opened leg by leg, covers sold or promised, and switches both ways (DRM-1 to 4). */

import type { Address, BatchAction, PlaceAction } from '@venue/protocol';
import type { BatchCommand, Command, QuotesCommand } from '../../src/entry/command.ts';
import { intrinsic } from '../model/marks.ts';
import type { ModelAccount, ModelSeries } from '../model/records.ts';
import { buyingPower } from '../model/risk.ts';
import { bookSide, instrumentOf, positionIn } from '../model/state.ts';
import { unit } from '../model/units.ts';
import { generateBatch } from './batches.ts';
import { generateReducer } from './orders.ts';
import { jump, shortQuotes } from './squeeze.ts';
import type { Step } from './step.ts';
import { maybeSigned, openSeries, type World } from './world.ts';

/** Most accounts come to the mode, and some leave it again. */
export function generateSpread(world: World): Command {
  const { random, state } = world;
  const traders = state.accounts.filter(({ role, address }) => role === 'trader' && address !== null);
  if (traders.length === 0) return generateBatch(world);
  const inMode = traders.filter(({ marginMode }) => marginMode === 'defined-risk');
  const account = inMode.length > 0 && random.chance(0.8) ? random.pick(inMode) : random.pick(traders);
  if (account.marginMode === 'per-leg' ? random.chance(0.6) : random.chance(0.12))
    return spreadBatch(world, account, [{ type: 'margin-mode', mode: modeFor(world, account) }]);
  const held = state.series.filter(({ sid }) => positionIn(account, sid).qty !== 0n);
  const series = seriesOfOne(world, held);
  if (series.length === 0) return generateBatch(world);
  const legs = random.between(1, 4);
  const actions = Array.from({ length: legs }, (): BatchAction => legOf(world, account, series));
  if (random.chance(0.03)) actions.push(protect(random.pick(series)));
  return spreadBatch(world, account, actions);
}

const TICK_MS = 5_000;

/**
 * An account that covers some of its shorts and sells others as far as margin goes; then spot jumps, and ticks follow,
 * with something between them. Sometimes the first jump comes right before the cutoff.
 */
export function squeezeSpread(world: World, maintain: () => Command): Step[] {
  const { random, state } = world;
  const account = random.pick(state.accounts.filter(({ role }) => role === 'trader'));
  const all = seriesOfOne(world, []);
  if (account === undefined || all.length === 0 || account.frozen) return [];
  const step = (command: () => Command): Step => ({ afterMs: 10, command });
  const act = (...actions: BatchAction[]) => step(() => spreadBatch(world, account, actions));
  const spread = () => act(...pairOf(world, all));
  const between = [
    step(() => spreadBatch(world, account, [legOf(world, account, all)])),
    step(() => generateReducer(world)),
    step(() => shortQuotes(world)),
  ];
  const ticks = state.parameters?.riskMark === 'model' ? 6 : 3;
  const nearCutoff = random.chance(0.25)
    ? [{ atMs: all[0]!.expiryTs * 1000 - 12_000, command: maintain }]
    : [];
  return [
    step(() => ({ kind: 'margin', account: account.address!, enabled: true })),
    act({ type: 'margin-mode', mode: 'defined-risk' }),
    ...nearCutoff,
    step(() => quotesOf(world, all)),
    ...Array.from({ length: random.between(1, 3) }, spread),
    ...Array.from({ length: random.between(0, 2) }, () => step(() => nakedShort(world, account, all))),
    step(() => jump(world, false)),
    ...(random.chance(0.5) ? [step(() => shortQuotes(world))] : []),
    ...Array.from({ length: ticks }, () => [
      { afterMs: TICK_MS, command: maintain },
      ...(random.chance(0.3) ? [random.pick(between)] : []),
    ]).flat(),
  ];
}

/** A short and the long of its right that covers it; both against quotes that the maker leaves right before. */
export function pairOf(world: World, all: readonly ModelSeries[]): PlaceAction[] {
  const { random } = world;
  const short = random.pick(all);
  const others = all.filter(({ right, sid }) => right === short.right && sid !== short.sid);
  const long = others.length > 0 ? random.pick(others) : short;
  const qtyMicros = random.pick([500_000, 1_000_000, 2_500_001]);
  const terms = { type: 'place', qtyMicros, priceMicros: null, tif: 'ioc', stp: 'taker' } as const;
  return [
    { ...terms, seriesId: long.seriesId, side: 'buy' },
    { ...terms, seriesId: short.seriesId, side: 'sell' },
  ];
}

/**
 * The whole account on pairs that can lose their width, again and again: each time about as much as buying power pays for,
 * against quotes of that size. Then the price goes to where the pairs lose it.
 */
export function stakeAll(world: World, account: ModelAccount, all: readonly ModelSeries[]): Step[] {
  const { random, state } = world;
  const right = random.pick(['C', 'P'] as const);
  const strikes = all.filter((series) => series.right === right).sort((a, b) => Number(a.strike - b.strike));
  const [low, high] = [strikes[0], strikes.at(-1)];
  if (low === undefined || high === undefined || low === high)
    return [{ afterMs: 10, command: () => spendAll(world) }];
  const [short, long] = right === 'C' ? [low, high] : [high, low];
  const width = Number(high.strike - low.strike);
  const price = Math.ceil(width / 2);
  const size = () => {
    const power = Math.max(0, Number(buyingPower(state, account)));
    return Math.max(1, Math.min(Math.floor((power * random.pick([0.5, 0.9, 1]) * 1e6) / width), 1e12));
  };
  const step = (command: () => Command): Step => ({ afterMs: 10, command });
  const round = () => {
    let qtyMicros = 1;
    const terms = { type: 'place', priceMicros: null, tif: 'ioc', stp: 'taker' } as const;
    return [
      step(() => {
        qtyMicros = size();
        const rows = [
          { sid: long.sid, bids: [], asks: [[price, qtyMicros] as const] },
          { sid: short.sid, bids: [[price, qtyMicros] as const], asks: [] },
        ];
        return { kind: 'quotes', session: null, rows };
      }),
      step(() =>
        spreadBatch(world, account, [
          { ...terms, qtyMicros, seriesId: long.seriesId, side: 'buy' },
          { ...terms, qtyMicros, seriesId: short.seriesId, side: 'sell' },
        ]),
      ),
    ];
  };
  return [...Array.from({ length: 4 }, round).flat(), step(() => jump(world, false))];
}

/** All that buying power pays for, on something that is not held. */
export function spendAll(world: World): Command {
  const { random, state } = world;
  const accounts = state.accounts.filter(({ marginMode }) => marginMode === 'defined-risk');
  const offered = openSeries(world).filter(({ sid }) => bookSide(state, sid, 'sell').length > 0);
  if (accounts.length === 0 || offered.length === 0) return generateBatch(world);
  const account = random.pick(accounts);
  const series = random.pick(offered);
  const price = Math.max(1, Number(bookSide(state, series.sid, 'sell')[0]!.price));
  const power = Math.max(0, Number(buyingPower(state, account)));
  const qtyMicros = Math.max(1, Math.min(Math.floor((power * 0.999 * 1e6) / price), 1e12));
  const terms = { type: 'place', side: 'buy', tif: 'ioc', stp: 'taker' } as const;
  return spreadBatch(world, account, [
    { ...terms, seriesId: series.seriesId, qtyMicros, priceMicros: price },
  ]);
}

/** Both sides of every series, a little apart. */
export function quotesOf({ random, state }: World, all: readonly ModelSeries[]): QuotesCommand {
  const spot = Number(instrumentOf(state, all[0]!.symbol)!.spot);
  const rows = all.map((series): QuotesCommand['rows'][number] => {
    const fair = Number(intrinsic(series, BigInt(spot))) + Math.ceil(spot * random.pick([0.005, 0.02, 0.04]));
    const qty = random.pick([500_000, 4_000_000, 20_000_000]);
    return { sid: series.sid, bids: [[Math.ceil(fair * 0.97), qty]], asks: [[Math.ceil(fair * 1.03), qty]] };
  });
  return { kind: 'quotes', session: null, rows };
}

/** About as much of one series as buying power allows. */
export function nakedShort(world: World, account: ModelAccount, all: readonly ModelSeries[]): Command {
  const { random, state } = world;
  const series = random.pick(all);
  const power = Math.max(0, Number(buyingPower(state, account)));
  const each = Math.max(1, Number(unit(state, series, 'entry')));
  const qtyMicros = Math.max(1, Math.floor((power / each) * 1_000_000 * random.pick([0.5, 0.95, 1])));
  const terms = { type: 'place', priceMicros: null, tif: 'ioc', stp: 'taker' } as const;
  return spreadBatch(world, account, [{ ...terms, seriesId: series.seriesId, side: 'sell', qtyMicros }]);
}

export function spreadBatch(
  world: World,
  { address }: ModelAccount,
  actions: readonly BatchAction[],
): BatchCommand {
  const account: Address = address!;
  return { kind: 'batch', account, actions, ...maybeSigned(world, account) };
}

function modeFor({ random }: World, { marginMode }: ModelAccount) {
  const other = marginMode === 'per-leg' ? 'defined-risk' : 'per-leg';
  return random.chance(0.9) ? other : marginMode;
}

/** The open series of one underlying and expiry, often of one in which something is held already. */
export function seriesOfOne(world: World, held: readonly ModelSeries[]): ModelSeries[] {
  const { random, state } = world;
  const open = openSeries(world);
  const quoted = open.filter(({ sid }) => state.orders.some((order) => order.sid === sid));
  const known = held.filter((series) => open.includes(series));
  const choices = known.length > 0 && random.chance(0.7) ? known : quoted.length > 0 ? quoted : open;
  if (choices.length === 0) return [];
  const { symbol, expiryTs } = random.pick(choices);
  const all = open.filter((series) => series.symbol === symbol && series.expiryTs === expiryTs);
  const tradable = all.filter((series) => quoted.includes(series));
  return tradable.length > 0 && random.chance(0.9) ? tradable : all;
}

function legOf({ random, state }: World, account: ModelAccount, all: readonly ModelSeries[]): PlaceAction {
  const series = random.pick(all);
  const held = Number(positionIn(account, series.sid).qty);
  const side = random.pick(['buy', 'sell'] as const);
  const touch = bookSide(state, series.sid, side === 'buy' ? 'sell' : 'buy')[0]?.price;
  const own = bookSide(state, series.sid, side)[0]?.price;
  const rests = random.chance(0.35);
  const price = Number((rests ? own : touch) ?? touch ?? own ?? 1_000_000n);
  const isMarket = !rests && random.chance(0.4);
  const size = random.pick([100_000, 500_000, 1_000_000, 1_000_001, 333_333, Math.max(1, Math.abs(held))]);
  return {
    ...{ type: 'place', seriesId: series.seriesId, side, qtyMicros: size },
    priceMicros: isMarket ? null : price,
    ...{ tif: isMarket ? 'ioc' : 'gtc', stp: random.pick(['taker', 'maker', 'none']) },
  };
}

function protect({ symbol }: ModelSeries): BatchAction {
  return { type: 'protect', set: 1, symbol, windowMs: 1_000, qtyMicros: 1_000_000, frozenMs: 0 };
}
