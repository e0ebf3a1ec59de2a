/** Approvals, replays of old approvals, and revocations. */

import type { ApproveCommand, Command, RevokeCommand } from '../../src/entry/command.ts';
import type { Step } from './step.ts';
import { addressOf, keysOf, signatureOf, type World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function generateApproval(world: World): ApproveCommand {
  return approvalOf(world, world.random.pick(world.traders));
}

export function approvalOf(world: World, address: ApproveCommand['address']): ApproveCommand {
  const sessionKey = world.random.pick(keysOf(address));
  return approval(world, address, sessionKey, expiryFor(world, address, sessionKey));
}

function approval(
  world: World,
  address: ApproveCommand['address'],
  sessionKey: ApproveCommand['sessionKey'],
  expiresAt: number,
): ApproveCommand {
  return { kind: 'approve', address, sessionKey, expiresAt, signature: signatureOf(world.now()) };
}

/** A fresh expiry, the one in force, a replaced one, or one that no approval may name. */
function expiryFor(
  world: World,
  address: ApproveCommand['address'],
  key: ApproveCommand['sessionKey'],
): number {
  const { random, state } = world;
  const now = world.now();
  const account = state.accounts.find((known) => known.address === address);
  const session = account?.sessions.find((known) => known.key === key);
  const known = session === undefined ? [] : [session.expiresAt, ...session.replaced];
  if (known.length > 0 && random.chance(0.3)) return random.pick(known);
  return random.weighted([
    [6, now + random.between(1, 24 * 60) * MINUTE_MS],
    [2, now + 2 * MINUTE_MS],
    [1, now + 30 * DAY_MS],
    [0.5, now + 30 * DAY_MS + 1],
    [0.5, now],
  ]);
}

/** One wallet approves one session key more than allowed. */
export function manyApprovals(world: World): Command[] {
  const address = world.traders[0]!;
  const expiresAt = world.now() + DAY_MS;
  return Array.from({ length: 65 }, (_, at) =>
    approval(world, address, addressOf('c', 1_000 + at), expiresAt),
  );
}

/** One session key signs more writes than may be in flight, and sometimes repeats one. */
export function flood(world: World): Step[] {
  const { random, state, now } = world;
  const account = random.pick(state.accounts.filter(({ role }) => role === 'trader'));
  const session = account?.sessions.find(
    ({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now(),
  );
  const address = account?.address ?? null;
  if (session === undefined || address === null) return [];
  const { key: sessionKey, nonces } = session;
  const write = (): Command => {
    const nonce = random.chance(0.2)
      ? (nonces.at(-1) ?? now())
      : now() + random.pick([0, 1, 2, 3, 400, 60_000, -60_001]);
    const authorization = { sessionKey, nonce, signature: signatureOf(nonce) };
    return random.pick<Command>([
      { kind: 'cancel', account: address, symbols: ['NONE'], authorization },
      { kind: 'cancel-order', account: address, orderId: 0, authorization },
      { kind: 'margin', account: address, enabled: true, authorization },
    ]);
  };
  return Array.from({ length: 8 }, () => ({ afterMs: 20, command: write }));
}

export function generateRevocation(world: World): RevokeCommand {
  const { random, traders } = world;
  const address = random.pick(traders);
  const owner = random.chance(0.8) ? address : random.pick(traders);
  const sessionKey = random.chance(0.9) ? random.pick(keysOf(owner)) : addressOf('c', 77_777);
  return { kind: 'revoke', address, sessionKey, signature: signatureOf(world.now()) };
}
