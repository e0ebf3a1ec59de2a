/** `GET /ws`: the upgrade to the stream (WS-1). */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Unknown } from 'typebox';
import { WebSocketServer } from 'ws';
import { refuse } from '../http/errors.ts';
import { type Route, route } from '../http/route.ts';
import { accountOf, type Services } from '../http/services.ts';
import type { Holder } from '../stream/connected-socket.ts';
import type { StreamHub } from '../stream/hub.ts';
import type { Query } from './query.ts';
import { refuseRawRequest } from './raw.ts';
import { SEQ_HEADER } from './venue-seq.ts';

const STREAM_PATH = '/ws';
/** Largest frame from a client, which may send only control traffic. */
const MESSAGE_BYTES_MAX = 4_096;

/** A request to switch protocols, with its connection and the bytes already read past its head. */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

/** The part of the stream that the edge uses. */
export interface StreamDoor {
  /** Without an upgrade the stream is not found; an unknown token is refused either way. */
  readonly route: Route;
  /** Accepts an upgrade to the route. Throws the refusal of an unknown token. */
  join(request: IncomingMessage, upgrade: Upgrade, query: Query): void;
}

/** Connects clients to a hub: with an account's token they also get its private frames, with an unknown token 401. */
export function streamDoor(services: Pick<Services, 'tokens' | 'state'>, hub: StreamHub): StreamDoor {
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
  const { state } = services;
  webSockets.on('headers', (headers) => headers.push(`${SEQ_HEADER}: ${state.seq}`));
  webSockets.on('wsClientError', (error, socket) => refuseHandshake(error, socket as Socket, state.seq));
  return {
    route: route({
      ...{ method: 'GET', path: STREAM_PATH, access: 'public', answer: Unknown() },
      contract: { excluded: 'the stream, which is no request and answer' },
      handle: ({ query }) => {
        holderOf(services, query as Query);
        refuse('notFound');
      },
    }),
    join(request, { socket, head }, query) {
      const holder = holderOf(services, query);
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        hub.add({ socket: webSocket, connection: socket, holder });
      });
    },
  };
}

/** Any other upgrade is ignored, as HTTP allows: some clients offer HTTP/2 with every request. */
export function isStreamUpgrade({ method, headers, url }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    /^\/(?:ws|v1\/stream)(\?|$)/.test(url ?? '')
  );
}

/** Refuses an upgrade with an invalid handshake. The socket is detached from HTTP, so nothing else would close it. */
export function refuseHandshake(error: Error, socket: Socket, seq: number): void {
  socket.once('finish', () => socket.destroy());
  refuseRawRequest(error, socket, seq);
}

function holderOf(services: Pick<Services, 'tokens' | 'state'>, { token }: Query): Holder | null {
  if (token === undefined) return null;
  const holder = typeof token === 'string' ? services.tokens.holderOf(token) : null;
  if (holder === null) refuse('unknownToken');
  return { account: accountOf(services, holder.address), expiresAtMs: holder.expiresAtMs };
}
