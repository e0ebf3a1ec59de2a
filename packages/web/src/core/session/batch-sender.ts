/**
 * Sends batches under the session key of this browser. A lost answer is never a second order: the same bytes go out
 * again while their nonce lives, and a spent nonce proves that they were carried out (CID-1).
 */

import {
  type Account,
  type ActionWire,
  type BatchAnswer,
  batchEnvelope,
  MESSAGES,
  type OrderList,
  type OrderRecord,
  type PlaceResult,
  readActions,
  type Venue,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import {
  OutcomeUnknownError,
  pause,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  type VenueClient,
  VenueError,
  VenueUnreachableError,
} from '@venue/sdk/browser';
import type { ActionDone, BatchDone, SendBatch } from '../batches.ts';
import type { SessionStore } from './store.ts';

/** Well within the minute for which the venue takes a nonce. */
const RESEND_MS = 30_000;
const RESEND_EVERY_MS = 1_000;
const ANSWER_MS = 10_000;

export interface BatchSenderOptions {
  readonly client: VenueClient;
  readonly kept: SessionStore;
  readonly nonceOf: (sessionKey: string) => number | Promise<number>;
  readonly fetch?: typeof fetch;
}

interface Answer {
  readonly status: number;
  readonly body: Partial<BatchAnswer> & { readonly error?: string };
  readonly retryAfterMs: number | null;
}

export function batchSender(options: BatchSenderOptions): SendBatch {
  return async (actions) => {
    const named = actions.map(withClientId);
    const body = await signed(named, options);
    return deliver(named, body, options);
  };
}

/** Every order has an id of its own, by which it is found after a lost answer. */
function withClientId(action: ActionWire): ActionWire {
  if (action.type !== 'place' || action.clientId !== undefined) return action;
  return { ...action, clientId: crypto.randomUUID() };
}

async function signed(actions: readonly ActionWire[], options: BatchSenderOptions): Promise<string> {
  const session = await options.kept.load();
  if (session === null) throw new UnauthorizedError(401, MESSAGES.unknownSessionKey.error);
  const read = readActions(actions);
  if ('error' in read) throw new RefusedError(read.status, read.error);
  const { account, sessionKey, privateKey } = session;
  const venue = session.venue ?? (await venueId(options));
  const nonce = await options.nonceOf(sessionKey);
  const signature = signPersonal(batchEnvelope({ venue, account, actions: read, nonce }), privateKey);
  return JSON.stringify({ actions, sessionKey, nonce, signature });
}

async function venueId(options: BatchSenderOptions): Promise<string> {
  const { body } = await call('/v1/venue', {}, options);
  return (body as unknown as Venue).venue;
}

async function deliver(
  actions: readonly ActionWire[],
  body: string,
  options: BatchSenderOptions,
): Promise<BatchDone> {
  const untilMs = performance.now() + RESEND_MS;
  for (let lost: Error | null = null; ; await pause(RESEND_EVERY_MS)) {
    try {
      const {
        status,
        body: answer,
        retryAfterMs,
      } = await call('/v1/batch', { method: 'POST', body }, options);
      if (status === 200)
        return { results: answer.results ?? [], account: answer.account!, isRecovered: lost !== null };
      if (status < 500)
        return await refused(errorOf(status, answer.error ?? '', retryAfterMs), { actions, lost, options });
      lost = new UnavailableError(status, answer.error ?? '');
    } catch (error) {
      // Only a missing answer is asked for again.
      if (!(error instanceof VenueUnreachableError)) throw error;
      lost = error;
    }
    if (performance.now() > untilMs) throw unknown(actions, lost, options);
  }
}

interface Sent {
  readonly actions: readonly ActionWire[];
  /** Why the first answer was lost, or null if none was. */
  readonly lost: Error | null;
  readonly options: BatchSenderOptions;
}

/** A spent nonce after a lost answer: the first sending was carried out. */
async function refused(error: VenueError, { actions, lost, options }: Sent): Promise<BatchDone> {
  if (error.message === MESSAGES.badSignature.error) await options.client.auth.renew();
  if (error.message !== MESSAGES.nonceUsed.error) throw error;
  if (lost === null) throw unknown(actions, error, options);
  return recovered(actions, options);
}

async function recovered(actions: readonly ActionWire[], options: BatchSenderOptions): Promise<BatchDone> {
  const results = await Promise.all(actions.map((action) => foundResult(action, options)));
  return { results, account: await options.client.account.me(), isRecovered: true };
}

async function foundResult(action: ActionWire, options: BatchSenderOptions): Promise<ActionDone> {
  switch (action.type) {
    case 'place':
    case 'amend': {
      const order = await orderOf(action, options);
      // It is in the log, and there is no such order or it has other terms: it was declined.
      if (order === null || !isAsAsked(action, order))
        return { type: action.type, status: 'rejected', orderId: 0, fills: [] };
      return foundOrder(action.type, order);
    }
    case 'cancel': {
      const order = await orderOf(action, options);
      return { type: 'cancel', ok: order?.cause === 'user', orderId: order?.id ?? 0 };
    }
    case 'cancel-all':
      return { type: 'cancel-all', ok: true, pulled: null };
    case 'guard':
      return { type: 'guard', ok: true };
  }
}

/** A total at or below what had filled ends an order with the quantity that it had. */
function isAsAsked({ type, qty, price }: PlaceOrAmend, order: OrderRecord): boolean {
  if (type === 'place') return true;
  const isEnded = order.status !== 'open' && qty !== undefined && qty <= order.filledQty;
  return isEnded || ((qty ?? order.qty) === order.qty && (price ?? order.price) === order.price);
}

type PlaceOrAmend = Extract<ActionWire, { type: 'place' | 'amend' }>;

function foundOrder(type: 'place' | 'amend', order: OrderRecord): PlaceResult {
  const { id: orderId, status, filledQty, avgPrice, remaining: restedQty } = order;
  const fills = avgPrice === null ? [] : [{ price: avgPrice, qty: filledQty }];
  const open = filledQty > 0 ? 'partial' : status === 'open' ? 'rested' : 'cancelled';
  return { type, status: status === 'filled' ? 'filled' : open, orderId, fills, restedQty };
}

async function orderOf(
  { orderId, clientId }: { readonly orderId?: number; readonly clientId?: string },
  options: BatchSenderOptions,
): Promise<OrderRecord | null> {
  const path = clientId === undefined ? `/v1/orders/${orderId}` : `/v1/orders/client/${clientId}`;
  const { status, body } = await call(path, {}, options);
  if (status === 200) return body as unknown as OrderRecord;
  if (status === 404) return null;
  throw errorOf(status, body.error ?? '', null);
}

/** Nothing is known; the person may have it looked for again. */
function unknown(
  actions: readonly ActionWire[],
  cause: Error,
  options: BatchSenderOptions,
): OutcomeUnknownError {
  const find = async (): Promise<OutcomeUnknownError> => {
    const known = { verdict: 'unknown', account: null, fillsSince: [], likelyOrderIds: [] } as const;
    const placed = actions.filter((action) => action.type === 'place');
    const orders = await Promise.all(placed.map((action) => orderOf(action, options))).catch(() => []);
    const found = orders.flatMap((order) => (order === null ? [] : [order]));
    if (found.length === 0) return new OutcomeUnknownError(cause.message, known, { cause, lookAgain: find });
    const account: Account = await options.client.account.me();
    const fillsSince = await options.client.account.fills({ limit: 100 });
    const likelyOrderIds = found.map(({ id }) => id);
    return new OutcomeUnknownError(cause.message, {
      verdict: 'carried out',
      account,
      fillsSince,
      likelyOrderIds,
    });
  };
  const nothing = { verdict: 'unknown', account: null, fillsSince: [], likelyOrderIds: [] } as const;
  return new OutcomeUnknownError(cause.message, nothing, { cause, lookAgain: find });
}

async function call(
  path: string,
  init: RequestInit,
  options: Pick<BatchSenderOptions, 'client' | 'fetch'>,
): Promise<Answer> {
  const { client, fetch: ask = fetch } = options;
  const { token, url } = client;
  const headers = {
    ...(init.body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  try {
    const answer = await ask(url + path, { ...init, headers, signal: AbortSignal.timeout(ANSWER_MS) });
    const afterS = Number(answer.headers.get('retry-after') ?? Number.NaN);
    const retryAfterMs = Number.isNaN(afterS) ? null : afterS * 1_000;
    return { status: answer.status, body: await answer.json(), retryAfterMs };
  } catch (cause) {
    throw new VenueUnreachableError('no answer', { cause });
  }
}

function errorOf(status: number, message: string, retryAfterMs: number | null): VenueError {
  if (status === 429) return new RateLimitedError(status, message, retryAfterMs);
  if (status === 401) return new UnauthorizedError(status, message);
  return status === 400 ? new RefusedError(status, message) : new VenueError(status, message);
}

const PAGE = 100;

/** A page of closed orders: the newest, or those before an order (CID-2). */
export async function closedOrders(client: VenueClient, before: number | null): Promise<OrderList> {
  const from = before === null ? '' : `&before=${before}`;
  const { status, body, retryAfterMs } = await call(
    `/v1/orders?status=closed&limit=${PAGE}${from}`,
    {},
    { client },
  );
  if (status !== 200) throw errorOf(status, body.error ?? '', retryAfterMs);
  return body as unknown as OrderList;
}
