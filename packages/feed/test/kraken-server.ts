/** A local server with the public part of Kraken's WebSocket v2, which can be made to misbehave. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Level {
  readonly price: number;
  readonly qty: number;
}

export class KrakenServer {
  /** Channel and pair of every subscription so far, over all connections. */
  readonly subscriptions: string[] = [];
  connections = 0;
  /** Pairs that are refused. */
  readonly unknownPairs = new Set<string>();
  readonly #server: WebSocketServer;
  readonly #heartbeat: NodeJS.Timeout;
  #tradeId = 1;
  isSilent = false;

  constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (socket) => this.#onConnection(socket));
    this.#heartbeat = setInterval(() => this.send({ channel: 'heartbeat' }), 50);
  }

  static async start(port = 0): Promise<KrakenServer> {
    const server = new WebSocketServer({ port, host: '127.0.0.1', path: '/v2' });
    await once(server, 'listening');
    return new KrakenServer(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  get openSockets(): number {
    return this.#server.clients.size;
  }

  send(frame: unknown): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    if (this.isSilent) return;
    for (const socket of this.#server.clients) socket.send(text);
  }

  trade(symbol: string, price: unknown, { atMs = Date.now(), id = this.#tradeId++ } = {}): void {
    const trade = { symbol, side: 'sell', price, qty: 0.5, ord_type: 'market', trade_id: id };
    this.send({
      channel: 'trade',
      type: 'update',
      data: [{ ...trade, timestamp: new Date(atMs).toISOString() }],
    });
  }

  ticker(symbol: string, last: unknown, type: 'snapshot' | 'update' = 'update'): void {
    const row = { symbol, bid: 1, bid_qty: 1, ask: 1, ask_qty: 1, last, volume: 2158.3, vwap: 1, low: 1 };
    this.send({ channel: 'ticker', type, data: [{ ...row, high: 1, change: -1, change_pct: -2.41 }] });
  }

  book(symbol: string, bids: readonly Level[], asks: readonly Level[], type = 'snapshot'): void {
    const timestamp = type === 'update' ? { timestamp: new Date().toISOString() } : {};
    const row = { symbol, bids, asks, checksum: 2439117997, ...timestamp };
    this.send({ channel: 'book', type, data: [row] });
  }

  /** Cuts every connection abruptly. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #onConnection(socket: WebSocket): void {
    this.connections += 1;
    const status = { api_version: 'v2', connection_id: 12393906104898154338n.toString(), system: 'online' };
    this.send({ channel: 'status', type: 'update', data: [{ ...status, version: '2.0.0' }] });
    socket.on('message', (data) => this.#onRequest(socket, JSON.parse(String(data))));
  }

  #onRequest(
    socket: WebSocket,
    {
      method,
      params,
      req_id,
    }: { method: string; params?: { channel: string; symbol: string[] }; req_id?: number },
  ): void {
    if (this.isSilent) return;
    if (method === 'ping') socket.send(JSON.stringify({ method: 'pong', req_id }));
    for (const symbol of params?.symbol ?? []) {
      this.subscriptions.push(`${params!.channel} ${symbol}`);
      const answer = this.unknownPairs.has(symbol)
        ? { error: `Currency pair not supported ${symbol}`, method, req_id, success: false, symbol }
        : { method, req_id, result: { channel: params!.channel, snapshot: true, symbol }, success: true };
      socket.send(JSON.stringify({ ...answer, time_in: now(), time_out: now() }));
    }
  }
}

function now(): string {
  return new Date().toISOString();
}
