/** A place before the framework, for what is asked so often that its part of the cost matters. */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Logger } from '../logger.ts';
import type { Answered } from '../metrics.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Outgoing } from './handling.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';

/** Shows each request to `take` first, which says whether it sees to the answer. */
export function intercept(
  server: Server,
  take: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const usual = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (take(request, response)) return;
    for (const listener of usual) listener.call(server, request, response);
  });
}

/** Whether a request has none of those headers and forms that ask for more than an answer. */
export function isPlain({ httpVersion, headers }: IncomingMessage): boolean {
  return (
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    headers.expect === undefined &&
    headers.upgrade === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

export interface Telling {
  readonly logger: Logger;
  readonly onAnswered: (answered: Answered) => void;
}

export interface AnswerOptions extends Telling {
  /** The pattern of the path. */
  readonly route: string;
  /** When the request came, on the clock of `performance`. */
  readonly startedMs: number;
  /** Whether the connection ends with it. */
  readonly isLast?: boolean;
}

/** Sends what the framework would send, and tells of it when the framework would. */
export function answer(
  response: ServerResponse,
  { status, contentType, payload }: Outgoing,
  { logger, onAnswered, route, startedMs, isLast = false }: AnswerOptions,
): void {
  const { method } = response.req;
  const requestId = requestIdOf(response.req);
  const contentLength = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength;
  response.writeHead(status, {
    ...CORS_HEADERS,
    [REQUEST_ID]: requestId,
    ...(isLast && { connection: 'close' }),
    'content-type': contentType,
    'content-length': contentLength,
  });
  response.end(payload, () => {
    const answered = { method: method!, route, status, ms: performance.now() - startedMs };
    logger.debug({ ...answered, requestId }, 'answered');
    onAnswered(answered);
  });
}
