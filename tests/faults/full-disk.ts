/**
 * A full disk: the log is on a small tmpfs, which a file fills up and then frees again. Meanwhile writes must be
 * answered 500, reads continue and the node report that it is unhealthy; then writes must continue in the same process.
 * A process started on a full disk must say so in one line and end, and start once there is room.
 *
 *   node tests/faults/full-disk.ts
 */

import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../e2e/launched.ts';
import type { Crowd } from './crowd.ts';
import { finish, say } from './figures.ts';
import type { Judged } from './judge.ts';
import { mount, untilUnmounted, whyNoMount } from './machine.ts';
import type { NodeProcess } from './node-process.ts';
import { runScript } from './options.ts';
import { underLoad } from './under-load.ts';

const TRADERS = 8;
const DISK = ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs'];
/** Space left for the log when the disk is nearly full. */
const LEFT_BYTES = 200_000;
const FULL_FOR_MS = 2_000;

export function whyNoFullDisk(): string | undefined {
  return whyNoMount(DISK);
}

export interface FullDisk {
  readonly faults: readonly string[];
  readonly acknowledged: number;
  /** Writes that were answered 500. */
  readonly refused: number;
  /** From the moment there is room to the first acknowledged write, each time. */
  readonly resumedMs: readonly number[];
}

/** Fills the disk and makes room again this many times, under load. */
export async function fullDisk(times: number): Promise<FullDisk> {
  const disk = mount(...DISK);
  const log = `sqlite:${join(disk.folder, 'venue.db')}`;
  try {
    const { faults, crowd, given } = await underLoad({ log, traders: TRADERS }, (load) =>
      fillAgainAndAgain(load, disk.folder, times),
    );
    return {
      faults: [...given.faults, ...faults],
      acknowledged: crowd.acknowledgements,
      refused: crowd.counts().internalErrors,
      resumedMs: given.resumedMs,
    };
  } finally {
    await untilUnmounted(disk);
  }
}

async function fillAgainAndAgain(
  load: Judged,
  folder: string,
  times: number,
): Promise<Pick<FullDisk, 'faults' | 'resumedMs'>> {
  const { node, crowd } = load;
  const { pid } = node;
  const faults: string[] = [];
  const resumedMs: number[] = [];
  for (let i = 0; i < times; i += 1) {
    await crowd.untilServed(200);
    faults.push(...(await faultsWhileFull(load, folder)));
    const roomMs = performance.now();
    await crowd.untilServed(1);
    resumedMs.push(Math.round(performance.now() - roomMs));
  }
  await crowd.untilServed(200);
  await node.untilAnswering();
  if (node.pid !== pid) faults.push('the process did not go on');
  await crowd.stop();
  await stopOnFullDisk(node, folder);
  await node.start();
  // This removes the journal, which a start must create again.
  await node.stop();
  faults.push(...(await faultsOfStart(node, folder)));
  await node.start();
  return { faults, resumedMs };
}

async function faultsWhileFull({ node, crowd }: Judged, folder: string): Promise<string[]> {
  const filler = join(folder, 'filler');
  fill(filler, LEFT_BYTES);
  const before = crowd.counts().internalErrors;
  await eventually('writes are refused', () => crowd.counts().internalErrors > before + 20);
  const acknowledged = crowd.acknowledgements;
  const faults = await faultsOfReads(node, crowd);
  await eventually('the node says what it lacks', () => saysFull(node));
  await sleep(FULL_FOR_MS);
  if (crowd.acknowledgements > acknowledged + 200) faults.push('the disk was not full after all');
  rmSync(filler);
  await eventually('the node is well again', () => node.isWell());
  return faults;
}

async function saysFull(node: NodeProcess): Promise<boolean> {
  const [isWell, ready] = await Promise.all([node.isWell(), fetch(`${node.url}/readyz`)]);
  const { error } = (await ready.json()) as { error?: string };
  return !isWell && ready.status === 503 && error === 'not ready: no room for the log';
}

async function faultsOfReads({ url }: NodeProcess, { traders }: Crowd): Promise<string[]> {
  const faults: string[] = [];
  const headers = { 'x-paper-token': traders[0]!.token };
  for (const path of ['/healthz', '/v1/meta', '/v1/series?symbol=AAPL', '/v1/me', '/v1/fills']) {
    const { status } = await fetch(`${url}${path}`, { headers });
    if (status !== 200) faults.push(`${path} is answered ${status} while the disk is full`);
  }
  return faults;
}

/** Ends with 0, with or without a snapshot. */
async function stopOnFullDisk(node: NodeProcess, folder: string): Promise<void> {
  const filler = join(folder, 'filler');
  fill(filler, 0);
  await node.stop();
  rmSync(filler);
}

async function faultsOfStart(node: NodeProcess, folder: string): Promise<string[]> {
  const filler = join(folder, 'filler');
  fill(filler, 0);
  node.launch();
  const code = await node.ends();
  const { output } = node;
  rmSync(filler);
  say(`started on a full disk: ${output.trim()}`);
  const isOneLine = /^venue: [^\n]*disk[^\n]* full[^\n]*make room[^\n]*\n$/.test(output);
  return code === 1 && isOneLine ? [] : [`a start on a full disk ended with ${code} and wrote ${output}`];
}

/** Writes a file that leaves this many bytes free on its disk, as far as a running process allows. */
function fill(file: string, leftBytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize - leftBytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

if (import.meta.main)
  await runScript({}, async () => {
    const why = whyNoFullDisk();
    if (why !== undefined) {
      say(`not run: ${why}`);
      return;
    }
    const { faults, acknowledged, refused, resumedMs } = await fullDisk(5);
    say(`${acknowledged} writes acknowledged, ${refused} answered 500 while the disk was full`);
    say(`from room to the first acknowledgement: ${resumedMs.join(', ')} ms`);
    finish(faults);
  });
