/** Orders at and around the touch, at the limit of what an account may do, and beyond it; cancels and margin switches. */

import type { Address } from '@venue/protocol';
import type {
  CancelCommand,
  CancelOrderCommand,
  MarginCommand,
  OrderCommand,
} from '../../src/entry/command.ts';
import type { Side } from '../../src/state/series.ts';
import type { ModelAccount, ModelSeries } from '../model/records.ts';
import { buyingPower, cost, inMarginCall } from '../model/risk.ts';
import { bookSide, positionIn } from '../model/state.ts';
import { unit } from '../model/units.ts';
import { LARGEST, maybeSigned, openSeries, type World } from './world.ts';

interface Intent {
  readonly series: ModelSeries;
  readonly side: Side;
  readonly qtyMicros: number;
  /** Set if the intent determines the price. */
  readonly priceMicros?: number | null;
}

export function generateOrder(world: World, trader = world.random.pick(world.traders)): OrderCommand {
  const { random, state } = world;
  const account = state.accounts.find(({ address }) => address === trader);
  const signed = maybeSigned(world, trader);
  const shared = { kind: 'order', account: trader, ...signed } as const;
  if (account === undefined || state.series.length === 0 || random.chance(0.02)) {
    return {
      ...shared,
      seriesId: random.pick(['NONE-1-C-1', '']),
      side: 'buy',
      qtyMicros: 1,
      priceMicros: null,
    };
  }
  const { series, side, qtyMicros, priceMicros } = intentOf(world, account);
  const price = priceMicros === undefined ? priceFor(world, series, side) : priceMicros;
  return { ...shared, seriesId: series.seriesId, side, qtyMicros, priceMicros: price };
}

/** An order that reduces a short of a called account; any order if no account is called. */
export function generateReducer(world: World): OrderCommand {
  const { random, state } = world;
  const traders = state.accounts.filter(({ role }) => role === 'trader');
  const called = traders.filter((account) => inMarginCall(state, account));
  const short = (account: ModelAccount) =>
    state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  const choices = called.flatMap((account) => short(account).map((series) => ({ account, series })));
  if (choices.length === 0) return generateOrder(world);
  const unquoted = choices.filter(({ series }) => bookSide(state, series.sid, 'sell').length === 0);
  const isAtMarket = unquoted.length > 0 && random.chance(0.3);
  const { account, series } = random.pick(isAtMarket ? unquoted : choices);
  const { side, qtyMicros, priceMicros } = closing(world, account, series);
  const price = isAtMarket || random.chance(0.4) ? null : (priceMicros ?? priceFor(world, series, side));
  return {
    kind: 'order',
    account: account.address!,
    seriesId: series.seriesId,
    side,
    qtyMicros,
    priceMicros: price,
  };
}

function intentOf(world: World, account: ModelAccount): Intent {
  const { random, state } = world;
  const held = state.series.filter(({ sid }) => positionIn(account, sid).qty !== 0n);
  const isCalled = inMarginCall(state, account);
  if (held.length > 0 && random.chance(isCalled ? 0.8 : 0.25))
    return closing(world, account, random.pick(held));
  const series = seriesFor(world);
  return random.weighted([
    [6, () => ({ series, side: random.pick(['buy', 'sell'] as const), qtyMicros: quantity(world) })],
    [3, () => toTheLimit(world, account, series)],
    [0.3, () => extreme(world, series)],
  ])();
}

/** One of few series; sometimes an expired one. */
function seriesFor({ random, state, ...world }: World): ModelSeries {
  const open = openSeries({ random, state, ...world });
  if (open.length === 0 || random.chance(0.03)) return random.pick(state.series);
  const quoted = open.filter(({ sid }) => state.orders.some((order) => order.sid === sid));
  return random.pick(quoted.length > 0 && random.chance(0.9) ? quoted : open);
}

function quantity({ random }: World): number {
  return random.weighted([
    [5, random.between(1, 20) * 100_000],
    [3, random.between(1, 8) * 1_000_000],
    [2, random.between(1, 5_000_000)],
    [0.5, random.between(1, 3)],
    [0.3, 0],
    [0.2, -5],
  ]);
}

/** Part of a position, all of it, a micro more, or twice as much. */
function closing(world: World, account: ModelAccount, series: ModelSeries): Intent {
  const { random } = world;
  const held = Number(positionIn(account, series.sid).qty);
  const size = Math.abs(held);
  const qtyMicros = random.pick([size, Math.ceil(size / 3), Math.ceil(size / 3), size + 1, size * 2]);
  return {
    series,
    side: held > 0 ? 'sell' : 'buy',
    qtyMicros,
    ...(held < 0 ? coverPrice(world, account, series, qtyMicros) : {}),
  };
}

