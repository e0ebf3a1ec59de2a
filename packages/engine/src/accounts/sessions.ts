/**
 * Approvals, revocations and spent nonces as state. No cryptography here: who signed was verified before the entry was
 * appended; applying it decides whether the signature may be spent (SIG-4, KEY-1, KEY-2).
 */

import type { Address, ErrorName } from '@venue/protocol';
import type { ApproveCommand, Authorization, RevokeCommand } from '../entry/command.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import type { Account } from '../state/account.ts';
import {
  NONCE_WINDOW_MS,
  SESSION_GRACE_MS,
  SESSION_LIFETIME_MAX_MS,
  SESSION_RECORDS_PER_ACCOUNT_MAX,
  SESSIONS_PER_ACCOUNT_MAX,
} from '../state/limits.ts';
import type { Attestation } from '../state/records.ts';
import { SessionRecord } from '../state/session.ts';
import { parametersOf, type State } from '../state/state.ts';

export interface SessionUse {
  readonly account: Account;
  readonly sessionKey: Address;
  /** The time to check against, unix milliseconds. */
  readonly ts: number;
}

/** Why a key may not sign for the account now, or null if it may. */
export function checkSession({ account, sessionKey, ts }: SessionUse): ErrorName | null {
  return sessionFault(sessionOf(account, sessionKey), ts);
}

/** True for a nonce within 60 s of the log's time, in either direction (SIG-5). */
export function isNonceInWindow(nonce: number, ts: number): boolean {
  return Math.abs(nonce - ts) <= NONCE_WINDOW_MS;
}

/** Why a nonce may not be spent on a live session, or null if it may. */
export function checkNonce(state: State, use: SessionUse & { readonly nonce: number }): ErrorName | null {
  return nonceFault(state, sessionOf(use.account, use.sessionKey), use);
}

/** Spends the nonce of a signed write, or says why it cannot be spent. The write itself may still be rejected (SIG-4). */
export function spend(state: State, account: Account, authorization: Authorization): ErrorName | null {
  const { nonce } = authorization;
  const session = sessionOf(account, authorization.sessionKey);
  const refusal = sessionFault(session, state.ts) ?? nonceFault(state, session, { nonce, ts: state.ts });
  if (refusal !== null || session === undefined) return refusal;
  const { nonces } = session;
  if (nonces.size >= parametersOf(state).noncesPerKeyMax) pruneNonces(session, state.ts);
  nonces.add(nonce);
  account.lastSession = session;
  return null;
}

function sessionOf({ lastSession, sessions }: Account, sessionKey: Address): SessionRecord | undefined {
  return lastSession?.sessionKey === sessionKey ? lastSession : sessions.get(sessionKey);
}

function sessionFault(session: SessionRecord | undefined, ts: number): ErrorName | null {
  if (session === undefined || session.revokedAt !== null) return 'unknownSessionKey';
  if (ts < session.expiresAt) return null;
  return ts > session.expiresAt + SESSION_GRACE_MS ? 'unknownSessionKey' : 'sessionExpired';
}

function nonceFault(
  state: State,
  session: SessionRecord | undefined,
  { nonce, ts }: { readonly nonce: number; readonly ts: number },
): ErrorName | null {
  if (!isNonceInWindow(nonce, ts)) return 'nonceOutsideWindow';
  if (session === undefined) return 'unknownSessionKey';
  const { nonces } = session;
  if (nonces.has(nonce)) return 'nonceUsed';
  const max = parametersOf(state).noncesPerKeyMax;
  if (nonces.size < max) return null;
  return nonces.countFrom(ts - NONCE_WINDOW_MS) < max ? null : 'tooManyInFlight';
}

/** Prunes nonces that are too old to be posted again. */
export function pruneSpentNonces(state: State): void {
  for (const handle of state.sessions.spent) pruneNonces(new SessionRecord(state.sessions, handle), state.ts);
}

/** The accounts with a record of this session key, in the order of their first approvals. */
export function accountsOfSessionKey(state: State, sessionKey: Address): readonly Account[] {
  return [...(state.accountsBySessionKey.get(sessionKey) ?? [])];
}

/** The sessions an account can use now, in order of approval. */
export function liveSessions(account: Account, ts: number): SessionRecord[] {
  return [...account.sessions.values()].filter(
    (session) => session.revokedAt === null && ts < session.expiresAt,
  );
}

/** Why an approval is refused, or null if it is accepted; the one in force may be posted again (KEY-2). */
export function checkApproval(
  account: Account | undefined,
  approval: { readonly sessionKey: Address; readonly expiresAt: number; readonly ts: number },
): ErrorName | null {
  const { sessionKey, expiresAt, ts } = approval;
  if (!(expiresAt > ts && expiresAt <= ts + SESSION_LIFETIME_MAX_MS)) return 'badExpiry';
  const session = account?.sessions.get(sessionKey);
  if (session !== undefined && !isForgettable(session, ts)) {
    const isDead =
      session.revokedAt === null
        ? session.supersededExpiries.has(expiresAt)
        : ts < lastReplayableExpiry(session);
    if (isDead) return 'unknownSessionKey';
    if (ts < session.expiresAt) return hasRoomToSupersede(session, expiresAt, ts) ? null : 'tooManySessions';
  }
  if (account === undefined) return null;
  if (liveSessions(account, ts).length >= SESSIONS_PER_ACCOUNT_MAX) return 'tooManySessions';
  return rememberedRecords(account, ts) < SESSION_RECORDS_PER_ACCOUNT_MAX ? null : 'tooManySessions';
}

