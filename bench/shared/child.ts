/** A child process of a benchmark that answers one message at a time. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export class Child {
  readonly #process: ChildProcess;
  #waiting: PromiseWithResolvers<unknown> | null = null;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on('message', (answer) => {
      this.#waiting!.resolve(answer);
      this.#waiting = null;
    });
    process.on('exit', (code) => this.#waiting?.reject(new Error(`the process ended with ${code}`)));
  }

  /** Forks a file, given by its URL. */
  static fork(file: URL, nodeOptions: readonly string[] = []): Child {
    const path = fileURLToPath(file);
    return new Child(fork(path, { serialization: 'advanced', execArgv: [...nodeOptions] }));
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** Sends a message and returns its answer, whose type the caller knows. */
  ask<T>(message: object): Promise<T> {
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting = waiting;
    this.#process.send(message);
    return waiting.promise as Promise<T>;
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }
}
