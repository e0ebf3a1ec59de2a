import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** When to cut a connection, relative to an append. */
export type Cut =
  /** The server never receives it. */
  | 'before'
  /** The server has received it, and may or may not have started. */
  | 'during'
  /** The server has committed it, and its answer is lost. */
  | 'after';

/** A connection between a log and its server that can be cut at will. */
export class PostgresProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #armed: Cut | undefined;
  /** How often each kind of cut happened. */
  readonly cuts = new Map<Cut, number>();

  private constructor(targetPort: number) {
    this.#server = createServer((client) => this.#connect(client, targetPort));
  }

  static async open(targetPort: number): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(targetPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The URL of the server through this proxy. */
  via(url: string): string {
    const { port } = this.#server.address() as { port: number };
    return url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
  }

  /** Cuts the next append in this way. */
  arm(cut: Cut): void {
    this.#armed = cut;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(client: Socket, targetPort: number): void {
    const server = createConnection(targetPort, '127.0.0.1');
    let cutOnAnswer = false;
    const cut = (how: Cut) => {
      this.cuts.set(how, (this.cuts.get(how) ?? 0) + 1);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (chunk) => {
      const how = chunk.includes('append\0') ? this.#armed : undefined;
      if (how !== undefined) this.#armed = undefined;
      if (how === 'before') return cut(how);
      server.write(chunk);
      if (how === 'during') setImmediate(() => cut(how));
      cutOnAnswer ||= how === 'after';
    });
    server.on('data', (chunk) => {
      if (cutOnAnswer) cut('after');
      else client.write(chunk);
    });
  }
}
