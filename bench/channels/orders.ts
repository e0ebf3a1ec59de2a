/** Times a batch of one order on the exchange's main thread, over HTTP and over the stream. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { postOf, RawConnection } from '../shared/connection.ts';
import type { WatchedExchange } from '../shared/exchange-process.ts';
import { ChannelSocket, textOf } from './socket.ts';

export interface OrdersOptions {
  readonly connections: number;
  /** At most the burst that a connection has (VEN-2). */
  readonly batches: number;
}

const TICKS_PER_SECOND = 100;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Processor microseconds of the main thread for each batch, by way. */
export async function measureOrders(
  exchange: WatchedExchange,
  seriesId: string,
  { connections, batches }: OrdersOptions,
): Promise<{ readonly http: number; readonly stream: number }> {
  const client = new VenueClient({ url: exchange.url });
  await client.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  const token = client.token!;
  const actions = [
    { type: 'place', seriesId, side: 'buy', qty: 0.01, price: 0.01 },
    { type: 'cancel-all', seriesIds: [seriesId] },
  ];
  const lanes = { connections, batches };
  const http = await timed(exchange, lanes, () => httpLane(exchange.url, { token, actions, batches }));
  const stream = await timed(exchange, lanes, () => streamLane(exchange.url, { token, actions, batches }));
  return { http, stream };
}

interface Lane {
  readonly token: string;
  readonly actions: readonly object[];
  readonly batches: number;
}

type Send = () => Promise<void>;

async function httpLane(url: string, { token, actions, batches }: Lane): Promise<Send> {
  const connection = await RawConnection.open(url);
  const request = postOf('/v1/batch', { actions }, { 'x-paper-token': token, prefer: 'return=minimal' });
  return async () => {
    for (let i = 0; i < batches; i++) assert.equal((await connection.send(request)).status, 200);
    connection.close();
  };
}

async function streamLane(url: string, { token, actions, batches }: Lane): Promise<Send> {
  let answered: (text: string) => void = () => {};
  const onMessage = (frame: Buffer) => answered(textOf(frame));
  const socket = await ChannelSocket.open({ url, isDeflating: false, request: null, onMessage });
  const ask = (request: object) =>
    new Promise<string>((resolve) => {
      answered = resolve;
      socket.send(JSON.stringify(request));
    });
  assert.match(await ask({ id: 0, op: 'auth', token }), /"status":200/);
  return async () => {
    for (let id = 1; id <= batches; id++)
      assert.match(await ask({ id, op: 'batch', prefer: 'return=minimal', actions }), /"status":200/);
    socket.close();
  };
}

async function timed(
  exchange: WatchedExchange,
  { connections, batches }: OrdersOptions,
  open: () => Promise<Send>,
): Promise<number> {
  const lanes: Send[] = [];
  for (let i = 0; i < connections; i++) lanes.push(await open());
  const before = mainThreadMs(exchange.pid);
  await Promise.all(lanes.map((send) => send()));
  return ((mainThreadMs(exchange.pid) - before) * 1_000) / (connections * batches);
}

function mainThreadMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * 1_000) / TICKS_PER_SECOND;
}
