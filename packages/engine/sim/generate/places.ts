/** Orders as a batch places them: every time in force, flag and mode, around the account's own orders (TIF, STP, CID). */

import type { Address, OrderTerms, PlaceAction } from '@venue/protocol';
import type { OrderCommand } from '../../src/entry/command.ts';
import type { ModelAccount, ModelOrder } from '../model/records.ts';
import { knownClientIds } from '../model/resting.ts';
import { accountAt, bookSide, positionIn } from '../model/state.ts';
import { generateOrder } from './orders.ts';
import { LARGEST, type World } from './world.ts';

/** Few, so that they are asked for again. */
const CLIENT_IDS = 12;
const MODES = ['taker', 'maker', 'both', 'none'] as const;

type Order = Pick<PlaceAction, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros'>;

export function generatePlace(world: World, trader: Address): PlaceAction {
  const { random, state } = world;
  const account = accountAt(state, trader);
  const own = state.orders.filter(({ owner, set }) => owner === account?.index && set === null);
  const held = state.series.filter(({ sid }) => account !== undefined && positionIn(account, sid).qty !== 0n);
  if (own.length > 0 && random.chance(0.25)) {
    const order = againstOwn(world, random.pick(own));
    return { type: 'place', ...order, ...termsFor(world, trader, order.priceMicros) };
  }
  if (account !== undefined && held.length > 0 && random.chance(0.2)) {
    const { sid, seriesId } = random.pick(held);
    return { type: 'place', ...reducer(world, seriesId, Number(positionIn(account, sid).qty)) };
  }
  const order = placeable(generateOrder(world, trader));
  return { type: 'place', ...order, ...termsFor(world, trader, order.priceMicros) };
}

/** The values of an order, as far as the text of a batch can carry them (BAT-1). */
export function placeable({ seriesId, side, qtyMicros, priceMicros }: OrderCommand): Order {
  return {
    seriesId: seriesId === '' ? 'NONE-1-C-1' : seriesId,
    side,
    qtyMicros: Math.max(0, qtyMicros),
    priceMicros: priceMicros === null ? null : Math.max(0, priceMicros),
  };
}

/** An order that meets one of its own account, alone or behind others (STP-1). */
function againstOwn({ random, state }: World, { sid, side, price, remaining }: ModelOrder): Order {
  const [own, left] = [Number(price), Number(remaining)];
  const through = side === 'buy' ? -1 : 1;
  const priceMicros = random.weighted<number | null>([
    [3, null],
    [4, own],
    [2, Math.max(1, own + through * random.between(0, 100_000))],
    [1, Math.max(1, own - through)],
  ]);
  const qtyMicros = random.pick([Math.ceil(left / 2), left, left + 100_000, left * 3]);
  return {
    seriesId: state.series[sid]!.seriesId,
    side: side === 'buy' ? 'sell' : 'buy',
    qtyMicros: Math.min(qtyMicros, LARGEST),
    priceMicros: priceMicros === null ? null : Math.min(priceMicros, LARGEST),
  };
}

/** Part of a position, all of it, more, or an order that would extend it (TIF-3). */
function reducer(world: World, seriesId: string, held: number): Omit<PlaceAction, 'type'> {
  const { random, state } = world;
  const closes = held > 0 ? 'sell' : 'buy';
  const side = random.chance(0.85) ? closes : closes === 'sell' ? 'buy' : 'sell';
  const size = Math.abs(held);
  const { sid } = state.series.find((series) => series.seriesId === seriesId)!;
  const touch = bookSide(state, sid, side === 'buy' ? 'sell' : 'buy')[0]?.price;
  return {
    ...{ seriesId, side },
    qtyMicros: Math.min(random.pick([Math.ceil(size / 3), size, size + 1, size * 2]), LARGEST),
    priceMicros: touch === undefined || random.chance(0.5) ? null : Number(touch),
    ...{ tif: random.pick(['ioc', 'ioc', 'fok']), flag: 'reduce-only', stp: random.pick(MODES) },
  };
}

/** Terms that go with a price. */
export function termsFor(world: World, trader: Address, priceMicros: number | null): OrderTerms {
  const { random, state } = world;
  const stp = random.chance(0.4) ? 'taker' : random.pick(MODES);
  const clientId = random.chance(0.4) ? clientIdFor(world, accountAt(state, trader)) : undefined;
  return { ...lifeOf(world, priceMicros), stp, ...(clientId !== undefined && { clientId }) };
}

function lifeOf(world: World, priceMicros: number | null): Pick<OrderTerms, 'tif' | 'expiresAt' | 'flag'> {
  const { random } = world;
  const flag = random.chance(0.06) ? ({ flag: 'reduce-only' } as const) : {};
  if (priceMicros === null) return { tif: random.pick(['ioc', 'ioc', 'fok']), ...flag };
  const postOnly = random.chance(0.2) ? ({ flag: 'post-only' } as const) : {};
  return random.weighted<() => Pick<OrderTerms, 'tif' | 'expiresAt' | 'flag'>>([
    [4, () => ({ tif: 'gtc', ...postOnly })],
    [4, () => ({ tif: 'gtd', expiresAt: dateFor(world), ...postOnly })],
    [2, () => ({ tif: 'ioc', ...flag })],
    [2, () => ({ tif: 'fok', ...flag })],
  ])();
}

/** Around the entries that follow, and too late or just in time for this one. */
function dateFor({ random, now }: World): number {
  const after = random.weighted([
    [1, random.between(-1, 1)],
    [4, random.between(1, 400)],
    [4, random.between(300, 5_000)],
    [2, 5_000],
    [2, 60_000],
    [1, 3_600_000],
    [0.2, LARGEST],
  ]);
  return Math.min(now() + after, LARGEST);
}

/** Often one that is known, or was a short time ago (CID-1). */
export function clientIdFor({ random, state }: World, account: ModelAccount | undefined): string {
  const known = account === undefined ? [] : knownClientIds(state, account.index);
  if (known.length > 0 && random.chance(0.3)) return random.pick(known).clientId;
  return random.chance(0.1)
    ? `${random.pick(['x', '0', 'Z'])}${'-_aZ9'.repeat(7)}`
    : `order-${random.between(1, CLIENT_IDS)}`;
}