/** True for an account whose own key signed an approval that is remembered, unlike those by a contract (CUS-19). */
export function hasOwnApprovals(account: Account | undefined, ts: number): boolean {
  const sessions = account?.sessions.values() ?? [];
  return [...sessions].some((session) => session.attestation === null && !isForgettable(session, ts));
}

/** Puts an approval in force. The caller must have checked it. `attestation` is that of a contract wallet (CUS-19). */
export function approve(
  state: State,
  account: Account,
  command: ApproveCommand,
  attestation: Attestation | null = null,
): SessionRecord {
  const session = putInForce(state, account, command);
  if (session.revokedAt === null) session.proveApproval(command.signature, attestation);
  return session;
}

function putInForce(state: State, account: Account, command: ApproveCommand): SessionRecord {
  pruneSessions(state, account);
  const { sessionKey, expiresAt } = command;
  const current = account.sessions.get(sessionKey);
  if (current === undefined) return addSession(state, account, command);
  if (current.expiresAt === expiresAt) return current;
  for (const expiry of current.supersededExpiries)
    if (expiry <= state.ts) current.supersededExpiries.delete(expiry);
  current.supersededExpiries.add(current.expiresAt);
  current.expiresAt = expiresAt;
  current.approvedAt = state.ts;
  current.revokedAt = null;
  return current;
}

/**
 * Revokes a session permanently: the pair stays dead until none of its approvals can be replayed. Repeating it changes
 * nothing.
 */
export function revoke(
  state: State,
  command: RevokeCommand,
  attestation: Attestation | null = null,
): OutcomeOf<'revoke'> {
  const refusal = checkRevocation(state, command);
  if (refusal !== null) return { refusal };
  const session = state.accountByAddress.get(command.address)!.sessions.get(command.sessionKey)!;
  if (session.revokedAt === null) session.proveRevocation(command.signature, attestation);
  session.revokedAt ??= state.ts;
  return { sessionKey: session.sessionKey, revokedAt: session.revokedAt };
}

/** Why there is nothing to revoke, or null if the account has such a session. */
export function checkRevocation(
  state: State,
  { address, sessionKey }: Pick<RevokeCommand, 'address' | 'sessionKey'>,
): ErrorName | null {
  const session = state.accountByAddress.get(address)?.sessions.get(sessionKey);
  if (session !== undefined && !isForgettable(session, state.ts)) return null;
  const isAnothers = accountsOfSessionKey(state, sessionKey).some(
    (owner) => !isForgettable(owner.sessions.get(sessionKey)!, state.ts),
  );
  return isAnothers ? 'notYourSessionKey' : 'unknownSessionKey';
}

function addSession(
  state: State,
  account: Account,
  { sessionKey, expiresAt }: ApproveCommand,
): SessionRecord {
  const session = new SessionRecord(state.sessions, state.sessions.open(sessionKey));
  session.expiresAt = expiresAt;
  session.approvedAt = state.ts;
  account.sessions.set(sessionKey, session);
  const accounts = state.accountsBySessionKey.get(sessionKey);
  if (accounts === undefined) state.accountsBySessionKey.set(sessionKey, new Set([account]));
  else accounts.add(account);
  return session;
}

/** The latest expiry of all approvals of the pair. */
function lastReplayableExpiry(session: SessionRecord): number {
  return Math.max(session.expiresAt, ...session.supersededExpiries);
}

/** True once no approval of the pair can be replayed, and the grace period of the last one is over. */
function isForgettable(session: SessionRecord, ts: number): boolean {
  return ts > lastReplayableExpiry(session) + SESSION_GRACE_MS;
}

function hasRoomToSupersede(session: SessionRecord, expiresAt: number, ts: number): boolean {
  if (session.expiresAt === expiresAt) return true;
  let replayable = 0;
  for (const expiry of session.supersededExpiries) if (expiry > ts) replayable += 1;
  return replayable < SESSIONS_PER_ACCOUNT_MAX;
}

function rememberedRecords(account: Account, ts: number): number {
  let count = 0;
  for (const session of account.sessions.values()) if (!isForgettable(session, ts)) count += 1;
  return count;
}

function pruneSessions(state: State, account: Account): void {
  for (const session of account.sessions.values()) {
    if (!isForgettable(session, state.ts)) continue;
    account.sessions.delete(session.sessionKey);
    if (account.lastSession?.handle === session.handle) account.lastSession = null;
    const accounts = state.accountsBySessionKey.get(session.sessionKey);
    accounts?.delete(account);
    if (accounts?.size === 0) state.accountsBySessionKey.delete(session.sessionKey);
    session.forget();
  }
}

function pruneNonces(session: SessionRecord, ts: number): void {
  session.nonces.pruneBelow(ts - NONCE_WINDOW_MS);
}
