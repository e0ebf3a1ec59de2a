/** Checks that every code in docs/reference/decisions.md is cited, and that every cited code is there. */

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './imports.ts';

const DECISIONS = 'docs/reference/decisions.md';
/** Where codes are cited: in titles of tests and in comments. */
const CITING = ['packages/*/{src,sim,test,contracts}/**/*.{ts,tsx,sol}', '{scripts,tests,bench}/**/*.ts'];

const CODE = /[A-Z]+-(?:\d+|OPEN)/g;

/** Every code without a citation and every citation without a code, one sentence each. */
export function citationFaults(decisions: string, files: readonly SourceFile[]): string[] {
  const codes = codesOf(decisions);
  const families = new Set([...codes].map((code) => code.slice(0, code.lastIndexOf('-'))));
  const cited = new Set<string>();
  const faults: string[] = [];
  for (const { path, text } of files) {
    for (const code of citedIn(text, families)) {
      cited.add(code);
      if (!codes.has(code)) faults.push(`${path}: cites ${code}, which ${DECISIONS} does not have`);
    }
  }
  const uncited = [...codes].filter((code) => !cited.has(code));
  return [...new Set(faults), ...uncited.map((code) => `${DECISIONS}: ${code} is cited nowhere`)];
}

/** The codes in the headings of records: `### NUM-3, NUM-4 Value of a fill and its fee`. */
function codesOf(decisions: string): Set<string> {
  const heads = decisions.matchAll(/^### ((?:[A-Z]+-(?:\d+|OPEN)(?:, )?)+)/gm);
  return new Set([...heads].flatMap(([, head]) => head!.match(CODE) ?? []));
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

export function readDecisions(root: string): string {
  return readFileSync(join(root, DECISIONS), 'utf8');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const faults = citationFaults(readDecisions(root), citingFiles(root));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
