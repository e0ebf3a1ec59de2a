/** Combos: at the very net of the books and beside it, over shared quote sets, around own orders, in calls (CMB-1). */

import type { Address, BatchAction, ComboAction, ComboLeg } from '@venue/protocol';
import type { Command } from '../../src/entry/command.ts';
import type { ModelAccount, ModelSeries } from '../model/records.ts';
import { inMarginCall } from '../model/risk.ts';
import { accountAt, bookSide, positionIn } from '../model/state.ts';
import { clientIdFor, generatePlace } from './places.ts';
import { LARGEST, maybeSigned, openSeries, type World } from './world.ts';

/** A batch of combos, now and then with an order beside it that becomes a wall or takes a level away. */
export function generateCombos(world: World): Command {
  const { random, state, traders } = world;
  const called = traders.filter((trader) => {
    const account = accountAt(state, trader);
    return account !== undefined && inMarginCall(state, account);
  });
  const trader = random.pick(called.length > 0 && random.chance(0.4) ? called : traders);
  const makers: (() => BatchAction)[] = Array.from({ length: random.between(1, 3) }, () =>
    random.chance(0.15) ? () => generatePlace(world, trader) : () => generateCombo(world, trader),
  );
  const actions = makers.map((make) => make());
  return { kind: 'batch', account: trader, actions, ...maybeSigned(world, trader) };
}

function generateCombo(world: World, trader: Address): ComboAction {
  const { random, state } = world;
  const account = accountAt(state, trader);
  const isCalled = account !== undefined && inMarginCall(state, account);
  const reducing = account === undefined ? null : reducingLegs(world, account);
  const isReducer = reducing !== null && random.chance(isCalled ? 0.85 : 0.25);
  const legs = isReducer ? reducing.legs : anyLegs(world);
  const qtyMicros = isReducer && random.chance(0.8) ? reducing.qtyMicros : quantityFor(world);
  const netMicros = netFor(world, legs, qtyMicros);
  const clientId = random.chance(0.15) ? clientIdFor(world, account) : undefined;
  const tif = random.chance(0.2) ? 'fok' : 'ioc';
  return {
    ...{ type: 'combo', legs, qtyMicros, netMicros, tif },
    ...(clientId !== undefined && { clientId }),
  };
}

function quantityFor({ random }: World): number {
  return random.weighted([
    [5, random.between(1, 12) * 100_000],
    [4, random.between(1, 4_000_000)],
    [2, random.between(1, 30)],
    [1, random.between(4, 20) * 1_000_000],
    [0.2, 0],
    [0.2, LARGEST],
    [0.2, Math.floor(LARGEST / 10)],
  ]);
}

function ratioFor({ random }: World): number {
  return random.weighted([
    [6, 1],
    [2, 2],
    [2, random.between(1, 10)],
  ]);
}

/** Two to four series of one underlying, nearly all of them open and on a side that has orders. */
function anyLegs(world: World): ComboLeg[] {
  const { random, state } = world;
  const open = openSeries(world);
  const quoted = open.filter(({ sid }) => state.orders.some((order) => order.sid === sid));
  const pool = quoted.length > 1 && random.chance(0.97) ? quoted : random.pick([open, open, state.series]);
  const { symbol } = random.pick(pool.length > 0 ? pool : state.series);
  const of = pool.filter((series) => series.symbol === symbol);
  const count = random.weighted([
    [6, 2],
    [2, 3],
    [3, 4],
  ]);
  const legs = take(world, of, count).map((series) => ({
    seriesId: series.seriesId,
    side: sideFor(world, series),
    ratio: ratioFor(world),
  }));
  // Names that nobody listed fill up what the pool does not have.
  while (legs.length < 2 || random.chance(0.005))
    legs.splice(Math.min(legs.length, 3), 1, {
      seriesId: `${symbol}-1-C-${legs.length + 1}`,
      side: 'buy',
      ratio: 1,
    });
  return legs;
}

/** Any side that another order stands on, mostly. */
function sideFor({ random, state }: World, { sid }: ModelSeries): ComboLeg['side'] {
  const sides = (['buy', 'sell'] as const).filter(
    (side) => bookSide(state, sid, side === 'buy' ? 'sell' : 'buy').length > 0,
  );
  return random.pick(sides.length > 0 && random.chance(0.97) ? sides : ['buy', 'sell']);
}

function take<T>({ random }: World, from: readonly T[], count: number): T[] {
  const left = [...from];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(random.between(0, left.length - 1), 1));
  return taken;
}

/** Legs that close positions, and how many units of them there are; null with fewer than two of one underlying. */
function reducingLegs(
  world: World,
  account: ModelAccount,
): { readonly legs: ComboLeg[]; readonly qtyMicros: number } | null {
  const { random } = world;
  const held = openSeries(world).filter(({ sid }) => positionIn(account, sid).qty !== 0n);
  const symbols = ['AAPL', 'BTC'].filter((one) => held.filter(({ symbol }) => symbol === one).length > 1);
  if (symbols.length === 0) return null;
  const symbol = random.pick(symbols);
  const series = take(
    world,
    held.filter((one) => one.symbol === symbol),
    random.between(2, 4),
  );
  const sizes = series.map(({ sid }) => Math.abs(Number(positionIn(account, sid).qty)));
  const most = Math.min(...sizes);
  return {
    legs: series.map((one) => closingLeg(world, account, one, most)),
    qtyMicros: Math.min(random.pick([most, Math.ceil(most / 2), most, most + 1]), LARGEST),
  };
}

function closingLeg({ random }: World, account: ModelAccount, series: ModelSeries, most: number): ComboLeg {
  const qty = Number(positionIn(account, series.sid).qty);
  const fits = Math.floor(Math.abs(qty) / Math.max(most, 1));
  const ratio = random.chance(0.8) ? Math.max(1, Math.min(fits, 10)) : 1;
  return { seriesId: series.seriesId, side: qty > 0 ? 'sell' : 'buy', ratio };
}

/** A net: that of the books for the first micro or a later one, a micro more or less, any number, or no limit. */
function netFor(world: World, legs: readonly ComboLeg[], qtyMicros: number): number | null {
  const { random } = world;
  const depth = random.pick([0, 0, 0.3, 0.7, 1]);
  const cost = legs.reduce(
    (sum, leg) => sum + costOf(world, leg, Math.floor(qtyMicros * leg.ratio * depth)),
    0,
  );
  return random.weighted<() => number | null>([
    [3, () => null],
    [4, () => cost],
    [1.5, () => cost - 1],
    [1.5, () => cost + random.between(1, 40_000)],
    [1, () => cost - random.between(1, 40_000)],
    [0.3, () => 0],
    [0.2, () => random.pick([LARGEST, -LARGEST])],
  ])();
}

/** The price in a leg's book behind so many micros, times its ratio. */
function costOf({ state }: World, { seriesId, side, ratio }: ComboLeg, behind: number): number {
  const series = state.series.find((one) => one.seriesId === seriesId);
  if (series === undefined) return 0;
  let left = BigInt(behind);
  let price = 0n;
  for (const order of bookSide(state, series.sid, side === 'buy' ? 'sell' : 'buy')) {
    price = order.price;
    left -= order.remaining;
    if (left <= 0n) break;
  }
  const cost = Math.min(Number(price) * ratio, LARGEST / 4);
  return Math.floor(side === 'buy' ? cost : -cost);
}
