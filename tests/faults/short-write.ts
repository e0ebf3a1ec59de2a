/**
 * A partial write: the file size limit of the running exchange (RLIMIT_FSIZE) ends in the middle of the next page of
 * the WAL. While strace delays the short write, room is made, and the exchange must continue in the same process.
 * Without room it must end with one line, and the next start must have everything acknowledged.
 *
 *   node tests/faults/short-write.ts
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../e2e/launched.ts';
import { finish, say } from './figures.ts';
import { whyNoFlushError } from './flush-error.ts';
import type { Judged } from './judge.ts';
import { run } from './machine.ts';
import type { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { underLoad } from './under-load.ts';

const TRADERS = 4;
/** More than a frame's header, and less than its page. */
const PART_BYTES = 500;
/** Strace delays each write to the WAL by this much: longer than this process may be kept waiting for a processor. */
const HOLD_MS = 6_000;

export interface ShortWrites {
  readonly faults: readonly string[];
  /** The process's last line. */
  readonly line: string;
  /** Requested and written bytes of the writes that were continued. */
  readonly short: readonly (readonly [number, number])[];
  readonly acknowledged: number;
}

/** A short write that is continued, and another that is not. */
export async function shortWrites(): Promise<ShortWrites> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-short-'));
  const path = join(folder.path, 'venue.db');
  const { faults, crowd, given } = await underLoad(
    { log: `sqlite:${path}`, traders: TRADERS },
    async (load) => {
      await load.crowd.untilServed(20);
      const short = await writeInParts(load.node, path);
      await load.crowd.untilServed(20);
      return { short, ...(await cutShort(load, `${path}-wal`)) };
    },
  );
  return { ...given, faults: [...given.faults, ...faults], acknowledged: crowd.acknowledgements };
}

async function writeInParts(node: NodeProcess, path: string): Promise<[number, number][]> {
  const { pid } = node;
  const [wal, calls] = [`${path}-wal`, `${path}-calls`];
  await node.standStill();
  const limit = limitInPage(pid, wal);
  const inject = `inject=pwrite64:delay_exit=${HOLD_MS}ms`;
  const only = ['-P', wal, '-e', 'trace=pwrite64', '-e', inject];
  const args = ['-f', '-qq', '-s', '0', '-o', calls, ...only, '-p', `${pid}`];
  const strace = spawn('strace', args, { stdio: 'ignore' });
  const ended = once(strace, 'exit');
  try {
    await eventually('strace holds every thread', () => isTraced(pid));
    node.signal('SIGCONT');
    await eventually('a write comes back short', () => statSync(wal).size === limit);
    setSizeLimit(pid, 'unlimited');
    await eventually('the rest is written', () => statSync(wal).size > limit);
  } finally {
    strace.kill('SIGTERM');
    await ended;
  }
  const counts = readFileSync(calls, 'utf8').matchAll(/, (\d+), \d+\) += (\d+)/g);
  return [...counts]
    .map(([, asked, done]) => [Number(asked), Number(done)] as [number, number])
    .filter(([asked, done]) => done < asked);
}

async function cutShort({ node, crowd }: Judged, wal: string): Promise<Pick<ShortWrites, 'faults' | 'line'>> {
  await node.standStill();
  limitInPage(node.pid, wal);
  node.signal('SIGCONT');
  const code = await node.ends();
  const line = node.lastWords;
  await node.start();
  await crowd.untilServed(20);
  return { line, faults: code === 1 ? [] : [`ended with ${code} and wrote ${JSON.stringify(line)}`] };
}

/** Stops the process, so that the next page goes to the end of the WAL. Returns the limit. */
function limitInPage(pid: number, wal: string): number {
  const limit = statSync(wal).size + PART_BYTES;
  setSizeLimit(pid, limit);
  return limit;
}

function setSizeLimit(pid: number, bytes: number | 'unlimited'): void {
  // The hard limit stays, or only root could raise it again.
  run('prlimit', '--pid', `${pid}`, `--fsize=${bytes}:`);
}

function isTraced(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every(
    (id) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8')),
  );
}

if (import.meta.main)
  await runScript({}, async () => {
    const why = whyNoFlushError();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const { faults, line, short, acknowledged } = await shortWrites();
    for (const [asked, done] of short) say(`${done} of ${asked} bytes were written, and then the rest`);
    say(`the exchange ended with: ${line}; ${acknowledged} writes acknowledged`);
    finish(faults);
  });
