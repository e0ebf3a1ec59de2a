/** A connection to a venue that fails on demand: requests that get lost, answers that do, streams that are cut. */

import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What becomes of one request. */
export type Fault =
  /** It never reaches the venue, and the connection breaks. */
  | 'lose the request'
  /** The venue answers, and the connection breaks before the answer is there. */
  | 'lose the answer'
  /** The venue answers, and nobody hears of it. */
  | 'keep the answer'
  /** It is turned away with a 429, as the edge does, and never reaches the venue. */
  | 'limit the rate'
  /** The venue answers, and something else stands in the place of its answer, under the same status or another. */
  | 'blank the answer'
  | 'garble the answer'
  | 'empty the answer'
  | 'deny it with 404'
  /** It reaches the venue twice, and the second answer counts. */
  | 'double the request'
  /** It is kept back until `deliver` is called, and the client's connection breaks at once. */
  | 'delay the request'
  /** It is kept back until `release` is called, and the client waits. */
  | 'hold the request';

export class FaultyProxy {
  readonly #server: Server;
  readonly #target: URL;
  /** What to do with the next requests to a path. */
  readonly #faults = new Map<string, Fault[]>();
  readonly #delayed: (() => Promise<number>)[] = [];
  readonly #held: (() => void)[] = [];
  readonly #streams = new Set<Socket>();
  readonly #upgrades: string[] = [];
  #takesStreams = true;

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

  /** The streams that were asked for so far, by their address. */
  get upgrades(): readonly string[] {
    return this.#upgrades;
  }

  /** Sends what follows to another venue. */
  retarget(url: string): void {
    this.#target.href = url;
  }

  /** Lets the next requests to a path fail, one after another. */
  fail(path: string, ...faults: Fault[]): void {
    this.#faults.set(path, faults);
  }

  /** Hands a request that was kept back to the venue; gives the status of the answer. */
  deliver(): Promise<number> {
    return this.#delayed.shift()!();
  }

  /** How many requests are held. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Lets the requests go on that are held. */
  release(): void {
    for (const goOn of this.#held.splice(0)) goOn();
  }

  /** Breaks every stream, and takes new ones or not. */
  cutStreams({ thenTake }: { readonly thenTake: boolean }): void {
    this.#takesStreams = thenTake;
    for (const socket of this.#streams) socket.destroy();
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
      const lines = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
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
