/** Counts what became of every test, from the events of a run, whatever became of the processes (TEST-2). */

import type { run } from 'node:test';

/** The files of each process, by the path of the module that imports them one after another, each in a suite of its name. */
type FilesOfModule = ReadonlyMap<string, readonly string[]>;

export class Tally {
  passed = 0;
  skipped = 0;
  /** Of each file that came to its end. */
  readonly secondsOf = new Map<string, number>();
  readonly #filesOf: FilesOfModule;
  readonly #failedModules = new Set<string>();
  #failedTests = 0;
  #isGood = false;

  constructor(filesOf: FilesOfModule) {
    this.#filesOf = filesOf;
  }

  follow(stream: ReturnType<typeof run>): void {
    stream.on('test:complete', ({ name, nesting, details }) => {
      if (nesting === 0 && details.type === 'suite') this.secondsOf.set(name, details.duration_ms / 1_000);
    });
    stream.on('test:pass', ({ name, skip, details }) => {
      // A process that ended early and well, which says nothing of its tests.
      if (details.type === 'suite' || this.#filesOf.has(name)) return;
      if (skip === undefined) this.passed += 1;
      else this.skipped += 1;
    });
    stream.on('test:fail', ({ name, details }) => {
      // What fails with tests inside it is not counted again; a suite may also fail by itself, in a hook.
      if ((details.error as { failureType?: string }).failureType === 'subtestsFailed') return;
      if (this.#filesOf.has(name)) this.#failedModules.add(name);
      else this.#failedTests += 1;
    });
    stream.on('test:summary', ({ file, success }) => {
      if (file === undefined) this.#isGood = success;
    });
  }

  /** Files whose process ended, by itself or not, before their last test did. */
  get unfinished(): string[] {
    return [...this.#filesOf.values()].flat().filter((file) => !this.secondsOf.has(file));
  }

  /** Never 0 for a run in which anything failed: tests, hooks, files that did not finish, processes that ended badly after. */
  get failed(): number {
    const afterwards = [...this.#failedModules].filter((name) =>
      this.#filesOf.get(name)!.every((file) => this.secondsOf.has(file)),
    );
    const found = this.#failedTests + this.unfinished.length + afterwards.length;
    return Math.max(found, this.#isGood ? 0 : 1);
  }
}
