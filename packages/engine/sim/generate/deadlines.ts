/** Instants at which an order, a guard or a client id ends, and what arrives right then (DUE-1, CID-1, GRD-1). */

import type { BatchAction } from '@venue/protocol';
import type { Command } from '../../src/entry/command.ts';
import { KNOWN_MS } from '../model/resting.ts';
import { generateBatch } from './batches.ts';
import type { Moment } from './moments.ts';
import { maybeSigned, type World } from './world.ts';

const HORIZON_MS = 11 * 60_000;

/** The instants ahead of the entry being made. */
export function deadlinesAhead(world: World, carryOut: () => Command): Moment[] {
  const { random, state, now } = world;
  if (state.parameters === null) return [];
  // A day in one leap leaves little of the market, so that few entries take one.
  const [moments, horizonMs] = random.chance(0.03)
    ? [forgotten(world), 2 * KNOWN_MS]
    : [[...dates(world), ...guards(world, carryOut)], HORIZON_MS];
  return moments.filter(({ atMs }) => atMs > now() + 1 && atMs <= now() + horizonMs);
}

/** The very order is amended or cancelled when it is due. */
function dates(world: World): Moment[] {
  const { random, state } = world;
  return state.orders.flatMap(({ id, owner, terms, qty }): Moment[] => {
    if (terms.tif !== 'gtd') return [];
    const ref = { orderId: id };
    const actions: BatchAction[] = [
      { type: 'amend', ref, qtyMicros: Number(qty) },
      { type: 'cancel', ref },
    ];
    return [{ atMs: terms.expiresAt!, command: () => batchOf(world, owner, random.pick(actions)) }];
  });
}

/** A guard is renewed too late or just in time. */
function guards(world: World, carryOut: () => Command): Moment[] {
  const { random, state } = world;
  return state.accounts.flatMap(({ index, guardAt }): Moment[] => {
    if (guardAt === null) return [];
    const renew = () => batchOf(world, index, { type: 'guard', ms: 5_000 });
    return [{ atMs: guardAt, command: () => random.pick([renew, carryOut, () => generateBatch(world)])() }];
  });
}

/** A client id is used again in the last millisecond in which it is known, or in the first in which it is not. */
function forgotten(world: World): Moment[] {
  const { state } = world;
  const [series] = state.series.slice(-1);
  return state.clientIds.slice(-10).flatMap(({ owner, clientId, closedAt }): Moment[] => {
    if (closedAt === null || series === undefined) return [];
    const order = { seriesId: series.seriesId, side: 'buy', qtyMicros: 1_000_000, priceMicros: 1 } as const;
    const action = { type: 'place', ...order, tif: 'gtc', stp: 'taker', clientId } as const;
    return [{ atMs: closedAt + KNOWN_MS, command: () => batchOf(world, owner, action) }];
  });
}

function batchOf(world: World, owner: number, ...actions: BatchAction[]): Command {
  const account = world.state.accounts[owner]!.address!;
  return { kind: 'batch', account, actions, ...maybeSigned(world, account) };
}
