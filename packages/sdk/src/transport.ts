/** One request, one JSON answer. */

import { VenueError, VenueUnreachableError } from './errors.ts';

export interface TransportOptions {
  /** Base address, `http://127.0.0.1:8080` or the like. */
  readonly url: string;
  /** Time limit of one request (10 s). */
  readonly timeoutMs?: number;
}

export interface VenueRequest {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;

/** What a header carries as it is. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** Whether a secret can be sent in a header as it is: printable ASCII without spaces (CRED-1). */
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
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? null : `must be an http address, not "${text}"`;
}

/** An answer as it came, for calls that expect more than 2xx. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
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
  async get<T>(path: string, request: VenueRequest = {}): Promise<T> {
    return bodyOf<T>(await this.#send(path, request, { method: 'GET' }));
  }

  /** As `get`, for a write with a JSON body. */
  async post<T>(path: string, body: object, request: VenueRequest = {}): Promise<T> {
    return bodyOf<T>(await this.answer(path, body, request));
  }

  /** As `post`, for a body and an answer in bytes; the content type is among the headers. */
  async postBytes(path: string, bytes: Uint8Array, request: VenueRequest = {}): Promise<Uint8Array> {
    const { ok, status, body } = await this.#fetch(path, request, {
      method: 'POST',
      body: new Uint8Array(bytes),
    });
    return ok ? body : bodyOf({ status, body: parseJson(new TextDecoder().decode(body)) });
  }

  /** The answer to a write whatever its status; throws `VenueUnreachableError` without one. */
  async answer(path: string, body: object, request: VenueRequest = {}): Promise<Answer> {
    return this.#send(path, request, { method: 'POST', body: JSON.stringify(body) });
  }

  async #send(path: string, request: VenueRequest, init: RequestInit): Promise<Answer> {
    const contentType = init.body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...contentType, ...request.headers };
    const { status, body } = await this.#fetch(path, { ...request, headers }, init);
    return { status, body: parseJson(new TextDecoder().decode(body)) };
  }

  async #fetch(path: string, { query = {}, headers = {} }: VenueRequest, init: RequestInit) {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    checkHeaders(headers);
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(url, { ...init, headers, signal });
      const { ok, status } = response;
      return { ok, status, body: new Uint8Array(await response.arrayBuffer()) };
    } catch (cause) {
      throw new VenueUnreachableError(`no answer from ${this.url}: ${reasonOf(cause)}`, { cause });
    }
  }
}

// fetch would show the value, which may be a secret.
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      throw new TypeError(`the header ${name} cannot be sent: its value must be ASCII without line breaks`);
    }
  }
}

/** The body of a 2xx answer; throws `VenueError` with the venue's text for any other. */
export function bodyOf<T>({ status, body }: Answer): T {
  if (status >= 200 && status < 300) return body as T;
  const text =
    typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : `HTTP ${status}`;
  throw new VenueError(status, text);
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
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : error.message;
}
