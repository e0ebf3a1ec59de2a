/** A route as data: who may call it, in which modes, with what body, how it is documented, and what it does. */

import type { IncomingHttpHeaders } from 'node:http';
import type { OperatorRole } from '@venue/config';
import type { FundingMode } from '@venue/engine';
import type { Address, ErrorName, PublicError } from '@venue/protocol';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { FilePart } from './file-part.ts';

export const KIB = 1024;
export const MIB = 1024 * KIB;

export const HEALTH_PATH = '/healthz';
export const LIVE_PATH = '/livez';
export const READY_PATH = '/readyz';
export const METRICS_PATH = '/metrics';
export const CLOCK_PATH = '/v1/operator/clock';

/** Answered even by a node that answers nothing else, to show why. */
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
 * Who is admitted before the body is read:
 * - `public` and `signed`: anyone; a signed write is authorized by its body, or by a token.
 * - `bearer`: the holder of an account's token.
 * - `feed` and `maker`: the holder of the feeds' or the maker's secret.
 * - `operator`: an operator who has the route's role, by their own secret or by the shared one (OPS-2).
 * - `deposit`, `payout` and `attest`: the holder of the watcher's, the batcher's or the attestor's, or of the
 *   operators' shared secret where it has none (CUS-9).
 * - `payout-or-operator`: the holder of the batcher's secret, or an operator.
 * - `deposit-or-operator`: the holder of the watcher's secret, or an operator.
 * - `local`: a caller on this machine that is not a proxy, or the holder of the operators' secret.
 * - `attempt`: anyone, even with an unreadable body, because each attempt must be recorded. The handler decides.
 * - `unsigned-maker`: the holder of the maker's secret, and nobody while signing is mandatory (FINE-14).
 */
export type Access =
  | 'public'
  | 'signed'
  | 'bearer'
  | 'feed'
  | 'maker'
  | 'operator'
  | 'deposit'
  | 'payout'
  | 'attest'
  | 'payout-or-operator'
  | 'deposit-or-operator'
  | 'local'
  | 'attempt'
  | 'unsigned-maker';

export type Tag = 'Service' | 'Market' | 'Sign-in' | 'Account' | 'Trading' | 'Custody' | 'Help';

/** A route as the public contract describes it. */
export interface Description {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Units, order of checks and the rules behind them. */
  readonly text: string;
  /** Errors of its own, in addition to those of its access, body and query. */
  readonly errors?: readonly ErrorName[];
  /** Texts about single fields that no schema knows of, with N for a place in a list. */
  readonly fieldErrors?: readonly string[];
  /** Schemas of answers that differ from the row's for a 200 and from the error schema otherwise. */
  readonly answers?: Readonly<Record<number, TSchema>>;
  /** Bodies of other operations that it accepts and checks, each with the fields that identify it. */
  readonly explains?: readonly { readonly schema: TSchema; readonly has: readonly string[] }[];
}

/** The route's place in the public contract, or the reason why it is not part of it. */
export type Contract = Description | { readonly excluded: string };

export interface RouteRequest<Query, Body> {
  readonly headers: IncomingHttpHeaders;
  /** Owner of the token of a `bearer` request; null on any other route. */
  readonly bearer: Address | null;
  /** The path parts that the pattern names, decoded. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: Query;
  readonly body: Body;
  /** The body's bytes as received, on a route that signs them; null on any other. */
  readonly bytes: Uint8Array | null;
  /** Why the body of an `attempt` could not be read; null on any other route. */
  readonly bodyFault: PublicError | null;
}

interface RouteRow<Query extends TSchema, Body extends TSchema> {
  readonly method: 'GET' | 'POST';
  /** A part in braces matches any text without a slash. */
  readonly path: string;
  readonly access: Access;
  /** The role an operator needs; also for an `attempt`, of which the handler decides. Everybody with a name has `read`. */
  readonly role?: OperatorRole;
  /** In other modes the route does not exist. */
  readonly modes?: readonly FundingMode[];
  /**
   * True if only a node answers it, because it appends or leads to what does; by default every POST, and every GET that is
   * not the public's, an account's or the metrics (FOL-1).
   */
  readonly atNode?: boolean;
  readonly bodyLimitBytes?: number;
  /** The body may also be a push in bytes, which no schema describes; the answer is then in bytes too. */
  readonly takesQuoteBytes?: boolean;
  /**
   * A signature stands in the headers and covers the hash of the body's bytes, which the handler gets beside the value. Such
   * a body has no content encoding, which would let one signature stand for several contents (QTS-1).
   */
  readonly signsBytes?: boolean;
  readonly query?: Query;
  readonly body?: Body;
  /** The handler checks the body itself, which must be an object; the schema only documents it. */
  readonly readsBody?: boolean;
  readonly answer: TSchema;
  readonly contract: Contract;
  /**
   * Returns the body of a 200, as a value, as JSON text or as a `Content`, or an `Answer`; as a `Shown` if it shows a later
   * state than the one before the call. Throws `HttpError`.
   */
  readonly handle: (request: RouteRequest<Static<Query>, Static<Body>>) => unknown;
}

export type Route = Omit<RouteRow<TSchema, TSchema>, 'handle'> & {
  /** The answer to every request of anybody, whatever it holds; by default there is none. */
  readonly refusal?: PublicError;
  readonly handle: (request: RouteRequest<unknown, unknown>) => unknown;
};

/** A row of the table. Its handler gets query and body typed by their schemas, because the server checks both. */
export function route<Query extends TSchema = TUnknown, Body extends TSchema = TUnknown>(
  row: RouteRow<Query, Body>,
): Route {
  return row as unknown as Route;
}

/** The route's place in the public contract; undefined if it has none. */
export function descriptionOf({ contract }: Pick<Route, 'contract'>): Description | undefined {
  return 'excluded' in contract ? undefined : contract;
}

/** The body limit; 1 MiB where the specification sets none (HTTP-2). */
export function bodyLimitOf({ bodyLimitBytes = MIB }: Route): number {
  return bodyLimitBytes;
}

/** A body with a status other than 200. */
export class Answer {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** A refusal with a body of its own, and the code of its header (ERR-1). */
export class Refused extends Answer {
  readonly code: string;

  constructor(status: number, body: unknown, code: string) {
    super(status, body);
    this.code = code;
  }
}

/** A handler's result, and the entry whose state it shows (VEN-2). */
export class Shown<T> {
  readonly seq: number;
  readonly result: T;

  constructor(seq: number, result: T) {
    this.seq = seq;
    this.result = result;
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body in its final form, with headers of its own. */
export class Content {
  readonly contentType: string;
  readonly body: string | Buffer | FilePart;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    body: string | Buffer | FilePart,
    headers: Readonly<Record<string, string>> = NO_HEADERS,
  ) {
    this.contentType = contentType;
    this.body = body;
    this.headers = headers;
  }
}

const NO_HEADERS = {} as const;
