/** Runs the tests again after every change of a source, until it is interrupted. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch as watchFolder } from 'node:fs';

const FOLDERS = ['packages', 'scripts', 'tests'];
/** An editor or git writes several files at once. */
const PAUSE_MS = 200;

/** Never returns: the process ends when it is interrupted. `command` is the runner with its words. */
export async function watch(command: readonly string[]): Promise<never> {
  let changed = Promise.withResolvers<void>();
  for (const folder of FOLDERS)
    watchFolder(folder, { recursive: true }, (_, file) => {
      if (file !== null && /\.tsx?$/.test(file)) changed.resolve();
    });
  for (;;) {
    changed = Promise.withResolvers();
    const child = spawn(process.execPath, command, { stdio: 'inherit' });
    await once(child, 'close');
    process.stdout.write('\nwaiting for a change\n');
    await changed.promise;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
