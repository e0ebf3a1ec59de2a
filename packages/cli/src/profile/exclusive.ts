/** Excludes a second process from changing the same files at the same time. */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface Contention {
  /** How long to wait for another process, which blocks this one. */
  readonly waitMs: number;
  /** The error if the other still holds the lock then. */
  readonly busy: () => Error;
}

/**
 * Runs `change` while no other process holds `lock`, an empty file. The operating system releases it when the process ends,
 * however it ends. The file stays: one that was removed could be held by a process that had opened it before, beside another
 * that holds the new one.
 */
export function exclusively(lock: string, { waitMs, busy }: Contention, change: () => void): void {
  closeSync(openSync(lock, 'a', 0o600));
  using db = new DatabaseSync(lock, { timeout: waitMs });
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    throw busy();
  }
  change();
}
