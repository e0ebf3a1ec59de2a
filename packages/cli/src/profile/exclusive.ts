/** Excludes a second process from changing the same files at the same time. */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Runs `change` while no other process holds `lock`, an empty file. Throws what `busy` returns if another process holds
 * it. The operating system releases it when the process ends, however it ends. The file stays: one that was removed could
 * be held by a process that had opened it before, beside another that holds the new one.
 */
export function exclusively(lock: string, busy: () => Error, change: () => void): void {
  closeSync(openSync(lock, 'a', 0o600));
  using db = new DatabaseSync(lock, { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    throw busy();
  }
  change();
}
