/**
 * Runs the `venue` command as a script would, but in this process, so that tests of many commands start no processes.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { EXIT } from '../src/base/exit-codes.ts';
import { run } from '../src/run.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of a command. Other output of this process goes where it always went. */
class Written {
  stdout = '';
  stderr = '';
}

const written = new AsyncLocalStorage<Written>();
for (const name of ['stdout', 'stderr'] as const) {
  const write = process[name].write;
  process[name].write = function (this: NodeJS.WriteStream, ...given: unknown[]): boolean {
    const of = written.getStore();
    if (of === undefined) return Reflect.apply(write, this, given);
    of[name] += String(given[0]);
    return true;
  } as typeof write;
}

/** Runs the command to its end, with no VENUE_ variable but those given. One at a time. */
export async function runInProcess(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const own = process.env;
  const others = Object.entries(own).filter(([name]) => !name.startsWith('VENUE_'));
  process.env = { ...Object.fromEntries(others), ...env };
  const output = new Written();
  try {
    const code = await written.run(output, () => run(words));
    return { code: code ?? Number(process.exitCode ?? EXIT.done), ...output };
  } finally {
    process.exitCode = undefined;
    process.env = own;
  }
}
