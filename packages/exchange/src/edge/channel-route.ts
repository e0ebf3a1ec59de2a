/** `GET /v1/stream`: the upgrade to the channels (STR-1). */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Tracing } from '@venue/telemetry';
import { Unknown } from 'typebox';
import { WebSocketServer } from 'ws';
import { MESSAGE_BYTES_MAX, PIECES_MAX } from '../http/channel-limits.ts';
import { refuse } from '../http/errors.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../http/services.ts';
import type { Logger } from '../observe/logger.ts';
import type { Answered } from '../observe/metrics.ts';
import type { ChannelHub } from '../stream/channels/hub.ts';
import { Inbox } from '../stream/channels/inbox.ts';
import type { EntryWaits } from '../stream/entry-waits.ts';
import { readRequest } from './channel-requests.ts';
import { ChannelSession, type SessionParts } from './channel-session.ts';
import { faultAnswer, handlingOf } from './handling.ts';
import { refuseHandshake, type StreamDoor } from './stream-route.ts';
import { SEQ_HEADER } from './venue-seq.ts';

const BATCH_PATH = '/v1/batch';
/** Messages of all connections that are inflated at one time. */
const INFLATING_MAX = 4;

/**
 * No context is taken over from one message to the next, in either direction: so no connection holds memory for it, and a
 * message is deflated once for all who are sent it.
 */
const COMPRESSION = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  concurrencyLimit: INFLATING_MAX,
};

export interface ChannelDoorOptions {
  readonly services: Services;
  readonly hub: ChannelHub;
  readonly waits: EntryWaits;
  /** The route of batches is among them. */
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly isCurrent: () => boolean;
  readonly onAnswered: (answered: Answered) => void;
  readonly tracing?: Tracing | undefined;
}

/** Connects clients to the channels; they sign in on the connection. */
export function channelDoor(options: ChannelDoorOptions): StreamDoor {
  const { services, hub } = options;
  const { state } = services;
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    maxFragments: PIECES_MAX,
    maxBufferedChunks: PIECES_MAX,
    perMessageDeflate: COMPRESSION,
  });
  webSockets.on('headers', (headers) => headers.push(`${SEQ_HEADER}: ${state.seq}`));
  webSockets.on('wsClientError', (error, socket) => refuseHandshake(error, socket as Socket, state.seq));
  const parts = partsOf(options);
  const elapsedMs = () => performance.now();
  return {
    route: route({
      ...{ method: 'GET', path: '/v1/stream', access: 'public', answer: Unknown() },
      contract: { excluded: 'a stream, which is no request and answer' },
      handle: () => refuse('notFound'),
    }),
    join(request, { socket, head }) {
      withoutSmallWindow(request);
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = hub.add({ socket: webSocket, connection: socket });
        const session = new ChannelSession(parts, connection);
        new Inbox({
          socket: webSocket,
          elapsedMs,
          read: readRequest,
          isBatch: ({ op }) => op === 'batch',
          rowsOf: (asked) => session.rowsOf(asked),
          carryOut: (asked) => session.carryOut(asked),
          isStuck: () => connection.isStuck,
          onHeldBack: () => connection.heard(),
        });
      });
    },
  };
}

function partsOf(options: ChannelDoorOptions): SessionParts {
  const { services, hub, waits, routes, logger, isCurrent, onAnswered, tracing } = options;
  const batch = routes.find(({ path }) => path === BATCH_PATH)!;
  const failed = { method: batch.method, route: batch.path, requestId: 'stream' };
  return {
    ...{ services, hub, waits, isCurrent },
    batch: handlingOf(batch, tracing),
    faultOf: (error) => faultAnswer(logger, error, failed),
    onBatch: (status, ms) => onAnswered({ method: batch.method, route: batch.path, status, ms }),
  };
}

/** A client that can only inflate with a small window gets its messages as they are: they are deflated once for all. */
function withoutSmallWindow({ headers }: IncomingMessage): void {
  if (headers['sec-websocket-extensions']?.includes('server_max_window_bits'))
    delete headers['sec-websocket-extensions'];
}
