/** One request, one JSON answer. Reads are retried where that may help; writes never are. */

import { venueUrlFault } from '@venue/protocol';
import { Backoff, pause } from './backoff.ts';
import {
  AbortedError,
  RateLimitedError,
  UnavailableError,
  VenueTimeoutError,
  VenueUnreachableError,
  venueErrorOf,
} from './errors.ts';
import { Handlers, type OnHandlerError } from './handlers.ts';
import { type Limiter, limiterOf } from './limiter.ts';

/** A request that is about to leave. */
export interface RequestNews {
  readonly method: string;
  /** With the query, without the address. */
  readonly path: string;
}

/** The outcome of a request. */
export interface ResponseNews extends RequestNews {
  /** Null if no answer came; `error` then says why. */
  readonly status: number | null;
  readonly error?: Error;
  readonly durationMs: number;
  /** The log entry that the answer shows (VEN-2), or null. */
  readonly seq: number | null;
}

export interface TransportOptions extends CallOptions {
  /** Base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /**
   * Address of followers of the venue (FOL-1): reads and streams go there, and show no state from before the last answer
   * to a write of this client. By default, everything goes to `url`.
   */
  readonly readUrl?: string;
  /** Sends requests in the place of the runtime's `fetch`: with a proxy, an agent or certificates of one's own. */
  readonly fetch?: typeof fetch;
  /**
   * True if requests wait their turn to stay within the budget of the venue's edge. By default they do at an address
   * with https, where there is an edge.
   */
  readonly limiter?: boolean;
  /** Called before each request, retries too; headers that it returns are sent along. */
  readonly onRequest?: (request: RequestNews) => HeaderMap | undefined;
  /** Called after each request. */
  readonly onResponse?: (response: ResponseNews) => void;
  /** Receives what hooks and handlers throw; by default `console.error`. */
  readonly onHandlerError?: OnHandlerError;
}

/** Bounds of one call, or of all calls of a client. */
export interface CallOptions {
  /** Time limit of one request, with a read's retries; by default 10 s. */
  readonly timeoutMs?: number;
  /** Ends the call early; what had not been sent never is. */
  readonly signal?: AbortSignal;
}

export interface VenueRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: HeaderMap;
  /** True if it must not wait behind orders: a batch that only cancels or renews a guard. */
  readonly isUrgent?: boolean;
}

export type HeaderMap = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const READ_ATTEMPTS = 3;

const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** fetch's error codes when no connection was made, so that nothing can have been sent. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** An answer whose body is not parsed yet. */
export interface Raw {
  readonly status: number;
  /** The code of a refusal (ERR-1). */
  readonly code: string | null;
  readonly retryAfter: string | null;
  /** The log entry that it shows (VEN-2), or null. */
  readonly seq: number | null;
  readonly bytes: Uint8Array;
}

/** State that all transports of one client share. */
interface TransportState {
  /** A read was given up, and none has been answered since. */
  isFailing: boolean;
  stopped: Error | null;
  /** The newest log entry that an answer to a write has shown; 0 before the first. */
  writtenSeq: number;
}

export class Transport {
  readonly url: string;
  /** The address that reads and streams go to. */
  readonly readUrl: string;
  readonly handlers: Handlers;
  /** Time limit of one request. */
  readonly timeoutMs: number;
  readonly #options: TransportOptions;
  readonly #state: TransportState;

