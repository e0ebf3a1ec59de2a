/** Ports for servers that must know theirs before they listen, or come back to it. */

import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the range from which systems choose: the outgoing connection of any process may take a port from there while
 * nobody listens on it, above all while a server restarts.
 */
const FIRST = 20_000;
/** Of one run of tests, and in it of each process that runs files at the same time, as the runner numbers them. */
const PORTS_PER_RUN = 1_000;
const PORTS_PER_PROCESS = 100;
const RUNS = 10;
const PROCESSES = 10;
/** So that files that follow each other in one process begin at different ones. */
const PORTS_PER_FILE = 10;

const run = process.ppid % RUNS;
const place = Number(process.env.NODE_TEST_WORKER_ID ?? process.pid) % PROCESSES;
let next = process.pid * PORTS_PER_FILE;

/** A port that nobody listens on, another one at each call. Where a server can choose by itself, port 0 is safer. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + run * PORTS_PER_RUN + place * PORTS_PER_PROCESS + (next++ % PORTS_PER_PROCESS);
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
