/** Approvals by contract wallets as their owners and the attestor see them (CUS-19). */

import { lapsesAt, openParked, type ParkedApproval, type State } from '@venue/engine';
import { MESSAGES, type ParkedRow, type ParkedSession } from '@venue/protocol';

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
    reason: refusal === null ? null : MESSAGES[refusal].error,
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
    reason: isLapsed ? MESSAGES.parkedLapsed.error : null,
    lapsesAt: lapsesAt(parked),
  };
}

/** Those that wait for the attestor, oldest first. */
export function parkedRows(state: State, nowMs: number): ParkedRow[] {
  return openParked(state, nowMs).map(({ parkedAt, ...parked }) => ({
    ...parked,
    lapsesAt: lapsesAt({ parkedAt }),
  }));
}
