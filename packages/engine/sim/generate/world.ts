/** The generator's knowledge when it makes the next entry. */

import type { Address, Hex } from '@venue/protocol';
import type { Authorization } from '../../src/entry/command.ts';
import type { VenueParameters } from '../../src/state/parameters.ts';
import type { ModelSeries } from '../model/records.ts';
import type { ModelState } from '../model/state.ts';
import type { Random } from '../random.ts';

export interface World {
  readonly random: Random;
  /** The model's state, used to aim; never changed here. */
  readonly state: ModelState;
  parameters: VenueParameters;
  /** True if there are deposits and withdrawals, and every write of a trader is signed. */
  readonly hasCustody: boolean;
  /** Wallets that have an account or will soon have one. */
  readonly traders: Address[];
  /** Time of the entry being made. */
  readonly now: () => number;
}

export const LARGEST = Number.MAX_SAFE_INTEGER;

/** An address of a family: `a` for wallets, `c` for session keys. */
export function addressOf(family: 'a' | 'c' | 'd', at: number): Address {
  return `0x${family}${String(at).padStart(39, '0')}` as Address;
}

/** The engine never checks a signature: that happens before the entry is appended. */
export function signatureOf(at: number): Hex {
  return `0x${at.toString(16).padStart(130, '0')}`;
}

/** The session keys of a wallet; all wallets share the last one (KEY-1). */
export function keysOf(trader: Address): Address[] {
  const at = Number(trader.slice(3));
  return [addressOf('c', at * 2), addressOf('c', at * 2 + 1), addressOf('c', 999)];
}

/** No signature, usually a valid one of a live session key, or one that may not be spent. */
export function maybeSigned(world: World, trader: Address): { authorization?: Authorization } {
  const { random, state } = world;
  const sessions = state.accounts.find(({ address }) => address === trader)?.sessions ?? [];
  const live = sessions.filter(({ expiresAt, revokedAt }) => revokedAt === null && world.now() < expiresAt);
  const hostile = random.chance(0.12);
  if (!hostile && (live.length === 0 || random.chance(0.5))) return {};
  const keys = hostile ? [...keysOf(trader), ...sessions.map(({ key }) => key)] : live.map(({ key }) => key);
  const sessionKey = random.pick(keys);
  const used = sessions.find(({ key }) => key === sessionKey)?.nonces ?? [];
  const nonce =
    used.length > 0 && random.chance(hostile ? 0.5 : 0)
      ? random.pick(used.slice(-3))
      : nonceNear(world, hostile);
  return { authorization: { sessionKey, nonce, signature: signatureOf(nonce) } };
}

/** The window is a minute either way, both ends included (SIG-5). */
function nonceNear({ random, now }: World, hostile: boolean): number {
  if (!hostile) return now() + random.between(-500, 500);
  return now() + random.pick([0, 60_000, -60_000, 60_001, -60_001]);
}

export function isOpen(world: World, series: ModelSeries): boolean {
  return series.status === 'live' && world.now() < series.expiryTs * 1000;
}

export function openSeries(world: World): ModelSeries[] {
  return world.state.series.filter((series) => isOpen(world, series));
}
