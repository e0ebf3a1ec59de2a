/** Counts what became of every test, from the events of a run, whatever became of the processes (TEST-2). */

import type { run } from 'node:test';

/** Why the test is skipped that each file of a run by title has, so that Node looks into it. */
export const BAIT = 'makes Node look into its file';

interface Reported {
  readonly name: string;
  readonly entryFile?: string;
  readonly testId?: number;
  readonly parentId?: number;
}

/** The tally of one test file. */
export interface FileTally {
  passed: number;
  skipped: number;
  /** Titles of tests and suites that failed by themselves, and a line for a process that ended badly. */
  readonly failed: string[];
  /** How long its tests took; null if it did not come to its end. */
  seconds: number | null;
}

export class Tally {
  readonly files: Map<string, FileTally>;
  /** The files of each process, by the path of the module that imports them one after another, each in a suite of its name. */
  readonly #filesOf: ReadonlyMap<string, readonly string[]>;
  /** By process and id, the titles from the suite of the file down to a test. */
  readonly #titles = new Map<string, readonly string[]>();
  readonly #failedModules = new Set<string>();
  #isGood = false;

  constructor(filesOf: ReadonlyMap<string, readonly string[]>) {
    this.#filesOf = filesOf;
    const files = [...filesOf.values()].flat();
    this.files = new Map(files.map((file) => [file, { passed: 0, skipped: 0, failed: [], seconds: null }]));
  }

  follow(stream: ReturnType<typeof run>): void {
    stream.on('test:start', (event) => {
      const { entryFile, testId, parentId, name } = event as Reported;
      const around = this.#titles.get(`${entryFile} ${parentId}`) ?? [];
      this.#titles.set(`${entryFile} ${testId}`, [...around, name]);
    });
    stream.on('test:complete', ({ name, nesting, details }) => {
      const file = nesting === 0 && details.type === 'suite' ? this.files.get(name) : undefined;
      if (file !== undefined) file.seconds = details.duration_ms / 1_000;
    });
    stream.on('test:pass', (event) => {
      // A process that ended early and well, which says nothing of its tests.
      if (event.details.type === 'suite' || event.skip === BAIT || this.#filesOf.has(event.name)) return;
      this.#placeOf(event as Reported).file[event.skip === undefined ? 'passed' : 'skipped'] += 1;
    });
    stream.on('test:fail', (event) => {
      // What fails with tests inside it is not counted again; a suite may also fail by itself, in a hook.
      if ((event.details.error as { failureType?: string }).failureType === 'subtestsFailed') return;
      if (this.#filesOf.has(event.name)) return void this.#failedModules.add(event.name);
      const { file, title } = this.#placeOf(event as Reported);
      file.failed.push(title);
    });
    stream.on('test:summary', ({ file, success }) => {
      if (file === undefined) this.#isGood = success;
    });
    stream.on('end', () => this.#judgeProcesses());
  }

  count(of: 'passed' | 'skipped'): number {
    return [...this.files.values()].reduce((sum, file) => sum + file[of], 0);
  }

  /** Never 0 for a run in which anything failed: tests, hooks, files that did not finish, processes that ended badly after. */
  get failed(): number {
    return Math.max([...this.files.values()].flatMap((file) => file.failed).length, this.#isGood ? 0 : 1);
  }

  /** Counts a file as its second run found it. */
  replace(file: string, again: FileTally): void {
    this.files.set(file, again);
    this.#isGood = true;
  }

  #placeOf({ entryFile, testId, name }: Reported): { file: FileTally; title: string } {
    const [path = name, ...titles] = this.#titles.get(`${entryFile} ${testId}`) ?? [];
    const [first] = this.#filesOf.get(entryFile!)!;
    return { file: this.files.get(path) ?? this.files.get(first!)!, title: titles.join(' > ') || name };
  }

  /** A process that ended before its last test, by itself or not, or badly after it, is one failure of a file. */
  #judgeProcesses(): void {
    for (const file of this.files.values())
      if (file.seconds === null) file.failed.push('ended before its last test');
    for (const name of this.#failedModules) {
      const files = this.#filesOf.get(name)!.map((file) => this.files.get(file)!);
      if (files.every((file) => file.seconds !== null)) files.at(-1)!.failed.push('its process ended badly');
    }
  }
}
