/** A venue in this process that implements the maker's routes and the stream, and records what it received. */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompactQuote,
  decodeQuotes,
  encodeQuotesAnswer,
  type FillRecord,
  type Instrument,
  MICROS_PER_UNIT,
  type MicrosQuote,
  type Position,
  QUOTES_CONTENT_TYPE,
  type Series,
  type StreamFrame,
} from '@venue/protocol';
import { WebSocketServer } from 'ws';
import { accountOf } from './market.ts';

export const MAKER_TOKEN = 'maker-secret';

interface Answer {
  readonly status: number;
  /** Bytes in reply to a request in bytes. */
  readonly body: object | Uint8Array;
}

export class FakeVenue {
  instruments: Instrument[] = [];
  series: Series[] = [];
  fills: FillRecord[] = [];
  positions: Position[] = [];
  /** Ladders by sid. */
  readonly books = new Map<number, CompactQuote>();
  readonly attempts: string[] = [];
  /** Number of rows of each push. */
  readonly pushes: number[] = [];
  pulls = 0;
  /** Carries out the next registration but closes the connection without an answer. */
  losesAnswer = false;
  pushesAtOnceMax = 0;
  #pushesAtOnce = 0;
  /** Answers every push with an internal fault. */
  isBroken = false;
  refusals = 0;
  /** Duration of a push. */
  pushMs = 0;
  readonly #sessions = new Map<string, number>();
  readonly #server: Server;
  readonly #sockets: WebSocketServer;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then((answer) => {
        if (answer === null) return request.socket.destroy();
        const { status, body } = answer;
        const isBytes = body instanceof Uint8Array;
        response.writeHead(status, { 'content-type': isBytes ? QUOTES_CONTENT_TYPE : 'application/json' });
        response.end(isBytes ? body : JSON.stringify(body));
      });
    });
    this.#sockets = new WebSocketServer({ server: this.#server, path: '/ws' });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get session(): number | null {
    return this.#sessions.size === 0 ? null : Math.max(...this.#sessions.values());
  }

  async open(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.dropStreams();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Continues as if from an empty log: no session, no book. */
  forgetSessions(): void {
    this.#sessions.clear();
    this.books.clear();
  }

  register(attemptId: string): number {
    const session = this.#sessions.get(attemptId) ?? (this.session ?? 0) + 1;
    this.#sessions.set(attemptId, session);
    return session;
  }

  dropStreams(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  send(frame: StreamFrame): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify(frame));
  }

  async #answer(request: IncomingMessage): Promise<Answer | null> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const url = new URL(request.url!, 'http://venue');
    if (url.pathname.startsWith('/v1/maker/')) {
      if (request.headers['x-maker-token'] !== MAKER_TOKEN)
        return { status: 403, body: { error: 'wrong credential' } };
      return this.#maker(url, request, bytes);
    }
    if (url.pathname === '/v1/meta') return ok({ instruments: this.instruments, pendingReview: [] });
    if (url.pathname !== '/v1/series') return { status: 404, body: { error: 'not found' } };
    const symbol = url.searchParams.get('symbol');
    return ok({ series: this.series.filter((series) => series.symbol === symbol) });
  }

  async #maker(url: URL, { headers, method }: IncomingMessage, bytes: Buffer): Promise<Answer | null> {
    const route = `${method} ${url.pathname}`;
    if (route === 'GET /v1/maker/account')
      return ok(accountOf({ session: this.session, positions: this.positions }));
    if (route === 'GET /v1/maker/fills') {
      const after = Number(url.searchParams.get('after'));
      return ok({ fills: this.fills.filter(({ id }) => id > after).slice(0, 500) });
    }
    if (route === 'POST /v1/maker/session') return this.#register(JSON.parse(bytes.toString()));
    const isLive = Number(headers['x-quote-session'] ?? Number.NaN) === this.session;
    if (!isLive) return { status: 409, body: { error: 'no live quote session' } };
    if (route === 'POST /v1/maker/quotes') return this.#push(decodeQuotes(bytes).map(compactQuote));
    this.pulls += 1;
    this.books.clear();
    return ok({ pulled: 1 });
  }

  #register({ attemptId }: { attemptId: string }): Answer | null {
    this.attempts.push(attemptId);
    const session = this.register(attemptId);
    if (!this.losesAnswer) return ok({ session, attemptId });
    this.losesAnswer = false;
    return null;
  }

  async #push(rows: CompactQuote[]): Promise<Answer> {
    if (this.isBroken) {
      this.refusals += 1;
      return { status: 500, body: { error: 'internal error' } };
    }
    this.#pushesAtOnce += 1;
    this.pushesAtOnceMax = Math.max(this.pushesAtOnceMax, this.#pushesAtOnce);
    if (this.pushMs > 0) await sleep(this.pushMs, null, { ref: false });
    this.#pushesAtOnce -= 1;
    this.pushes.push(rows.length);
    for (const row of rows) {
      if (row[1]?.length === 0 && row[2]?.length === 0) this.books.delete(row[0]);
      else this.books.set(row[0], row);
    }
    return ok(encodeQuotesAnswer({ applied: rows.length, kept: 0, errors: 0, rowErrors: [] }));
  }
}

/** A row as the tests read it, in decimals. */
function compactQuote({ sid, bids, asks, iv, delta }: MicrosQuote): CompactQuote {
  return [sid, decimals(bids), decimals(asks), iv ?? null, delta ?? null];
}

function decimals(levels: MicrosQuote['bids']): [number, number][] | null {
  return levels?.map(([price, qty]) => [price / MICROS_PER_UNIT, qty / MICROS_PER_UNIT]) ?? null;
}

function ok(body: object): Answer {
  return { status: 200, body };
}
