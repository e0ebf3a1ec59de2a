/** Makers with quote sets: protection, pushes of all kinds, and takers who sweep through several sets (QTS-1 to QTS-5). */

import type { Address, BatchAction, MicrosLevel, MicrosQuote, ProtectAction } from '@venue/protocol';
import type { BatchCommand, Command, QuoteSetCommand } from '../../src/entry/command.ts';
import { floorOf } from '../model/quoting/sets.ts';
import type { ModelOrder, ModelSet } from '../model/records.ts';
import { accountAt, bookSide, positionIn } from '../model/state.ts';
import { quotesOf } from '../model/walk.ts';
import { rowsFor, UNKNOWN_SID } from './ladders.ts';
import { plainSpot } from './market.ts';
import type { Step } from './step.ts';
import { LARGEST, maybeSigned, type World } from './world.ts';

const HASHES = ['00', 'a5', 'ff'].map((byte) => byte.repeat(32));
const SYMBOLS = ['BTC', 'AAPL'];

/** The next action of a maker, or of somebody who meets one. */
export function generateOfSets(world: World): Command {
  const { random, state } = world;
  if (state.sets.length === 0) return generateProtect(world);
  return random.weighted<() => Command>([
    [9, () => generatePush(world)],
    [2, () => generateProtect(world)],
    [0.8, () => generateUnfreeze(world)],
    [5, () => sweep(world)],
    [0.7, () => ofMaker(world)],
    [0.5, () => aroundQuotes(world)],
    [0.5, () => exactly(world)],
  ])();
}

/** Two accounts in three make markets, each with one to three sets. */
function traderFor({ random, state, traders }: World): Address {
  const owners = state.sets.flatMap(({ owner }) => state.accounts[owner]!.address ?? []);
  return random.pick(owners.length > 0 && random.chance(0.75) ? owners : traders);
}

function numberFor({ random }: World): number {
  return random.weighted([
    [6, 1],
    [3, 2],
    [2, 7],
    [1, 16],
  ]);
}

function batch(world: World, account: Address, ...actions: BatchAction[]): BatchCommand {
  return { kind: 'batch', account, actions, ...maybeSigned(world, account) };
}

function generateProtect(world: World): BatchCommand {
  const { random, state } = world;
  const account = traderFor(world);
  const own = setsOf(world, account);
  const [set] = own.length > 0 && random.chance(0.6) ? [random.pick(own)] : [];
  const margin = accountAt(state, account)?.marginEnabled === false && random.chance(0.5);
  if (margin) return { ...batch(world, account, protectOf(world, set)) };
  return batch(world, account, ...Array.from({ length: random.between(1, 2) }, () => protectOf(world, set)));
}

/** Loose, tight, a little, or none at all. */
function protectOf(world: World, set: ModelSet | undefined): ProtectAction {
  const { random } = world;
  const qtyMicros = random.weighted([
    [5, random.between(1, 12) * 1_000_000],
    [4, random.between(1, 30) * 100_000],
    [2, 1_000_000_000],
    [1, random.between(1, 3)],
    [0.8, 0],
    [0.2, LARGEST],
  ]);
  const share = random.pick([0, 0.000_001, 0.1, 0.25, 0.5, 0.5, 1, 3]);
  return {
    type: 'protect',
    set: set?.number ?? numberFor(world),
    symbol:
      set !== undefined && random.chance(0.9) ? set.symbol : random.pick([...SYMBOLS, 'BTC', 'BTC', 'NONE']),
    windowMs: random.pick([100, 300, 5_000, 600_000]),
    qtyMicros,
    ...(random.chance(0.5) && { deltaMicros: Math.min(Math.floor(qtyMicros * share), LARGEST) }),
    frozenMs: random.pick([0, 1, 200, 3_000, 20_000, 86_400_000]),
  };
}

function setsOf({ state }: World, account: Address): ModelSet[] {
  const index = accountAt(state, account)?.index;
  return state.sets.filter(({ owner }) => owner === index);
}

function generateUnfreeze(world: World): BatchCommand {
  const { random, state } = world;
  const frozen = state.sets.filter(({ frozenUntil }) => frozenUntil !== null);
  if (frozen.length > 0 && random.chance(0.8)) {
    const { owner, number } = random.pick(frozen);
    return batch(world, state.accounts[owner]!.address!, { type: 'unfreeze', set: number });
  }
  return batch(world, traderFor(world), { type: 'unfreeze', set: numberFor(world) });
}

