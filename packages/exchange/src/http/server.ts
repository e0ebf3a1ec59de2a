/** HTTP around the table of routes: admission, bodies, answers, errors. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import { type Address, MESSAGES, type PublicError, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type HookHandlerDoneFunction,
  type onRequestHookHandler,
} from 'fastify';
import type { TObject } from 'typebox';
import type { Logger } from '../logger.ts';
import type { Answered } from '../metrics.ts';
import type { Services } from '../services.ts';
import { bearerOf } from './bearer.ts';
import { readBody } from './body.ts';
import { CORS_HEADERS } from './cors.ts';
import { HttpError, refuse } from './errors.ts';
import { refuseRawRequest } from './raw.ts';
import { ALWAYS_ANSWERED, Answer, Content, JSON_TYPE, MIB, type Route } from './route.ts';
import { type Check, compileCheck } from './validate.ts';
import { unsignedPart } from './writes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token came with a `bearer` request. */
    bearer: Address | null;
    /** Whether the handler of the route has the request. */
    isHandled: boolean;
  }
}

const BODY_LIMIT_BYTES = MIB;
const REQUEST_TIMEOUT_MS = 60_000;
/** The same test as Node's, which has sent `100 Continue` for what passes it. */
const MET_EXPECTATION = /(?:^|\W)100-continue(?:$|\W)/i;
const MALFORMED_REQUEST: PublicError = { status: 400, error: 'malformed request' };
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
/** What a client may send on the stream: control traffic. */
const STREAM_MESSAGE_BYTES_MAX = 4_096;

export interface ServerOptions {
  readonly services: Pick<Services, 'tokens' | 'credentials' | 'signingRequired'>;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Requests wait for it; false when the service will not open after all. By default it is open. */
  readonly opened?: Promise<boolean>;
  /** Whether the node knows the newest of the log: one that does not answers nothing but its health. */
  readonly isCurrent?: () => boolean;
  /** Told of each answer. */
  readonly onAnswered?: (answered: Answered) => void;
}

/** A server for the routes, which does not listen yet. Further routes may be added to it. */
export async function createServer({
  services,
  routes,
  logger,
  opened = Promise.resolve(true),
  isCurrent = () => true,
  onAnswered = () => {},
}: ServerOptions): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    frameworkErrors: (_, __, reply) => sendError(reply.headers(CORS_HEADERS), MESSAGES.notFound),
    clientErrorHandler: refuseRawRequest,
    // Left to Node, a request without a host gets an answer without a body.
    http: { shouldUpgradeCallback: isStreamUpgrade, requireHostHeader: false },
  });
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  // Its hooks come first: they hang up after an upgrade that was refused.
  await server.register(websocket, { options: { maxPayload: STREAM_MESSAGE_BYTES_MAX } });
  server.websocketServer.on('wsClientError', refuseHandshake);
  server.decorateRequest('bearer', null);
  server.decorateRequest('isHandled', false);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, readBody);
  server.setErrorHandler((error, request, reply) => sendFault(logger, error, request, reply));
  server.setNotFoundHandler((_, reply) => sendError(reply, MESSAGES.notFound));
  server.addHook('onRequest', gate(opened, isCurrent));
  let hasListened = false;
  server.server.once('listening', () => {
    hasListened = true;
  });
  // A server that stopped listening is about to go, and its clients had better hang up first.
  server.addHook('onSend', (_, reply, payload, done) => {
    if (hasListened && !server.server.listening) reply.header('connection', 'close');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const answered = answeredBy(request, reply);
    logger.debug(answered, 'answered');
    onAnswered(answered);
    done();
  });
  for (const route of routes) addRoute(server, services, route);
  return server;
}

/** Answers what needs no body to be refused; the rest waits until the service is open. */
function gate(opened: Promise<boolean>, isCurrent: () => boolean): onRequestHookHandler {
  // Once it is known nobody waits for it, not even for the turn that an awaited promise takes.
  let isOpen: boolean | null = null;
  const opening = opened.then((value) => {
    isOpen = value;
  });
  const letIn = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (isOpen && (isCurrent() || ALWAYS_ANSWERED.has(request.routeOptions.url!))) done();
    else sendError(reply, MESSAGES.internal);
  };
  // A reply is thenable: a hook that returned one would go on once it is sent.
  return (request, reply, done) => {
    reply.headers(CORS_HEADERS);
    if (!isWellFormed(request.raw)) sendError(reply, MALFORMED_REQUEST);
    else if (request.method === 'OPTIONS') reply.code(204).send();
    // Before the body is read: what it holds does not matter to a route that does not exist.
    else if (request.is404) sendError(reply, MESSAGES.notFound);
    else if (isOpen === null) opening.then(() => letIn(request, reply, done), done);
    else letIn(request, reply, done);
  };
}

