/** Session keys and nonces in the model (KEY-1, KEY-2, SIG-4, SIG-5, FINE-13). */

import type { Address, ErrorName } from '@venue/protocol';
import type { ApproveCommand, Authorization, RevokeCommand } from '../../src/entry/command.ts';
import type { ModelAccount, ModelSession } from './records.ts';
import { accountAt, type ModelState, openAccount, parametersOf } from './state.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LIFETIME_MAX_MS = 30 * DAY_MS;
const SESSIONS_MAX = 64;

/** Spends a session signature. A refusal changes nothing. */
export function spend(
  state: ModelState,
  account: ModelAccount | undefined,
  authorization: Authorization,
): ErrorName | undefined {
  const session = account === undefined ? undefined : sessionOf(account, authorization.sessionKey);
  if (session === undefined || session.revokedAt !== null) return 'unknownSessionKey';
  if (state.ts > session.expiresAt + DAY_MS) return 'unknownSessionKey';
  if (state.ts >= session.expiresAt) return 'sessionExpired';
  if (Math.abs(authorization.nonce - state.ts) > MINUTE_MS) return 'nonceOutsideWindow';
  if (session.nonces.includes(authorization.nonce)) return 'nonceUsed';
  if (liveNonces(state, session).length >= parametersOf(state).noncesPerKeyMax) return 'tooManyInFlight';
  session.nonces.push(authorization.nonce);
  return undefined;
}

/** Nonces that the window still accepts, which must therefore be remembered. */
export function liveNonces(state: ModelState, session: ModelSession): number[] {
  return session.nonces.filter((nonce) => nonce >= state.ts - MINUTE_MS);
}

export function sessionOf(account: ModelAccount, key: Address): ModelSession | undefined {
  return account.sessions.find((session) => session.key === key);
}

export function approve(
  state: ModelState,
  command: ApproveCommand,
): { refusal: ErrorName } | { account: ModelAccount; session: ModelSession } {
  const refusal = approvalRefusal(state, command);
  if (refusal !== undefined) return { refusal };
  const account = accountAt(state, command.address) ?? openAccount(state, 'trader', command.address);
  const session = sessionOf(account, command.sessionKey) ?? emptySession(account, command.sessionKey);
  if (session.expiresAt !== command.expiresAt || session.revokedAt !== null) {
    if (session.expiresAt > 0) session.replaced.push(session.expiresAt);
    Object.assign(session, { expiresAt: command.expiresAt, approvedAt: state.ts, revokedAt: null });
  }
  Object.assign(session, { ...UNPROVEN, approval: command.signature });
  return { account, session };
}

const UNPROVEN = {
  approval: null,
  attestation: null,
  revocation: null,
  revocationAttestation: null,
} as const;

export function approvalRefusal(
  state: ModelState,
  command: Pick<ApproveCommand, 'address' | 'sessionKey' | 'expiresAt'>,
): ErrorName | undefined {
  const { expiresAt } = command;
  if (expiresAt <= state.ts || expiresAt > state.ts + LIFETIME_MAX_MS) return 'badExpiry';
  const account = accountAt(state, command.address);
  const session = account && sessionOf(account, command.sessionKey);
  if (session !== undefined && session.revokedAt !== null && replayable(state, session))
    return 'unknownSessionKey';
  if (session?.replaced.includes(expiresAt)) return 'unknownSessionKey';
  if (account === undefined || (session !== undefined && isLive(state, session))) return undefined;
  const live = account.sessions.filter((other) => isLive(state, other));
  return live.length >= SESSIONS_MAX ? 'tooManySessions' : undefined;
}

function emptySession(account: ModelAccount, key: Address): ModelSession {
  const session: ModelSession = {
    ...{ key, expiresAt: 0, approvedAt: 0, revokedAt: null, replaced: [], nonces: [] },
    ...UNPROVEN,
  };
  account.sessions.push(session);
  return session;
}

function isLive(state: ModelState, session: ModelSession): boolean {
  return session.revokedAt === null && state.ts < session.expiresAt;
}

/** True if any approval ever given for the pair could still be posted again. */
function replayable(state: ModelState, session: ModelSession): boolean {
  return [session.expiresAt, ...session.replaced].some((expiresAt) => expiresAt > state.ts);
}

/** Revoking a second time gives the same answer. */
export function revoke(
  state: ModelState,
  command: RevokeCommand,
): { refusal: ErrorName } | { sessionKey: Address; revokedAt: number } {
  const account = accountAt(state, command.address);
  const session = account && sessionOf(account, command.sessionKey);
  if (session === undefined) {
    const elsewhere = state.accounts.some((other) => sessionOf(other, command.sessionKey) !== undefined);
    return { refusal: elsewhere ? 'notYourSessionKey' : 'unknownSessionKey' };
  }
  if (session.revokedAt === null) session.revocation = command.signature;
  session.revokedAt ??= state.ts;
  return { sessionKey: session.key, revokedAt: session.revokedAt };
}

/** Prunes sessions that expired more than a day ago, by the latest of their approvals. */
export function pruneSessions(state: ModelState): void {
  for (const account of state.accounts) {
    account.sessions = account.sessions.filter((session) =>
      [session.expiresAt, ...session.replaced].some((expiresAt) => state.ts <= expiresAt + DAY_MS),
    );
  }
}
