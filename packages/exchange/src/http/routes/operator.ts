/** Settlement by hand, and the audit of every attempt at it (FINE-1, PAY-3). */

import { isRefused, type OutcomeOf, type SettleTarget } from '@venue/engine';
import {
  decimalToMicros,
  type HandSettleAnswer,
  type HandSettleRequest,
  malformed,
  microsToDecimal,
  type PublicError,
  upperSymbol,
} from '@venue/protocol';
import {
  AuditListSchema,
  AuditQuerySchema,
  HandSettleAnswerSchema,
  HandSettleExpirySchema,
  HandSettleSeriesSchema,
} from '@venue/protocol/wire';
import { Type } from 'typebox';
import { auditView } from '../../views/settlements.ts';
import { HttpError, refuse } from '../errors.ts';
import { CLOCK_PATH, KIB, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';
import { compileCheck } from '../validate.ts';

export function operatorRoutes(services: Services): Route[] {
  return [settle(services), audit(services), clock(services)];
}

/** Confirms a clock that jumped and is now right, which only an operator can know (CLOCK-1). */
function clock({ acceptClock }: Services): Route {
  return route({
    method: 'POST',
    path: CLOCK_PATH,
    access: 'operator',
    bodyLimitBytes: KIB,
    body: Type.Object({ accept: Type.Literal(true) }, { additionalProperties: false }),
    answer: Type.Object({ ok: Type.Literal(true) }),
    contract: { excluded: 'called by operators alone, about the clock of one node' },
    handle: () => {
      acceptClock();
      return { ok: true };
    },
  });
}

/** Every attempt goes into the log, whatever it holds and whoever makes it; the secrets are checked first. */
function settle({ credentials, sequencer }: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/operator/settle',
    access: 'attempt',
    bodyLimitBytes: 4 * KIB,
    answer: HandSettleAnswerSchema,
    contract: { excluded: 'called by operators alone, with two secrets of theirs' },
    handle: ({ headers, body, bodyFault }) => {
      const { fault, ...named } = bodyFault === null ? readAttempt(body) : unreadable(bodyFault);
      const secrets = [credentials.holds('settle1', headers), credentials.holds('settle2', headers)] as const;
      return sequencer.submit(
        { kind: 'settle', ...named, secrets, ...(fault && { fault: fault.error }) },
        (outcome) => settleAnswer(outcome, fault),
      );
    },
  });
}

function settleAnswer(outcome: OutcomeOf<'settle'>, fault: PublicError | null): HandSettleAnswer {
  if (isRefused(outcome)) {
    const isStranger = outcome.refusal === 'wrongCredential';
    if (fault !== null && !isStranger) throw new HttpError(fault);
    refuse(outcome.refusal);
  }
  const { decision, settled } = outcome;
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

const checkSeries = compileCheck('body', HandSettleSeriesSchema);
const checkExpiry = compileCheck('body', HandSettleExpirySchema);

function readAttempt(body: unknown): Attempt {
  const fault = shapeFault(body);
  if (fault !== null) return unreadable(fault);
  const request = body as HandSettleRequest;
  const target =
    'seriesId' in request
      ? { seriesId: request.seriesId }
      : // Adding zero turns a negative zero, which the log could not carry, into zero.
        { symbol: upperSymbol(request.symbol), expiryTs: request.expiryTs + 0 };
  return { target, priceMicros: Math.max(0, decimalToMicros(request.price) ?? 0), fault: null };
}

function shapeFault(body: unknown): PublicError | null {
  const namesExpiry = hasField(body, 'symbol') || hasField(body, 'expiryTs');
  if (!namesExpiry) return checkSeries(body);
  if (hasField(body, 'seriesId')) return malformed('seriesId beside symbol');
  const fault = checkExpiry(body);
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
    query: AuditQuerySchema,
    answer: AuditListSchema,
    contract: { excluded: 'called by operators alone, with a secret of theirs' },
    handle: ({ query }) => ({
      entries: auditView(state.audit, query.after === undefined ? null : Number(query.after)),
    }),
  });
}
