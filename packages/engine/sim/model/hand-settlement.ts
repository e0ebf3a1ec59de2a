/** Hand settlement in the model: the gates one after the other, and the audit of every attempt (FINE-1, CUS-10). */

import { type AuditStep, type ErrorName, MESSAGES } from '@venue/protocol';
import type { SettleCommand, SettleConfirmCommand, SettleProposeCommand } from '../../src/entry/command.ts';
import type { SettleTarget } from '../../src/state/records.ts';
import { distance } from './oracle.ts';
import type { ModelAttempt, ModelDecision, ModelProposal, ModelSeries } from './records.ts';
import { canBePaid, decisionOn, pay, seriesAt } from './settlement.ts';
import { type ModelState, parametersOf } from './state.ts';

const BOUND_MAX_BPS = 1_000;
const PROPOSAL_MS = 900_000;

type AttemptCommand = SettleCommand | SettleProposeCommand | SettleConfirmCommand;

export type ModelSettleOutcome =
  | { refusal: ErrorName }
  | { decision: ModelDecision; settled: readonly ModelSeries[] };

export type ModelProposeOutcome =
  | { refusal: ErrorName }
  | {
      proposal: ModelProposal;
      decision: ModelDecision;
      settles: readonly ModelSeries[];
      deviation: bigint;
      boundBps: number;
    };

export function settleByHand(state: ModelState, command: SettleCommand): ModelSettleOutcome {
  const [first, second] = command.secrets;
  const secrets: ModelGate[] = [
    ['first secret', first, 'wrongCredential'],
    ['second secret', second, 'wrongCredential'],
  ];
  const gates = [...secrets, ...gatesOf(state, command, first && second)];
  audit(state, command, gates, null);
  return refused(gates) ?? paid(state, command);
}

export function propose(state: ModelState, command: SettleProposeCommand): ModelProposeOutcome {
  const secret = secretOf(command);
  const own = openProposals(state).filter((other) => nameOf(other) === nameOf({ ...command, secret }));
  const hasRoom: ModelGate = ['room', secret === null ? null : own.length < 16, 'tooManyProposals'];
  const gates = [oneSecret(command), ...gatesOf(state, command, secret !== null), hasRoom];
  const refusal = refused(gates);
  const { deviation, boundBps } = audit(state, command, gates, {
    act: 'propose',
    proposal: refusal === undefined ? state.seq : null,
    secret: command.by === undefined ? secret : null,
  });
  if (refusal !== undefined) return refusal;
  const { target, priceMicros } = command;
  const price = BigInt(priceMicros!);
  const by = command.by === undefined ? {} : { by: command.by };
  const proposal = { id: state.seq, secret: secret!, ...by, target: target!, price, ts: state.ts };
  if (own.length > 0) state.notes.push('proposal beside one of the same person');
  state.proposals.push(proposal);
  const named = namedSeries(state, target);
  const settles = named.filter(({ status }) => status === 'pending-review');
  return { proposal, decision: decisionOn(state, named[0]!)!, settles, deviation: deviation!, boundBps };
}

export function confirm(state: ModelState, command: SettleConfirmCommand): ModelSettleOutcome {
  const secret = secretOf(command);
  const proposal = openProposals(state).find(({ id }) => id === command.id);
  const isOther =
    proposal === undefined || secret === null ? null : areStrangers(proposal, { ...command, secret });
  if (isOther === true && command.by !== undefined) state.notes.push('confirmed by a second name');
  if (isOther === false && (proposal!.by === undefined) !== (command.by === undefined))
    state.notes.push('a name and a secret, which may be of one person');
  const gates: ModelGate[] = [
    oneSecret(command),
    ['open proposal', proposal !== undefined, 'unknownProposal'],
    ['other secret', isOther, 'ownProposal'],
    ['as proposed', proposal === undefined ? null : isRepeated(command, proposal), 'proposalDiffers'],
    ...gatesOf(state, command, isOther === true),
  ];
  const shown = command.by === undefined ? secret : null;
  audit(state, command, gates, { act: 'confirm', proposal: command.id, secret: shown });
  return refused(gates) ?? paid(state, command);
}

/** Those that are young enough and of which something still waits. */
export function openProposals(state: ModelState): ModelProposal[] {
  return state.proposals.filter(
    ({ target, ts }) =>
      state.ts < ts + PROPOSAL_MS &&
      namedSeries(state, target).some(({ status }) => status === 'pending-review'),
  );
}

function isRepeated({ target, priceMicros }: SettleConfirmCommand, proposal: ModelProposal): boolean {
  const isSamePrice = priceMicros !== null && BigInt(priceMicros) === proposal.price;
  return isSamePrice && target !== null && wordsOf(target) === wordsOf(proposal.target);
}

function wordsOf(target: SettleTarget): string {
  return 'seriesId' in target ? `series ${target.seriesId}` : `all of ${target.symbol} at ${target.expiryTs}`;
}

function secretOf({ secrets }: AttemptCommand): 1 | 2 | null {
  const held = ([1, 2] as const).filter((secret) => secrets[secret - 1]);
  return held.length === 1 ? held[0]! : null;
}

interface Person {
  readonly by?: string;
  readonly secret: 1 | 2 | null;
}

/** Names of two people are never the same; the secrets have names that nobody can have. */
export function nameOf({ by, secret }: Person): string {
  return by ?? `secret ${secret}`;
}

