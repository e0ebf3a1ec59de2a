/** Controls a process of bots. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Tally } from './bot.ts';

export interface BotProcessOptions {
  readonly url: string;
  readonly firstSeed: number;
  readonly count: number;
}

const MAIN = fileURLToPath(new URL('bots.ts', import.meta.url));

export class BotProcess {
  /** Resolves once all are signed in; rejects when the process ends first. */
  readonly trading: Promise<void>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor({ url, firstSeed, count }: BotProcessOptions) {
    const args = [MAIN, url, `${firstSeed}`, `${count}`];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#ended = once(this.#process, 'close');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.trading = promise;
    this.#process.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      this.#output += chunk;
      if (this.#output.includes('trading\n')) resolve();
    });
    void this.#ended.then(() => reject(new Error('a process of bots ended before it traded')));
  }

  /** The tally of each bot; rejects when they do not end in time. */
  async stop(limitMs: number): Promise<Tally[]> {
    this.#process.kill('SIGTERM');
    const late = setTimeout(() => this.end(), limitMs);
    await this.#ended;
    clearTimeout(late);
    const lines = this.#output.split('\n').filter((line) => line.startsWith('{'));
    if (this.#process.exitCode !== 0) throw new Error(`bots ended with ${this.#process.exitCode}`);
    return lines.map((line) => JSON.parse(line) as Tally);
  }

  /** Ends it, if it still runs. */
  end(): void {
    if (this.#process.exitCode === null) this.#process.kill('SIGKILL');
  }
}