/** Resting bids of an account in margin call are added up before they are compared (FINE-9). */
function coverPrice(
  { random, state }: World,
  account: ModelAccount,
  series: ModelSeries,
  qtyMicros: number,
): { priceMicros?: number } {
  const bid = Number(bookSide(state, series.sid, 'buy')[0]?.price ?? 1);
  const each = (Number(account.cash) / qtyMicros) * 1_000_000;
  const allCash = Math.floor(each * random.pick([0.5, 0.9, 0.999, 1.001]));
  return random.weighted<{ priceMicros?: number }>([
    [6, {}],
    [3, { priceMicros: bid }],
    [2, { priceMicros: Math.min(Math.max(1, allCash), LARGEST) }],
  ]);
}

/** About as much as buying power allows, a little less or a little more. */
function toTheLimit(world: World, account: ModelAccount, series: ModelSeries): Intent {
  const { random, state } = world;
  const side = random.pick(['buy', 'sell', 'sell'] as const);
  const ask = bookSide(state, series.sid, 'sell')[0]?.price ?? 1_000_000n;
  const each = side === 'sell' ? unit(state, series, 'entry') : ask + cost(ask, 5_000n);
  const power = Math.max(0, Number(buyingPower(state, account)));
  const share = random.pick([0.5, 0.9, 0.999_999, 1, 1.000_001, 1.3]);
  const qtyMicros = Math.max(1, Math.floor(((power * share) / Math.max(1, Number(each))) * 1_000_000));
  const aim = random.chance(0.6) ? { priceMicros: touchOf(world, series, side) } : {};
  return { series, side, qtyMicros: Math.min(qtyMicros, LARGEST), ...aim };
}

/** The price at which an order trades immediately; a market order if nothing rests. */
function touchOf({ state }: World, series: ModelSeries, side: Side): number | null {
  const touch = bookSide(state, series.sid, side === 'buy' ? 'sell' : 'buy')[0]?.price;
  return touch === undefined ? null : Number(touch);
}

/** Amounts at the end of the exact range (NUM-1). */
function extreme({ random }: World, series: ModelSeries): Intent {
  const side = random.pick(['buy', 'sell'] as const);
  const large = [LARGEST, LARGEST - 1, Math.floor(LARGEST / 2)];
  return random.pick<Intent>([
    {
      series,
      side,
      qtyMicros: random.pick(large),
      priceMicros: random.pick([1, 999_999, 1_000_000, 1_000_001, null]),
    },
    { series, side: 'buy', qtyMicros: random.pick([1, 1_000_000]), priceMicros: random.pick(large) },
    // If it is the only offer, an absurd mark at almost no cost (MARK-1).
    { series, side: 'sell', qtyMicros: 1, priceMicros: random.pick([1_000_000_000_000_000, ...large]) },
    { series, side: 'buy', qtyMicros: random.pick(large), priceMicros: random.pick(large) },
  ]);
}

/** Usually marketable: a market order or a price through the touch; otherwise at, inside or far from the touch. */
function priceFor({ random, state }: World, series: ModelSeries, side: Side): number | null {
  const [bid, ask] = (['buy', 'sell'] as const).map((of) => bookSide(state, series.sid, of)[0]?.price);
  const far = side === 'buy' ? ask : bid;
  const near = side === 'buy' ? bid : ask;
  const touch = Number(far ?? near ?? random.between(1, 20_000_000));
  const own = Number(near ?? touch);
  const better = side === 'buy' ? 1 : -1;
  const price = random.weighted<number | null>([
    [3, null],
    [7, touch],
    [3, touch + better * Math.round(touch * 0.08)],
    [3, own],
    [2, Math.round((touch + own) / 2)],
    [2, own - better * random.between(1, 200_000)],
    [0.3, random.pick([0, -1])],
    [0.3, 1],
  ]);
  return price === null ? null : Math.min(price, LARGEST);
}

export function generateCancel(world: World): CancelCommand {
  const { random } = world;
  const account = random.pick(world.traders);
  const symbols = random.pick([null, ['BTC'], ['AAPL', 'BTC'], ['NONE']]);
  return { kind: 'cancel', account, symbols, ...maybeSigned(world, account) };
}

/** Usually the caller's own order; sometimes another account's, or one that does not exist. */
export function generateCancelOrder(world: World): CancelOrderCommand {
  const { random, state } = world;
  const account = random.pick(world.traders);
  const own = state.orders.filter(
    ({ owner, set }) => state.accounts[owner]!.address === account && set === null,
  );
  const choices = own.length > 0 && random.chance(0.8) ? own : state.orders;
  const orderId =
    choices.length > 0 && random.chance(0.95) ? random.pick(choices).id : random.between(0, 500);
  return { kind: 'cancel-order', account, orderId, ...maybeSigned(world, account) };
}

export function generateMargin(world: World): MarginCommand {
  const { random } = world;
  const account: Address = random.pick(world.traders);
  return { kind: 'margin', account, enabled: random.chance(0.8), ...maybeSigned(world, account) };
}
