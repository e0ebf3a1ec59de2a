/** Real `venue` processes for whole-system tests: started, read, signalled, and always ended. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callWitness, lastLines, noteUnreaped } from '../../scripts/evidence.ts';

export { freePort } from '../../packages/log/test/free-port.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'packages/cli/src/main.ts';
/** How long anything that has to come may take: far more than it does, as a machine may have a lot else to do. */
export const PATIENCE_MS = 120_000;

/** Nobody trades but the test, and nobody quotes but one maker. */
export const QUIET_MARKET = { VENUE_UP_MAKERS: '1', VENUE_CROWD_TRADERS: '0' } as const;

/** A quarter of the listings, available sooner, for tests that do not depend on their number. */
export const SMALL_MARKET = {
  ...QUIET_MARKET,
  VENUE_MAINTENANCE_MS: '500',
  VENUE_STRIKES_PER_SIDE: '5',
} as const;

/** The last lines of `venue up`, once there is something to trade. */
export const QUOTES_STAND = /quotes stand\.[\s\S]*Ctrl-C stops everything\.\n/;

export interface LaunchOptions {
  /** Added to the inherited environment, of which no VENUE_ variable is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Uses `npm start`, like a person, instead of the command itself, and its own process group, like a terminal's
   * foreground job.
   */
  readonly npm?: boolean;
  /** The folder of another release; this one by default. */
  readonly release?: string | undefined;
  /** The Node that runs the command; by default the test's. */
  readonly runtime?: string | undefined;
  /** Words before the command that run it elsewhere, and set its environment there. */
  readonly entry?: readonly string[];
}

const running = new Set<Launched>();
/** Those that ended last, perhaps in the test that fails. */
const ended: Launched[] = [];
const ENDED_SHOWN = 8;
callWitness(() => [...ended, ...running].flatMap((launched) => launched.shown()));
// A test that fails may not come to its clean-up.
process.on('exit', () => {
  for (const launched of running) launched.end();
});

/** A launched `venue …` (or `npm start`) and its output so far. It ends with this process at the latest. */
export class Launched {
  readonly process: ChildProcess;
  output = '';
  readonly #ended: Promise<number | null>;
  readonly #name: string;
  /** The file of its log, if it has one. */
  readonly #log: string | undefined;
  #hasEnded = false;

  constructor(
    words: readonly string[],
    { env, npm = false, release = ROOT, runtime = process.execPath, entry = [] }: LaunchOptions,
  ) {
    const itself = npm ? ['npm', 'start'] : [runtime, MAIN, ...words];
    const [command = '', ...args] = [...entry, ...itself];
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VENUE_'));
    this.#log = /^sqlite:(.*)/.exec(env.VENUE_LOG ?? '')?.[1];
    this.process = spawn(command, args, {
      cwd: release,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: npm,
    });
    for (const stream of [this.process.stdout!, this.process.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.#name = `${words[0] ?? 'venue'}-${this.process.pid}`;
    running.add(this);
    this.#ended = once(this.process, 'close').then(([code]) => {
      this.#hasEnded = true;
      running.delete(this);
      ended.push(this);
      if (ended.length > ENDED_SHOWN) ended.shift();
      return code;
    });
  }

  /** Acts like Ctrl-C in a terminal: signals the whole foreground group. Only for `npm`. */
  interrupt(): void {
    process.kill(-this.process.pid!, 'SIGINT');
  }

  /** Its non-empty lines. */
  get lines(): string[] {
    return this.output.split('\n').filter((line) => line !== '');
  }

  /** Waits until the output matches; throws with the output on timeout, or if the process ends first. */
  async says(pattern: RegExp, limitMs = PATIENCE_MS): Promise<RegExpExecArray> {
    const found = await eventually(
      `output ${pattern}`,
      () => pattern.exec(this.output) ?? (this.#hasEnded && 'ended'),
      limitMs,
    ).catch((error) => {
      throw new Error(`${error.message}; output:\n${lastLines(this.output)}`);
    });
    if (found === 'ended')
      throw new Error(`ended without output ${pattern}; output:\n${lastLines(this.output)}`);
    return found;
  }

  /** The exit code; throws when it does not end in time. */
  async exits(limitMs = PATIENCE_MS): Promise<number | null> {
    const late = sleep(limitMs, 'late' as const, { ref: false });
    const code = await Promise.race([this.#ended, late]);
    if (code === 'late')
      throw new Error(`still running after ${limitMs} ms; output:\n${lastLines(this.output)}`);
    return code;
  }

  /** Its last output, and the end of its log, as files. */
  shown(): [name: string, content: string][] {
    const output: [string, string] = [`${this.#name}.log`, lastLines(this.output)];
    const log = this.#log;
    return log !== undefined && existsSync(log)
      ? [output, [`${this.#name}.entries`, lastEntries(log)]]
      : [output];
  }

  /** Ids of all its descendants, by the subcommand each runs. */
  descendants(): Map<string, number> {
    return new Map(below(this.process.pid!).map(({ pid, command }) => [wordOf(command), pid]));
  }

  /** Clean-up: kills everything that may still run. */
  end(): void {
    if (this.#hasEnded) return;
    const pids = [...this.descendants().values(), this.process.pid!];
    noteUnreaped(pids.slice(0, -1));
    for (const pid of pids) killIfAlive(pid);
  }
}

/** A process may end between the check and the kill. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs the first-order example on a market, to its end. */
export async function runExample(url: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const args = ['examples/first-order.ts', url];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

function processes(): Row[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return [...table.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)].map(
    ([, pid, parent, state, command]) => ({
      pid: Number(pid),
      parent: Number(parent),
      state: state!,
      command: command!,
    }),
  );
}

function below(pid: number, rows = processes()): Row[] {
  const children = rows.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...below(child.pid, rows)]);
}

function wordOf(command: string): string {
  return command.split(`${MAIN} `)[1]?.split(' ')[0] ?? command;
}

/** True while a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  return processes().some((row) => row.pid === pid && !row.state.startsWith('Z'));
}

/** Polls until the answer is not null, undefined or false; throws on timeout. */
export async function eventually<T>(
  what: string,
  probe: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  limitMs = PATIENCE_MS,
): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) throw new Error(`not in ${limitMs} ms: ${what}`);
    await sleep(50);
  }
}

const ENTRIES_SHOWN = 20;
const BODY_CHARS_SHOWN = 200;

/** The end of a log on SQLite: number, time, kind and the beginning of what it says. */
function lastEntries(path: string): string {
  using db = new DatabaseSync(path, { readOnly: true });
  const read =
    'SELECT seq, ts, kind, substr(CAST(body AS TEXT), 1, ?) AS body FROM log ORDER BY seq DESC LIMIT ?';
  const rows = db.prepare(read).all(BODY_CHARS_SHOWN, ENTRIES_SHOWN);
  return rows
    .reverse()
    .map(({ seq, ts, kind, body }) => `${seq} ${new Date(Number(ts)).toISOString()} ${kind} ${body}\n`)
    .join('');
}

/** The entry of the newest snapshot in a log on SQLite, or 0. */
export function newestSnapshot(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  return Number(db.prepare('SELECT max(seq) AS seq FROM snapshot').get()!.seq);
}
