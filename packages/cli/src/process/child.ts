/** One process of `venue up`: the same command with another subcommand, its output prefixed with its name. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Environment } from '@venue/config';

export interface ChildOptions {
  /** Prefix of each of its lines. */
  readonly name: string;
  /** The subcommand, if it is another word. */
  readonly word?: string;
  /** File of the command that the child runs. */
  readonly mainPath: string;
  readonly env: Environment;
}

/** A child's exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class Child {
  readonly name: string;
  /** Resolves once the process has ended and its last line is printed. */
  readonly ended: Promise<ChildEnd>;
  readonly #process: ChildProcess;
  readonly #output: Interface;

  constructor({ name, word = name, mainPath, env }: ChildOptions) {
    this.name = name;
    // A session of its own shields it from the terminal's Ctrl-C, because the parent decides who stops when. The IPC
    // channel tells it when the parent is gone.
    this.#process = spawn(process.execPath, [mainPath, word], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#output = forwardLines(name, this.#process.stdout!, process.stdout);
    forwardLines(name, this.#process.stderr!, process.stderr);
    this.ended = ending(this.#process);
  }

  /** The first match in a line that the process writes, or null if it ends without one. */
  match(pattern: RegExp): Promise<RegExpExecArray | null> {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray | null>();
    this.#output.on('line', (line) => {
      const found = pattern.exec(line);
      if (found !== null) resolve(found);
    });
    return Promise.race([promise, this.ended.then(() => null)]);
  }

  /** Asks the process to stop, and kills it after the time limit. */
  async stop(limitMs: number): Promise<void> {
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), limitMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** Kills the process. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }
}

function ending(child: ChildProcess): Promise<ChildEnd> {
  const { promise, resolve } = Promise.withResolvers<ChildEnd>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  child.once('error', () => resolve({ code: 1, signal: null }));
  return promise;
}

function forwardLines(name: string, from: Readable, to: Writable): Interface {
  return createInterface({ input: from }).on('line', (line) => to.write(`[${name}] ${line}\n`));
}
