/** An exchange in a thief's hands: a real one behind a proxy that rewrites its answers, as a test tells it to. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Json } from './rpc-proxy.ts';

/** Takes the body of an answer to a request, such as `GET /v1/reserves`, and returns the one to send. */
export type Rewrite = (request: string, body: Json) => Json;

export interface ExchangeProxy {
  readonly url: string;
  rewrite: Rewrite;
  /** Every request so far, as method and path without its query. */
  readonly requests: string[];
}

/** Starts a proxy that is honest until `rewrite` is set. */
export async function startExchangeProxy(t: TestContext, targetUrl: string): Promise<ExchangeProxy> {
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rewrite: (_: string, body: Json): Json => body,
    requests: [] as string[],
  };
  return proxy;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const name = `${method} ${url.split('?')[0]}`;
    proxy.requests.push(name);
    const body = method === 'GET' ? null : await buffer(request);
    const kept = Object.entries(headers).filter(([key]) => /^(content-type|x-|authorization)/.test(key));
    const upstream = await fetch(`${targetUrl}${url}`, {
      method,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...(body !== null && { body }),
    });
    const type = upstream.headers.get('content-type') ?? '';
    const text = await upstream.text();
    const sent =
      /json/.test(type) && upstream.ok ? JSON.stringify(proxy.rewrite(name, JSON.parse(text))) : text;
    response.writeHead(upstream.status, { 'content-type': type }).end(sent);
  }
}
