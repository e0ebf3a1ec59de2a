/**
 * Flows that once failed, as the entries that they were made of. They are committed and run by the tests, so that a
 * defect cannot return unnoticed, whatever the generator makes of their seeds by now.
 */

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { decodeEntry, type Entry } from '../src/index.ts';
import { logLine, readLog } from '../test/recorded.ts';
import type { Report } from './simulate.ts';

export interface FailingLog {
  readonly name: string;
  /** The rule that the entries broke, for a defect that has a name. */
  readonly rule: string | undefined;
  readonly entries: () => readonly Entry[];
}

const FOLDER = new URL('./failing/', import.meta.url);
/** Rules by log. */
const RULES = new URL('rules.json', FOLDER);
const SUFFIX = '.txt.gz';

export function failingLogs(): FailingLog[] {
  const rules: Readonly<Record<string, string>> = JSON.parse(readFileSync(RULES, 'utf8'));
  const files = globSync(`*${SUFFIX}`, { cwd: FOLDER }).sort();
  return files.map((file) => {
    const name = file.slice(0, -SUFFIX.length);
    return { name, rule: rules[name], entries: () => readLog(new URL(file, FOLDER)).map(decodeEntry) };
  });
}

/** Adds the entries of a seed that failed, once. */
export function keepFailing({ seed, custody, entries }: Report): void {
  const file = new URL(`seed-${seed}${custody ? '-custody' : ''}-${entries.length}${SUFFIX}`, FOLDER);
  if (!existsSync(file)) writeFileSync(file, gzipSync(entries.map(logLine).join('\n')));
}
