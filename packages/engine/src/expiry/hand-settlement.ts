/**
 * Hand settlement of an expiry that the oracle refused (OWN-48): two secrets, a price near the last prints, once. Every
 * attempt is audited with the result of each gate, whatever the outcome.
 */

import { type AuditGate, auditHash, type ErrorName, MESSAGES, type Micros, toMicros } from '@venue/protocol';
import type { SettleCommand, SettleTarget } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OutcomeOf } from '../entry/outcome.ts';
import { AUDIT_KEPT, BPS, HAND_BPS_MAX } from '../state/limits.ts';
import type { Decision, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { distanceMicroBps, handBoundBps } from './oracle.ts';
import { dropSettled, SettlementDebt, settleSeries } from './settlement.ts';

/** Settles the named series at the given price, or refuses with the first gate that fails. */
export function settleByHand(state: State, effects: Effects, command: SettleCommand): OutcomeOf<'settle'> {
  const attempt = read(state, command);
  const gates = judgeGates(state, attempt);
  const shut = gates.find(({ passed }) => passed === false) ?? null;
  const refusal = shut === null ? null : shut.refusal;
  audit(state, attempt, { gates, refusal });
  const { decision, priceMicros } = attempt;
  if (refusal !== null) return { refusal };
  if (decision === null || priceMicros === null)
    throw new Error('an attempt without a price passed every gate');
  // Nothing below may fail.
  decision.priceMicros ??= priceMicros;
  decision.decidedAt ??= state.ts;
  decision.by ??= 'hand';
  for (const series of attempt.series) settleSeries(state, effects, series, priceMicros);
  dropSettled(decision.instrument);
  return { decision, settled: attempt.series };
}

interface Attempt {
  readonly command: SettleCommand;
  readonly target: SettleTarget | null;
  /** The decision on the named expiry; null if there is none. */
  readonly decision: Decision | null;
  /** The series it would settle. */
  readonly series: readonly Series[];
  readonly targetFault: ErrorName | null;
  /** Positive and representable, or null. */
  readonly priceMicros: Micros | null;
}

function read(state: State, command: SettleCommand): Attempt {
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
  return series.length === 0 && decision === null ? 'settlesNoSeries' : 'settledAlready';
}

interface Gate extends AuditGate {
  readonly refusal: ErrorName;
}

/** In the order in which they answer. A gate that cannot be checked, for lack of an anchor or a price, is null. */
function judgeGates(state: State, { command, decision, priceMicros, targetFault }: Attempt): Gate[] {
  const anchorMicros = decision?.anchorMicros ?? null;
  const hasSecrets = command.secrets[0] && command.secrets[1];
  const isUnderReview = targetFault === null && decision !== null;
  const named = isUnderReview && priceMicros !== null ? { decision, priceMicros } : null;
  return [
    { gate: 'first secret', passed: command.secrets[0], refusal: 'wrongCredential' },
    { gate: 'second secret', passed: command.secrets[1], refusal: 'wrongCredential' },
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
      // This reads every account, so it is not done for a caller without the secrets.
      passed: hasSecrets
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
function reasonOf({ target, fault }: SettleCommand, refusal: ErrorName): string {
  return target === null && fault !== undefined && refusal !== 'wrongCredential'
    ? fault
    : MESSAGES[refusal].error;
}

function audit(
  state: State,
  { command, target, decision }: Attempt,
  { gates, refusal }: { gates: readonly Gate[]; refusal: ErrorName | null },
): void {
  const { audit: log } = state;
  const { priceMicros } = command;
  const anchorMicros = decision?.anchorMicros ?? null;
  const isMeasured = priceMicros !== null && anchorMicros !== null;
  const named = target !== null && 'symbol' in target ? target : null;
  const facts = {
    n: log.count + 1,
    ts: state.ts,
    seq: state.seq,
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
    previousHash: log.head,
  };
  const hash = auditHash(facts);
  log.entries.push({ ...facts, hash });
  if (log.entries.length > AUDIT_KEPT) log.entries.shift();
  log.count = facts.n;
  log.head = hash;
}
