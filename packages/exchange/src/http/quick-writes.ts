/**
 * Signed writes, carried out before the framework looks at them: the same checks, handlers and answers as by the table
 * of routes, without the framework's part of the cost. Whatever is not exactly such a request goes the usual way, as does
 * everything while a server leaves.
 */

import type { IncomingMessage } from 'node:http';
import type { Tracing } from '@venue/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { readJson } from './body.ts';
import { faultAnswer, type Handling, handlingOf, type Outgoing } from './handling.ts';
import { answer, intercept, isPlain, type Telling } from './intercept.ts';
import { requestIdOf } from './request-id.ts';
import { bodyLimitOf, type Route } from './route.ts';

export interface QuickWritesOptions extends Telling {
  readonly services: Pick<Services, 'readiness'>;
  readonly routes: readonly Route[];
  readonly tracing?: Tracing | undefined;
}

export function addQuickWrites(
  { server }: FastifyInstance,
  { services, routes, logger, onAnswered, tracing }: QuickWritesOptions,
): void {
  const writes = new Map(routes.filter(isQuick).map((route) => [route.path, writeOf(route, tracing)]));
  intercept(server, (request, response) => {
    const write = request.method === 'POST' ? writes.get(request.url!) : undefined;
    if (write === undefined || !isPlain(request) || !hasJson(request, write.route)) return false;
    if (!server.listening || !services.readiness.isCurrent) return false;
    const startedMs = performance.now();
    readBytes(request, async (bytes) => {
      const { outgoing, isLast } = await carryOut(write, request, bytes, logger);
      answer(response, outgoing, {
        ...{ logger, onAnswered, startedMs, route: write.route.path },
        // A server that stopped listening meanwhile is about to go, and its clients had better hang up first.
        isLast: isLast || !server.listening,
      });
    });
    return true;
  });
}

interface QuickWrite {
  readonly route: Route;
  readonly handling: Handling;
}

function writeOf(route: Route, tracing: Tracing | undefined): QuickWrite {
  return { route, handling: handlingOf(route, tracing) };
}

/** One that admits everyone, and that nothing but the body speaks to. */
function isQuick({ method, access, path, query }: Route): boolean {
  return method === 'POST' && access === 'signed' && !path.includes('{') && query === undefined;
}

const UNDOUBTED_JSON = /^application\/json(; ?charset=utf-8)?$/i;

/** Whether there is a body, of a length that is allowed, and beyond doubt JSON. */
function hasJson({ headers }: IncomingMessage, route: Route): boolean {
  const length = Number(headers['content-length']);
  return length > 0 && length <= bodyLimitOf(route) && UNDOUBTED_JSON.test(headers['content-type'] ?? '');
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/** Resolves in any case. After a body that cannot be read nothing more is read from its connection, as the framework has it. */
async function carryOut(
  { route, handling }: QuickWrite,
  request: IncomingMessage,
  bytes: Buffer,
  logger: Telling['logger'],
): Promise<{ outgoing: Outgoing; isLast: boolean }> {
  const { method, path } = route;
  let isRead = false;
  try {
    const body = readJson(bytes);
    isRead = true;
    const { headers } = request;
    const outgoing = await handling({
      ...{ headers, body, params: NO_PARAMS, query: {}, bearer: null, bodyFault: null },
    });
    return { outgoing, isLast: false };
  } catch (error) {
    return {
      outgoing: faultAnswer(logger, error, { method, route: path, requestId: requestIdOf(request) }),
      isLast: !isRead,
    };
  }
}

/** A client that hangs up half-way is owed nothing. */
function readBytes(request: IncomingMessage, onBytes: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onBytes(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  request.on('error', () => chunks.splice(0));
}
