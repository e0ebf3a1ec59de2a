/** Ports for servers that must know theirs before they listen, or come back to it. */

import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range from which systems choose: the outgoing connection of any process may take a port from there while
 * nobody listens on it, above all while a server restarts.
 */
const FIRST = 20_000;
const COUNT = 10_000;
/** So that test files that run at the same time begin at different ones. */
const PORTS_PER_PROCESS = 10;

let next = process.pid * PORTS_PER_PROCESS;

/** A port that nobody listens on, another one at each call. Where a server can choose by itself, port 0 is safer. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
