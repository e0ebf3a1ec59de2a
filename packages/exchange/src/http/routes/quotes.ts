/** Routes of the market maker: quote sessions, quote rows, and reads of its own account (MM-1 to MM-4). */

import type { IncomingHttpHeaders } from 'node:http';
import { isLiveQuoteSession, MAKER } from '@venue/engine';
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
import { fillView } from '../../views/fills.ts';
import { makerAccountView } from '../../views/maker.ts';
import { refuse } from '../errors.ts';
import { type QuotePush, readPush } from '../quote-push.ts';
import { nextSlice, PushTally } from '../quote-slices.ts';
import { type Route, route, Shown } from '../route.ts';
import { type Services, submit } from '../services.ts';
import { Turns } from '../turns.ts';

const EXCLUDED = { excluded: 'called by the market maker alone, with a secret of the operator' };
/** A maker with standing quotes appears in the log at least this often within their time to live. */
const HEARTBEATS_PER_TTL = 4;

export function quoteRoutes(services: Services): Route[] {
  // A push takes several entries, and a later push or pull must come after all of them in the log.
  const turns = new Turns();
  return [
    legacyPush(services, turns),
    registerQuoteSession(services),
    push(services, turns),
    pull(services, turns),
    account(services),
    fills(services),
  ];
}

/** Without a session, and only while signing is optional (FINE-14). */
function legacyPush(services: Services, turns: Turns): Route {
  return route({
    method: 'POST',
    path: '/v1/quotes',
    access: 'unsigned-maker',
    takesQuoteBytes: true,
    body: QuotesBodySchema,
    answer: QuotesAnswerSchema,
    contract: EXCLUDED,
    handle: ({ body }) => pushRows({ services, turns, quoteSessionOf: () => null }, body),
  });
}

function registerQuoteSession(services: Services): Route {
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

function push(services: Services, turns: Turns): Route {
  return route({
    method: 'POST',
    path: '/v1/maker/quotes',
    access: 'maker',
    takesQuoteBytes: true,
    body: QuotesBodySchema,
    answer: QuotesAnswerSchema,
    contract: EXCLUDED,
    handle: ({ headers, body }) =>
      pushRows({ services, turns, quoteSessionOf: () => liveQuoteSession(services, headers) }, body),
  });
}

function pull(services: Services, turns: Turns): Route {
  return route({
    method: 'POST',
    path: '/v1/maker/pull',
    access: 'maker',
    answer: MakerPullAnswerSchema,
    contract: EXCLUDED,
    handle: async ({ headers }) => {
      using _turn = await turns.take();
      const session = liveQuoteSession(services, headers);
      return submit(services, { kind: 'pull', session }, ({ pulled }) => ({ pulled }));
    },
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

/** Ascending, so that a client continues from the last id. */
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
      const { fills: kept } = state.accounts[MAKER]!;
      return { fills: kept.slice(kept.countBelow(after + 1)).map(fillView) };
    },
  });
}

/** The session that a request names, unless it is fenced. The engine checks again when the entry is applied. */
function liveQuoteSession({ state }: Services, headers: IncomingHttpHeaders): number {
  const text = headers['x-quote-session']?.toString() ?? '';
  const named = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  return isLiveQuoteSession(state, named) ? named : refuse('noQuoteSession');
}

interface Pushing {
  readonly services: Services;
  readonly turns: Turns;
  /** The session that a slice is pushed in, null for none; throws the refusal of a push that has lost its session. */
  readonly quoteSessionOf: () => number | null;
}

/** An unreadable body is refused before its session is checked, in any form. */
async function pushRows(
  pushing: Pushing,
  body: QuotesBody | Uint8Array,
): Promise<Shown<QuotesAnswer | Uint8Array>> {
  const { state } = pushing.services;
  const answer = await submitSlices(pushing, readPush(state, body));
  return new Shown(state.seq, body instanceof Uint8Array ? encodeQuotesAnswer(answer) : answer);
}

/**
 * Only rows that change something cross the log, plus a heartbeat if there has been no entry for some time. The next
 * slice waits until the last is applied, so that other requests get their turn. A refused slice ends the push;
 * earlier ones stand (OWN-62).
 */
async function submitSlices(
  { services, turns, quoteSessionOf }: Pushing,
  push: QuotePush,
): Promise<QuotesAnswer> {
  const tally = new PushTally(push);
  using turn = await turns.take();
  let next = 0;
  do {
    const session = quoteSessionOf();
    const slice = nextSlice(services.state, push.rows, { from: next, ts: services.now() });
    next = slice.next;
    if (slice.rows.length === 0 && !isHeartbeatDue(services)) continue;
    const rows = slice.rows.map(({ row }) => row);
    const added = submit(services, { kind: 'quotes', session, rows }, (outcome) =>
      tally.add(slice.rows, outcome),
    );
    // Its position in the log is certain now, so later pushes need not wait until it is written.
    if (next === push.rows.length) turn.pass();
    await added;
  } while (next < push.rows.length);
  return tally.answer;
}

function isHeartbeatDue({ state, now }: Services): boolean {
  const ttlMs = state.parameters?.quoteTtlMs ?? 0;
  return now() - state.lastQuoteTs >= ttlMs / HEARTBEATS_PER_TTL;
}
