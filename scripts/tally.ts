/** Counts what became of every test, from the events of a run, whatever became of the processes (TEST-2). */

import { readFileSync } from 'node:fs';
import type { run } from 'node:test';
import type { Cost } from './evidence.ts';

/** The files of each process, by the path of the module that imports them one after another, each in a suite of its name. */
type FilesOfModule = ReadonlyMap<string, readonly string[]>;

/** One reported test, suite or process. */
interface Reported {
  readonly name: string;
  readonly nesting: number;
  readonly entryFile?: string;
  readonly testId?: number;
  readonly parentId?: number;
}

/** Of one test file. */
export interface FileTally {
  passed: number;
  skipped: number;
  /** The titles of tests and suites that failed by themselves, and a line for a process that ended badly. */
  readonly failed: string[];
  /** How long its tests took; absent if it did not come to its end. */
  seconds?: number;
}

export class Tally {
  readonly files = new Map<string, FileTally>();
  readonly #filesOf: FilesOfModule;
  /** By process and id, the title of a test or suite with those around it; that of a file is its path. */
  readonly #titles = new Map<string, readonly string[]>();
  readonly #failedModules = new Set<string>();
  #isGood = false;

  constructor(filesOf: FilesOfModule) {
    this.#filesOf = filesOf;
    for (const file of [...filesOf.values()].flat())
      this.files.set(file, { passed: 0, skipped: 0, failed: [] });
  }

  follow(stream: ReturnType<typeof run>): void {
    stream.on('test:start', (event) => this.#note(event as Reported));
    stream.on('test:complete', ({ name, nesting, details }) => {
      const file = nesting === 0 && details.type === 'suite' ? this.files.get(name) : undefined;
      if (file !== undefined) file.seconds = details.duration_ms / 1_000;
    });
    stream.on('test:pass', (event) => {
      // A process that ended early and well, which says nothing of its tests.
      if (event.details.type === 'suite' || this.#filesOf.has(event.name)) return;
      const [file] = this.#placeOf(event as Reported);
      if (event.skip === undefined) file.passed += 1;
      else file.skipped += 1;
    });
    stream.on('test:fail', (event) => {
      // What fails with tests inside it is not counted again; a suite may also fail by itself, in a hook.
      if ((event.details.error as { failureType?: string }).failureType === 'subtestsFailed') return;
      if (this.#filesOf.has(event.name)) return void this.#failedModules.add(event.name);
      const [file, title] = this.#placeOf(event as Reported);
      file.failed.push(title);
    });
    stream.on('test:summary', ({ file, success }) => {
      if (file === undefined) this.#isGood = success;
    });
    stream.on('end', () => this.#close());
  }

  get passed(): number {
    return this.#sum((file) => file.passed);
  }

  get skipped(): number {
    return this.#sum((file) => file.skipped);
  }

  /** Never 0 for a run in which anything failed: tests, hooks, files that did not finish, processes that ended badly after. */
  get failed(): number {
    return Math.max(
      this.#sum((file) => file.failed.length),
      this.#isGood ? 0 : 1,
    );
  }

  /** Files with a failed test, or whose process ended badly. */
  get failedFiles(): string[] {
    return [...this.files].filter(([, { failed }]) => failed.length > 0).map(([file]) => file);
  }

  /** Counts a file as its second run found it; the first run's failures are no longer failures of this one. */
  replace(file: string, again: FileTally): void {
    this.files.set(file, again);
    this.#isGood = true;
  }

  #sum(count: (file: FileTally) => number): number {
    return [...this.files.values()].reduce((sum, file) => sum + count(file), 0);
  }

  #note(event: Reported): void {
    const around = this.#titles.get(`${event.entryFile} ${event.parentId}`) ?? [];
    this.#titles.set(`${event.entryFile} ${event.testId}`, [...around, event.name]);
  }

  /** The file that a test is of, and its title in it. */
  #placeOf({ entryFile, testId, name }: Reported): [FileTally, string] {
    const [path = name, ...title] = this.#titles.get(`${entryFile} ${testId}`) ?? [];
    const file = this.files.get(path) ?? this.files.get(this.#filesOf.get(entryFile!)![0]!)!;
    return [file, title.join(' > ') || name];
  }

  /** A process that ended before its last test, by itself or not, or badly after it, is one failure of a file. */
  #close(): void {
    for (const file of this.files.values())
      if (file.seconds === undefined) file.failed.push('ended before its last test');
    for (const name of this.#failedModules) {
      const files = this.#filesOf.get(name)!.map((file) => this.files.get(file)!);
      if (files.every((file) => file.seconds !== undefined))
        files.at(-1)!.failed.push('its process ended badly');
    }
  }
}

/** What each file cost, from the lines that their processes wrote (`evidence.ts`); empty where there are none. */
export function costsIn(path: string): ReadonlyMap<string, Cost> {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const { file, ...cost } = JSON.parse(line) as { file: string } & Cost;
      return [file, cost];
    }),
  );
}
