/** Serves a daemon's metrics to scrapers on its own machine. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** The port cannot be used; the message is one line. */
export class MetricsPortError extends Error {
  override name = 'MetricsPortError';
}

export interface ServedMetrics {
  readonly url: string;
  close(): void;
}

/**
 * Serves `GET /metrics` on 127.0.0.1 until `close`; port 0 picks a free one. Rejects with `MetricsPortError` if the
 * port cannot be used.
 */
export async function serveMetrics(port: number, registry: Registry): Promise<ServedMetrics> {
  const server = createServer(async ({ method, url }, response) => {
    const isFound = method === 'GET' && url === '/metrics';
    const text = isFound ? await registry.metrics() : 'not found\n';
    response.writeHead(isFound ? 200 : 404, { 'content-type': registry.contentType });
    response.end(text);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new MetricsPortError(`metrics cannot be served on 127.0.0.1:${port}: ${code}`);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Runs `work` while serving its metrics on the port; null serves none. Rejects like `serveMetrics`. */
export async function whileServing<T>(
  port: number | null,
  registry: Registry,
  work: () => Promise<T>,
): Promise<T> {
  const served = port === null ? null : await serveMetrics(port, registry);
  try {
    return await work();
  } finally {
    served?.close();
  }
}
