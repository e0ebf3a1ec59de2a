/** The processes besides the exchange, and their processor time. */

import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Child } from '../shared/child.ts';
import type { BareStart } from './bare.ts';
import type { LoadOperation, LoadOperations } from './load.ts';

/** The process that sends orders. */
export class Load {
  readonly #child = Child.fork(new URL('./load.ts', import.meta.url));

  /** Throws when the process has ended, as it does when an answer is wrong. */
  ask<Op extends LoadOperation>(
    op: Op,
    ...args: LoadOperations[Op]['args']
  ): Promise<LoadOperations[Op]['answer']> {
    return this.#child.ask({ op, args });
  }

  end(): void {
    this.#child.end();
  }
}

/** The bare server that only parses, verifies and answers. */
export class BareOrders {
  readonly #child = Child.fork(new URL('./bare.ts', import.meta.url));

  get pid(): number {
    return this.#child.pid;
  }

  /** Starts it with these session keys; returns its URL. */
  start(start: BareStart): Promise<string> {
    return this.#child.ask(start);
  }

  end(): void {
    this.#child.end();
  }
}

/** Processor time of a process so far, for all threads and for the main one; NaN where the system does not report it. */
export interface CpuTime {
  readonly allMs: number;
  readonly mainMs: number;
  /** By the names of threads, of which several have the same one. */
  readonly byThread: ReadonlyMap<string, number>;
}

export function cpuTimeOf(pid: number): CpuTime {
  try {
    const byThread = new Map<string, number>();
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      const name =
        id === `${pid}` ? MAIN_THREAD : readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim();
      const nanoseconds = Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
      byThread.set(name, (byThread.get(name) ?? 0) + nanoseconds / 1e6);
    }
    const allMs = [...byThread.values()].reduce((sum, ms) => sum + ms, 0);
    return { allMs, mainMs: byThread.get(MAIN_THREAD)!, byThread };
  } catch {
    return { allMs: Number.NaN, mainMs: Number.NaN, byThread: new Map() };
  }
}

const MAIN_THREAD = 'main thread';

/** Busy time of all cores since the machine started. */
export function machineBusyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}
