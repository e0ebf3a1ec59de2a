/** For threads whose work can wait. */

import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** How far behind others: `low` gets next to nothing while they are busy, `below normal` a tenth. */
export type Priority = 'low' | 'below normal';

const NICE: Readonly<Record<Priority, number>> = {
  low: constants.priority.PRIORITY_LOW,
  'below normal': constants.priority.PRIORITY_BELOW_NORMAL,
};

/**
 * Lets everybody else have the processor first, as this thread may take it for long, which orders would miss. Only Linux has
 * priorities of threads: there a thread has an id that is taken for a process's. Elsewhere it runs as the others do.
 */
export function yieldProcessor(priority: Priority): void {
  try {
    const [pid, , tid] = readlinkSync('/proc/thread-self').split('/').map(Number);
    // Seen from another namespace the ids are those of strangers.
    if (pid === process.pid && tid !== undefined) setPriority(tid, NICE[priority]);
  } catch {}
}
