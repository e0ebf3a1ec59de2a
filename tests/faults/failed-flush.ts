/**
 * A flush of the log fails, the log is opened again, appends are acknowledged, and then the power fails at some moment.
 * The disk's contents are derived from the system calls of the two processes.
 *
 *   node tests/faults/failed-flush.ts --cuts 500
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempDisposableSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atLeast } from '../../packages/exchange/sim/options.ts';
import { SqliteFile } from '../../packages/log/src/sqlite/file.ts';
import { bytesIn, type Call, callsIn, DiskModel, straceArguments } from './disk-model.ts';
import { finish, say } from './figures.ts';
import { whyNoFlushError } from './flush-error.ts';
import { runScript } from './options.ts';

const APPENDER = fileURLToPath(new URL('../../packages/log/test/appender.ts', import.meta.url));
const FAILING_FLUSH = 9;
const ACKNOWLEDGED_CHARS = 600;
const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export interface FailedFlushCuts {
  readonly faults: readonly string[];
  readonly cuts: number;
  /** The last entry acknowledged before the flush failed, and at the end. */
  readonly acknowledged: readonly [number, number];
}

/** Cuts the power this many times, evenly spread over the second process, and once at its end. */
export async function failedFlushCuts(wanted: number): Promise<FailedFlushCuts> {
  using folder = mkdtempDisposableSync(join(FAST, 'venue-flush-cut-'));
  const [place, image] = [join(folder.path, 'log'), join(folder.path, 'image')];
  mkdirSync(place);
  const path = join(place, 'venue.db');
  new SqliteFile(path).close();
  rmSync(`${path}-lock`);
  const disk = new DiskModel(place);
  const traces = [join(folder.path, 'failing'), join(folder.path, 'after')] as const;
  await traced(traces[0], path, [`fdatasync,fsync:error=EIO:signal=KILL:when=${FAILING_FLUSH}`]);
  let acknowledged = 0;
  for (const call of callsIn(traces[0])) acknowledged = takeCall(disk, call, acknowledged);
  const before = acknowledged;
  await traced(traces[1], path);
  const calls = [...callsIn(traces[1])];
  const step = Math.max(1, Math.floor(calls.length / wanted));
  const faults: string[] = [];
  let cuts = 0;
  for (const [i, call] of calls.entries()) {
    acknowledged = takeCall(disk, call, acknowledged);
    if (i % step !== 0 && i !== calls.length - 1) continue;
    cuts += 1;
    // No unflushed page, all of them, or some.
    const keeps = [() => false, () => true, () => Math.random() < 0.5][cuts % 3]!;
    faults.push(
      ...faultsOf(disk, { image, keeps: i === calls.length - 1 ? () => false : keeps, acknowledged }),
    );
  }
  return { faults, cuts, acknowledged: [before, acknowledged] };
}

/** Returns the last entry acknowledged by then. */
function takeCall(disk: DiskModel, call: Call, acknowledged: number): number {
  if (call.name !== 'write') {
    if (call.path.includes('venue.db')) disk.apply(call);
    return acknowledged;
  }
  if (!call.args.startsWith('1<')) return acknowledged;
  const numbers = bytesIn(call.args).toString().match(/^\d+$/gm) ?? [];
  return Math.max(acknowledged, ...numbers.map(Number));
}

interface Cutting {
  readonly image: string;
  readonly keeps: () => boolean;
  readonly acknowledged: number;
}

function faultsOf(disk: DiskModel, { image, keeps, acknowledged }: Cutting): string[] {
  rmSync(image, { recursive: true, force: true });
  mkdirSync(image);
  disk.cut(image, keeps);
  try {
    const log = new SqliteFile(join(image, 'venue.db'));
    const { seq } = log.head;
    log.close();
    return seq >= acknowledged
      ? []
      : [`entry ${acknowledged} was acknowledged, and the log ends with ${seq}`];
  } catch (error) {
    return [`after entry ${acknowledged}: ${(error as Error).message}`];
  }
}

/** Appends until a flush fails, or enough was acknowledged. */
async function traced(trace: string, path: string, inject: string[] = []): Promise<void> {
  const args = [...straceArguments(trace, ...inject), process.execPath, APPENDER, path];
  const strace = spawn('strace', args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const ended = once(strace, 'exit');
  let chars = 0;
  strace.stdout.on('data', (chunk: Buffer) => {
    chars += chunk.length;
    if (inject.length === 0 && chars > ACKNOWLEDGED_CHARS) process.kill(-strace.pid!, 'SIGKILL');
  });
  await ended;
}

if (import.meta.main)
  await runScript({ cuts: '300' }, async (values) => {
    const wanted = atLeast(1, 'cuts', values.cuts);
    const why = whyNoFlushError();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const { faults, cuts, acknowledged } = await failedFlushCuts(wanted);
    say(
      `${cuts} cuts; entries acknowledged: ${acknowledged[0]} before the failure, ${acknowledged[1]} in the end`,
    );
    finish(faults);
  });
