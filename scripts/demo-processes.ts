/** The processes of a demonstration: started together, watched, and always ended. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Child } from '../packages/cli/src/process/child.ts';

const MAIN = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url));
const STOP_LIMIT_MS = 8_000;

type Variables = Readonly<Record<string, string>>;

export class DemoProcesses {
  readonly #running: Child[] = [];
  /** The first one that ended. */
  #ended: string | null = null;

  /** Starts `venue <word>` as a long-running process, whose output lines are prefixed with the word. */
  start(word: string, env: Variables): Child {
    const child = new Child({ name: word, mainPath: MAIN, env: alone(env) });
    child.ended.then(() => {
      this.#ended ??= word;
    });
    this.#running.push(child);
    return child;
  }

  /** Runs a `venue` command to its end; throws when it fails. */
  async run(words: readonly string[], env: Variables): Promise<void> {
    const child = spawn(process.execPath, [MAIN, ...words], { env: alone(env), stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`venue ${words.join(' ')} failed`);
  }

  /** Throws when one of them has ended. */
  check(): void {
    if (this.#ended !== null) throw new Error(`${this.#ended} has ended; what it said stands above`);
  }

  /** Stops them in reverse order, so that each stops before those it depends on. */
  async stop(): Promise<void> {
    for (const child of this.#running.toReversed()) await child.stop(STOP_LIMIT_MS);
  }
}

/** Waits for a line of output from now on; throws when the process ends without one, or on timeout. */
export async function says(child: Child, pattern: RegExp, limitMs: number): Promise<RegExpExecArray> {
  const late = sleep(limitMs, null, { ref: false });
  const found = await Promise.race([child.match(pattern), late]);
  if (found === null)
    throw new Error(`${child.name} did not get ready in ${limitMs / 1_000} s, or has ended`);
  return found;
}

/** Passes on no VENUE_ variable except those given. */
function alone(env: Variables): Variables {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith('VENUE_'));
  return { ...(Object.fromEntries(inherited) as Variables), ...env };
}
