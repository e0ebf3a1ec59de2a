/**
 * Hand settlement of an expiry that the oracle refused (OWN-48): two secrets, a price near the last prints, once. Every
 * attempt is audited with the result of each gate, whatever the outcome.
 */

import {
  type AuditGate,
  type AuditStep,
  type ErrorName,
  MESSAGES,
  type Micros,
  type SettlementAttempt,
  toMicros,
} from '@venue/protocol';
import type { SettleCommand, SettleConfirmCommand, SettleProposeCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { HandSettled, OutcomeOf } from '../entry/outcome.ts';
import { recordAudit } from '../state/audit.ts';
import { BPS, HAND_BPS_MAX } from '../state/limits.ts';
import type { SettleTarget } from '../state/records.ts';
import type { Decision, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { distanceMicroBps, handBoundBps } from './oracle.ts';
import { dropSettled, SettlementDebt, settleSeries } from './settlement.ts';

/** Settles the named series at the given price, or refuses with the first gate that fails. */
export function settleByHand(state: State, effects: Effects, command: SettleCommand): OutcomeOf<'settle'> {
  const [first, second] = command.secrets;
  const attempt = readAttempt(state, command);
  const gates: Gate[] = [
    { gate: 'first secret', passed: first, refusal: 'wrongCredential' },
    { gate: 'second secret', passed: second, refusal: 'wrongCredential' },
    ...settlementGates(state, attempt, first && second),
  ];
  const refusal = refusalOf(gates);
  recordAttempt(state, attempt, { gates, refusal });
  return refusal === null ? carryOut(state, effects, soundOf(attempt)) : { refusal };
}

/** Pays the series of an attempt that passed every gate. Nothing in here may fail. */
export function carryOut(
  state: State,
  effects: Effects,
  { decision, priceMicros, series: named }: SoundAttempt,
): HandSettled {
  if (decision.priceMicros === null) {
    decision.priceMicros = priceMicros;
    decision.decidedAt = state.ts;
    decision.by = 'hand';
    effects.settled(decision);
  }
  for (const series of named) settleSeries(state, effects, series, priceMicros);
  dropSettled(decision.instrument);
  state.settleProposals = state.settleProposals.filter(({ target }) => awaitsSettlement(state, target));
  return { decision, settled: named };
}

type AttemptCommand = SettleCommand | SettleProposeCommand | SettleConfirmCommand;

export interface Attempt {
  readonly command: AttemptCommand;
  readonly target: SettleTarget | null;
  /** The decision on the named expiry; null if there is none. */
  readonly decision: Decision | null;
  /** The series it would settle. */
  readonly series: readonly Series[];
  readonly targetFault: ErrorName | null;
  /** Positive and representable, or null. */
  readonly priceMicros: Micros | null;
}

/** An attempt with every gate open. */
export interface SoundAttempt extends Pick<Attempt, 'series'> {
  readonly target: SettleTarget;
  readonly decision: Decision;
  readonly priceMicros: Micros;
}

/** Call it only when no gate refused. */
export function soundOf({ target, decision, priceMicros, series }: Attempt): SoundAttempt {
  if (target === null || decision === null || priceMicros === null)
    throw new Error('an attempt without a price passed every gate');
  return { target, decision, priceMicros, series };
}

/** Looks up what an attempt names. */
export function readAttempt(state: State, command: AttemptCommand): Attempt {
  const { target } = command;
  const price = command.priceMicros ?? 0;
  const priceMicros = Number.isSafeInteger(price) && price > 0 ? toMicros(price) : null;
  const found = target === null ? { decision: null, series: [] } : resolve(state, target);
  const series = found.series.filter(({ status }) => status === 'pending-review');
  return {
    command,
    target,
    priceMicros,
    decision: found.decision,
    series,
    targetFault: faultOf(found.series, found.decision),
  };
}

/** The decision on the named expiry and the series it names; empty if no such series is listed. */
function resolve(
  state: State,
  target: SettleTarget,
): { decision: Decision | null; series: readonly Series[] } {
  if ('seriesId' in target) {
    const series = state.seriesById.get(target.seriesId);
    if (series === undefined) return { decision: null, series: [] };
    return { decision: series.instrument.decisions.get(series.expiryTs) ?? null, series: [series] };
  }
  const instrument = state.instruments.get(target.symbol);
  const decision = instrument?.decisions.get(target.expiryTs) ?? null;
  return {
    decision,
    series: instrument?.series.filter(({ expiryTs }) => expiryTs === target.expiryTs) ?? [],
  };
}

/** Why there is nothing to settle, or null. A settled expiry has no listed series. */
function faultOf(series: readonly Series[], decision: Decision | null): ErrorName | null {
  if (series.some(({ status }) => status === 'pending-review')) return null;
  if (series.some(({ status }) => status === 'live')) return 'notPendingReview';
  return series.length === 0 && decision === null ? 'settlesNoSeries' : 'seriesSettled';
}

/** True if something of it still waits to be settled. */
export function awaitsSettlement(state: State, target: SettleTarget): boolean {
  const { series, decision } = resolve(state, target);
  return faultOf(series, decision) === null;
}

export interface Gate extends AuditGate {
  readonly refusal: ErrorName;
}

/** The refusal of the first gate that is shut, or null. */
export function refusalOf(gates: readonly Gate[]): ErrorName | null {
  return gates.find(({ passed }) => passed === false)?.refusal ?? null;
}

/**
 * The gates after the secrets, in the order in which they answer. A gate that cannot be checked, for lack of an anchor
 * or a price, is null; so is the last for a caller who is not entitled to settle.
 */
export function settlementGates(
  state: State,
  { decision, priceMicros, targetFault }: Attempt,
  isEntitled: boolean,
): Gate[] {
  const anchorMicros = decision?.anchorMicros ?? null;
  const isUnderReview = targetFault === null && decision !== null;
  const named = isUnderReview && priceMicros !== null ? { decision, priceMicros } : null;
  return [
    { gate: 'pending review', passed: isUnderReview, refusal: targetFault ?? 'notPendingReview' },
    { gate: 'sound price', passed: priceMicros !== null, refusal: 'badPrice' },
    { gate: 'anchor', passed: isUnderReview ? anchorMicros !== null : null, refusal: 'noOraclePrint' },
    {
      gate: 'within bound',
      passed:
        named && anchorMicros !== null
          ? isWithinBound({
              priceMicros: named.priceMicros,
              anchorMicros,
              boundBps: boundBps(state, decision),
            })
          : null,
      refusal: 'priceOutOfBound',
    },
    {
      gate: 'one price an expiry',
      passed: named && (named.decision.priceMicros ?? named.priceMicros) === named.priceMicros,
      refusal: 'priceDiffers',
    },
    {
      gate: 'payable',
      // This reads every account, so it is not done for just anybody.
      passed: isEntitled
        ? named && new SettlementDebt(state, named.decision).tryAdd(named.decision, named.priceMicros)
        : null,
      refusal: 'payoutTooLarge',
    },
  ];
}

/** The bound in force when the expiry was refused, or a narrower one since (OWN-50). */
function boundBps(state: State, decision: Decision | null): number {
  return Math.min(handBoundBps(state), decision?.boundBps ?? HAND_BPS_MAX);
}

interface Distance {
  readonly priceMicros: Micros;
  readonly anchorMicros: Micros;
  readonly boundBps: number;
}

function isWithinBound({ priceMicros, anchorMicros, boundBps: bound }: Distance): boolean {
  const distance = BigInt(Math.abs(priceMicros - anchorMicros)) * BigInt(BPS);
  return distance <= BigInt(bound) * BigInt(anchorMicros);
}

/** The refusal, or the fault of a request that could not be read. */
function reasonOf({ target, fault }: AttemptCommand, refusal: ErrorName): string {
  const isStranger = refusal === 'wrongCredential' || refusal === 'wrongRole';
  return target === null && fault !== undefined && !isStranger ? fault : MESSAGES[refusal].error;
}

export interface Judgement {
  readonly gates: readonly Gate[];
  readonly refusal: ErrorName | null;
  readonly step?: AuditStep;
}

/** Adds the attempt to the audit, whatever came of it. */
export function recordAttempt(
  state: State,
  { command, target, decision }: Attempt,
  { gates, refusal, step }: Judgement,
): SettlementAttempt {
  const { priceMicros, by } = command;
  const anchorMicros = decision?.anchorMicros ?? null;
  const isMeasured = priceMicros !== null && anchorMicros !== null;
  const named = target !== null && 'symbol' in target ? target : null;
  const audited = {
    ...(by !== undefined && { by }),
    ...(step !== undefined && { step }),
    seriesId: target !== null && 'seriesId' in target ? target.seriesId : null,
    symbol: named?.symbol ?? decision?.instrument.symbol ?? null,
    expiryTs: named?.expiryTs ?? decision?.expiryTs ?? null,
    priceMicros: priceMicros === null ? null : toMicros(priceMicros),
    anchorMicros,
    deviationMicroBps: isMeasured
      ? distanceMicroBps(Math.abs(priceMicros - anchorMicros), anchorMicros)
      : null,
    boundBps: boundBps(state, decision),
    gates: gates.map(({ gate, passed }) => ({ gate, passed })),
    reason: refusal === null ? null : reasonOf(command, refusal),
  };
  recordAudit(state, audited);
  return audited;
}
