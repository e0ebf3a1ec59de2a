/**
 * Hand settlement by two people on two machines, each with a name or one of two secrets (CUS-10, OPS-2): one proposes, the
 * other confirms. Both are judged as the call with both secrets is, and both are audited.
 */

import type { AuditStep, Micros } from '@venue/protocol';
import type { SettleConfirmCommand, SettleProposeCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import { areTwo, halfOf, isSamePerson, type SettleSecret } from '../state/halves.ts';
import { SETTLE_PROPOSAL_MS, SETTLE_PROPOSALS_MAX } from '../state/limits.ts';
import type { SettleProposal, SettleTarget } from '../state/records.ts';
import type { State } from '../state/state.ts';
import {
  carryOut,
  type Gate,
  readAttempt,
  recordAttempt,
  refusalOf,
  settlementGates,
  soundOf,
} from './hand-settlement.ts';

/** The proposals that may still be confirmed, oldest first. */
export function openProposals({ settleProposals, ts }: State): readonly SettleProposal[] {
  return settleProposals.filter((proposal) => ts < proposal.ts + SETTLE_PROPOSAL_MS);
}

/** Proposes a settlement, beside what the same person proposed before. Refused as the settlement would be. */
export function proposeSettlement(state: State, command: SettleProposeCommand): OutcomeOf<'settle-propose'> {
  const attempt = readAttempt(state, command);
  const secret = secretOf(command);
  const gates = [
    oneSecret(command),
    ...settlementGates(state, attempt, secret !== null),
    roomFor(state, command, secret !== null),
  ];
  const refusal = refusalOf(gates);
  const step: AuditStep = {
    act: 'propose',
    proposal: refusal === null ? state.seq : null,
    secret: shownOf(command),
  };
  const record = recordAttempt(state, attempt, { gates, refusal, step });
  if (refusal !== null) return { refusal };
  const { target, decision, priceMicros, series } = soundOf(attempt);
  const proposal = { id: state.seq, ...halfOf(command), target, priceMicros, ts: state.ts };
  state.settleProposals = [...openProposals(state), proposal];
  const { boundBps } = record;
  return { proposal, decision, settles: series, deviationMicroBps: record.deviationMicroBps!, boundBps };
}

/** Settles what another person proposed, if the request repeats its target and price. */
export function confirmSettlement(
  state: State,
  effects: Effects,
  command: SettleConfirmCommand,
): OutcomeOf<'settle-confirm'> {
  const attempt = readAttempt(state, command);
  const secret = secretOf(command);
  const proposal = openProposals(state).find(({ id }) => id === command.id) ?? null;
  const mayConfirm = proposal !== null && secret !== null ? areTwo(proposal, halfOf(command)) : null;
  const gates: Gate[] = [
    oneSecret(command),
    { gate: 'open proposal', passed: proposal !== null, refusal: 'unknownProposal' },
    { gate: 'other secret', passed: mayConfirm, refusal: 'ownProposal' },
    { gate: 'as proposed', passed: proposal && repeats(attempt, proposal), refusal: 'proposalDiffers' },
    ...settlementGates(state, attempt, mayConfirm === true),
  ];
  const refusal = refusalOf(gates);
  const step: AuditStep = { act: 'confirm', proposal: command.id, secret: shownOf(command) };
  recordAttempt(state, attempt, { gates, refusal, step });
  return refusal === null ? carryOut(state, effects, soundOf(attempt)) : { refusal };
}

/** Null unless the request came with exactly one. */
function secretOf({
  secrets: [first, second],
}: SettleProposeCommand | SettleConfirmCommand): SettleSecret | null {
  if (first === second) return null;
  return first ? 1 : 2;
}

/** The credentials of an attempt for the audit; a name is more precise than a secret. */
function shownOf(command: SettleProposeCommand | SettleConfirmCommand): SettleSecret | null {
  return command.by === undefined ? secretOf(command) : null;
}

/** Somebody with a name and without the secret has not the role. */
function oneSecret({ secrets: [first, second], by }: SettleProposeCommand | SettleConfirmCommand): Gate {
  const missing = by === undefined ? 'wrongCredential' : 'wrongRole';
  return {
    gate: 'one secret',
    passed: first !== second,
    refusal: first && second ? 'bothSecrets' : missing,
  };
}

function roomFor(state: State, command: SettleProposeCommand, isEntitled: boolean): Gate {
  const own = openProposals(state).filter((other) => isSamePerson(other, halfOf(command)));
  const passed = isEntitled ? own.length < SETTLE_PROPOSALS_MAX : null;
  return { gate: 'room', passed, refusal: 'tooManyProposals' };
}

interface Named {
  readonly target: SettleTarget | null;
  readonly priceMicros: Micros | null;
}

function repeats({ target, priceMicros }: Named, proposal: SettleProposal): boolean {
  return priceMicros === proposal.priceMicros && target !== null && isSame(target, proposal.target);
}

function isSame(target: SettleTarget, proposed: SettleTarget): boolean {
  if ('seriesId' in target) return 'seriesId' in proposed && target.seriesId === proposed.seriesId;
  return 'symbol' in proposed && target.symbol === proposed.symbol && target.expiryTs === proposed.expiryTs;
}
