/** Approvals by contract wallets as their owners and the attestor see them (CUS-19). */

import { lapsesAt, openParked, type ParkedApproval, type State } from '@venue/engine';
import { type ErrorName, MESSAGES, type ParkedRow, type ParkedSession } from '@venue/protocol';

/** A parked approval by its number, as long as it or its answer is remembered; else null. */
export function parkedView(state: State, id: number, nowMs: number): ParkedSession | null {
  const parked = state.parked.get(id);
  if (parked !== undefined) return waitingView(parked, nowMs);
  const answer = state.parkedAnswers.findLast((one) => one.id === id);
  if (answer === undefined) return null;
  const { act, address, sessionKey, expiresAt, refusal, attestation } = answer;
  const isLapsed = refusal === 'parkedLapsed';
  return {
    ...{ id, act, address, sessionKey, expiresAt, attestation },
    state: refusal === null ? 'approved' : isLapsed ? 'lapsed' : 'refused',
    ...reasonOf(refusal),
    lapsesAt: lapsesAt(answer),
  };
}

/** One that nobody has answered. */
export function waitingView(parked: ParkedApproval, nowMs: number): ParkedSession {
  const { id, act, address, sessionKey, expiresAt } = parked;
  const isLapsed = nowMs >= lapsesAt(parked);
  return {
    ...{ id, act, address, sessionKey, expiresAt, attestation: null },
    state: isLapsed ? 'lapsed' : 'parked',
    ...reasonOf(isLapsed ? 'parkedLapsed' : null),
    lapsesAt: lapsesAt(parked),
  };
}

function reasonOf(refusal: ErrorName | null): Pick<ParkedSession, 'reason' | 'code'> {
  if (refusal === null) return { reason: null, code: null };
  const { error, code } = MESSAGES[refusal];
  return { reason: error, code };
}

/**
 * Those that wait for the attestor, in the order in which it takes them: revocations, as a stolen key does harm until it is
 * revoked, then approvals of accounts, then those of strangers; among them everybody's first before anybody's second.
 */
export function parkedRows(state: State, nowMs: number): ParkedRow[] {
  const before = new Map<string, number>();
  const ranked = openParked(state, nowMs).map((parked) => {
    const rank = parked.act === 'revoke' ? 0 : state.accountByAddress.has(parked.address) ? 1 : 2;
    const turn = before.get(`${rank} ${parked.address}`) ?? 0;
    before.set(`${rank} ${parked.address}`, turn + 1);
    return { parked, rank, turn };
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.turn - b.turn)
    .map(({ parked: { parkedAt, ...parked } }) => ({ ...parked, lapsesAt: lapsesAt({ parkedAt }) }));
}
