/** Approvals by contract wallets in the model (CUS-19). */

import type { ErrorName } from '@venue/protocol';
import type { AttestCommand, ParkCommand } from '../../src/entry/command.ts';
import type { ModelParked } from './records.ts';
import { approvalRefusal, approve, revoke, sessionOf } from './sessions.ts';
import { accountAt, type ModelState } from './state.ts';

const MINUTE_MS = 60_000;

/** Those that wait: nobody answered, and they are younger than ten minutes. */
export function openParked({ parked, ts }: ModelState): ModelParked[] {
  return parked.filter(({ answer, parkedAt }) => answer === null && ts - parkedAt < 10 * MINUTE_MS);
}

export function park(
  state: ModelState,
  { act, address, sessionKey, expiresAt, signature }: ParkCommand,
): { refusal: ErrorName } | { parked: ModelParked } {
  const terms = { act, address, sessionKey, expiresAt, signature };
  const waiting = openParked(state);
  const same = waiting.find((one) => JSON.stringify(one.terms) === JSON.stringify(terms));
  if (same !== undefined) {
    state.notes.push('parked approval posted again');
    return { parked: same };
  }
  const refusal = refusalOf(state, terms);
  if (refusal !== undefined) return { refusal };
  if (!hasRoom(state, terms)) return { refusal: 'tooManyParked' };
  const parked: ModelParked = { id: state.seq, terms, parkedAt: state.ts, answer: null };
  state.parked.push(parked);
  return { parked };
}

export function attest(
  state: ModelState,
  { id, verdict, chainId, blockNumber, blockHash }: AttestCommand,
): { refusal: ErrorName } | { answered: ModelParked } {
  const found = openParked(state).find((one) => one.id === id);
  if (found === undefined) return { refusal: 'unknownParked' };
  if (state.binding !== null && state.binding.chainId !== chainId) return { refusal: 'otherChain' };
  const attestation = { chainId, blockNumber, blockHash };
  const refusal = {
    valid: () => refusalOf(state, found.terms) ?? null,
    'no-contract': () => 'noContract' as const,
    invalid: () => 'notSignedByContract' as const,
    failed: () => 'contractFailed' as const,
  }[verdict]();
  found.answer = { refusal, attestation, seq: state.seq, ts: state.ts };
  state.notes.push(refusal === null ? `attested: ${found.terms.act}` : `attested: ${refusal}`);
  if (refusal !== null) return { answered: found };
  const { act, ...terms } = found.terms;
  if (act === 'approve') {
    const put = approve(state, { kind: 'approve', ...terms });
    if ('session' in put && put.session.revokedAt === null) put.session.attestation = attestation;
    return { answered: found };
  }
  const session = sessionOf(accountAt(state, terms.address)!, terms.sessionKey)!;
  if (session.revokedAt === null) session.revocationAttestation = attestation;
  revoke(state, { kind: 'revoke', ...terms });
  return { answered: found };
}

/** 32 revocations of a session; 8 approvals of an address; 256 approvals of addresses without an account. */
function hasRoom(state: ModelState, { act, address, sessionKey }: ModelParked['terms']): boolean {
  const waiting = openParked(state).filter(({ terms }) => terms.act === act);
  const own = waiting.filter(({ terms }) => terms.address === address);
  if (act === 'revoke') return own.filter(({ terms }) => terms.sessionKey === sessionKey).length < 32;
  const strangers = waiting.filter(({ terms }) => accountAt(state, terms.address) === undefined);
  const isCrowded = accountAt(state, address) === undefined && strangers.length >= 256;
  return own.length < 8 && !isCrowded;
}

function refusalOf(state: ModelState, terms: ModelParked['terms']): ErrorName | undefined {
  const account = accountAt(state, terms.address);
  if (account?.sessions.some(({ approval, attestation }) => approval !== null && attestation === null))
    return 'signsItself';
  if (terms.act === 'approve') return approvalRefusal(state, terms);
  const session = account && sessionOf(account, terms.sessionKey);
  if (session !== undefined) return session.expiresAt === terms.expiresAt ? undefined : 'unknownSessionKey';
  const elsewhere = state.accounts.some((other) => sessionOf(other, terms.sessionKey) !== undefined);
  return elsewhere ? 'notYourSessionKey' : 'unknownSessionKey';
}