export function generatePush(world: World): QuoteSetCommand {
  const { random, state } = world;
  const set = random.chance(0.95) && state.sets.length > 0 ? random.pick(state.sets) : undefined;
  const account = set === undefined ? traderFor(world) : state.accounts[set.owner]!.address!;
  return pushOf(world, account, set?.number ?? numberFor(world), rowsFor(world, set));
}

function pushOf(world: World, account: Address, set: number, rows: readonly MicrosQuote[]): QuoteSetCommand {
  const { random, state } = world;
  const { authorization } = maybeSigned(world, account);
  const known = setsOf(world, account).find(({ number }) => number === set);
  // A floor that a guard left draws nothing of its own: seeds that tests name would go other ways.
  const lastSigned = known === undefined ? 0 : floorOf(state, known, ['signed']);
  const isLate = authorization !== undefined && lastSigned > world.now() - 60_000 && random.chance(0.2);
  const nonce = isLate ? floorOf(state, known!) - random.between(-1, 3) : authorization?.nonce;
  const signed = authorization === undefined ? {} : { authorization: { ...authorization, nonce: nonce! } };
  const used = accountAt(state, account)?.sessions.flatMap(({ nonces }) => nonces) ?? [];
  // A nonce that was used is refused before its set is looked at.
  const isSpent = isLate && used.includes(nonce!);
  const form = random.pick(['json', 'sqw1'] as const);
  const push = {
    kind: 'quote-set',
    ...{ account, set, form, bodyHash: random.pick(HASHES) },
    // As a node writes a push that it refused whole.
    rows: rows.every(({ sid }) => sid === UNKNOWN_SID) ? null : rows,
  } as const;
  return isSpent
    ? { ...push, ...(authorization !== undefined && { authorization }) }
    : { ...push, ...signed };
}

/** Meets several levels and, where there are, several sets. */
function sweep(world: World): Command {
  const { random, state, traders } = world;
  const quotes = state.orders.filter(({ set }) => set !== null);
  if (quotes.length === 0) return generatePush(world);
  const { sid, side } = random.pick(quotes);
  const account = random.pick(traders);
  const book = bookSide(state, sid, side).slice(0, random.between(1, 6));
  const all = book.reduce((total, { remaining }) => total + Number(remaining), 0);
  const qtyMicros = Math.max(1, Math.min(random.pick([all, Math.ceil(all / 2), all + 1, all * 3]), 1e13));
  const taking = side === 'buy' ? 'sell' : 'buy';
  const priceMicros = random.chance(0.4) ? null : Number(book.at(-1)!.price);
  const order = { seriesId: state.series[sid]!.seriesId, side: taking, qtyMicros, priceMicros } as const;
  if (random.chance(0.5)) return { kind: 'order', account, ...order, ...maybeSigned(world, account) };
  const stp = random.pick(['taker', 'maker', 'both', 'none'] as const);
  const tif = random.pick(
    priceMicros === null ? (['ioc', 'fok'] as const) : (['gtc', 'ioc', 'fok'] as const),
  );
  const flag = tif === 'gtc' && random.chance(0.2) ? ({ flag: 'post-only' } as const) : {};
  return batch(world, account, { type: 'place', ...order, tif, stp, ...flag });
}

/** The very quantity that the allowance has left, or a micro beside it. */
function exactly(world: World): Command {
  const { random, state, traders } = world;
  const quotes = state.orders.filter(({ set }) => set !== null);
  if (quotes.length === 0) return generatePush(world);
  const { sid, side, set, owner } = random.pick(quotes);
  const left = Number(set!.protection.qty - set!.used) + random.between(-1, 1);
  const others = traders.filter((trader) => accountAt(state, trader)?.index !== owner);
  const account = random.pick(others.length > 0 ? others : traders);
  const order = { seriesId: state.series[sid]!.seriesId, side: side === 'buy' ? 'sell' : 'buy' } as const;
  const qtyMicros = Math.max(1, Math.min(left, 1e13));
  return { kind: 'order', account, ...order, qtyMicros, priceMicros: null, ...maybeSigned(world, account) };
}

