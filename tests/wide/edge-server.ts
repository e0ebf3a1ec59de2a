/** Debian's nginx with the configuration of deploy/nginx in front of a service, on free ports. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { callWitness, lastLines } from '../../scripts/evidence.ts';
import { eventually, freePort } from '../e2e/launched.ts';
import { isInstalled } from '../faults/machine.ts';
import { makeCertificate } from './certificate.ts';

const CONFIGURATION = fileURLToPath(new URL('../../deploy/nginx', import.meta.url));

/** The reason why this machine cannot run the test; undefined where it can. */
export function whyNoEdge(): string | undefined {
  const missing = ['nginx', 'openssl'].find((program) => !isInstalled(program));
  return missing === undefined
    ? undefined
    : `needs the Debian package ${missing === 'nginx' ? 'nginx-light' : missing}`;
}

/** An exchange with real money, which has every route. */
export const DEPOSITS_ENV = {
  VENUE_PORT: '0',
  VENUE_LOG_LEVEL: 'silent',
  VENUE_FUNDING_MODE: 'deposits',
  VENUE_OPERATOR_TOKEN: 'operator-secret-operator-secret-operator',
  VENUE_FEED_TOKEN: 'feed-secret-feed-secret-feed-secret',
  VENUE_MAKER_TOKEN: 'maker-secret-maker-secret-maker-secret',
  VENUE_SETTLE_TOKEN_1: 'settle-secret-one-settle-secret-one',
  VENUE_SETTLE_TOKEN_2: 'settle-secret-two-settle-secret-two',
};

/** A client's handshake for a stream. */
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

export interface EdgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Asking extends Pick<RequestOptions, 'method' | 'headers'> {
  /** The client's address: any of 127.0.0.0/8, or `::1`, or another of this machine. */
  readonly from?: string;
  readonly body?: string;
}

interface EdgeOptions {
  /** The service's port. */
  readonly upstreamPort: number;
  /** Ports of its further nodes. */
  readonly otherPorts?: readonly number[];
  /** Lets a client set its apparent address in the header `x-test-address`. */
  readonly takesAddresses?: boolean;
}

/** One nginx and its folder of configuration, keys and logs. */
export class Edge {
  readonly port: number;
  readonly plainPort: number;
  readonly folder: string;
  readonly certificate: string;
  readonly #agents = new Map<string, Agent>();
  readonly #dialled: TLSSocket[] = [];
  #nginx: Nginx | undefined;
  readonly #dismiss = callWitness(() => [['nginx.log', lastLines(this.logs)]]);

  private constructor(folder: string, port: number, plainPort: number) {
    this.folder = folder;
    this.port = port;
    this.plainPort = plainPort;
    this.certificate = readFileSync(join(folder, 'fullchain.pem'), 'utf8');
  }

