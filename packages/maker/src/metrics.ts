/** Serves the metrics to whoever scrapes them on this machine. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { ConfigError } from '@venue/config';

/** Listens on 127.0.0.1 until `close`; throws `ConfigError` where the port cannot be had. */
export async function serveMetrics(port: number, text: () => string): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    const isFound = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(isFound ? text() : 'not found\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`VENUE_MAKER_METRICS_PORT: 127.0.0.1:${port} cannot be had: ${error.code}`);
  });
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
