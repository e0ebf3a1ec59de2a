/** Settlement by hand, by one person or by two, and the audit of every attempt at it (FINE-1, PAY-3, CUS-10). */

import {
  type Command,
  isRefused,
  isWritable,
  type OutcomeOf,
  type Refused,
  SETTLE_PROPOSAL_MS,
  type SettleTarget,
} from '@venue/engine';
import {
  decimalToMicros,
  type HandSettleAnswer,
  type HandSettleRequest,
  malformed,
  microsToDecimal,
  type PublicError,
  type SettleProposeAnswer,
  upperSymbol,
} from '@venue/protocol';
import {
  AuditListSchema,
  AuditQuerySchema,
  HandSettleAnswerSchema,
  HandSettleExpirySchema,
  HandSettleSeriesSchema,
  SettleConfirmExpirySchema,
  SettleConfirmSeriesSchema,
  SettleProposeAnswerSchema,
} from '@venue/protocol/wire';
import { type TSchema, Type } from 'typebox';
import { auditView } from '../../views/settlements.ts';
import { askingOf } from '../by-hand.ts';
import { HttpError, refuse } from '../errors.ts';
import { CLOCK_PATH, KIB, type Route, type RouteRequest, route, Shown } from '../route.ts';
import type { Services } from '../services.ts';
import { compileCheck } from '../validate.ts';

export function operatorRoutes(services: Services): Route[] {
  return [settle(services), propose(services), confirm(services), audit(services), clock(services)];
}

/** Confirms a clock that jumped and is now right, which only an operator can know (CLOCK-1). */
function clock({ acceptClock, credentials }: Services): Route {
  return route({
    method: 'POST',
    path: CLOCK_PATH,
    access: 'operator',
    role: 'operate',
    bodyLimitBytes: KIB,
    body: Type.Object({ accept: Type.Literal(true) }, { additionalProperties: false }),
    answer: Type.Object({ ok: Type.Literal(true) }),
    contract: { excluded: 'called by operators alone, about the clock of one node' },
    handle: ({ headers }) => {
      acceptClock(credentials.operatorOf(headers)!.name);
      return { ok: true };
    },
  });
}

/** Every attempt goes into the log, whatever it holds and no matter who makes it; the secrets are checked first. */
function settle(services: Services): Route {
  return route({
    ...ATTEMPT_ROUTE,
    path: '/v1/operator/settle',
    answer: HandSettleAnswerSchema,
    contract: { excluded: 'called by operators alone, with two secrets of theirs' },
    handle: (request) => {
      const { attempt, fault } = attemptOf(services, request, readSettle);
      return submitAttempt(services, { kind: 'settle', ...attempt }, fault, settleAnswer);
    },
  });
}

/** One person's half, with one of the two secrets (CUS-10). */
function propose(services: Services): Route {
  return route({
    ...ATTEMPT_ROUTE,
    path: '/v1/operator/settle/propose',
    answer: SettleProposeAnswerSchema,
    handle: (request) => {
      const { attempt, fault } = attemptOf(services, request, readSettle);
      return submitAttempt(services, { kind: 'settle-propose', ...attempt }, fault, proposeAnswer);
    },
  });
}

/** The other person's half, with the other secret. */
function confirm(services: Services): Route {
  return route({
    ...ATTEMPT_ROUTE,
    path: '/v1/operator/settle/confirm',
    answer: HandSettleAnswerSchema,
    handle: (request) => {
      const { attempt, fault } = attemptOf(services, request, readConfirm);
      const id = fault === null ? (request.body as { id: number }).id : null;
      return submitAttempt(services, { kind: 'settle-confirm', id, ...attempt }, fault, settleAnswer);
    },
  });
}

const ATTEMPT_ROUTE = {
  method: 'POST',
  access: 'attempt',
  role: 'settle',
  bodyLimitBytes: 4 * KIB,
  contract: { excluded: 'called by operators alone, with one of two secrets, or each with their own' },
} as const;

function attemptOf(
  services: Services,
  { headers, body, bodyFault }: RouteRequest<unknown, unknown>,
  read: (body: unknown) => Attempt,
) {
  const { fault, ...named } = bodyFault === null ? read(body) : unreadable(bodyFault);
  return {
    attempt: { ...named, ...askingOf(services, headers), ...(fault && { fault: fault.error }) },
    fault,
  };
}