/** Any other wish to upgrade is ignored, as HTTP allows: some clients offer HTTP/2 with every request. */
function isStreamUpgrade({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /^\/ws(\?|$)/.test(url ?? '');
}

/** HTTP/1.1 asks for a host; of expectations there is one that can be met. */
function isWellFormed({ httpVersion, headers: { host, expect } }: IncomingMessage): boolean {
  return (
    (host !== undefined || httpVersion !== '1.1') && (expect === undefined || MET_EXPECTATION.test(expect))
  );
}

/** An upgrade to the stream that is no proper handshake. The socket has left HTTP, so nobody else would close it. */
function refuseHandshake(error: Error, socket: Socket): void {
  socket.once('finish', () => socket.destroy());
  refuseRawRequest(error, socket);
}

function addRoute(server: FastifyInstance, services: ServerOptions['services'], route: Route): void {
  const checkQuery = route.query && compileCheck('query', route.query);
  const checkBody = route.body && compileCheck('body', bodySchemaOf(route));
  const handle = async (request: FastifyRequest, reply: FastifyReply, bodyFault: PublicError | null) => {
    request.isHandled = true;
    const query = dropEmpty(request.query as Record<string, unknown>);
    check(checkQuery, query);
    if (!(request.body instanceof Uint8Array)) check(checkBody, request.body);
    const { headers, body, bearer } = request;
    const params = new Map(Object.entries(request.params as Record<string, string>));
    const result = await route.handle({ headers, params, query, body, bearer, bodyFault });
    return result instanceof Answer ? send(reply, result.status, result.body) : send(reply, 200, result);
  };
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: route.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    config: { takesQuoteBytes: route.takesQuoteBytes ?? false },
    onRequest: (request, _, done) => {
      request.bearer = admit(services, route, request);
      done();
    },
    handler: (request, reply) => handle(request, reply, null),
    ...(route.access === 'attempt' && {
      errorHandler: async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
        if (request.isHandled) throw error;
        return handle(request, reply, faultOf(error) ?? MALFORMED_REQUEST);
      },
    }),
  });
}

function bodySchemaOf(route: Route) {
  return route.access === 'signed' ? unsignedPart(route.body as TObject) : route.body!;
}

/** Lets a request in by its headers alone, or refuses it before its body is read. */
function admit(
  services: ServerOptions['services'],
  { access }: Route,
  request: FastifyRequest,
): Address | null {
  const { headers } = request;
  switch (access) {
    case 'local':
      return isLocal(request) || services.credentials.holds('operator', headers)
        ? null
        : refuse('wrongCredential');
    case 'public':
    case 'signed':
    case 'attempt':
      return null;
    case 'bearer':
      return bearerOf(services.tokens, headers);
    case 'feed':
    case 'maker':
    case 'operator':
      return services.credentials.holds(access, headers) ? null : refuse('wrongCredential');
    case 'unsigned-maker':
      if (services.signingRequired) refuse('mustBeSigned');
      return services.credentials.holds('maker', headers) ? null : refuse('wrongCredential');
    default:
      return access satisfies never;
  }
}

/** A proxy on this machine says for whom it asks. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** An empty query parameter counts as an absent one. */
function dropEmpty(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function check(checkValue: Check | undefined, value: unknown): void {
  const fault = checkValue?.(value) ?? null;
  if (fault !== null) throw new HttpError(fault);
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  if (body instanceof Uint8Array)
    return reply.code(status).header('content-type', QUOTES_CONTENT_TYPE).send(body);
  if (body instanceof Content)
    return reply.code(status).header('content-type', body.contentType).send(body.body);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return reply.code(status).header('content-type', JSON_TYPE).send(text);
}

function sendError(reply: FastifyReply, { status, error }: PublicError): FastifyReply {
  return send(reply, status, { error });
}

/** A refusal is shown; of an internal fault the client learns nothing, the log everything (HTTP-3). */
function sendFault(
  logger: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const fault = faultOf(error);
  if (fault !== null) return sendError(reply, fault);
  logger.error({ err: error, method: request.method, route: request.routeOptions.url }, 'internal error');
  return sendError(reply, MESSAGES.internal);
}

/** What the client did wrong, or null when it was no fault of the client. */
function faultOf(error: unknown): PublicError | null {
  if (error instanceof HttpError) return { status: error.status, error: error.message };
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return MESSAGES.bodyTooLarge;
  return code.startsWith('FST_ERR_CTP') && statusCode < 500 ? MESSAGES.malformedJson : null;
}

/** The route's pattern, never the URL: a query may hold a token. */
function answeredBy(request: FastifyRequest, reply: FastifyReply): Answered {
  const { url: route = null } = request.routeOptions;
  return { method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime };
}
