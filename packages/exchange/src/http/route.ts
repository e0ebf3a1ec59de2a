/** A route as data: who may call it, in which modes, with what body, how it is documented, and what it does. */

import type { IncomingHttpHeaders } from 'node:http';
import type { FundingMode } from '@venue/engine';
import type { Address, PublicError } from '@venue/protocol';
import type { Static, TSchema, TUnknown } from 'typebox';

export const KIB = 1024;
export const MIB = 1024 * KIB;

export const HEALTH_PATH = '/healthz';
export const LIVE_PATH = '/livez';
export const READY_PATH = '/readyz';
export const METRICS_PATH = '/metrics';
export const CLOCK_PATH = '/v1/operator/clock';

/** Answered also by a node that answers nothing else, for whoever wants to know why. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set([
  HEALTH_PATH,
  LIVE_PATH,
  READY_PATH,
  METRICS_PATH,
  CLOCK_PATH,
]);

/** Answered before the service is open. */
export const ANSWERED_EARLY: ReadonlySet<string> = new Set([LIVE_PATH, READY_PATH, CLOCK_PATH]);

/**
 * Who is let in before the body is read:
 * - `public` and `signed`: anyone; a signed write proves itself by what is in its body, or by a token.
 * - `bearer`: who holds the token of an account.
 * - `feed`, `maker` and `operator`: who holds the secret of the feeds, of the maker, or of the operators.
 * - `local`: who asks from this machine, and not through a proxy, or holds the secret of the operators.
 * - `attempt`: anyone, also with a body that cannot be read, as each attempt has to be recorded. The handler judges it.
 * - `unsigned-maker`: who holds the secret of the maker, and nobody while signing is mandatory (FINE-14).
 */
export type Access =
  | 'public'
  | 'signed'
  | 'bearer'
  | 'feed'
  | 'maker'
  | 'operator'
  | 'local'
  | 'attempt'
  | 'unsigned-maker';

/** How the public contract counts the route. */
export type Contract = { readonly summary: string } | { readonly excluded: string };

export interface RouteRequest<Query, Body> {
  readonly headers: IncomingHttpHeaders;
  /** Whose token came with a `bearer` request; null on any other route. */
  readonly bearer: Address | null;
  /** The parts of the path that its pattern names, as they came. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: Query;
  readonly body: Body;
  /** Why the body of an `attempt` could not be read; null on any other route. */
  readonly bodyFault: PublicError | null;
}

interface RouteRow<Query extends TSchema, Body extends TSchema> {
  readonly method: 'GET' | 'POST';
  /** A part in braces stands for any text without a slash. */
  readonly path: string;
  readonly access: Access;
  /** In any other mode the route does not exist. */
  readonly modes?: readonly FundingMode[];
  readonly bodyLimitBytes?: number;
  /** The body may also be a push in bytes, which no schema describes; the answer is then in bytes too. */
  readonly takesQuoteBytes?: boolean;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: TSchema;
  readonly contract: Contract;
  /** Gives the body of a 200, as a value, as JSON text or as a `Content`, or an `Answer`; throws `HttpError`. */
  readonly handle: (request: RouteRequest<Static<Query>, Static<Body>>) => unknown;
}

export type Route = Omit<RouteRow<TSchema, TSchema>, 'handle'> & {
  readonly handle: (request: RouteRequest<unknown, unknown>) => unknown;
};

/** A row of the table; its handler sees query and body as their schemas type them, because the server checks both. */
export function route<Query extends TSchema = TUnknown, Body extends TSchema = TUnknown>(
  row: RouteRow<Query, Body>,
): Route {
  return row as unknown as Route;
}

/** The body limit where the specification sets none (HTTP-2). */
export function bodyLimitOf({ bodyLimitBytes = MIB }: Route): number {
  return bodyLimitBytes;
}

/** A body under another status than 200. */
export class Answer {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body as it goes out, with headers that only it has. */
export class Content {
  readonly contentType: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = NO_HEADERS,
  ) {
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }
}

const NO_HEADERS = {} as const;