  /** Throws `TypeError` for an invalid address, and with each request for a header that cannot be sent. */
  constructor(
    options: TransportOptions,
    state: TransportState = { isFailing: false, stopped: null, writtenSeq: 0 },
  ) {
    const { url, readUrl = url, timeoutMs = TIMEOUT_MS } = options;
    if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs ${timeoutMs} is no time to wait`);
    this.url = baseOf(url);
    this.readUrl = baseOf(readUrl);
    this.handlers = new Handlers(options.onHandlerError);
    this.#options = options;
    this.#state = state;
    this.timeoutMs = timeoutMs;
  }

  /** The same way to the venue, for calls with other bounds. A signal is added to the one there is. */
  with({ signal, timeoutMs }: CallOptions): Transport {
    if (signal === undefined && timeoutMs === undefined) return this;
    const signals = [this.#options.signal, signal].filter((one) => one !== undefined);
    const bounded = {
      ...this.#options,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signals.length > 0 && { signal: signals.length === 1 ? signals[0]! : AbortSignal.any(signals) }),
    };
    return new Transport(bounded, this.#state);
  }

  /** The same way for calls that must not go to a follower: a node knows what came of a write that it was sent. */
  toNodes(): Transport {
    const { readUrl: _, ...options } = this.#options;
    return this.readUrl === this.url ? this : new Transport(options, this.#state);
  }

  /** Sends nothing more: every later call throws this error, which is returned. */
  stop(error: Error): Error {
    this.#state.stopped = error;
    return error;
  }

  /** Ends the calls of this transport. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /**
   * The body of a 2xx; throws `VenueError` for any other status and `VenueUnreachableError` without an answer. A read
   * changes nothing, so it is retried after 429, 5xx, lost connections and answers that are not the venue's, within
   * the time limit. After a read was given up, reads are sent once each until the venue answers one: a program that
   * polls sets its own pace.
   */
  async get<T>(path: string, request?: VenueRequest): Promise<T> {
    return (await this.#read(path, request, jsonOf)) as T;
  }

  /** Same as `get`, for an answer that is not JSON. */
  getText(path: string, request?: VenueRequest): Promise<string> {
    return this.#read(path, request, textOf);
  }

  /** Same as `get`, for bytes. */
  getBytes(path: string, request?: VenueRequest): Promise<Uint8Array> {
    return this.#read(path, request, ({ bytes }) => bytes);
  }

  /** Same as `get`, with the log entry that the answer shows. */
  getShown<T>(
    path: string,
    request?: VenueRequest,
  ): Promise<{ readonly body: T; readonly seq: number | null }> {
    return this.#read(path, request, (raw) => ({ body: jsonOf(raw) as T, seq: raw.seq }));
  }

  async #read<T>(path: string, request: VenueRequest | undefined, parse: (raw: Raw) => T): Promise<T> {
    const untilMs = performance.now() + this.timeoutMs;
    const backoff = new Backoff();
    let earlierError: unknown;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = parse(checked(await this.send(path, {}, request, untilMs - performance.now())));
        this.#state.isFailing = false;
        return answer;
      } catch (error) {
        const askedMs = waitAsked(error);
        const waitMs = Math.max(backoff.next(), askedMs);
        const isLast =
          this.#state.isFailing || attempt >= READ_ATTEMPTS || performance.now() + waitMs >= untilMs;
        // A refusal is an answer.
        if (isLast) this.#state.isFailing = askedMs !== Infinity;
        // The time limit ended the last attempt, so the venue's answer to an earlier one says more.
        if (isLast) throw error instanceof VenueTimeoutError ? (earlierError ?? error) : error;
        earlierError = error;
        await pause(waitMs, this.signal);
      }
    }
  }

  /**
   * Same as `get`, for a POST with a JSON body, sent once. A declined order is a 400 with a status of its own, and an
   * answer like any other.
   */
  async post<T>(path: string, body: object, request?: VenueRequest): Promise<T> {
    const raw = await this.send(path, { method: 'POST', body: JSON.stringify(body) }, request);
    const isDeclined = raw.status === 400 && Object(parseJson(raw)).status !== undefined;
    return jsonOf(isDeclined ? raw : checked(raw)) as T;
  }

  /**
   * The answer of any status; throws `VenueUnreachableError` without one. The content type is JSON unless the headers
   * name one.
   */
  async send(
    path: string,
    init: RequestInit,
    { query = {}, headers = {}, isUrgent = false }: VenueRequest = {},
    limitMs = this.timeoutMs,
  ): Promise<Raw> {
    const isRead = (init.method ?? 'GET') === 'GET';
    const base = isRead ? this.readUrl : this.url;
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    checkHeaders(headers);
    if (this.#state.stopped !== null) throw this.#state.stopped;
    const asked = this.signal;
    if (asked?.aborted) throw abortedBefore(asked);
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)));
    await this.#limiter(base)?.admit(path, {
      limitMs,
      isUrgent,
      ...(asked && { signal: asked }),
    });
    const { onRequest } = this.#options;
    const news = { method: init.method ?? 'GET', path: url.pathname + url.search };
    const more = onRequest && this.handlers.call(() => onRequest(news));
    const all = {
      ...(init.body && { 'content-type': 'application/json' }),
      ...(isRead && this.#known),
      ...more,
      ...headers,
    };
    const signal = asked === undefined ? late : AbortSignal.any([late, asked]);
    return this.#told(news, async () => {
      try {
        const raw = await this.#fetch(url, { ...init, headers: all, signal });
        if (!isRead) this.#state.writtenSeq = Math.max(this.#state.writtenSeq, raw.seq ?? 0);
        return raw;
      } catch (cause) {
        throw this.#failure(cause, { late, asked });
      }
    });
  }

  /** A follower must not show the state before an own write. */
  get #known(): HeaderMap {
    const { writtenSeq } = this.#state;
    return this.readUrl !== this.url && writtenSeq > 0 ? { 'x-venue-after': `${writtenSeq}` } : {};
  }

  /** Null at an address without an edge that counts. */
  #limiter(base: string): Limiter | null {
    return (this.#options.limiter ?? base.startsWith('https:')) ? limiterOf(base) : null;
  }

  async #fetch(url: URL, init: RequestInit): Promise<Raw> {
    // A property would be called with its object as `this`, which browsers refuse.
    const { fetch: send = fetch } = this.#options;
    const answer = await send(url, init);
    const { status, headers } = answer;
    const seq = headers.get('x-venue-seq');
    return {
      status,
      code: headers.get('x-venue-code'),
      retryAfter: headers.get('retry-after'),
      seq: seq === null ? null : Number(seq),
      bytes: new Uint8Array(await answer.arrayBuffer()),
    };
  }

  /** Sends, and tells the hook what came of it. */
  async #told(news: RequestNews, send: () => Promise<Raw>): Promise<Raw> {
    const { onResponse } = this.#options;
    if (onResponse === undefined) return send();
    const startedMs = performance.now();
    const tell = (outcome: Pick<ResponseNews, 'status' | 'seq' | 'error'>) => {
      const durationMs = performance.now() - startedMs;
      this.handlers.call(() => onResponse({ ...news, ...outcome, durationMs }));
    };
    try {
      const raw = await send();
      tell({ status: raw.status, seq: raw.seq });
      return raw;
    } catch (error) {
      tell({ status: null, seq: null, error: error as Error });
      throw error;
    }
  }

  #failure(cause: unknown, { late, asked }: { late: AbortSignal; asked: AbortSignal | undefined }): Error {
    if (asked?.aborted)
      return new AbortedError(`no answer from ${this.url}: the call was ended`, { cause: asked.reason });
    const reason = late.aborted ? `none in ${this.timeoutMs} ms` : reasonOf(cause);
    const Kind = late.aborted ? VenueTimeoutError : VenueUnreachableError;
    return new Kind(`no answer from ${this.url}: ${reason}`, { cause, neverSent: NEVER_SENT.test(reason) });
  }
}

/** Throws `TypeError` for an invalid address. */
function baseOf(url: string): string {
  const fault = venueUrlFault(url);
  if (fault !== null) throw new TypeError(`the venue's address ${fault}`);
  return new URL(url).href.replace(/\/$/, '');
}

function abortedBefore(signal: AbortSignal): AbortedError {
  return new AbortedError('the call was ended before it was sent', { cause: signal.reason, neverSent: true });
}

/** The wait before a repeat that the venue asks for, in ms; infinite if a repeat does not help. */
export function waitAsked(error: unknown): number {
  if (error instanceof AbortedError) return Infinity;
  if (error instanceof RateLimitedError) return error.retryAfterMs ?? 0;
  return error instanceof UnavailableError || error instanceof VenueUnreachableError ? 0 : Infinity;
}

// fetch would show the value, which may be a secret.
function checkHeaders(headers: HeaderMap): void {
  for (const [name, value] of Object.entries(headers)) {
    if (HEADER_VALUE.test(value)) continue;
    throw new TypeError(`the header ${name} cannot be sent: it must be printable ASCII`);
  }
}

/** Throws `VenueError` for a status other than 2xx. */
export function checked(raw: Raw): Raw {
  const { status, retryAfter } = raw;
  if (status >= 200 && status < 300) return raw;
  const { error, lastNonce } = Object(parseJson(raw)) as { error?: unknown; lastNonce?: unknown };
  if (typeof error !== 'string' && status !== 429) throw notOfTheVenue(raw);
  // In seconds; a date counts as absent.
  throw venueErrorOf({
    ...{ status, code: raw.code, message: String(error ?? `HTTP ${status}`) },
    retryAfterMs: Number(retryAfter) * 1_000 || null,
    lastNonce: typeof lastNonce === 'number' ? lastNonce : null,
  });
}

/** The body of an answer that must be JSON. */
export function jsonOf(raw: Raw): object {
  const body = parseJson(raw);
  if (typeof body !== 'object' || body === null) throw notOfTheVenue(raw);
  return body;
}

// Something in between answered in the venue's place, whatever the status: it may have passed the request on.
function notOfTheVenue({ status }: Raw): UnavailableError {
  return new UnavailableError(status, `HTTP ${status}, without an answer of the venue`);
}

function textOf({ bytes }: Raw): string {
  return new TextDecoder().decode(bytes);
}

function parseJson(raw: Raw): unknown {
  try {
    return JSON.parse(textOf(raw));
  } catch {
    return undefined;
  }
}

// fetch says only `fetch failed`; the cause says what failed.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
