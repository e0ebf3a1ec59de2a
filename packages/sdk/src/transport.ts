/** One request, one JSON answer. Reads are retried where that may help; writes never are. */

import { venueUrlFault } from '@venue/protocol';
import { Backoff, pause } from './backoff.ts';
import {
  RateLimitedError,
  UnavailableError,
  VenueTimeoutError,
  VenueUnreachableError,
  venueErrorOf,
} from './errors.ts';

export interface TransportOptions {
  /** Base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Time limit of one call, including a read's retries; by default 10 s. */
  readonly timeoutMs?: number;
}

export interface VenueRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: HeaderMap;
}

type HeaderMap = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const READ_ATTEMPTS = 3;

const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** fetch's error codes when no connection was made, so that nothing can have been sent. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** An answer whose body is not parsed yet. */
export interface Raw {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly bytes: Uint8Array;
}

export class Transport {
  readonly url: string;
  readonly #timeoutMs: number;
  /** A read was given up, and none has been answered since. */
  #isFailing = false;

  /** Throws `TypeError` for an invalid address, and with each request for a header that cannot be sent. */
  constructor({ url, timeoutMs = TIMEOUT_MS }: TransportOptions) {
    const fault = venueUrlFault(url);
    if (fault !== null) throw new TypeError(`the venue's address ${fault}`);
    if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs ${timeoutMs} is no time to wait`);
    this.url = new URL(url).href.replace(/\/$/, '');
    this.#timeoutMs = timeoutMs;
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

  async #read<T>(path: string, request: VenueRequest | undefined, parse: (raw: Raw) => T): Promise<T> {
    const untilMs = performance.now() + this.#timeoutMs;
    const backoff = new Backoff();
    let earlierError: unknown;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = parse(checked(await this.send(path, {}, request, untilMs - performance.now())));
        this.#isFailing = false;
        return answer;
      } catch (error) {
        const askedMs = waitAsked(error);
        const waitMs = Math.max(backoff.next(), askedMs);
        const isLast = this.#isFailing || attempt >= READ_ATTEMPTS || performance.now() + waitMs >= untilMs;
        // A refusal is an answer.
        if (isLast) this.#isFailing = askedMs !== Infinity;
        // The time limit ended the last attempt, so the venue's answer to an earlier one says more.
        if (isLast) throw error instanceof VenueTimeoutError ? (earlierError ?? error) : error;
        earlierError = error;
        await pause(waitMs);
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
    { query = {}, headers = {} }: VenueRequest = {},
    limitMs = this.#timeoutMs,
  ): Promise<Raw> {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    checkHeaders(headers);
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs)));
    try {
      const all = { ...(init.body && { 'content-type': 'application/json' }), ...headers };
      const response = await fetch(url, { ...init, headers: all, signal });
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, retryAfter, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (cause) {
      const reason = signal.aborted ? `none in ${this.#timeoutMs} ms` : reasonOf(cause);
      const Kind = signal.aborted ? VenueTimeoutError : VenueUnreachableError;
      throw new Kind(`no answer from ${this.url}: ${reason}`, { cause, neverSent: NEVER_SENT.test(reason) });
    }
  }
}

/** The wait before a repeat that the venue asks for, in ms; infinite if a repeat does not help. */
export function waitAsked(error: unknown): number {
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
  const { error } = Object(parseJson(raw)) as { error?: unknown };
  if (typeof error !== 'string' && status !== 429) throw notOfTheVenue(raw);
  // In seconds; a date counts as absent.
  throw venueErrorOf(status, String(error ?? `HTTP ${status}`), Number(retryAfter) * 1_000 || null);
}

/** The body of an answer that must be JSON. */
function jsonOf(raw: Raw): object {
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
