/** The half of the suite that a test file is in, and the process that it runs in (TEST-1). */

import { readFileSync } from 'node:fs';

/** Everyday tests run on every change, long ones in CI, nightly ones before a release. */
export const HALVES = ['everyday', 'long', 'nightly'] as const;
export type Half = (typeof HALVES)[number];

/** Short files that share a process, in which what they import is read and compiled once. */
const FILES_PER_BATCH = 24;
/** Files that take as long start in a process of their own, before all short ones. */
const SLOW_SECONDS = 5;

/** From the lines `// @process NAME` and `// @seconds N` in the head of a test file. */
export interface Directives {
  /** Files of one name run in one process, one after another, because they import or start the same. */
  readonly process: string | null;
  /** How long the file takes on a quiet machine, roughly: the slowest process starts first. */
  readonly seconds: number;
}

/** Told by the suffix: `.long.test.ts`, `.nightly.test.ts`, or `.test.ts` alone. */
export function halfOf(file: string): Half {
  const [, half] = /\.(long|nightly)\.test\.ts$/.exec(file) ?? [];
  return (half as Half | undefined) ?? 'everyday';
}

export function directivesIn(source: string): Directives {
  const [, name = null] = /^\/\/ @process (\S+)$/m.exec(source) ?? [];
  const [, seconds = '0'] = /^\/\/ @seconds (\d+)$/m.exec(source) ?? [];
  return { process: name, seconds: Number(seconds) };
}

/** True if a source, TypeScript or Solidity, has a test or a suite of exactly this title. */
export function hasTest(source: string, title: string): boolean {
  const calls = source.replaceAll(/\(\s+/g, '(');
  return (
    calls.includes(`function ${title}(`) ||
    ['test', 'it', 'describe'].some((call) =>
      ["'", '"', '`'].some((quote) => calls.includes(`${call}(${quote}${title}${quote}`)),
    )
  );
}

/**
 * The files by process, in the order in which the processes start: the slowest first, so that no core is left waiting for
 * one that came last, and at the end the short ones with their neighbours; or as the files are given.
 */
export function batches(
  files: readonly string[],
  order: 'slowest first' | 'as given' = 'slowest first',
  directives = (file: string): Directives => directivesIn(readFileSync(file, 'utf8')),
): string[][] {
  const processes = new Map<string, { files: string[]; seconds: number }>();
  const short: string[] = [];
  for (const file of files) {
    const { process, seconds } = directives(file);
    const isAlone = seconds >= SLOW_SECONDS || halfOf(file) !== 'everyday';
    if (process === null && !isAlone) short.push(file);
    else {
      const name = process ?? file;
      const group = processes.get(name) ?? { files: [], seconds: 0 };
      processes.set(name, { files: [...group.files, file], seconds: group.seconds + seconds });
    }
  }
  const first = [...processes.values()].sort((a, b) => b.seconds - a.seconds).map((group) => group.files);
  const shared = Array.from({ length: Math.ceil(short.length / FILES_PER_BATCH) }, (_, at) =>
    short.slice(at * FILES_PER_BATCH, (at + 1) * FILES_PER_BATCH),
  );
  const all = [...first, ...shared];
  return order === 'as given' ? all.sort((a, b) => files.indexOf(a[0]!) - files.indexOf(b[0]!)) : all;
}
