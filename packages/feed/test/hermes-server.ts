/** A local server with the price part of Hermes' HTTP interface: the list of feeds and the event stream. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedPrice {
  readonly id: string;
  /** Integer text and its power of ten: 22812345 with expo -5 is 228.12345. */
  readonly price: string;
  readonly conf?: string;
  readonly expo?: number;
  readonly publishTime?: number;
  readonly slot?: number;
}

export class HermesServer {
  connections = 0;
  /** Ids that the last stream asked for. */
  ids: string[] = [];
  authorization: string | undefined;
  /** Name of each feed in the list, by id. */
  readonly feeds = new Map<string, string>();
  /** Status of the next streams. */
  status = 200;
  readonly #streams = new Set<ServerResponse>();
  readonly #server: Server;
  #slot = 1;

  constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ url = '', headers }, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(url, 'http://hermes');
      this.authorization = headers.authorization;
      if (pathname === '/v2/price_feeds') this.#list(searchParams.get('query') ?? '', response);
      else if (pathname === '/v2/updates/price/stream') this.#open(searchParams.getAll('ids[]'), response);
      else response.writeHead(404).end();
    });
  }

  static async start(): Promise<HermesServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HermesServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  price(...prices: readonly ServedPrice[]): void {
    const parsed = prices.map(({ id, price, conf = '0', expo = -5, publishTime, slot = this.#slot++ }) => {
      const publish_time = publishTime ?? Math.floor(Date.now() / 1_000);
      const quoted = { price, conf, expo, publish_time };
      const metadata = { slot, proof_available_time: publish_time + 1, prev_publish_time: publish_time - 1 };
      return { id, price: quoted, ema_price: { ...quoted, price: '1' }, metadata };
    });
    this.event(JSON.stringify({ binary: { encoding: 'base64', data: ['UE5BVQ=='] }, parsed }));
  }

  event(data: string): void {
    for (const stream of this.#streams) stream.write(`data:${data}\n\n`);
  }

  cut(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #list(query: string, response: ServerResponse): void {
    const rows = [...this.feeds]
      .filter(([, symbol]) => symbol.includes(query))
      .map(([id, symbol]) => ({ id, attributes: { asset_type: 'Equity', quote_currency: 'USD', symbol } }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
  }

  #open(ids: string[], response: ServerResponse): void {
    this.connections += 1;
    this.ids = ids;
    if (this.status !== 200) {
      response.writeHead(this.status).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }
}
