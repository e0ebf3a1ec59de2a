/**
 * Approvals and revocations by contract wallets, which no signature in the log proves (CUS-19). Each is parked until the
 * attestor reports what the contract says of it on chain; it then does what that of a key does, or is refused.
 */

import type { Address, ErrorName } from '@venue/protocol';
import type { AttestCommand, ParkCommand, Verdict } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import {
  PARKED_ANSWERS_KEPT,
  PARKED_MAX,
  PARKED_MS,
  PARKED_PER_ADDRESS_MAX,
  PARKED_REVOCATIONS_MAX,
} from '../state/limits.ts';
import type { Attestation, ParkedAnswer, ParkedApproval } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { checkOpening, openAccount } from './opening.ts';
import { approve, checkApproval, checkRevocation, hasOwnApprovals, revoke } from './sessions.ts';

/** Why a verdict other than `valid` refuses an approval. */
const REFUSALS: Readonly<Record<Exclude<Verdict, 'valid'>, ErrorName>> = {
  'no-contract': 'noContract',
  invalid: 'notSignedByContract',
  failed: 'contractFailed',
};

/** Those that still wait for an answer, oldest first. */
export function openParked({ parked, ts }: Pick<State, 'parked' | 'ts'>, nowMs = ts): ParkedApproval[] {
  return [...parked.values()].filter((one) => nowMs < lapsesAt(one));
}

/** When a parked approval lapses, in Unix milliseconds. */
export function lapsesAt({ parkedAt }: Pick<ParkedApproval, 'parkedAt'>): number {
  return parkedAt + PARKED_MS;
}

/**
 * Parks an approval or a revocation. The same one posted again is the one that is parked. A full room refuses the
 * newcomer, so that no stranger can push anybody's out.
 */
export function park(state: State, command: ParkCommand): OutcomeOf<'park'> {
  const { kind: _, ...terms } = command;
  const open = openParked(state);
  const twin = open.find((one) => isSame(one, command));
  if (twin !== undefined) return { parked: twin };
  const refusal = termsRefusal(state, command) ?? (hasRoom(state, open, command) ? null : 'tooManyParked');
  if (refusal !== null) return { refusal };
  const parked = { id: state.seq, ...terms, parkedAt: state.ts };
  state.parked.set(parked.id, parked);
  return { parked };
}

/**
 * Answers a parked approval: a valid one is put in force if the rules still let it (KEY-1, KEY-2). Whatever the answer
 * is, the approval leaves the lot.
 */
export function attest(
  state: State,
  effects: Effects,
  { id, verdict, ...attestation }: AttestCommand,
): OutcomeOf<'attest'> {
  const parked = state.parked.get(id);
  if (parked === undefined || state.ts >= lapsesAt(parked)) return { refusal: 'unknownParked' };
  // On another chain somebody else may have put a contract at the same address.
  const { binding } = state.custody;
  if (binding !== null && binding.chainId !== attestation.chainId) return { refusal: 'otherChain' };
  const refusal = verdict === 'valid' ? termsRefusal(state, parked) : REFUSALS[verdict];
  if (refusal === null) carryOut(state, effects, parked, attestation);
  const answer = answerOf(parked, { refusal, attestation: attestationOf(attestation), answeredAt: state.ts });
  conclude(state, answer);
  return { answer };
}

/** Moves lapsed approvals out of the lot: part of maintenance. */
export function pruneParked(state: State): void {
  for (const parked of state.parked.values()) {
    if (state.ts < lapsesAt(parked)) return;
    conclude(
      state,
      answerOf(parked, { refusal: 'parkedLapsed', attestation: null, answeredAt: lapsesAt(parked) }),
    );
  }
}

function conclude(state: State, answer: ParkedAnswer): void {
  state.parked.delete(answer.id);
  state.parkedAnswers.push(answer);
  if (state.parkedAnswers.length > PARKED_ANSWERS_KEPT) state.parkedAnswers.shift();
}

/** Puts in force what the contract signed. The caller must have checked it. */
function carryOut(
  state: State,
  effects: Effects,
  { act, address, sessionKey, expiresAt, signature }: ParkedApproval,
  attestation: Attestation,
): void {
  const proof = attestationOf(attestation);
  if (act === 'revoke') {
    revoke(state, { kind: 'revoke', address, sessionKey, signature }, proof);
    return;
  }
  const { account } = openAccount(state, effects, address);
  approve(state, account, { kind: 'approve', address, sessionKey, expiresAt, signature }, proof);
}

/** Why an approval or a revocation of these terms would be refused from any signer, or null. */
function termsRefusal(
  state: State,
  terms: Pick<ParkedApproval, 'act' | 'address' | 'sessionKey' | 'expiresAt'>,
): ErrorName | null {
  const { act, address, sessionKey, expiresAt } = terms;
  // Such an account needs no attestor, who could otherwise speak for it.
  if (hasOwnApprovals(state.accountByAddress.get(address), state.ts)) return 'signsItself';
  if (act === 'approve') {
    const approval = { sessionKey, expiresAt, ts: state.ts };
    return checkApproval(state.accountByAddress.get(address), approval) ?? checkOpening(state, address);
  }
  const refusal = checkRevocation(state, terms);
  if (refusal !== null) return refusal;
  const session = state.accountByAddress.get(address)!.sessions.get(sessionKey)!;
  return session.expiresAt === expiresAt ? null : 'unknownSessionKey';
}

/** Judged by what waits for the same: a session's revocations, an address's approvals, and those of all strangers together. */
function hasRoom(
  state: State,
  open: readonly ParkedApproval[],
  { act, address, sessionKey }: ParkCommand,
): boolean {
  const own = open.filter((one) => one.act === act && one.address === address);
  if (act === 'revoke')
    return own.filter((one) => one.sessionKey === sessionKey).length < PARKED_REVOCATIONS_MAX;
  if (own.length >= PARKED_PER_ADDRESS_MAX) return false;
  const isStranger = (of: Address) => !state.accountByAddress.has(of);
  if (!isStranger(address)) return true;
  return open.filter((one) => one.act === 'approve' && isStranger(one.address)).length < PARKED_MAX;
}

function isSame(one: ParkedApproval, other: ParkCommand): boolean {
  return (['act', 'address', 'sessionKey', 'expiresAt', 'signature'] as const).every(
    (field) => one[field] === other[field],
  );
}

function answerOf(
  { signature: _, ...terms }: ParkedApproval,
  answer: Pick<ParkedAnswer, 'refusal' | 'attestation' | 'answeredAt'>,
): ParkedAnswer {
  return { ...terms, ...answer };
}

function attestationOf({ chainId, blockNumber, blockHash }: Attestation): Attestation {
  return { chainId, blockNumber, blockHash };
}
