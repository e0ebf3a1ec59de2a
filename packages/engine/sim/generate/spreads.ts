/** Accounts in defined-risk mode: spreads opened leg by leg, covers sold or promised, and switches both ways (DRM-1 to 4). */

import type { Address, BatchAction, PlaceAction } from '@venue/protocol';
import type { BatchCommand, Command } from '../../src/entry/command.ts';
import { bookSide, type ModelAccount, type ModelSeries, positionIn } from '../model/state.ts';
import { generateBatch } from './batches.ts';
import { maybeSigned, openSeries, type World } from './world.ts';

/** Most accounts come to the mode, and some leave it again. */
export function generateSpread(world: World): Command {
  const { random, state } = world;
  const traders = state.accounts.filter(({ role, address }) => role === 'trader' && address !== null);
  if (traders.length === 0) return generateBatch(world);
  const inMode = traders.filter(({ marginMode }) => marginMode === 'defined-risk');
  const account = inMode.length > 0 && random.chance(0.8) ? random.pick(inMode) : random.pick(traders);
  if (account.marginMode === 'per-leg' ? random.chance(0.6) : random.chance(0.12))
    return batch(world, account, [{ type: 'margin-mode', mode: modeFor(world, account) }]);
  const held = state.series.filter(({ sid }) => positionIn(account, sid).qty !== 0n);
  const series = seriesOfOne(world, held);
  if (series.length === 0) return generateBatch(world);
  const legs = random.between(1, 4);
  const actions = Array.from({ length: legs }, (): BatchAction => legOf(world, account, series));
  if (random.chance(0.03)) actions.push(protect(random.pick(series)));
  return batch(world, account, actions);
}

function batch(world: World, { address }: ModelAccount, actions: readonly BatchAction[]): BatchCommand {
  const account: Address = address!;
  return { kind: 'batch', account, actions, ...maybeSigned(world, account) };
}

function modeFor({ random }: World, { marginMode }: ModelAccount) {
  const other = marginMode === 'per-leg' ? 'defined-risk' : 'per-leg';
  return random.chance(0.9) ? other : marginMode;
}

/** The open series of one underlying and expiry, often of one in which something is held already. */
function seriesOfOne(world: World, held: readonly ModelSeries[]): ModelSeries[] {
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
