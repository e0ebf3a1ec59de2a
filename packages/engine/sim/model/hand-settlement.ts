/** Hand settlement in the model: the gates one after the other, and the audit of every attempt (FINE-1). */

import { type ErrorName, MESSAGES } from '@venue/protocol';
import type { SettleCommand } from '../../src/entry/command.ts';
import { distance } from './oracle.ts';
import { canBePaid, decisionOn, pay, seriesAt } from './settlement.ts';
import { type ModelDecision, type ModelSeries, type ModelState, parametersOf } from './state.ts';

const BOUND_MAX_BPS = 1_000;

export type ModelSettleOutcome =
  | { refusal: ErrorName }
  | { decision: ModelDecision; settled: readonly ModelSeries[] };

export function settleByHand(state: ModelState, command: SettleCommand): ModelSettleOutcome {
  const named = namedSeries(state, command);
  const decision = named[0] === undefined ? undefined : decisionOn(state, named[0]);
  const gates = gatesOf(state, command, named, decision);
  const shut = gates.find(([, passed]) => passed === false);
  audit(state, command, decision, gates);
  if (shut !== undefined) return { refusal: shut[2] };
  const price = BigInt(command.priceMicros!);
  const settled = named.filter(({ status }) => status === 'pending-review');
  if (decision!.price === null) Object.assign(decision!, { price, decidedAt: state.ts, by: 'hand' });
  for (const series of settled) pay(state, series, price);
  const isByExpiry = 'expiryTs' in command.target!;
  state.notes.push(`settled by hand, by ${isByExpiry ? 'expiry' : 'series'}`);
  if (isByExpiry && settled.length < named.length) state.notes.push('the rest of an expiry settled by hand');
  return { decision: decision!, settled };
}

function namedSeries(state: ModelState, { target }: SettleCommand): ModelSeries[] {
  if (target === null) return [];
  if ('expiryTs' in target) return seriesAt(state, target);
  return state.series.filter(({ seriesId }) => seriesId === target.seriesId);
}

type ModelGate = readonly [gate: string, passed: boolean | null, refusal: ErrorName];

/** Null for a gate that cannot be checked because an earlier one failed. */
function gatesOf(
  state: ModelState,
  { secrets, priceMicros }: SettleCommand,
  named: readonly ModelSeries[],
  decision: ModelDecision | undefined,
): ModelGate[] {
  const isPending = named.some(({ status }) => status === 'pending-review');
  const isSettled = named.every(({ status }) => status === 'settled');
  const fault = named.length === 0 ? 'settlesNoSeries' : isSettled ? 'settledAlready' : 'notPendingReview';
  const price = priceMicros === null || priceMicros <= 0 ? null : BigInt(priceMicros);
  const anchor = isPending ? decision!.anchor : null;
  const isAskable = isPending && price !== null;
  return [
    ['first secret', secrets[0], 'wrongCredential'],
    ['second secret', secrets[1], 'wrongCredential'],
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
    [
      'payable',
      isAskable && secrets[0] && secrets[1] ? canBePaid(state, decision!, price) : null,
      'payoutTooLarge',
    ],
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
  { target, priceMicros }: SettleCommand,
  decision: ModelDecision | undefined,
  gates: readonly ModelGate[],
): void {
  const price = priceMicros === null ? null : BigInt(priceMicros);
  const anchor = decision?.anchor ?? null;
  const shut = gates.find(([, passed]) => passed === false);
  const apart = (a: bigint, b: bigint) => (a > b ? a - b : b - a);
  state.audit.push({
    n: state.audit.length + 1,
    ts: state.ts,
    seq: state.seq,
    seriesId: target !== null && 'seriesId' in target ? target.seriesId : null,
    symbol: target !== null && 'symbol' in target ? target.symbol : (decision?.symbol ?? null),
    expiryTs: target !== null && 'expiryTs' in target ? target.expiryTs : (decision?.expiryTs ?? null),
    price,
    anchor,
    deviation: price === null || anchor === null ? null : distance(apart(price, anchor), anchor),
    boundBps: boundBps(state, decision),
    gates: gates.map(([gate, passed]) => [gate, passed]),
    reason: shut === undefined ? null : MESSAGES[shut[2]].error,
  });
}
