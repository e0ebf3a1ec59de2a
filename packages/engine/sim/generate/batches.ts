/** Batches: every action, aimed at what it may meet and at what it may not name (BAT-1 to BAT-5). */

import type {
  Address,
  AmendAction,
  BatchAction,
  CancelAllAction,
  GuardAction,
  OrderRef,
  PlaceAction,
} from '@venue/protocol';
import type { BatchCommand, Command } from '../../src/entry/command.ts';
import type { ModelOrder } from '../model/records.ts';
import { inMarginCall } from '../model/risk.ts';
import { accountAt, bookSide } from '../model/state.ts';
import { generateReducer } from './orders.ts';
import { clientIdFor, generatePlace, placeable, termsFor } from './places.ts';
import { LARGEST, maybeSigned, openSeries, type World } from './world.ts';

const ACTIONS_MAX = 64;
const MINUTE_MS = 60_000;

export function generateBatch(world: World, trader = traderFor(world)): BatchCommand {
  const { random } = world;
  const count = random.weighted([
    [6, random.between(1, 4)],
    [3, random.between(5, 12)],
    [0.1, ACTIONS_MAX],
  ]);
  const actions = Array.from({ length: count }, () => generateAction(world, trader));
  return { kind: 'batch', account: trader, actions, ...maybeSigned(world, trader) };
}

/** Usually one with resting orders, so that there is something to amend and to cancel. */
function traderFor({ random, state, traders }: World): Address {
  const busy = traders.filter((trader) => {
    const index = accountAt(state, trader)?.index;
    return state.orders.some(({ owner }) => owner === index);
  });
  return random.pick(busy.length > 0 && random.chance(0.7) ? busy : traders);
}

/** Allowed and forbidden actions of an account in a margin call; any batch if none is called. */
export function generateCalled(world: World): BatchCommand {
  const { random, state } = world;
  const called = state.accounts.some((account) => account.role === 'trader' && inMarginCall(state, account));
  if (!called) return generateBatch(world);
  const reducer = generateReducer(world);
  const { account } = reducer;
  const order = placeable(reducer);
  const [bid] = ownOrders(world, account).filter(({ side }) => side === 'buy');
  const choices: (readonly [number, () => BatchAction])[] = [
    [7, () => ({ type: 'place', ...order, ...termsFor(world, account, order.priceMicros) })],
    [3, () => generateAction(world, account)],
    ...(bid === undefined ? [] : [[4, () => dearer(world, bid)] as const]),
  ];
  const actions = Array.from({ length: random.between(1, 3) }, () => random.weighted(choices)());
  return { kind: 'batch', account, actions, ...maybeSigned(world, account) };
}

/** A resting buy amended to about all the cash there is, or more (FINE-9). */
function dearer({ random, state }: World, { id, owner, remaining }: ModelOrder): AmendAction {
  const each = (Number(state.accounts[owner]!.cash) / Number(remaining)) * 1_000_000;
  const price = Math.floor(each * random.pick([0.5, 0.99, 1.01, 3]));
  return { type: 'amend', ref: { orderId: id }, priceMicros: Math.min(Math.max(1, price), LARGEST) };
}

function generateAction(world: World, trader: Address): BatchAction {
  const { random } = world;
  // Without orders there is little to amend.
  const share = ownOrders(world, trader).length > 0 ? 1 : 0.1;
  return random.weighted<() => BatchAction>([
    [10, () => generatePlace(world, trader)],
    [7 * share, () => generateAmend(world, trader)],
    [2 * share, () => ({ type: 'cancel', ref: refFor(world, trader) })],
    [0.4, () => generateCancelAll(world)],
    [0.6, () => generateGuard(world)],
  ])();
}

function ownOrders({ state }: World, trader: Address): ModelOrder[] {
  const account = accountAt(state, trader);
  return state.orders.filter(({ owner, set }) => owner === account?.index && set === null);
}

/** An own order, one of the same batch, a closed one, another account's, or one that never was. */
function refFor(world: World, trader: Address): OrderRef {
  const { random, state } = world;
  const own = ownOrders(world, trader);
  if (own.length > 0 && random.chance(0.75)) return refOf(world, random.pick(own));
  const others = state.orders.filter((order) => !own.includes(order));
  return random.weighted<() => OrderRef>([
    [3, () => ({ orderId: state.lastOrderId + random.between(1, 4) })],
    [2, () => ({ clientId: clientIdFor(world, accountAt(state, trader)) })],
    [1, () => ({ orderId: random.between(1, Math.max(1, state.lastOrderId)) })],
    [1, () => (others.length > 0 ? refOf(world, random.pick(others)) : { orderId: 1 })],
    [0.2, () => ({ orderId: LARGEST })],
  ])();
}

function refOf({ random }: World, { id, terms }: ModelOrder): OrderRef {
  return terms.clientId !== undefined && random.chance(0.5) ? { clientId: terms.clientId } : { orderId: id };
}

