/**
 * Checks that every code in docs/reference/decisions is cited, that every cited code is there, that no record is longer
 * than a reader of one rule wants, and that the index of those pages lists them all.
 *
 *   node_modules/.bin/node scripts/citations.ts            checks
 *   node_modules/.bin/node scripts/citations.ts --write    writes the index of decisions
 */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codesOf, DECISIONS, indexFaultsOf, lengthFaults, readTopics, writeIndex } from './decisions.ts';
import type { SourceFile } from './imports.ts';

/** Where codes are cited: in titles of tests and in comments. */
const CITING = ['packages/*/{src,sim,test,contracts}/**/*.{ts,tsx,sol}', '{scripts,tests,bench}/**/*.ts'];

/** Every code without a citation, every citation without a code, and every code twice, one sentence each. */
export function citationFaults(topics: readonly SourceFile[], files: readonly SourceFile[]): string[] {
  const { codes, faults } = codesOf(topics);
  const families = new Set([...codes.keys()].map((code) => code.slice(0, code.lastIndexOf('-'))));
  const cited = new Set<string>();
  for (const { path, text } of files) {
    for (const code of citedIn(text, families)) {
      cited.add(code);
      if (!codes.has(code)) faults.push(`${path}: cites ${code}, which ${DECISIONS} does not have`);
    }
  }
  const uncited = [...codes].filter(([code]) => !cited.has(code));
  return [...new Set(faults), ...uncited.map(([code, path]) => `${path}: ${code} is cited nowhere`)];
}

/** Single codes, and ranges such as `NUM-1..7` and `ORD-1 to ORD-3`. */
function citedIn(text: string, families: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [, family, first, last] of text.matchAll(
    /\b([A-Z]+)-(\d+|OPEN)(?:(?:\.\.| to [A-Z]+-)(\d+))?\b/g,
  )) {
    if (!families.has(family!)) continue;
    found.push(`${family}-${first}`);
    for (let n = Number(first) + 1; n <= Number(last ?? first); n++) found.push(`${family}-${n}`);
  }
  return found;
}

/** Every file that may cite a code. */
export function citingFiles(root: string): SourceFile[] {
  return globSync(CITING, { cwd: root, exclude: ['**/node_modules/**'] })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (process.argv.includes('--write')) writeIndex(root);
  const topics = readTopics(root);
  const faults = [
    ...citationFaults(topics, citingFiles(root)),
    ...lengthFaults(topics),
    ...indexFaultsOf(root),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
