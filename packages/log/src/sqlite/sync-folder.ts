import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes durable which files there are in a folder. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
