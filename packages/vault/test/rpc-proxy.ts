/** A JSON-RPC server in front of a chain that fails, truncates, delays or lies, as a test tells it to. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// biome-ignore lint/suspicious/noExplicitAny: what comes from a chain and is bent here has every shape there is
export type Json = any;

export interface RpcCall {
  readonly method: string;
  readonly params: Json[];
  /** The true answer. */
  forward(): Promise<Json>;
}

/** Makes the proxy misbehave instead of answering. */
export class Fault {
  readonly kind: 'error' | 'http' | 'truncate' | 'hang' | 'drop';
  readonly message: string;

  constructor(kind: Fault['kind'], message = 'told to fail') {
    this.kind = kind;
    this.message = message;
  }
}

/** Returns the result of a call, true or not, or a fault. */
export type Tamper = (call: RpcCall) => Promise<Json> | Json;

const HONEST: Tamper = ({ forward }) => forward();

export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>;

/** Starts a proxy that is honest until `tamper` is set; each path below its address works, like one with a key. */
export async function startRpcProxy(targetUrl: string) {
  const calls: { method: string; params: Json[] }[] = [];
  const proxy = {
    url: '',
    tamper: HONEST,
    /** Every call so far. */
    calls,
    honest: () => {
      proxy.tamper = HONEST;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(await text(request));
    calls.push({ method, params });
    let forwarded: Json;
    const forward = async () => {
      forwarded = await ask(targetUrl, { method, params });
      if (forwarded.error !== undefined) throw forwarded.error;
      return forwarded.result;
    };
    try {
      const result = await proxy.tamper({ method, params, forward });
      if (result instanceof Fault) return fail(response, { id, fault: result });
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      if (forwarded?.error !== error) throw error;
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
  }
}

function fail(response: ServerResponse, { id, fault }: { id: unknown; fault: Fault }): void {
  const { kind, message } = fault;
  if (kind === 'hang') return;
  if (kind === 'drop') response.destroy();
  else if (kind === 'http') response.writeHead(503).end(message);
  else if (kind === 'truncate')
    response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","resu');
  else
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } }));
}

async function ask(url: string, { method, params }: { method: string; params: Json[] }): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}
