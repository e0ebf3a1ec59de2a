/** Lowers the priority of threads whose work can wait. */

import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** `low` gets next to nothing while other threads are busy, `below normal` a tenth. */
export type Priority = 'low' | 'below normal';

const NICE: Readonly<Record<Priority, number>> = {
  low: constants.priority.PRIORITY_LOW,
  'below normal': constants.priority.PRIORITY_BELOW_NORMAL,
};

/**
 * Lets every other thread have the processor first, because this one may use it for so long that orders would wait.
 * Only Linux has thread priorities: a thread id works there like a process id. Elsewhere the thread keeps normal
 * priority.
 */
export function yieldProcessor(priority: Priority): void {
  try {
    const [pid, , tid] = readlinkSync('/proc/thread-self').split('/').map(Number);
    // In another namespace the ids would be those of other processes.
    if (pid === process.pid && tid !== undefined) setPriority(tid, NICE[priority]);
  } catch {}
}