/** A name may be that of the secret's holder. */
export function areStrangers(one: Person, other: Person): boolean {
  const areAlike = (one.by === undefined) === (other.by === undefined);
  return areAlike && nameOf(one) !== nameOf(other);
}

function oneSecret(command: AttemptCommand): ModelGate {
  const hasBoth = command.secrets.every(Boolean);
  const missing = command.by === undefined ? 'wrongCredential' : 'wrongRole';
  return ['one secret', secretOf(command) !== null, hasBoth ? 'bothSecrets' : missing];
}

function refused(gates: readonly ModelGate[]): { refusal: ErrorName } | undefined {
  const shut = gates.find(([, passed]) => passed === false);
  return shut && { refusal: shut[2] };
}

function paid(state: ModelState, { target, priceMicros }: AttemptCommand): ModelSettleOutcome {
  const named = namedSeries(state, target);
  const decision = decisionOn(state, named[0]!)!;
  const price = BigInt(priceMicros!);
  const settled = named.filter(({ status }) => status === 'pending-review');
  if (decision.price === null) Object.assign(decision, { price, decidedAt: state.ts, by: 'hand' });
  if (state.orders.some(({ set }) => set !== null)) state.notes.push('hand settlement with quotes standing');
  for (const series of settled) pay(state, series, price);
  const isByExpiry = 'expiryTs' in target!;
  state.notes.push(`settled by hand, by ${isByExpiry ? 'expiry' : 'series'}`);
  if (isByExpiry && settled.length < named.length) state.notes.push('the rest of an expiry settled by hand');
  return { decision, settled };
}

function namedSeries(state: ModelState, target: SettleTarget | null): ModelSeries[] {
  if (target === null) return [];
  if ('expiryTs' in target) return seriesAt(state, target);
  return state.series.filter(({ seriesId }) => seriesId === target.seriesId);
}

type ModelGate = readonly [gate: string, passed: boolean | null, refusal: ErrorName];

function decisionOf(state: ModelState, target: SettleTarget | null): ModelDecision | undefined {
  const [series] = namedSeries(state, target);
  return series && decisionOn(state, series);
}

/** Those after the secrets. Null for a gate that cannot be checked because an earlier one failed. */
function gatesOf(
  state: ModelState,
  { target, priceMicros }: AttemptCommand,
  isEntitled: boolean,
): ModelGate[] {
  const named = namedSeries(state, target);
  const decision = decisionOf(state, target);
  const isPending = named.some(({ status }) => status === 'pending-review');
  const isSettled = named.every(({ status }) => status === 'settled');
  const fault = named.length === 0 ? 'settlesNoSeries' : isSettled ? 'seriesSettled' : 'notPendingReview';
  const price = priceMicros === null || priceMicros <= 0 ? null : BigInt(priceMicros);
  const anchor = isPending ? decision!.anchor : null;
  const isAskable = isPending && price !== null;
  return [
    ['pending review', isPending, fault],
    ['sound price', price !== null, 'badPrice'],
    ['anchor', isPending ? anchor !== null : null, 'noOraclePrint'],
    [
      'within bound',
      isAskable && anchor !== null ? isNear(state, boundBps(state, decision), price, anchor) : null,
      'priceOutOfBound',
    ],
    [
      'one price an expiry',
      isAskable ? decision!.price === null || decision!.price === price : null,
      'priceDiffers',
    ],
    ['payable', isAskable && isEntitled ? canBePaid(state, decision!, price) : null, 'payoutTooLarge'],
  ];
}

function boundBps(state: ModelState, decision: ModelDecision | undefined): number {
  const { handBps } = parametersOf(state).oracle;
  return Math.min(handBps, BOUND_MAX_BPS, decision?.boundBps ?? BOUND_MAX_BPS);
}

function isNear(state: ModelState, bound: number, price: bigint, anchor: bigint): boolean {
  const room = anchor * BigInt(bound);
  const isAtBound = (price - anchor) * 10_000n === room || (anchor - price) * 10_000n === room;
  if (isAtBound) state.notes.push('price at the very bound');
  const past = (price > anchor ? price - anchor : anchor - price) * 10_000n - room;
  if (past > 0n && past <= 10_000n) state.notes.push('price a micro past the bound');
  return (price - anchor) * 10_000n <= room && (anchor - price) * 10_000n <= room;
}

function audit(
  state: ModelState,
  { by, target, priceMicros }: AttemptCommand,
  gates: readonly ModelGate[],
  step: AuditStep | null,
): ModelAttempt {
  const decision = decisionOf(state, target);
  const price = priceMicros === null ? null : BigInt(priceMicros);
  const anchor = decision?.anchor ?? null;
  const shut = gates.find(([, passed]) => passed === false);
  const apart = (a: bigint, b: bigint) => (a > b ? a - b : b - a);
  const attempt = {
    n: state.audit.length + 1,
    ts: state.ts,
    seq: state.seq,
    by: by ?? null,
    step,
    seriesId: target !== null && 'seriesId' in target ? target.seriesId : null,
    symbol: target !== null && 'symbol' in target ? target.symbol : (decision?.symbol ?? null),
    expiryTs: target !== null && 'expiryTs' in target ? target.expiryTs : (decision?.expiryTs ?? null),
    price,
    anchor,
    deviation: price === null || anchor === null ? null : distance(apart(price, anchor), anchor),
    boundBps: boundBps(state, decision),
    gates: gates.map(([gate, passed]) => [gate, passed] as const),
    reason: shut === undefined ? null : MESSAGES[shut[2]].error,
  };
  state.audit.push(attempt);
  return attempt;
}
