/**
 * The one door: each request passes the same steps, from its form to its answer. A step that refuses throws, and every answer
 * is sent, counted and logged in one place.
 */

import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { State } from '@venue/engine';
import { MESSAGES } from '@venue/protocol';
import type { Tracing } from '@venue/telemetry';
import type { Coding } from '../http/codings.ts';
import { CORS_HEADERS } from '../http/cors.ts';
import { refuse } from '../http/errors.ts';
import { FilePart } from '../http/file-part.ts';
import { ALWAYS_ANSWERED, ANSWERED_EARLY, type Route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import type { Logger } from '../observe/logger.ts';
import type { Answered } from '../observe/metrics.ts';
import type { EntryWaits } from '../stream/entry-waits.ts';
import { admit } from './admission.ts';
import { readBody } from './body.ts';
import { Compressor } from './compression.ts';
import { boundConnections } from './connection-bound.ts';
import { errorAnswer, faultAnswer, faultOf, type Handling, type Outgoing } from './handling.ts';
import { parseQuery } from './query.ts';
import { refuseRawRequest } from './raw.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';
import { type Found, RouteTable } from './route-table.ts';
import { isStreamUpgrade, type StreamDoor, type Upgrade } from './stream-route.ts';
import { entryKnown, SEQ_HEADER } from './venue-seq.ts';

/** How long a client may take to send its request, in milliseconds. */
interface Timeouts {
  readonly headersMs: number;
  /** With its body. */
  readonly requestMs: number;
}

const TIMEOUTS: Timeouts = { headersMs: 20_000, requestMs: 60_000 };
/** How often, within the time for headers, late clients are looked for. */
const LATENESS_CHECKS = 20;
/** Longer than a proxy before it keeps connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 72_000;
/** The same test as Node's, which has sent `100 Continue` for what passes it. */
const MET_EXPECTATION = /(?:^|\W)100-continue(?:$|\W)/i;
const PREFLIGHT: Outgoing = { status: 204, payload: '' };

export interface EdgeOptions {
  readonly services: Pick<Services, 'tokens' | 'credentials' | 'signingRequired' | 'oversteps'> & {
    readonly state: Pick<State, 'seq'>;
  };
  readonly routes: readonly Route[];
  readonly logger: Logger;
  /** Take upgrades on; their routes are among the others. */
  readonly streams?: readonly StreamDoor[];
  /** Requests wait for it; false when the service will not open after all. By default it is open. */
  readonly opened?: Promise<boolean>;
  /** True if that takes an operator, so that nobody is kept waiting for it. */
  readonly isHeldUp?: () => boolean;
  /** True if the node knows the newest of the log: one that does not answers nothing but its health. */
  readonly isCurrent?: () => boolean;
  /** For requests that come after an entry; without it none of them waits for it. */
  readonly waits?: EntryWaits;
  /** Told of each answer. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Without it no request is traced. */
  readonly tracing?: Tracing | undefined;
  readonly timeouts?: Timeouts;
}

/** A server for the routes, which does not listen yet. */
export function createEdge(options: EdgeOptions): Server {
  const { headersMs, requestMs } = options.timeouts ?? TIMEOUTS;
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / LATENESS_CHECKS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    shouldUpgradeCallback: isStreamUpgrade,
    // Left to Node, a request without a host gets an answer without a body.
    requireHostHeader: false,
  });
  const edge = new Edge(server, options);
  server.on('request', (request, response) => edge.serve(request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request, socket, head) => edge.upgrade(request, { socket: socket as Socket, head }));
  const { state } = options.services;
  server.on('clientError', (error, socket) => refuseRawRequest(error, socket as Socket, state.seq));
  boundConnections(server);
  return server;
}

/** Facts about a request that its steps collect, for the answer, the log and the metrics. */
interface Visit {
  readonly request: IncomingMessage;
  readonly startedMs: number;
  readonly upgrade: Upgrade | null;
  found: Found | undefined;
  /** True if bytes of the request may be left on the connection that are no request. */
  isUnread: boolean;
  /**
   * True if the request named an entry that did not come in time: its 500 is then not counted as a fault of the
   * service.
   */
  isAhead: boolean;
  /** The last entry before the request was carried out; null until then. */
  seq: number | null;
}

type Asked = Parameters<Handling>[0];

/** An answer, without a promise where it is at hand; null when the request has become a stream. */
type Answering = Outgoing | null | Promise<Outgoing | null>;

class Edge {
  readonly #server: Server;
  readonly #options: EdgeOptions;
  readonly #table: RouteTable;
  readonly #compressor = new Compressor();
  readonly #opening: Promise<void>;
  /** Null until it is known; nobody waits for it then, not even for the turn that an awaited promise takes. */
  #isOpen: boolean | null = null;
  #hasListened = false;

