/**
 * A failing flush of the log: strace makes the n-th fsync or fdatasync of the running exchange return EIO. The process
 * must end with one line, and the next start must have everything acknowledged.
 *
 *   node tests/faults/flush-error.ts
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, say } from './figures.ts';
import type { Judged } from './judge.ts';
import { firstLine, isInstalled } from './machine.ts';
import type { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { underLoad } from './under-load.ts';

const TRADERS = 4;
/** Output of a process that lost its disk: exactly one line. */
export const LAST_WORDS = /^venue: the log could not be [^\n]*; check the disk, then start[^\n]*$/;

/** Why a flush cannot be made to fail here, in one line, or undefined. */
export function whyNoFlushError(): string | undefined {
  if (!isInstalled('strace')) return 'strace is not installed (Debian package strace)';
  const { status, stderr } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `strace may not trace here (${firstLine(stderr)})`;
}

export interface FlushErrors {
  readonly faults: readonly string[];
  /** The process's output each time it ended. */
  readonly lines: readonly string[];
  readonly acknowledged: number;
  readonly outagesMs: readonly number[];
}

/** Fails the n-th flush after the start of the load, for each n, and restarts after each. */
export async function flushErrors(flushes: readonly number[]): Promise<FlushErrors> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-flush-'));
  const log = `sqlite:${join(folder.path, 'venue.db')}`;
  const { faults, crowd, given } = await underLoad({ log, traders: TRADERS }, (load) =>
    failFlushes(load, flushes),
  );
  return { ...given, faults: [...given.faults, ...faults], acknowledged: crowd.acknowledgements };
}

async function failFlushes(
  { node, crowd }: Judged,
  flushes: readonly number[],
): Promise<Omit<FlushErrors, 'acknowledged'>> {
  const faults: string[] = [];
  const lines: string[] = [];
  const outagesMs: number[] = [];
  for (const nth of flushes) {
    await crowd.untilServed(20);
    const brokenMs = performance.now();
    const code = await failFlush(node, nth);
    const line = node.lastWords;
    if (code !== 1 || line.includes('\n') || line === '')
      faults.push(`ended with ${code} and wrote ${JSON.stringify(line)}`);
    lines.push(line);
    node.launch();
    await node.untilListening();
    await crowd.untilServed(1);
    outagesMs.push(crowd.outage(brokenMs, performance.now()).venueMs);
  }
  return { faults, lines, outagesMs };
}

/** Resolves with the exit code of the exchange. */
async function failFlush(node: NodeProcess, nth: number): Promise<number | null> {
  const inject = `inject=fdatasync,fsync:error=EIO:when=${nth}`;
  const args = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync,fsync', '-e', inject];
  const strace = spawn('strace', [...args, '-p', String(node.pid)], { stdio: 'ignore' });
  const ended = once(strace, 'exit');
  try {
    return await node.ends();
  } finally {
    strace.kill('SIGKILL');
    await ended;
  }
}

if (import.meta.main)
  await runScript({}, async () => {
    const why = whyNoFlushError();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const { faults, lines, acknowledged, outagesMs } = await flushErrors([1, 2, 3, 10, 30, 100, 300]);
    for (const line of new Set(lines)) say(`the exchange ended with: ${line}`);
    say(`${lines.length} flushes failed; ${acknowledged} writes acknowledged`);
    say(`time without service: ${outagesMs.join(', ')} ms`);
    finish(faults);
  });
