/**
 * Signatures where they are mandatory: every write of a trader gets one, and a wallet without a live session key first
 * approves one.
 */

import type { Address } from '@venue/protocol';
import type { Authorization, Command } from '../../src/entry/command.ts';
import type { ModelSession } from '../model/records.ts';
import { accountAt } from '../model/state.ts';
import { approvalOf } from './sessions.ts';
import { keysOf, signatureOf, type World } from './world.ts';

/** The entries for a command: the command itself, signed, sometimes preceded by the approval of its session key. */
export function signed(world: World, command: Command): (() => Command)[] {
  if (!('account' in command) || command.authorization !== undefined) return [() => command];
  const sign = (): Command => ({ ...command, authorization: authorization(world, command.account) });
  const needsKey = liveSessions(world, command.account).length === 0 && world.random.chance(0.8);
  return needsKey ? [() => approvalOf(world, command.account), sign] : [sign];
}

/** Signs with a live session key if there is one; otherwise the signature is refused. */
function authorization(world: World, account: Address): Authorization {
  const { random, now } = world;
  const live = liveSessions(world, account);
  const session = live.length === 0 ? undefined : random.pick(live);
  let nonce = now() + random.between(-500, 500);
  while (session?.nonces.includes(nonce)) nonce += 1;
  return { sessionKey: session?.key ?? keysOf(account)[0]!, nonce, signature: signatureOf(nonce) };
}

function liveSessions({ state, now }: World, address: Address): readonly ModelSession[] {
  const sessions = accountAt(state, address)?.sessions ?? [];
  return sessions.filter(({ revokedAt, expiresAt }) => revokedAt === null && now() < expiresAt);
}