  constructor(server: Server, options: EdgeOptions) {
    const { routes, tracing, opened = Promise.resolve(true) } = options;
    this.#server = server;
    this.#options = options;
    this.#table = new RouteTable(routes, tracing);
    this.#opening = opened.then((isOpen) => {
      this.#isOpen = isOpen;
    });
    server.once('listening', () => {
      this.#hasListened = true;
    });
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const visit = visitOf(request, null);
    this.#conclude(visit, (outgoing) => {
      if (outgoing !== null) this.#write(visit, response, outgoing);
    });
  }

  /** Once Node has handed the socket over, nobody but us sees to its errors, and closes it after a refusal. */
  upgrade(request: IncomingMessage, upgrade: Upgrade): void {
    const { socket } = upgrade;
    const onError = () => socket.destroy();
    socket.on('error', onError);
    const visit = visitOf(request, upgrade);
    this.#conclude(visit, (outgoing) => {
      if (outgoing === null) socket.off('error', onError);
      else this.#write(visit, closingResponse(request, socket), outgoing);
    });
  }

  /** An answer that cannot be written, or only half of it, costs its connection and nobody else's (HTTP-3). */
  #conclude(visit: Visit, write: (outgoing: Outgoing | null) => void): void {
    whenKnown(this.#outcome(visit), (outgoing) => {
      try {
        write(outgoing);
      } catch (error) {
        this.#tell(visit, this.#faultAnswer(visit, error).status);
        visit.request.socket.destroy();
      }
    });
  }

  /** The answer, whatever comes of the request; null when it has become a stream. */
  #outcome(visit: Visit): Answering {
    try {
      const answering = this.#codedAnswer(visit);
      if (!(answering instanceof Promise)) return answering;
      return answering.catch((error) => this.#faultAnswer(visit, error));
    } catch (error) {
      return this.#faultAnswer(visit, error);
    }
  }

  #codedAnswer(visit: Visit): Answering {
    const answering = this.#answer(visit);
    if (!(answering instanceof Promise)) return this.#coded(visit, answering);
    return answering.then((outgoing) => this.#coded(visit, outgoing));
  }

  /** The steps up to the one that may have to wait until the service opens. */
  #answer(visit: Visit): Answering {
    const { request } = visit;
    const { method = '', url = '' } = request;
    if (!isWellFormed(request)) return errorAnswer(MESSAGES.malformedRequest);
    if (method === 'OPTIONS') return PREFLIGHT;
    const at = url.indexOf('?');
    const found = this.#table.find(method, at < 0 ? url : url.slice(0, at));
    visit.found = found;
    if (found === undefined || url.includes('#')) refuse('notFound');
    const query = at < 0 ? '' : url.slice(at + 1);
    if (!this.#waitsFor(found.route.path)) return this.#admitted(visit, found, query);
    return this.#opening.then(() => this.#admitted(visit, found, query));
  }

  #waitsFor(path: string): boolean {
    return this.#isOpen === null && !ANSWERED_EARLY.has(path) && this.#options.isHeldUp?.() !== true;
  }

  #admitted(visit: Visit, found: Found, query: string): Answering {
    if (!this.#mayAnswer(found.route.path)) refuse('internal');
    const { services } = this.#options;
    const bearer = admit(services, found.route, visit.request);
    const knownSeq = entryKnown(visit.request.headers);
    if (knownSeq <= services.state.seq) return this.#begin(visit, found, { query, bearer });
    return this.#reached(visit, knownSeq, found.route).then(() =>
      this.#begin(visit, found, { query, bearer }),
    );
  }

  /** The node may have lost touch with its log meanwhile. */
  async #reached(visit: Visit, seq: number, { path }: Route): Promise<void> {
    const { services, waits } = this.#options;
    const isReached = await waits?.until(() => services.state.seq >= seq);
    if (isReached && this.#mayAnswer(path)) return;
    visit.isAhead = !isReached;
    refuse('internal');
  }

  #begin(visit: Visit, found: Found, asked: Pick<Asked, 'query' | 'bearer'>): Answering {
    const { request, upgrade } = visit;
    if (upgrade === null) return this.#carryOut(visit, found, asked);
    const { streams = [] } = this.#options;
    streams.find(({ route }) => route === found.route)!.join(request, upgrade, parseQuery(asked.query));
    return null;
  }

  #mayAnswer(path: string): boolean {
    if (ANSWERED_EARLY.has(path)) return true;
    if (ALWAYS_ANSWERED.has(path)) return this.#isOpen !== false;
    const { isCurrent = () => true } = this.#options;
    return this.#isOpen === true && isCurrent();
  }

  #carryOut(
    visit: Visit,
    { route, handling, params }: Found,
    { query, bearer }: Pick<Asked, 'query' | 'bearer'>,
  ): Answering {
    const { headers } = visit.request;
    const asked = { headers, params, query, bearer, body: undefined, bytes: null, bodyFault: null };
    const carryOut = (complete: Asked) => {
      visit.seq = this.#options.services.state.seq;
      return handling(complete);
    };
    return route.method !== 'POST' ? carryOut(asked) : this.#withBody(visit, route, asked).then(carryOut);
  }

  async #withBody(visit: Visit, route: Route, asked: Asked): Promise<Asked> {
    try {
      return { ...asked, ...(await readBody(visit.request, route)) };
    } catch (error) {
      visit.isUnread = true;
      if (route.access !== 'attempt') throw error;
      return { ...asked, bodyFault: faultOf(error) ?? MESSAGES.malformedRequest };
    }
  }

  #faultAnswer(visit: Visit, error: unknown): Outgoing {
    const { request, found } = visit;
    // A refusal may have spent a nonce in an entry of its own.
    visit.seq = null;
    // A client that hung up half-way: the answer goes nowhere, and nothing of ours is at fault.
    if (error === request.errored) return errorAnswer(MESSAGES.malformedRequest);
    const { method = '' } = request;
    const failed = { method, route: found?.route.path, requestId: requestIdOf(request) };
    return faultAnswer(this.#options.logger, error, failed);
  }

  /** The answer in the coding that its client takes. */
  #coded({ request }: Visit, outgoing: Outgoing | null): Answering {
    const coding = outgoing && this.#compressor.codingFor(request, outgoing);
    if (outgoing === null || coding === null) return outgoing;
    return coding === 'none' ? varying(outgoing) : this.#compressed(outgoing, coding);
  }

  async #compressed(outgoing: Outgoing, coding: Coding): Promise<Outgoing> {
    if (outgoing.payload instanceof FilePart) return outgoing;
    const payload = await this.#compressor.compress(outgoing.payload, coding);
    const sent = varying(outgoing);
    if (payload === null) return sent;
    return { ...sent, payload, headers: { ...sent.headers, 'content-encoding': coding } };
  }

  #write(visit: Visit, response: ServerResponse, outgoing: Outgoing): void {
    const { status, contentType, payload, headers, seq } = outgoing;
    // A server that stopped listening is about to go, and its clients should hang up first.
    const isLast = visit.isUnread || (this.#hasListened && !this.#server.listening);
    const isWithoutBody = status === 204 || status === 304;
    const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength;
    const head: OutgoingHttpHeaders = { ...CORS_HEADERS };
    if (headers !== undefined) Object.assign(head, headers);
    head[REQUEST_ID] = requestIdOf(visit.request);
    head[SEQ_HEADER] = seq ?? visit.seq ?? this.#options.services.state.seq;
    if (isLast) head.connection = 'close';
    if (contentType !== undefined) head['content-type'] = contentType;
    if (!isWithoutBody) head['content-length'] = length;
    response.writeHead(status, head);
    response.on('close', () => this.#tell(visit, status));
    if (!(payload instanceof FilePart)) response.end(payload);
    else if (visit.request.method === 'HEAD') response.end();
    else void payload.sendTo(response);
  }

  /** Names the route's pattern, never the URL: a query may hold a token. */
  #tell(visit: Visit, status: number): void {
    const { logger, onAnswered } = this.#options;
    const { request, startedMs, found, isAhead } = visit;
    const ms = performance.now() - startedMs;
    const answered = { method: request.method!, route: found?.route.path ?? null, status, ms, isAhead };
    if (logger.isLevelEnabled('debug'))
      logger.debug({ ...answered, requestId: requestIdOf(request) }, 'answered');
    try {
      onAnswered?.(answered);
    } catch (error) {
      this.#faultAnswer(visit, error);
    }
  }
}

/** A response on a connection that has left HTTP, which ends with it. */
function closingResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.destroySoon());
  response.assignSocket(socket);
  return response;
}

/** Calls `then` now where the answer is at hand. */
function whenKnown(answering: Answering, then: (outgoing: Outgoing | null) => void): void {
  if (answering instanceof Promise) answering.then(then);
  else then(answering);
}

/** Others get the answer in another coding. */
function varying(outgoing: Outgoing): Outgoing {
  return { ...outgoing, headers: { ...outgoing.headers, vary: 'accept-encoding' } };
}

function visitOf(request: IncomingMessage, upgrade: Upgrade | null): Visit {
  return {
    request,
    upgrade,
    startedMs: performance.now(),
    found: undefined,
    isUnread: false,
    isAhead: false,
    seq: null,
  };
}

/** HTTP/1.1 asks for a host; of expectations there is one that can be met. */
function isWellFormed({ httpVersion, headers: { host, expect } }: IncomingMessage): boolean {
  return (
    (host !== undefined || httpVersion !== '1.1') && (expect === undefined || MET_EXPECTATION.test(expect))
  );
}
