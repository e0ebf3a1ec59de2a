/** The HTTP routes of the push process. Nothing about an account is shown without a signature. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '@venue/config';
import { MESSAGES, malformed, PUSH_MESSAGES, type PublicError, type PushTerms } from '@venue/protocol';
import { PushRefusal, type Register } from './register.ts';

const BODY_BYTES_MAX = 8_192;
const CONNECTIONS_MAX = 512;
const REQUEST_LIMIT_MS = 10_000;

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // There are no cookies: a page can use only what it signs itself.
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-expose-headers': 'x-venue-code',
  'access-control-max-age': '86400',
} as const;

export interface DoorOptions {
  readonly host: string;
  readonly port: number;
  readonly terms: PushTerms;
  readonly register: Pick<Register, 'act'>;
  /** False while the log is out of reach: a session may have been revoked that this process still takes for live. */
  readonly isCurrent: () => boolean;
  readonly onAnswered: (status: number) => void;
  readonly onError: (error: unknown) => void;
}

export interface Door {
  readonly url: string;
  close(): void;
}

/** Listens until it is closed. Rejects with `ConfigError` if it cannot. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = createServer((asked, answer) => {
    void answered(options, asked)
      .catch((error: unknown) => failed(options, asked, error))
      .then((given) => send(options, answer, given));
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.headersTimeout = REQUEST_LIMIT_MS;
  server.requestTimeout = REQUEST_LIMIT_MS;
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  const { host } = options;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listening(server: Server, { host, port }: DoorOptions): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `${host}:${port} cannot be listened on (${code}); set VENUE_PUSH_HOST or VENUE_PUSH_PORT`,
    );
  });
}

interface Given {
  readonly status: number;
  readonly body: object | null;
  /** The code of a refusal (ERR-1). */
  readonly code?: string;
}

async function answered(options: DoorOptions, asked: IncomingMessage): Promise<Given> {
  // Not parsed as a URL: strangers may send what is none.
  const [path] = (asked.url ?? '/').split('?');
  switch (`${asked.method} ${path}`) {
    case 'OPTIONS /push/devices':
    case 'OPTIONS /push/terms':
      return { status: 204, body: null };
    case 'GET /livez':
      return { status: 200, body: { ok: true } };
    case 'GET /readyz':
      return options.isCurrent() ? { status: 200, body: { ok: true } } : refused(PUSH_MESSAGES.outOfTouch);
    case 'GET /push/terms':
      return { status: 200, body: options.terms };
    case 'POST /push/devices': {
      const body = await bodyOf(asked);
      // Asked after the body arrived, which may take seconds.
      return options.isCurrent()
        ? { status: 200, body: options.register.act(body) }
        : refused(PUSH_MESSAGES.outOfTouch);
    }
    default:
      return refused(MESSAGES.notFound);
  }
}

function refused({ status, error, code }: PublicError): Given {
  return { status, body: { error }, code };
}

function failed({ onError }: DoorOptions, asked: IncomingMessage, error: unknown): Given {
  if (error instanceof PushRefusal) return refused(error.refusal);
  // A client that hangs up within its request is no fault of ours, or strangers could fill the journal.
  if (asked.errored !== null) return refused(malformed('body'));
  onError(error);
  return refused(MESSAGES.internal);
}

async function bodyOf(asked: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of asked as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > BODY_BYTES_MAX) throw new PushRefusal(PUSH_MESSAGES.pushBodyTooLarge);
    pieces.push(piece);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new PushRefusal(malformed('body'));
  }
}

function send({ onAnswered }: DoorOptions, answer: ServerResponse, { status, body, code }: Given): void {
  onAnswered(status);
  // The rest of the request was not read, so the connection cannot be used again.
  const hangUp = status === PUSH_MESSAGES.pushBodyTooLarge.status ? { connection: 'close' } : {};
  const named = code === undefined ? {} : { 'x-venue-code': code };
  answer.writeHead(status, { ...HEADERS, ...named, ...hangUp });
  answer.end(body === null ? undefined : `${JSON.stringify(body)}\n`);
}
