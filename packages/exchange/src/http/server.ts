/** HTTP around the table of routes: admission, bodies, answers, errors. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import websocket from '@fastify/websocket';
import { type Address, MESSAGES, type PublicError } from '@venue/protocol';
import type { Tracing } from '@venue/telemetry';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type HookHandlerDoneFunction,
  type onRequestHookHandler,
} from 'fastify';
import type { Logger } from '../logger.ts';
import type { Answered } from '../metrics.ts';
import type { Services } from '../services.ts';
import { bearerOf } from './bearer.ts';
import { readBody } from './body.ts';
import { CORS_HEADERS } from './cors.ts';
import { refuse } from './errors.ts';
import { errorAnswer, faultAnswer, faultOf, handlingOf, type Outgoing } from './handling.ts';
import { refuseRawRequest } from './raw.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';
import { ALWAYS_ANSWERED, ANSWERED_EARLY, bodyLimitOf, MIB, type Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token came with a `bearer` request. */
    bearer: Address | null;
    /** Whether the handler of the route has the request. */
    isHandled: boolean;
  }
}

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
  /** Without it no request is traced. */
  readonly tracing?: Tracing | undefined;
}

/** A server for the routes, which does not listen yet. Further routes may be added to it. */
export async function createServer({
  services,
  routes,
  logger,
  opened = Promise.resolve(true),
  isCurrent = () => true,
  onAnswered = () => {},
  tracing,
}: ServerOptions): Promise<FastifyInstance> {
  const server = fastify({
    bodyLimit: MIB,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    frameworkErrors: (_, __, reply) => sendError(reply.headers(CORS_HEADERS), MESSAGES.notFound),
    clientErrorHandler: refuseRawRequest,
    // Left to Node, a request without a host gets an answer without a body.
    http: { shouldUpgradeCallback: isStreamUpgrade, requireHostHeader: false },
  });
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  // Its hooks come first: they hang up after an upgrade that was refused.
  await server.register(websocket, { options: { maxPayload: STREAM_MESSAGE_BYTES_MAX } });
  server.websocketServer.on('wsClientError', refuseHandshake);
  server.decorateRequest('bearer', null);
  server.decorateRequest('isHandled', false);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, readBody);
  server.setErrorHandler((error, { raw, method, routeOptions: { url: route } }, reply) =>
    // A client that hung up half-way: the answer goes nowhere, and nothing of ours is at fault.
    error === raw.errored
      ? sendError(reply, MALFORMED_REQUEST)
      : send(reply, faultAnswer(logger, error, { method, route, requestId: requestIdOf(raw) })),
  );
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
    logger.debug({ ...answered, requestId: requestIdOf(request.raw) }, 'answered');
    onAnswered(answered);
    done();
  });
  for (const route of routes) addRoute(server, services, route, tracing);
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
    reply.headers(CORS_HEADERS).header(REQUEST_ID, requestIdOf(request.raw));
    if (!isWellFormed(request.raw)) sendError(reply, MALFORMED_REQUEST);
    else if (request.method === 'OPTIONS') reply.code(204).send();
    // Before the body is read: what it holds does not matter to a route that does not exist.
    else if (request.is404 || !isPath(request.raw)) sendError(reply, MESSAGES.notFound);
    else if (ANSWERED_EARLY.has(request.routeOptions.url!)) done();
    else if (isOpen === null) opening.then(() => letIn(request, reply, done), done);
    else letIn(request, reply, done);
  };
}

/** Any other wish to upgrade is ignored, as HTTP allows: some clients offer HTTP/2 with every request. */
function isStreamUpgrade({ headers, url }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /^\/ws(\?|$)/.test(url ?? '');
}

/** The router skips the first character of a target and stops at a fragment, so it takes `*` and `/#` for `/` (FINE-2). */
function isPath({ url }: IncomingMessage): boolean {
  return url!.startsWith('/') && !url!.includes('#');
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

function addRoute(
  server: FastifyInstance,
  services: ServerOptions['services'],
  route: Route,
  tracing: Tracing | undefined,
): void {
  const handling = handlingOf(route, tracing);
  const handle = async (request: FastifyRequest, reply: FastifyReply, bodyFault: PublicError | null) => {
    request.isHandled = true;
    const { headers, body, bearer } = request;
    const query = request.query as Record<string, unknown>;
    const params = new Map(Object.entries(request.params as Record<string, string>));
    return send(reply, await handling({ headers, params, query, body, bearer, bodyFault }));
  };
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimitOf(route),
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

/** Lets a request in by its headers alone, or refuses it before its body is read. */
function admit(
  services: ServerOptions['services'],
  { access }: Route,
  request: FastifyRequest,
): Address | null {
  const { headers } = request;
  switch (access) {
    case 'local':
      return isLocal(request) || services.credentials.mayReadMetrics(headers)
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

function send(reply: FastifyReply, { status, contentType, payload, headers }: Outgoing): FastifyReply {
  if (headers !== undefined) reply.headers(headers);
  return reply.code(status).header('content-type', contentType).send(payload);
}

function sendError(reply: FastifyReply, error: PublicError): FastifyReply {
  return send(reply, errorAnswer(error));
}

/** The route's pattern, never the URL: a query may hold a token. */
function answeredBy(request: FastifyRequest, reply: FastifyReply): Answered {
  const { url: route = null } = request.routeOptions;
  return { method: request.method, route, status: reply.statusCode, ms: reply.elapsedTime };
}
