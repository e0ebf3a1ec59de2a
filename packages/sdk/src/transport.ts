/** One request, one JSON answer. Reads are asked again where that may help; writes never are. */

import { Backoff, pause } from './backoff.ts';
import {
  RateLimitedError,
  UnavailableError,
  VenueTimeoutError,
  VenueUnreachableError,
  venueErrorOf,
} from './errors.ts';

export interface TransportOptions {
  /** Base address, `http://127.0.0.1:8080` or the like. */
  readonly url: string;
  /** Time limit of one call, with the repetitions of a read (10 s). */
  readonly timeoutMs?: number;
}

export interface VenueRequest {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: HeaderMap;
}

type HeaderMap = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const READ_ATTEMPTS = 3;

/** What a header carries as it is. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** What fetch says where no connection was made, so that nothing can have been sent. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Whether a secret can be sent in a header as it is: printable ASCII without spaces (CRED-1).
 *
 * @example isHeaderText('not one') // false
 */
export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/**
 * Why a text is no address that a client can be given, to be put behind the name of its variable, or null when it is
 * one. A password is never repeated.
 *
 * @example venueUrlFault('venue') // 'must be an http address, not "venue"'
 */
export function venueUrlFault(text: string): string | null {
  if (text.includes('@')) return 'must be an http address without user and password';
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? null
    : `must be an http address, not "${text}"`;
}

/** An answer as it came, for calls that expect more than 2xx. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer whose body is not looked at yet. */
export interface Raw {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly bytes: Uint8Array;
}

export class Transport {
  readonly url: string;
  readonly #timeoutMs: number;

  /** Throws `TypeError` when the address is none, and with each request for a header that cannot be sent. */
  constructor({ url, timeoutMs = TIMEOUT_MS }: TransportOptions) {
    const fault = venueUrlFault(url);
    if (fault !== null) throw new TypeError(`the venue's address ${fault}`);
    this.url = new URL(url).href.replace(/\/$/, '');
    this.#timeoutMs = timeoutMs;
  }

  /** The body of a 2xx; throws `VenueError` for any other status and `VenueUnreachableError` without an answer. */
  async get<T>(path: string, request?: VenueRequest): Promise<T> {
    return parseJson(await this.getText(path, request)) as T;
  }

  /**
   * As `get`, for an answer that is no JSON. A read changes nothing, so it is asked for again after 429, 5xx and lost
   * connections, within the time limit.
   */
  async getText(path: string, request?: VenueRequest): Promise<string> {
    const untilMs = performance.now() + this.#timeoutMs;
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return textOf(checked(await this.send(path, {}, request, untilMs - performance.now())));
      } catch (error) {
        const waitMs = Math.max(backoff.next(), waitAsked(error));
        if (attempt >= READ_ATTEMPTS || performance.now() + waitMs >= untilMs) throw error;
        await pause(waitMs);
      }
    }
  }

  /** As `get`, for a POST with a JSON body; it is sent once. */
  async post<T>(path: string, body: object, request?: VenueRequest): Promise<T> {
    return bodyOf<T>(await this.answer(path, body, request));
  }

  /** The answer to a POST where it is 2xx or 400, whose body may be a declined order; throws as `post` does for others. */
  async answer(path: string, body: object, request?: VenueRequest): Promise<Answer> {
    const raw = await this.send(path, { method: 'POST', body: JSON.stringify(body) }, request);
    return { status: raw.status, body: parseJson(textOf(raw.status === 400 ? raw : checked(raw))) };
  }

  /** The answer whatever it is; throws `VenueUnreachableError` without one. The content type is JSON unless the headers name one. */
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

/** How long the venue asks to wait before the same is sent again, in ms; forever where sending it again does not help. */
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

/** Throws `VenueError` for an answer that is no 2xx. */
export function checked(raw: Raw): Raw {
  const { status, retryAfter } = raw;
  if (status >= 200 && status < 300) return raw;
  // In seconds; one that is a date counts as none.
  throw refusalOf(status, parseJson(textOf(raw)), Number(retryAfter) * 1_000 || null);
}

/** The body of an answer that is no 400. */
export function bodyOf<T>({ status, body }: Answer): T {
  if (status === 400) throw refusalOf(status, body);
  return body as T;
}

/** The error that an answer stands for, with the venue's text where there is one. */
function refusalOf(status: number, body: unknown, retryAfterMs?: number | null) {
  const { error = `HTTP ${status}` } = Object(body) as { error?: unknown };
  return venueErrorOf(status, String(error), retryAfterMs);
}

function textOf({ bytes }: Raw): string {
  return new TextDecoder().decode(bytes);
}

// A proxy in front of the venue may answer with something else than JSON; its status still says what happened.
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// fetch says only `fetch failed`; what failed is in its cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