/** The venue's own maker quotes right through the quotes of sets (FINE-15). */
function ofMaker(world: World): Command {
  const { random, state } = world;
  const quotes = state.orders.filter(({ set }) => set !== null);
  if (quotes.length === 0) return generatePush(world);
  const { sid, side } = random.pick(quotes);
  const [best] = bookSide(state, sid, side);
  const behind = bookSide(state, sid, side).at(-1)!;
  const levels = (price: number): MicrosLevel[] => [[price, random.between(1, 40) * 250_000]];
  const price = Number(random.chance(0.5) ? best!.price : behind.price);
  const [bids, asks] = side === 'sell' ? [levels(price), null] : [null, levels(price)];
  return { kind: 'quotes', session: null, rows: [{ sid, bids, asks }] };
}

/** Cancels, guards and margin switches of an account with quotes standing. */
function aroundQuotes(world: World): Command {
  const { random, state } = world;
  const quoting = state.sets.filter((set) => quotesOf(state, set).length > 0);
  if (quoting.length === 0) return generatePush(world);
  const set = random.pick(quoting);
  const account = state.accounts[set.owner]!.address!;
  const quote: ModelOrder = random.pick(quotesOf(state, set));
  const scope = random.pick([
    'all',
    { symbols: [set.symbol] },
    { series: [state.series[quote.sid]!.seriesId] },
  ] as const);
  const side = random.chance(0.4) ? { side: random.pick(['buy', 'sell'] as const) } : {};
  const { id } = quote;
  return random.weighted<() => Command>([
    [3, () => batch(world, account, { type: 'cancel-all', scope, ...side })],
    [2, () => batch(world, account, { type: 'guard', ms: 5_000 })],
    [
      1,
      () =>
        batch(
          world,
          account,
          { type: 'cancel', ref: { orderId: id } },
          { type: 'amend', ref: { orderId: id }, qtyMicros: 1 },
        ),
    ],
    [1, () => ({ kind: 'cancel-order', account, orderId: id, ...maybeSigned(world, account) })],
    [1, () => ({ kind: 'margin', account, enabled: false, ...maybeSigned(world, account) })],
    [
      1,
      () => ({
        kind: 'cancel',
        account,
        symbols: random.pick([null, [set.symbol]]),
        ...maybeSigned(world, account),
      }),
    ],
  ])();
}

/** The maker's position goes against it, or its series end, while its quotes stand. */
export function aheadOfSets(world: World, maintain: () => Command): Step[] {
  const { random, state } = world;
  const quoting = state.sets.filter((set) => quotesOf(state, set).length > 0);
  if (quoting.length === 0) return [];
  const sweepNow: Step = { afterMs: 1, command: () => sweep(world) };
  const push: Step = { afterMs: 1, command: () => generatePush(world) };
  const { symbol, owner } = random.pick(quoting);
  const { sources, spot } = state.instruments.find((one) => one.symbol === symbol)!;
  const isShort = state.series.some(({ sid }) => positionIn(state.accounts[owner]!, sid).qty < 0n);
  const factor = random.pick(isShort ? [0.5, 1.5, 2.5] : [0.7, 1.3]);
  const priceMicros = Math.max(1, Math.min(Math.round(plainSpot(world, spot) * factor), 1e12));
  const prints = sources.slice(0, 3).map(({ source }) => ({ symbol, source, priceMicros }));
  return [
    ...Array.from({ length: random.between(0, 3) }, () => random.pick([sweepNow, push])),
    { afterMs: 10, command: () => ({ kind: 'prints', prints }) },
    ...(random.chance(0.4) ? [push] : []),
    ...(random.chance(0.4) ? [sweepNow] : []),
    { afterMs: random.pick([5_000, 5_000, 31_000]), command: maintain },
    ...(random.chance(0.4) ? [push] : []),
    { afterMs: 5_000, command: maintain },
  ];
}

/** The instants at which a window or a freeze is over. */
export function endsOfSets({ state }: World): { readonly atMs: number; readonly set: ModelSet }[] {
  return state.sets.flatMap((set) => [
    ...(set.firstFillTs === null ? [] : [{ atMs: set.firstFillTs + set.protection.windowMs, set }]),
    ...(typeof set.frozenUntil === 'number' ? [{ atMs: set.frozenUntil, set }] : []),
  ]);
}

/** A push to a set whose window or freeze is about to be over. */
export function pushAtEnd(world: World, set: ModelSet): Command {
  return pushOf(world, world.state.accounts[set.owner]!.address!, set.number, rowsFor(world, set));
}
