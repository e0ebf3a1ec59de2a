/** Debian's PostgreSQL server, with `pg_dump` and `pg_restore` of the same version. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../e2e/launched.ts';

const PASSWORD = 'password-of-a-test';

/** The minimum version for the log. */
const VERSION_MIN = 15;

/** Why there is no such server here, or undefined; Debian before trixie has an older one, which no package can fix. */
export function whyNoDebianPostgres(): string | undefined {
  const bin = debianPrograms();
  if (bin === undefined) return 'needs the Debian package postgresql';
  return versionOf(bin) >= VERSION_MIN
    ? undefined
    : `needs PostgreSQL ${VERSION_MIN}, and Debian has ${versionOf(bin)}`;
}

/** The program folder of the newest server. */
export function debianPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => versionOf(a) - versionOf(b))
    .at(-1);
}

function versionOf(bin: string): number {
  return Number(bin.split('/').at(-2));
}

/** A primary, and its standby if there is one. */
export class DebianPostgres {
  readonly #folder: string;
  readonly #ports: number[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(): Promise<DebianPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-debian-postgres-'));
    const server = new DebianPostgres(folder);
    const password = join(folder, 'password');
    writeFileSync(password, PASSWORD);
    const { uid, gid } = asPostgres();
    for (const path of [folder, password]) if (uid !== undefined) chownSync(path, uid, gid!);
    const data = join(folder, 'data-0');
    as('initdb', ['-D', data, '-U', 'venue', `--pwfile=${password}`, '--auth=scram-sha-256', '--no-sync']);
    await server.#run();
    return server;
  }

  /** Maps URLs of the primary to URLs of the standby. */
  async addStandby(): Promise<(url: string) => string> {
    const data = join(this.#folder, `data-${this.#ports.length}`);
    as('pg_basebackup', ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', `${this.#url}/postgres`]);
    const [primary, standby] = [this.#ports[0], await this.#run()];
    return (url) => url.replace(`:${primary}/`, `:${standby}/`);
  }

  /** Starts the next server, and returns its port. */
  async #run(): Promise<number> {
    const [port, data] = [await freePort(), join(this.#folder, `data-${this.#ports.length}`)];
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${this.#folder}`;
    as('pg_ctl', ['-D', data, '-w', '-l', `${data}.log`, '-o', options, 'start']);
    this.#ports.push(port);
    return port;
  }

  get #url(): string {
    return `postgres://venue:${PASSWORD}@127.0.0.1:${this.#ports[0]}`;
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(name: string): Promise<string> {
    execFileSync('psql', ['-q', '-c', `CREATE DATABASE ${name}`, `${this.#url}/postgres`]);
    return `${this.#url}/${name}`;
  }

  async remove(): Promise<void> {
    for (const i of this.#ports.keys())
      as('pg_ctl', ['-D', join(this.#folder, `data-${i}`), '-w', '-m', 'immediate', 'stop']);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function as(program: string, args: readonly string[]): void {
  execFileSync(join(debianPrograms()!, program), args, { cwd: '/', stdio: 'ignore', ...asPostgres() });
}

/** The user that runs a server, for a process's options: PostgreSQL refuses to run as root. */
export function asPostgres(): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
