import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the entries of a folder durable. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