function generateAmend(world: World, trader: Address): AmendAction {
  const { random, state } = world;
  const own = ownOrders(world, trader);
  if (own.length === 0 || random.chance(0.1)) {
    return { type: 'amend', ref: refFor(world, trader), qtyMicros: random.between(0, 3) * 1_000_000 };
  }
  const order = random.pick(own);
  const ref = refOf(world, order);
  const filled = Number(order.qty - order.remaining);
  const qtyMicros = random.chance(0.7) ? totalFor(world, order) : undefined;
  const priceMicros = qtyMicros === undefined || random.chance(0.4) ? newPrice(world, order) : undefined;
  const isGuarded = random.chance(0.2);
  const [best] = bookSide(state, order.sid, order.side === 'buy' ? 'sell' : 'buy');
  const crosses = random.chance(order.terms.flag === 'post-only' ? 0.7 : 0.3);
  return {
    type: 'amend',
    ref,
    ...(qtyMicros !== undefined && { qtyMicros }),
    ...(priceMicros !== undefined && {
      priceMicros: crosses && best !== undefined ? Number(best.price) : priceMicros,
    }),
    ...(isGuarded && { filledAtMostMicros: Math.max(0, filled + random.pick([-1, 0, 0, 1])) }),
  };
}

/** Less, the same, more, what is filled, or too much. */
function totalFor({ random }: World, { qty, remaining }: ModelOrder): number {
  const [total, filled] = [Number(qty), Number(qty - remaining)];
  const left = Number(remaining);
  return random.weighted([
    [4, filled + Math.ceil(left / 2)],
    [2, total],
    [4, Math.min(total + Math.ceil(left / 3), LARGEST)],
    [1, filled],
    [1, filled + 1],
    [0.5, 0],
    [0.5, Math.min(total * 1_000, LARGEST)],
    [0.2, LARGEST],
  ]);
}

function newPrice({ random }: World, order: ModelOrder): number {
  const price = Number(order.price);
  return random.weighted([
    [2, price],
    [3, Math.min(Math.max(1, Math.round(price * random.pick([0.9, 0.97, 1.03, 1.1]))), LARGEST)],
    [2, Math.min(price + random.between(1, 50_000), LARGEST)],
    [2, Math.max(1, price - random.between(1, 50_000))],
    [0.2, 0],
  ]);
}

function generateCancelAll({ random, state }: World): CancelAllAction {
  const resting = [...new Set(state.orders.map(({ sid }) => state.series[sid]!.seriesId))].sort();
  const series = resting.filter(() => random.chance(0.3)).slice(0, ACTIONS_MAX);
  const scope = random.pick<CancelAllAction['scope']>([
    'all',
    { symbols: ['BTC'] },
    { symbols: ['AAPL', 'BTC'] },
    { symbols: ['NONE'] },
    { series: ['NONE-1-C-1'] },
    ...(series.length > 0 ? [{ series }, { series }] : []),
  ]);
  return { type: 'cancel-all', scope, ...(random.chance(0.4) && { side: random.pick(['buy', 'sell']) }) };
}

function generateGuard({ random }: World): GuardAction {
  return { type: 'guard', ms: random.pick([0, 5_000, 5_000, 6_000, 30_000, 600_000]) };
}

/**
 * More orders until a date than an account may have, all due at one of two times (TIF-1), and then more walks over all of
 * them than fit into an entry (BAT-7).
 */
export function manyTimed(world: World): (() => Command)[] {
  const { random, state, now } = world;
  const traders = state.accounts.filter(({ role, frozen }) => role === 'trader' && !frozen);
  // The engine liquidates in slices, the model does not: an account with so many orders must not be called.
  const spared = traders.filter(({ marginEnabled, cash }) => !marginEnabled && cash > 0n);
  const owner = spared[0] ?? random.pick(traders);
  const series = openSeries(world).at(-1);
  if (series === undefined || owner?.address == null) return [];
  const account = owner.address;
  const { seriesId } = series;
  const expiresAt = now() + 5 * MINUTE_MS;
  const place = (at: number): PlaceAction => ({
    ...{ type: 'place', seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1 },
    ...{ tif: 'gtd', expiresAt: expiresAt + (at % 2), stp: 'taker' },
  });
  const actions = Array.from({ length: ACTIONS_MAX }, (_, at) => place(at));
  const many = Array.from({ length: 17 }, () => (): Command => ({ kind: 'batch', account, actions }));
  return [...many, () => manyWalks(world, seriesId)];
}

/** Orders that walk over all bids of a series, and what may come after the one that is too much. */
function manyWalks(world: World, seriesId: string): Command {
  const account = traderFor(world);
  const walk: PlaceAction = {
    ...{ type: 'place', seriesId, side: 'sell', qtyMicros: LARGEST, priceMicros: null },
    ...{ tif: 'fok', stp: 'none' },
  };
  const walks = Array.from({ length: ACTIONS_MAX - 10 }, () => walk);
  const others = Array.from({ length: 10 }, () => generateAction(world, account));
  return { kind: 'batch', account, actions: [...walks, ...others] };
}

/** More orders with client ids than are remembered once they are closed, and then the first ones again (CID-1). */
export function manyIds(world: World): (() => Command)[] {
  const series = openSeries(world).at(-1);
  if (series === undefined) return [];
  const account = world.random.pick(world.traders);
  const { seriesId } = series;
  const place = (at: number): PlaceAction => ({
    ...{ type: 'place', seriesId, side: 'buy', qtyMicros: 1, priceMicros: 1 },
    ...{ tif: 'ioc', stp: 'taker', clientId: `many-${at % 1_003}` },
  });
  return Array.from({ length: 17 }, (_, batch) => () => ({
    ...{ kind: 'batch', account },
    actions: Array.from({ length: ACTIONS_MAX }, (_, at) => place(batch * ACTIONS_MAX + at)),
  }));
}
