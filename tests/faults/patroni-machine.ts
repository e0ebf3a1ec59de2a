/**
 * One machine of a PostgreSQL cluster: etcd, Patroni and the server that Patroni runs, from the files made by
 * deploy/patroni/make-cluster. Only folders and the lease differ from a real machine.
 */

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { parse, stringify } from 'yaml';
import { callWitness, lastLines } from '../../scripts/evidence.ts';
import { asPostgres, debianPrograms } from '../wide/drills-postgres.ts';

export interface MachineOptions {
  readonly name: string;
  readonly address: string;
  /** The folder that make-cluster made for this machine. */
  readonly folder: string;
  /** Replaces the shipped lease. */
  readonly lease?: Lease;
}

/** In seconds, like `bootstrap.dcs` of patroni.yml. */
export interface Lease {
  readonly ttl: number;
  readonly loop_wait: number;
  readonly retry_timeout: number;
}

const PARTS = ['etcd', 'patroni'] as const;
type Part = (typeof PARTS)[number];

const QUERY_LIMIT_MS = 2_000;
const TYPED_LIMIT_MS = 60_000;

/** The largest lag that the editor of `patronictl edit-config` writes. */
export const EDITED_LAG = 2_097_152;
const EDITOR = `#!/bin/sh
exec sed -i 's/^maximum_lag_on_failover: .*/maximum_lag_on_failover: ${EDITED_LAG}/' "$1"
`;

/**
 * Runs its arguments, reports the process id and later its end, and kills it when the other end of the pipe closes:
 * nothing survives its test, however that ends. A server survives its Patroni, so it is found by its pid file.
 */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- 4>&- &