/** A refused attempt is an entry too. A fault of the request is shown to those with a secret only. */
function submitAttempt<C extends Command, T>(
  { sequencer, state }: Services,
  command: C,
  fault: PublicError | null,
  answer: (outcome: Exclude<OutcomeOf<C['kind']>, Refused>, ts: number) => T,
): Promise<Shown<T>> {
  if (!isWritable(state, command)) refuse('notYetUpgraded');
  return sequencer.submit(command, (outcome, ts) => {
    if (!isRefused(outcome))
      return new Shown(state.seq, answer(outcome as Exclude<OutcomeOf<C['kind']>, Refused>, ts));
    const isStranger = outcome.refusal === 'wrongCredential' || outcome.refusal === 'wrongRole';
    if (fault !== null && !isStranger) throw new HttpError(fault);
    return refuse(outcome.refusal);
  });
}

function proposeAnswer(
  outcome: Exclude<OutcomeOf<'settle-propose'>, Refused>,
  ts: number,
): SettleProposeAnswer {
  const { proposal, decision, settles, deviationMicroBps, boundBps } = outcome;
  return {
    ok: true,
    id: proposal.id,
    expiresAt: ts + SETTLE_PROPOSAL_MS,
    symbol: decision.instrument.symbol,
    expiryTs: decision.expiryTs,
    price: microsToDecimal(proposal.priceMicros),
    anchor: microsToDecimal(decision.anchorMicros!),
    deviationBps: microsToDecimal(deviationMicroBps),
    boundBps,
    settles: settles.map(({ seriesId }) => seriesId),
  };
}

function settleAnswer({ decision, settled }: Exclude<OutcomeOf<'settle'>, Refused>): HandSettleAnswer {
  return {
    ok: true,
    symbol: decision.instrument.symbol,
    expiryTs: decision.expiryTs,
    price: microsToDecimal(decision.priceMicros!),
    settled: settled.map(({ seriesId }) => seriesId),
  };
}

interface Attempt {
  readonly target: SettleTarget | null;
  readonly priceMicros: number | null;
  /** The fault in the shape of the request, which then names no target. */
  readonly fault: PublicError | null;
}

const readSettle = readerOf(HandSettleSeriesSchema, HandSettleExpirySchema);
const readConfirm = readerOf(SettleConfirmSeriesSchema, SettleConfirmExpirySchema);

/** Reads bodies that name one series, or all of an expiry. */
function readerOf(ofSeries: TSchema, ofExpiry: TSchema): (body: unknown) => Attempt {
  const checks = { series: compileCheck('body', ofSeries), expiry: compileCheck('body', ofExpiry) };
  return (body) => readAttempt(body, checks);
}

type Checks = Readonly<Record<'series' | 'expiry', ReturnType<typeof compileCheck>>>;

function readAttempt(body: unknown, checks: Checks): Attempt {
  const fault = shapeFault(body, checks);
  if (fault !== null) return unreadable(fault);
  const request = body as HandSettleRequest;
  const target =
    'seriesId' in request
      ? { seriesId: request.seriesId }
      : // Adding zero turns a negative zero, which the log could not carry, into zero.
        { symbol: upperSymbol(request.symbol), expiryTs: request.expiryTs + 0 };
  return { target, priceMicros: Math.max(0, decimalToMicros(request.price) ?? 0), fault: null };
}

function shapeFault(body: unknown, checks: Checks): PublicError | null {
  const namesExpiry = hasField(body, 'symbol') || hasField(body, 'expiryTs');
  if (!namesExpiry) return checks.series(body);
  if (hasField(body, 'seriesId')) return malformed('seriesId beside symbol');
  const fault = checks.expiry(body);
  if (fault !== null) return fault;
  return Number.isSafeInteger((body as { expiryTs: number }).expiryTs) ? null : malformed('expiryTs');
}

function hasField(body: unknown, field: string): boolean {
  return typeof body === 'object' && body !== null && field in body;
}

function unreadable(fault: PublicError): Attempt {
  return { target: null, priceMicros: null, fault };
}

function audit({ state }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/operator/audit',
    access: 'operator',
    role: 'read',
    query: AuditQuerySchema,
    answer: AuditListSchema,
    contract: { excluded: 'called by operators alone, with a secret of theirs' },
    handle: ({ query }) => ({
      entries: auditView(state.audit, query.after === undefined ? null : Number(query.after)),
    }),
  });
}
