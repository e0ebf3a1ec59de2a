/** Handles a request whose body is read: checks, handler, answer or refusal. */

import { MESSAGES, type PublicError, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import type { Tracing } from '@venue/telemetry';
import { type TObject, Type } from 'typebox';
import { CODE_HEADER } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import type { FilePart } from '../http/file-part.ts';
import { Answer, Content, JSON_TYPE, Refused, type Route, type RouteRequest, Shown } from '../http/route.ts';
import { type Check, compileCheck } from '../http/validate.ts';
import { unsignedPart } from '../http/writes.ts';
import type { Logger } from '../observe/logger.ts';
import { queryReader } from './query.ts';
import { requestIdOf } from './request-id.ts';

/** An answer as it goes out. */
export interface Outgoing {
  readonly status: number;
  readonly contentType?: string;
  readonly payload: string | Uint8Array | FilePart;
  /** Beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The entry whose state it shows, if that is not the one before the request was carried out. */
  readonly seq?: number;
}

/**
 * Carries out a request with the text of its query and a body that is not checked yet. Throws, or rejects with, what
 * `faultAnswer` makes an answer of.
 */
export type Handling = (request: RouteRequest<string, unknown>) => Outgoing | Promise<Outgoing>;

/** With tracing each request is a span of its own. */
export function handlingOf(route: Route, tracing?: Pick<Tracing, 'request'>): Handling {
  const handle = checkedHandlingOf(route);
  if (tracing === undefined) return handle;
  const { method, path } = route;
  return (request) => {
    const requestId = requestIdOf(request);
    const { traceparent } = request.headers;
    const caller = typeof traceparent === 'string' ? traceparent : undefined;
    return tracing.request({ method, route: path, requestId, traceparent: caller }, async () =>
      handle(request),
    );
  };
}

function checkedHandlingOf(route: Route): Handling {
  const readQuery = queryReader(route.query);
  const checkBody = route.body && compileCheck('body', checkedSchemaOf(route));
  return (request) => {
    // A batch on the stream comes here without having been admitted.
    if (route.refusal !== undefined) throw new HttpError(route.refusal);
    const query = readQuery(request.query);
    if (!(request.body instanceof Uint8Array)) check(checkBody, request.body);
    const result = route.handle({ ...request, query });
    return result instanceof Promise ? result.then(outgoingOf) : outgoingOf(result);
  };
}

function outgoingOf(result: unknown): Outgoing {
  if (result instanceof Shown) return { ...outgoingOf(result.result), seq: result.seq };
  if (result instanceof Refused)
    return { ...outgoing(result.status, result.body), headers: { [CODE_HEADER]: result.code } };
  return result instanceof Answer ? outgoing(result.status, result.body) : outgoing(200, result);
}

function checkedSchemaOf(route: Route) {
  if (route.readsBody) return Type.Object({});
  return route.access === 'signed' && !route.signsBytes ? unsignedPart(route.body as TObject) : route.body!;
}

function check(checkValue: Check | undefined, value: unknown): void {
  const fault = checkValue?.(value) ?? null;
  if (fault !== null) throw new HttpError(fault);
}

function outgoing(status: number, body: unknown): Outgoing {
  if (body instanceof Uint8Array) return { status, contentType: QUOTES_CONTENT_TYPE, payload: body };
  if (body instanceof Content) {
    const { contentType, body: payload, headers } = body;
    return { status, contentType, payload, headers };
  }
  return { status, contentType: JSON_TYPE, payload: typeof body === 'string' ? body : JSON.stringify(body) };
}

export function errorAnswer({ status, error, code, lastNonce }: PublicError): Outgoing {
  const body = lastNonce === undefined ? { error } : { error, lastNonce };
  return { ...outgoing(status, body), headers: { [CODE_HEADER]: code } };
}

/** Which request failed: the route's pattern, never the URL, as a query may hold a token. */
export interface Failed {
  readonly method: string;
  readonly route: string | undefined;
  readonly requestId: string;
}

/** A refusal is shown; of an internal fault the client learns nothing, the log everything (HTTP-3). */
export function faultAnswer(logger: Logger, error: unknown, failed: Failed): Outgoing {
  const fault = faultOf(error);
  if (fault !== null) return errorAnswer(fault);
  logger.error({ err: error, ...failed }, 'internal error');
  return errorAnswer(MESSAGES.internal);
}

/** The fault of the client, or null when it is not the client's. */
export function faultOf(error: unknown): PublicError | null {
  return error instanceof HttpError ? error.refusal : null;
}
