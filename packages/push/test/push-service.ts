/** A push service of RFC 8030 on this machine, over TLS, that decrypts what it is sent and answers as a test wants. */

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { PushMessage } from '@venue/protocol';
import { decrypt } from 'http_ece';
import { Browser } from './devices.ts';

/** How it answers: with a status and headers, or never. */
export type Manner = Answer | 'hang';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

export interface Received {
  readonly browser: Browser;
  readonly headers: IncomingHttpHeaders;
  readonly message: PushMessage;
}

const TAKEN: Answer = { status: 201 };

export class PushService {
  /** Its certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
  readonly received: Received[] = [];
  /** Requests of any kind, by path. */
  readonly asked: string[] = [];
  readonly #folder: string;
  readonly #server: Server;
  readonly #browsers = new Map<string, Browser>();
  readonly #manners = new Map<string, Manner[]>();

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.certificate = join(folder, 'cert.pem');
    const key = readFileSync(join(folder, 'key.pem'));
    this.#server = createServer({ key, cert: readFileSync(this.certificate) }, (asked, answer) => {
      void this.#take(asked, answer);
    }).listen(port, '127.0.0.1');
  }

  static async start(): Promise<PushService> {
    const folder = mkdtempSync(join(tmpdir(), 'push-service-'));
    const words =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem';
    execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });
    const service = new PushService(folder, 0);
    await once(service.#server, 'listening');
    return service;
  }

  get origin(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A browser whose messages come here. */
  browser(name: string): Browser {
    const browser = new Browser(`${this.origin}/${name}`);
    this.#browsers.set(`/${name}`, browser);
    return browser;
  }

  /** Answers the next messages of a browser in these manners, and later ones by taking them. */
  answers(name: string, ...manners: readonly Manner[]): void {
    this.#manners.set(`/${name}`, [...manners]);
  }

  /** The messages of a browser, as it would see them. */
  messages(browser: Browser): PushMessage[] {
    return this.received.filter((one) => one.browser === browser).map(({ message }) => message);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.#folder, { recursive: true });
  }

  async #take(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = asked.url ?? '';
    this.asked.push(path);
    const body = await buffer(asked);
    const manner = this.#manners.get(path)?.shift() ?? TAKEN;
    if (manner === 'hang') return;
    const browser = this.#browsers.get(path);
    if (browser !== undefined && manner.status === TAKEN.status) {
      const message = JSON.parse(decrypt(body, browser.decryption).toString()) as PushMessage;
      this.received.push({ browser, headers: asked.headers, message });
    }
    answer.writeHead(manner.status, { 'content-length': '0', ...manner.headers });
    answer.end();
  }
}
