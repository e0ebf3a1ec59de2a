/**
 * Checks that every code in docs/reference/decisions is cited, that every cited code is there, that the index of those
 * pages lists them all, and that the matrix of docs/explanation/custody.md says only what a test shows.
 *
 *   node_modules/.bin/node scripts/citations.ts            checks
 *   node_modules/.bin/node scripts/citations.ts --write    writes the index of decisions
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codesOf, DECISIONS, indexFaultsOf, readTopics, writeIndex } from './decisions.ts';
import type { SourceFile } from './imports.ts';

/** Its footnotes name tests: `[^veto]: `, the file, `: `, and one title or more, all but the colons as code. */
const MATRIX = 'docs/explanation/custody.md';
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

const NOTE = /^\[\^([\w-]+)\]: `([^`]+)`: (`.+)$/gm;
const NOTED = /\[\^([\w-]+)\](?!:)/g;
/** Begins a table of the matrix: part, the worst that it can do, what stops or shows that, and the way back. */
const HEAD = /^\|[^|]+\| at worst \|/;

/**
 * Every claim of the matrix without a test, one sentence each: a cell that names none, a note that is missing or
 * unused, and a test that is not in its file under exactly that title. Semicolons separate the claims of a cell.
 * `sourceOf` is null for a file that is not there.
 */
export function matrixFaults(page: string, sourceOf: (path: string) => string | null): string[] {
  const notes = [...page.matchAll(NOTE)];
  const names = new Set(notes.map(([, name]) => name!));
  const used = new Set([...page.matchAll(NOTED)].map(([, name]) => name!));
  return [
    ...[...used].filter((name) => !names.has(name)).map((name) => `${MATRIX}: there is no note ${name}`),
    ...[...names].filter((name) => !used.has(name)).map((name) => `${MATRIX}: note ${name} is used nowhere`),
    ...notes.flatMap(([, , path, titles]) => titleFaults(path!, sourceOf(path!), titles!)),
    ...cellFaults(page),
  ];
}

function titleFaults(path: string, source: string | null, titles: string): string[] {
  if (source === null) return [`${MATRIX}: there is no file ${path}`];
  const calls = source.replaceAll(/\(\s+/g, '(');
  const isThere = (title: string) =>
    calls.includes(`function ${title}(`) ||
    ['test', 'it', 'describe'].some((call) =>
      ["'", '"', '`'].some((quote) => calls.includes(`${call}(${quote}${title}${quote}`)),
    );
  return [...titles.matchAll(/`([^`]+)`/g)]
    .filter(([, title]) => !isThere(title!))
    .map(([, title]) => `${MATRIX}: ${path} has no test "${title}"`);
}

/** The beginning of a cell that has nothing to show, or that another row shows. */
const NO_CLAIM = /^(none|nothing before|as) ?/;

/** Every cell after the first is made of claims, and each names the tests that show it. */
function cellFaults(page: string): string[] {
  const faults: string[] = [];
  let isMatrix = false;
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) isMatrix = false;
    else if (HEAD.test(line)) isMatrix = true;
    else if (isMatrix && !line.startsWith('|---')) {
      const [, part, ...cells] = line.split('|').slice(0, -1);
      const claims = cells.flatMap((cell) => cell.split(';')).map((claim) => claim.trim());
      const unproven = claims.filter((claim) => !claim.includes('[^') && !NO_CLAIM.test(claim));
      faults.push(...unproven.map((claim) => `${MATRIX}: no test shows of${part!.trimEnd()}: "${claim}"`));
    }
  }
  return faults;
}

/** Every file that may cite a code. */
export function citingFiles(root: string): SourceFile[] {
  return globSync(CITING, { cwd: root, exclude: ['**/node_modules/**'] })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function matrixFaultsOf(root: string): string[] {
  return matrixFaults(readFileSync(join(root, MATRIX), 'utf8'), (path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (process.argv.includes('--write')) writeIndex(root);
  const faults = [
    ...citationFaults(readTopics(root), citingFiles(root)),
    ...indexFaultsOf(root),
    ...matrixFaultsOf(root),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
