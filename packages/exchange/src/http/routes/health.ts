/** The node's state, for clients and for whatever supervises it or routes requests to it. */

import type { FundingMode } from '@venue/engine';
import { filled, GAP_MESSAGES } from '@venue/protocol';
import { HealthzSchema } from '@venue/protocol/wire';
import { Type } from 'typebox';
import { HttpError } from '../errors.ts';
import { HEALTH_PATH, LIVE_PATH, READY_PATH, type Route, route } from '../route.ts';
import type { Services } from '../services.ts';

const QUOTE_SESSION_REGISTRATION = 'idempotent-attempt-v1';
const OK = { ok: true };
const OkSchema = Type.Object({ ok: Type.Literal(true) });

export function healthRoutes({ readiness }: Services, fundingMode: FundingMode): Route[] {
  return [
    route({
      method: 'GET',
      path: HEALTH_PATH,
      access: 'public',
      answer: HealthzSchema,
      contract: {
        id: 'healthz',
        tag: 'Service',
        summary: 'Whether the service is up, and in which funding mode',
        text: 'Read it first: `fundingMode` says whether money is real. `ok` is false while the node has not heard from its log; every other route then answers 500.',
      },
      handle: () => ({
        ok: readiness.isHealthy,
        quoteSessionRegistration: QUOTE_SESSION_REGISTRATION,
        fundingMode,
      }),
    }),
    route({
      method: 'GET',
      path: LIVE_PATH,
      access: 'public',
      answer: OkSchema,
      contract: { excluded: 'for what supervises the process: it answers, so it need not be restarted' },
      handle: () => OK,
    }),
    route({
      method: 'GET',
      path: READY_PATH,
      access: 'public',
      answer: OkSchema,
      contract: { excluded: 'for what sends a node requests: 503 with the reasons while it should get none' },
      handle: () => {
        if (readiness.isReady) return OK;
        const reasons = readiness.reasons.join(', ');
        throw new HttpError(filled(GAP_MESSAGES.notReady, { reasons }));
      },
    }),
  ];
}