  static async start(options: EdgeOptions): Promise<Edge> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-edge-'));
    cpSync(CONFIGURATION, folder, { recursive: true });
    makeCertificate(folder, { names: 'DNS:venue.example.com,IP:127.0.0.1', days: 2 });
    const edge = new Edge(folder, await freePort(), await freePort());
    edge.#writeMachine(options);
    edge.#nginx = await startNginx(folder, edge.port);
    return edge;
  }

  /** The machine-specific configuration: ports, certificate, logs, user. */
  #writeMachine({ upstreamPort, otherPorts = [], takesAddresses = false }: EdgeOptions): void {
    const { folder } = this;
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(folder, 'machine', `${name}.conf`), `${lines.join('\n')}\n`);
    const user = userInfo().uid === 0 ? ['user root;'] : [];
    write('process', [...user, `pid ${folder}/nginx.pid;`, `error_log ${folder}/error.log crit;`]);
    const ports = [upstreamPort, ...otherPorts];
    write(
      'upstream',
      ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`),
    );
    const shared = [
      'server_name venue.example.com;',
      `client_body_temp_path ${folder}/body;`,
      `proxy_temp_path ${folder}/proxy;`,
    ];
    const address = ['set_real_ip_from 127.0.0.0/8;', 'real_ip_header x-test-address;'];
    write('listen', [
      `listen 127.0.0.1:${this.port} ssl http2;`,
      `listen [::]:${this.port} ssl http2 ipv6only=on;`,
      ...shared,
      `ssl_certificate ${folder}/fullchain.pem;`,
      `ssl_certificate_key ${folder}/privkey.pem;`,
      `access_log ${folder}/access.log venue;`,
      ...(takesAddresses ? address : []),
    ]);
    write('plain', [`listen 127.0.0.1:${this.plainPort};`, ...shared, 'access_log off;']);
  }

  /** One request over HTTPS. */
  async ask(
    path: string,
    { from = '127.0.0.1', body, method = 'GET', headers = {} }: Asking = {},
  ): Promise<EdgeAnswer> {
    const isIpv6 = from.includes(':');
    const asked = request({
      host: isIpv6 ? from : '127.0.0.1',
      port: this.port,
      path,
      method,
      localAddress: from,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ca: this.certificate,
      servername: 'venue.example.com',
      agent: this.#agentOf(from),
    });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  /** Opens a stream and closes it immediately: the status, 101 if it opened. */
  async openStream(path: string, from = '127.0.0.1'): Promise<number> {
    const asked = request({
      ...{ host: '127.0.0.1', port: this.port, path, localAddress: from, headers: HANDSHAKE, agent: false },
      ...{ ca: this.certificate, servername: 'venue.example.com' },
    });
    asked.end();
    const [answer, socket] = await Promise.race([once(asked, 'upgrade'), once(asked, 'response')]);
    (socket ?? answer.socket).destroy();
    return answer.statusCode;
  }

  /** Sends this many copies of a request in parallel, and counts the answers by status. */
  async flood(count: number, path: string, asking: Asking = {}): Promise<Record<number, number>> {
    const answers = await Promise.all(Array.from({ length: count }, () => this.ask(path, asking)));
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /** A raw connection for a test. */
  async dial(
    options: { minVersion?: 'TLSv1.1'; maxVersion?: 'TLSv1.1' | 'TLSv1.2' } = {},
  ): Promise<TLSSocket> {
    const socket = connectTls({
      host: '127.0.0.1',
      port: this.port,
      ca: this.certificate,
      servername: 'venue.example.com',
      // A version that OpenSSL has disabled must be requested explicitly.
      ...(options.minVersion === undefined ? {} : { ciphers: 'DEFAULT@SECLEVEL=0' }),
      ...options,
    });
    this.#dialled.push(socket);
    await once(socket, 'secureConnect');
    return socket;
  }

  /** The access log's record of each request so far. */
  get accesses(): Record<string, string>[] {
    return (
      readFileSync(join(this.folder, 'access.log'), 'utf8')
        .split('\n')
        // Without what is not a whole line yet.
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    );
  }

  /** The records of a client's requests, of which there are as many: nginx writes each only after its answer. */
  async accessesOf(from: string, count: number): Promise<Record<string, string>[]> {
    const asked = () => this.accesses.filter(({ client }) => client === from);
    await eventually(`${count} records of ${from}`, () => asked().length >= count);
    assert.equal(asked().length, count);
    return asked();
  }

  /** All output of nginx. */
  get logs(): string {
    return ['access.log', 'error.log'].map((name) => readFileSync(join(this.folder, name), 'utf8')).join('');
  }

  async stop(): Promise<void> {
    this.#dismiss();
    for (const open of [...this.#agents.values(), ...this.#dialled]) open.destroy();
    await this.#nginx?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #agentOf(from: string): Agent {
    const agent = this.#agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 24 });
    this.#agents.set(from, agent);
    return agent;
  }
}

export interface Nginx {
  stop(): Promise<void>;
}

/** Starts nginx with the configuration in a folder, and waits until it listens on a port. */
export async function startNginx(folder: string, port: number): Promise<Nginx> {
  const words = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'];
  const nginx = spawn('nginx', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  // It would survive an aborted test.
  process.once('exit', () => nginx.kill());
  await eventually('nginx listens', () => accepts(port));
  return {
    stop: async () => {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