program=$!
echo $program >&4
(read -r _ <&3; kill -KILL $program) 2>/dev/null 4>&- &
wait $program
(echo ended >&4) 2>/dev/null
read -r _ <&3
server=$(head -n 1 "$PGDATA/postmaster.pid") || exit
pkill -CONT -P $server
kill -CONT $server
kill -QUIT $server`;

interface Cluster {
  readonly members: readonly { readonly name: string; readonly role: string }[];
}

interface Guarded {
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

export class PatroniMachine {
  readonly name: string;
  readonly address: string;
  readonly #folder: string;
  readonly #parts = new Map<Part, Guarded>();
  readonly #guards: ChildProcess[] = [];
  readonly #dismiss = callWitness(() =>
    PARTS.filter((part) => existsSync(join(this.#folder, `${part}.log`))).map((part) => [
      `${this.name}-${part}.log`,
      lastLines(this.log(part)),
    ]),
  );

  constructor({ name, address, folder, lease }: MachineOptions) {
    this.name = name;
    this.address = address;
    this.#folder = folder;
    this.#install(lease);
  }

  get data(): string {
    return join(this.#folder, 'postgresql/venue');
  }

  /** Starts those of its programs that are not running. */
  async start(...parts: readonly Part[]): Promise<void> {
    for (const part of parts.length > 0 ? parts : PARTS)
      if (!this.#parts.has(part)) this.#parts.set(part, await this.#launch(part));
  }

  /** Kills all processes together, as in a power failure. */
  async loseTheMachine(): Promise<void> {
    this.#signal('SIGKILL', [...this.#server(), ...this.#pidsOf('patroni'), ...this.#pidsOf('etcd')]);
    await this.#forget('patroni');
    await this.#forget('etcd');
  }

  /** Kills the server, but not Patroni. */
  crash(): void {
    this.#signal('SIGKILL', this.#server());
  }

  /** Kills one program: without Patroni nobody stops the server. */
  async lose(part: Part): Promise<void> {
    this.#signal('SIGKILL', this.#pidsOf(part));
    await this.#forget(part);
  }

  /** Pauses everything, with connections left open. */
  pause(): void {
    this.#signal('SIGSTOP', [...this.#server(), ...this.#pidsOf('patroni'), ...this.#pidsOf('etcd')]);
  }

  resume(): void {
    this.#signal('SIGCONT', [...this.#server(), ...this.#pidsOf('patroni'), ...this.#pidsOf('etcd')]);
  }

  /** Ends everything that still runs, and deletes its files. */
  async remove(): Promise<void> {
    this.#dismiss();
    await this.loseTheMachine();
    rmSync(this.#folder, { recursive: true, force: true });
    for (const guard of this.#guards) guard.stdin!.end();
  }

  async sql(text: string): Promise<unknown[][]> {
    const client = new Client({
      connectionString: `postgres://postgres:${this.#setting('PATRONI_SUPERUSER_PASSWORD')}@${this.address}:5432/postgres?sslmode=verify-full&sslrootcert=${this.#folder}/ca.pem`,
      connectionTimeoutMillis: QUERY_LIMIT_MS,
      query_timeout: QUERY_LIMIT_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
    } finally {
      client.end().catch(() => {});
    }
  }

  /**
   * Runs lines of a shell as root types them on this machine, with answers to what they ask. Resolves with the output;
   * rejects if they do not end with 0.
   */
  async type(lines: readonly string[], answers: readonly string[] = []): Promise<string> {
    const script = this.#moved(['shopt -s expand_aliases', ...lines].join('\n'));
    const typing = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C.UTF-8',
        EDITOR: join(this.#folder, 'editor'),
      },
      timeout: TYPED_LIMIT_MS,
    });
    typing.child.stdin!.end(answers.map((answer) => `${answer}\n`).join(''));
    return (await typing).stdout;
  }

  async isPrimary(): Promise<boolean> {
    const rows = await this.sql('SELECT pg_is_in_recovery()').catch(() => []);
    return rows[0]?.[0] === false;
  }

  /** The machines that may be promoted, as recorded by Patroni; none if its own Patroni does not answer. */
  async successors(): Promise<string[]> {
    const options = { ca: readFileSync(join(this.#folder, 'ca.pem')), timeout: QUERY_LIMIT_MS };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = get(`https://${this.address}:8008/cluster`, options, resolve);
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer')));
    const { members } = (await json(await promise)) as Cluster;
    return members.filter(({ role }) => /^(sync|quorum)_standby$/.test(role)).map(({ name }) => name);
  }

  /** Diagnostics for a person. */
  lastWords(): string {
    return this.log('patroni').split('\n').slice(-20).join('\n');
  }

  /** The output of a program since its first start. */
  log(part: Part): string {
    return readFileSync(join(this.#folder, `${part}.log`), 'utf8');
  }

  /** Replaces the folders of a real machine with this one's. */
  #install(lease: Lease | undefined): void {
    for (const name of ['etcd', 'postgresql', 'run']) mkdirSync(join(this.#folder, name), { mode: 0o700 });
    const settings = parse(this.#moved(readFileSync(join(this.#folder, 'patroni.yml'), 'utf8')));
    Object.assign(settings.bootstrap.dcs, lease);
    // The watchdog must not reset the machine that runs the tests.
    settings.watchdog.mode = 'off';
    settings.postgresql.parameters.shared_buffers = '32MB';
    writeFileSync(join(this.#folder, 'config.yml'), stringify(settings));
    writeFileSync(join(this.#folder, 'editor'), EDITOR, { mode: 0o755 });
    const { uid, gid } = asPostgres();
    if (uid === undefined) return;
    const files = execFileSync('find', [this.#folder], { encoding: 'utf8' }).trim().split('\n');
    for (const file of files) chownSync(file, uid, gid!);
  }

  #moved(text: string): string {
    return text
      .replaceAll('/var/lib/etcd', `${this.#folder}/etcd`)
      .replaceAll('/var/lib/postgresql', `${this.#folder}/postgresql`)
      .replaceAll('/var/run/postgresql', `${this.#folder}/run`)
      .replaceAll(/\/etc\/(patroni|etcd-venue)(?=\/)/g, this.#folder);
  }

  #environment(part: Part): Record<string, string> {
    const text = this.#moved(readFileSync(join(this.#folder, `${part}.env`), 'utf8'));
    return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
  }

  #setting(name: string): string {
    return this.#environment('patroni')[name]!;
  }

  async #launch(part: Part): Promise<Guarded> {
    const log = openSync(join(this.#folder, `${part}.log`), 'a');
    const words = part === 'etcd' ? ['etcd'] : ['patroni', join(this.#folder, 'config.yml')];
    const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
      ...asPostgres(),
      cwd: this.#folder,
      env: {
        PATH: `${debianPrograms()}:/usr/bin:/bin`,
        LC_ALL: 'C.UTF-8',
        HOME: this.#folder,
        ...(part === 'patroni' && { PGDATA: this.data }),
        ...this.#environment(part),
        ETCD_UNSUPPORTED_ARCH: process.arch === 'arm64' ? 'arm64' : '',
      },
      stdio: ['pipe', log, log, 'ignore', 'pipe'],
      // In a separate session: the system sends SIGHUP to an orphaned group that contains a paused process.
      detached: true,
    });
    closeSync(log);
    this.#guards.push(child);
    child.stdin!.on('error', () => {});
    const said = child.stdio[4] as Readable;
    const [pid] = await once(said, 'data');
    return { pid: Number(pid), ended: once(said, 'data') };
  }

  async #forget(part: Part): Promise<void> {
    const guarded = this.#parts.get(part);
    this.#parts.delete(part);
    await guarded?.ended;
  }

  #pidsOf(part: Part): number[] {
    const guarded = this.#parts.get(part);
    return guarded ? [guarded.pid, ...childrenOf(guarded.pid)] : [];
  }

  /** The postmaster first, or it would start others meanwhile. */
  #server(): number[] {
    try {
      const postmaster = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return isServer(postmaster, this.data) ? [postmaster, ...childrenOf(postmaster)] : [];
    } catch {
      return [];
    }
  }

  #signal(signal: NodeJS.Signals, pids: readonly number[]): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }
}

/** The pid file of a killed server remains, and its pid may belong to another process by now. */
function isServer(pid: number, data: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data);
}

function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const children = [...table.matchAll(/^\s*(\d+)\s+(\d+)$/gm)]
    .filter(([, , parent]) => Number(parent) === pid)
    .map(([, child]) => Number(child));
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}
