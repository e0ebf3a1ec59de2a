/** Accounts with their positions, fills and sessions, deposits and payouts as lines of a snapshot. */

import type { Address } from '@venue/protocol';
import { recordDeposit } from './custody/deposits.ts';
import { restoreSet, setRow } from './snapshot-sets.ts';
import type { Account, Payout } from './state/account.ts';
import { recordPayout } from './state/custody.ts';
import type { Position } from './state/positions.ts';
import type { Deposit, FillRecord } from './state/records.ts';
import { SessionRecord } from './state/session.ts';
import { addAccount, positionOf, type State } from './state/state.ts';

export function accountRow(state: State, account: Account) {
  const guardAt = state.deadlines.guardOf(account.index);
  const closedClientIds = state.clientIds.closedOf(account.index, state.ts);
  const quoteSets = state.quoteSets.of(account.index).map((set) => setRow(state, set));
  const pushFloors = state.pushFloors.rows(account.index, state.ts);
  const { role, address, cashMicros, realizedMicros, reservedMicros, marginEnabled } = account;
  const { frozen, heldMicros, heldCount, quarters, marginMode, calledSince } = account;
  return {
    ...{ role, address, cashMicros, realizedMicros, reservedMicros, marginEnabled },
    ...{ frozen, heldMicros, heldCount },
    ...(marginMode !== 'per-leg' && { marginMode }),
    wasCalled: account.wasCalled,
    ...(calledSince !== null && { calledSince }),
    ...(quarters !== null && { quarters: { tick: quarters.tick, sizes: [...quarters.sizes] } }),
    positions: [...account.positions].map(positionRow),
    fills: [...account.fills].map(({ series, ...fill }) => ({ ...fill, sid: series.sid })),
    sessions: [...account.sessions.values()].map(sessionRow),
    ...(guardAt !== null && { guardAt }),
    ...(closedClientIds.length > 0 && { closedClientIds }),
    ...(quoteSets.length > 0 && { quoteSets }),
    ...(pushFloors.length > 0 && { pushFloors }),
  };
}

function positionRow(position: Position) {
  const { series, qtyMicros, costMicros, realizedMicros, restingBuyMicros, restingSellMicros } = position;
  const { sid } = series;
  return { sid, qtyMicros, costMicros, realizedMicros, restingBuyMicros, restingSellMicros };
}

function sessionRow(session: SessionRecord) {
  const { sessionKey, expiresAt, approvedAt, revokedAt } = session;
  const { approval, attestation, revocation, revocationAttestation } = session;
  const supersededExpiries = [...session.supersededExpiries];
  return {
    ...{ sessionKey, expiresAt, approvedAt, revokedAt, supersededExpiries, nonces: [...session.nonces] },
    approval,
    ...(attestation !== null && { attestation }),
    ...(revocation !== null && { revocation }),
    ...(revocationAttestation !== null && { revocationAttestation }),
  };
}

export function restoreAccount(state: State, row: ReturnType<typeof accountRow>): void {
  const { role, address, positions, fills, sessions, guardAt = null, ...later } = row;
  const { closedClientIds = [], quoteSets = [], pushFloors = [], quarters, ...own } = later;
  const account = Object.assign(addAccount(state, role, address), own);
  if (quarters !== undefined) account.quarters = { ...quarters, sizes: new Map(quarters.sizes) };
  for (const { sid, ...amounts } of positions) {
    const series = state.series[sid]!;
    Object.assign(positionOf(account, series), amounts);
    if (amounts.qtyMicros < 0) account.shortCount += 1;
  }
  for (const session of sessions) restoreSession(state, account, session);
  restoreFills(state, account, fills);
  state.deadlines.setGuard(account.index, guardAt);
  state.clientIds.restoreClosed(account.index, closedClientIds);
  for (const set of quoteSets) restoreSet(state, account, set);
  for (const [of, nonce] of pushFloors) state.pushFloors.raise(account.index, of, nonce);
}

function restoreFills(state: State, account: Account, rows: ReturnType<typeof accountRow>['fills']): void {
  let last: SessionRecord | undefined;
  for (const { sid, ...fill } of rows) {
    const row: FillRecord = { ...fill, series: state.series[sid]! };
    if (row.signer === undefined) {
      account.fills.add(row, null);
    } else if (last?.sessionKey === row.signer) {
      account.fills.add(row, last.handle);
    } else {
      last = withSigner(state, account, row.signer, ({ handle }) => account.fills.add(row, handle));
    }
  }
}

function restoreSession(state: State, account: Account, row: ReturnType<typeof sessionRow>): void {
  const { sessionKey, supersededExpiries, nonces, ...rest } = row;
  const { approval, attestation = null, revocation, revocationAttestation = null, ...own } = rest;
  const session = new SessionRecord(state.sessions, state.sessions.open(sessionKey));
  Object.assign(session, own);
  session.proveApproval(approval, attestation);
  if (revocation !== undefined) session.proveRevocation(revocation, revocationAttestation);
  for (const expiry of supersededExpiries) session.supersededExpiries.add(expiry);
  for (const nonce of nonces) session.nonces.add(nonce);
  account.sessions.set(sessionKey, session);
}

/**
 * Calls `hold` with the session that signed. Orders and fills outlive it: where it is forgotten, `hold` gets a row for
 * the key alone, which nobody else holds.
 */
export function withSigner(
  state: State,
  account: Account,
  key: Address,
  hold: (signer: SessionRecord) => void,
): SessionRecord {
  const session = account.sessions.get(key);
  const signer = session ?? new SessionRecord(state.sessions, state.sessions.open(key));
  hold(signer);
  if (session === undefined) signer.forget();
  return signer;
}

export function restoreDeposit(state: State, deposit: Deposit): void {
  recordDeposit(state, deposit);
}

/** Leaves out what few payouts have. */
export function payoutRow({ account, ...payout }: Payout) {
  const { id, payoutId, amountMicros, requestedAt, txHash, isOfHouse, proof, voidedAt, waits } = payout;
  return {
    ...{ id, amountMicros, requestedAt, txHash, account: account.index },
    ...(payoutId !== id && { payoutId }),
    ...(isOfHouse && { isOfHouse }),
    ...(payout.isAdopted && { isAdopted: true }),
    ...(proof !== null && { proof }),
    ...(voidedAt !== null && { voidedAt }),
    ...(waits !== null && { waits }),
    ...(payout.approvals.length > 0 && { approvals: payout.approvals }),
  };
}

const USUAL_PAYOUT = {
  ...{ isOfHouse: false, isAdopted: false, proof: null, voidedAt: null, waits: null },
  approvals: [] as Payout['approvals'],
} as const;

export function restorePayout({ custody, accounts }: State, row: ReturnType<typeof payoutRow>): void {
  recordPayout(custody, { ...USUAL_PAYOUT, payoutId: row.id, ...row, account: accounts[row.account]! });
}
