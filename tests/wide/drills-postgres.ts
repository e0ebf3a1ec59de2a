/** A PostgreSQL server of Debian, whose `pg_dump` and `pg_restore` are of its own version. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../e2e/launched.ts';

const PASSWORD = 'password-of-a-test';

/** The first version that the log can use. */
const VERSION_MIN = 15;

/** Why there is no such server here, or undefined; a Debian of before trixie has an older one, which no package mends. */
export function whyNoDebianPostgres(): string | undefined {
  const bin = debianPrograms();
  if (bin === undefined) return 'needs the Debian package postgresql';
  return versionOf(bin) >= VERSION_MIN
    ? undefined
    : `needs PostgreSQL ${VERSION_MIN}, and Debian has ${versionOf(bin)}`;
}

/** The folder of the newest server's programs. */
export function debianPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => versionOf(a) - versionOf(b))
    .at(-1);
}

function versionOf(bin: string): number {
  return Number(bin.split('/').at(-2));
}

export class DebianPostgres {
  readonly #folder: string;
  readonly #port: number;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<DebianPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-debian-postgres-'));
    const server = new DebianPostgres(folder, await freePort());
    const password = join(folder, 'password');
    writeFileSync(password, PASSWORD);
    const { uid, gid } = asPostgres();
    for (const path of [folder, password]) if (uid !== undefined) chownSync(path, uid, gid!);
    const data = join(folder, 'data');
    as('initdb', ['-D', data, '-U', 'venue', `--pwfile=${password}`, '--auth=scram-sha-256', '--no-sync']);
    const options = `-p ${server.#port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    as('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'server.log'), '-o', options, 'start']);
    return server;
  }

  /** An empty database and its address. */
  async createDatabase(name: string): Promise<string> {
    const url = `postgres://venue:${PASSWORD}@127.0.0.1:${this.#port}`;
    execFileSync('psql', ['-q', '-c', `CREATE DATABASE ${name}`, `${url}/postgres`]);
    return `${url}/${name}`;
  }

  async remove(): Promise<void> {
    as('pg_ctl', ['-D', join(this.#folder, 'data'), '-w', '-m', 'immediate', 'stop']);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function as(program: string, args: readonly string[]): void {
  execFileSync(join(debianPrograms()!, program), args, { cwd: '/', stdio: 'ignore', ...asPostgres() });
}

/** Who has to run a server, for the options of a process: PostgreSQL refuses to run as root. */
export function asPostgres(): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
