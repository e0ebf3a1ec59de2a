/** Runs a command again after every change of a source, until it is interrupted. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor or git writes several files at once. */
const PAUSE_MS = 200;

export async function repeat(folders: readonly string[], args: readonly string[]): Promise<never> {
  let change = Promise.withResolvers<void>();
  for (const folder of folders)
    watch(folder, { recursive: true }, (_, file) => {
      if (file !== null && /\.tsx?$/.test(file)) change.resolve();
    });
  for (;;) {
    change = Promise.withResolvers();
    await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close');
    process.stdout.write('\nwaiting for a change\n');
    await change.promise;
    await sleep(PAUSE_MS);
  }
}
