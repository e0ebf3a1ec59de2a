/** The market maker: quote sessions, ladders, and what it needs to know of its own account (MM-1 to MM-4). */

import type { IncomingHttpHeaders } from 'node:http';
import { isLiveSession, MAKER } from '@venue/engine';
import { encodeQuotesAnswer, type QuotesAnswer, type QuotesBody } from '@venue/protocol';
import {
  MakerAccountSchema,
  MakerFillsQuerySchema,
  MakerFillsSchema,
  MakerPullAnswerSchema,
  MakerSessionAnswerSchema,
  MakerSessionRequestSchema,
  QuotesAnswerSchema,
  QuotesBodySchema,
} from '@venue/protocol/wire';
import { type Services, submit } from '../../services.ts';
import { fillView } from '../../views/fills.ts';
import { makerAccountView } from '../../views/maker.ts';
import { refuse } from '../errors.ts';
import { changingRows, pushAnswer, readPush } from '../quote-push.ts';
import { MIB, type Route, route } from '../route.ts';

const PUSH_BYTES_MAX = 16 * MIB;
const EXCLUDED = { excluded: 'called by the market maker alone, with a secret of the operator' };
/** A maker whose quotes stand is heard of in the log at least this often in the time after which they would be pulled. */
const HEARTBEATS_PER_TTL = 4;

export function quoteRoutes(services: Services): Route[] {
  return [
    legacyPush(services),
    session(services),
    push(services),
    pull(services),
    account(services),
    fills(services),
  ];
}

/** Without a session, and only while signing is optional (FINE-14). */
function legacyPush(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/quotes',
    access: 'unsigned-maker',
    bodyLimitBytes: PUSH_BYTES_MAX,
    takesQuoteBytes: true,
    body: QuotesBodySchema,
    answer: QuotesAnswerSchema,
    contract: EXCLUDED,
    handle: ({ body }) => pushRows(services, body, () => null),
  });
}

function session(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/maker/session',
    access: 'maker',
    body: MakerSessionRequestSchema,
    answer: MakerSessionAnswerSchema,
    contract: EXCLUDED,
    handle: ({ body: { attemptId } }) =>
      submit(services, { kind: 'quote-session', attemptId }, (outcome) => ({
        session: outcome.session,
        attemptId,
      })),
  });
}

function push(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/maker/quotes',
    access: 'maker',
    bodyLimitBytes: PUSH_BYTES_MAX,
    takesQuoteBytes: true,
    body: QuotesBodySchema,
    answer: QuotesAnswerSchema,
    contract: EXCLUDED,
    handle: ({ headers, body }) => pushRows(services, body, () => liveSession(services, headers)),
  });
}

function pull(services: Services): Route {
  return route({
    method: 'POST',
    path: '/v1/maker/pull',
    access: 'maker',
    answer: MakerPullAnswerSchema,
    contract: EXCLUDED,
    handle: ({ headers }) =>
      submit(services, { kind: 'pull', session: liveSession(services, headers) }, ({ pulled }) => ({
        pulled,
      })),
  });
}

function account({ state }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/maker/account',
    access: 'maker',
    answer: MakerAccountSchema,
    contract: EXCLUDED,
    handle: () => makerAccountView(state),
  });
}

/** Ascending, so that the last id is where to go on. */
function fills({ state }: Services): Route {
  return route({
    method: 'GET',
    path: '/v1/maker/fills',
    access: 'maker',
    query: MakerFillsQuerySchema,
    answer: MakerFillsSchema,
    contract: EXCLUDED,
    handle: ({ query }) => {
      const after = Number(query.after ?? 0);
      return { fills: state.accounts[MAKER]!.fills.filter(({ id }) => id > after).map(fillView) };
    },
  });
}

/** The session that a request names, if nothing has fenced it. The engine looks again when the entry is applied. */
function liveSession({ state }: Services, headers: IncomingHttpHeaders): number {
  const text = headers['x-quote-session']?.toString() ?? '';
  const named = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  return isLiveSession(state, named) ? named : refuse('noQuoteSession');
}

/**
 * Only rows that change something cross the log, and a sign of life where none has for some time. A body that cannot be
 * read is refused before anybody asks for its session, whatever form it has.
 */
async function pushRows(
  services: Services,
  body: QuotesBody | Uint8Array,
  sessionOf: () => number | null,
): Promise<QuotesAnswer | Uint8Array> {
  const { state } = services;
  const read = readPush(state, body);
  const session = sessionOf();
  const sent = changingRows(state, read.rows);
  const answer =
    sent.length === 0 && !isHeartbeatDue(services)
      ? pushAnswer(read, sent, { applied: 0, kept: 0, rowErrors: [], unknownSids: [] })
      : await submit(services, { kind: 'quotes', session, rows: sent.map(({ row }) => row) }, (outcome) =>
          pushAnswer(read, sent, outcome),
        );
  return body instanceof Uint8Array ? encodeQuotesAnswer(answer) : answer;
}

function isHeartbeatDue({ state, now }: Services): boolean {
  const ttlMs = state.parameters?.quoteTtlMs ?? 0;
  return now() - state.lastQuoteTs >= ttlMs / HEARTBEATS_PER_TTL;
}
