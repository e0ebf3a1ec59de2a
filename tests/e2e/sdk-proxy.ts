/** A proxy to a venue that fails on demand: lost requests, lost answers, cut streams. */

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { FrameFilter } from './frame-filter.ts';

/** The fate of one request. */
export type Fault =
  /** It never reaches the venue, and the connection breaks. */
  | 'lose the request'
  /** The venue answers, but the connection breaks before the answer arrives. */
  | 'lose the answer'
  /** The venue answers, but the answer is withheld. */
  | 'keep the answer'
  /** It is refused with a 429, as at the edge, and never reaches the venue. */
  | 'limit the rate'
  /** The venue answers, but another body replaces its answer, with the same status or a different one. */
  | 'blank the answer'
  | 'garble the answer'
  | 'empty the answer'
  | 'deny it with 404'
  /** It reaches the venue twice, and the second answer counts. */
  | 'double the request'
  /** It is held until `deliver` is called, and the client's connection breaks immediately. */
  | 'delay the request'
  /** It is held until `release` is called, while the client waits. */
  | 'hold the request';

export class FaultyProxy {
  readonly #server: Server;
  readonly #target: URL;
  /** Faults for the next requests to each path. */
  readonly #faults = new Map<string, Fault[]>();
  readonly #delayed: (() => Promise<number>)[] = [];
  readonly #held: (() => void)[] = [];
  readonly #streams = new Set<Socket>();
  readonly #upgrades: string[] = [];
  #takesStreams = true;
  /** Decides which messages of later streams do not arrive; null lets the streams through as they are. */
  #drops: ((text: string) => boolean) | null = null;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
    this.#server.on('upgrade', (incoming, socket: Socket, head) => this.#upgrade(incoming, socket, head));
  }

  static async start(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The streams requested so far, by URL. */
  get upgrades(): readonly string[] {
    return this.#upgrades;
  }

  /** Sends further requests to another venue. */
  retarget(url: string): void {
    this.#target.href = url;
  }

  /** Applies faults to the next requests to a path, in order. */
  fail(path: string, ...faults: Fault[]): void {
    this.#faults.set(path, faults);
  }

  /** Forwards a held request to the venue; returns the answer's status. */
  deliver(): Promise<number> {
    return this.#delayed.shift()!();
  }

  /** Number of held requests. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Releases the held requests. */
  release(): void {
    for (const goOn of this.#held.splice(0)) goOn();
  }

  /** Breaks every stream, and accepts new ones or not. */
  cutStreams({ thenTake }: { readonly thenTake: boolean }): void {
    this.#takesStreams = thenTake;
    for (const socket of this.#streams) socket.destroy();
  }

  /**
   * Drops those messages of all later streams for which a function returns true. It gets every one, as the venue
   * then sends them uncompressed.
   */
  dropMessages(drops: (text: string) => boolean): void {
    this.#drops = drops;
  }

  stop(): void {
    this.cutStreams({ thenTake: false });
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = this.#faults.get(incoming.url!)?.shift();
    const body = await buffer(incoming);
    if (fault === 'hold the request') await new Promise<void>((resolve) => this.#held.push(resolve));
    if (fault === 'delay the request')
      this.#delayed.push(async () => (await this.#ask(incoming, body)).status);
    if (fault === 'lose the request' || fault === 'delay the request') return void incoming.socket.destroy();
    if (fault === 'double the request') await this.#ask(incoming, body);
    if (fault === 'limit the rate')
      return void outgoing
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
        .end('{"error":"too many requests — retry"}');
    const { status, headers, answer } = await this.#ask(incoming, body).catch(() => {
      incoming.socket.destroy();
      return { status: 0, headers: {}, answer: Buffer.alloc(0) };
    });
    if (fault === 'lose the answer') return void incoming.socket.destroy();
    if (fault === 'keep the answer' || status === 0) return;
    if (fault === 'blank the answer') return void outgoing.writeHead(status).end();
    if (fault === 'garble the answer') return void outgoing.writeHead(status).end('{"orderId":1,');
    if (fault === 'empty the answer') return void outgoing.writeHead(status).end('{}');
    if (fault === 'deny it with 404') return void outgoing.writeHead(404).end('<html>not found</html>');
    outgoing.writeHead(status, headers).end(answer);
  }

  #ask({ method, url, headers }: IncomingMessage, body: Buffer) {
    return new Promise<{ status: number; headers: IncomingMessage['headers']; answer: Buffer }>(
      (resolve, reject) => {
        const { hostname, port } = this.#target;
        const call = request(
          { hostname, port, method, path: url, headers, agent: false },
          async (response) => {
            const answer = await buffer(response);
            resolve({ status: response.statusCode!, headers: response.headers, answer });
          },
        );
        call.on('error', reject);
        call.end(body);
      },
    );
  }

  #upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#upgrades.push(incoming.url!);
    if (!this.#takesStreams) return void socket.destroy();
    const { hostname, port } = this.#target;
    const upstream = connect(Number(port), hostname, () => {
      const drops = this.#drops;
      const isPassed = (name: string) => drops === null || name !== 'sec-websocket-extensions';
      const headers = Object.entries(incoming.headers).filter(([name]) => isPassed(name));
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream);
      if (drops === null) upstream.pipe(socket);
      else upstream.pipe(new FrameFilter({ drops })).pipe(socket);
    });
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      end.on('error', () => {});
      end.on('close', () => other.destroy());
    }
    this.#streams.add(socket);
    socket.on('close', () => this.#streams.delete(socket));
  }
}
