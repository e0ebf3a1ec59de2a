/**
 * Checks that the tables of docs/explanation/thefts.md say only what a test shows: scripts/thefts.json names the tests of
 * each claim.
 *
 *   node_modules/.bin/node scripts/thefts.ts
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cellsOf, withoutLinks } from './markdown.ts';
import { hasTest } from './test-files.ts';

const PAGE = 'docs/explanation/thefts.md';
const TESTS = 'scripts/thefts.json';

/** Titles of tests by their file, by the claim that they show, by the part of the venue that a thief has. */
export type Shown = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>
>;

interface Claim {
  readonly part: string;
  readonly text: string;
}

/** Begins a table: part, the worst that it can do, what stops or shows that, and the way back. */
const HEAD = /^\|[^|]+\| at worst \|/;
/** The beginning of a claim that has nothing to show, or that another row shows. */
const NO_CLAIM = /^(none|nothing before|as) ?/;

/**
 * Every claim without a test, every claim with tests that the page does not make, and every test that is not in its file
 * under exactly that title, one sentence each. `sourceOf` is null for a file that is not there.
 */
export function theftFaults(page: string, shown: Shown, sourceOf: (path: string) => string | null): string[] {
  const claims = claimsOf(page);
  const isMade = (part: string, text: string) =>
    claims.some((claim) => claim.part === part && claim.text === text);
  const listed = Object.entries(shown).flatMap(([part, byClaim]) =>
    Object.entries(byClaim).map(([text, byFile]) => ({ part, text, byFile })),
  );
  return [
    ...claims
      .filter(({ part, text }) => !NO_CLAIM.test(text) && shown[part]?.[text] === undefined)
      .map(({ part, text }) => `${PAGE}: no test shows of ${part}: "${text}"`),
    ...listed
      .filter(({ part, text }) => !isMade(part, text))
      .map(({ part, text }) => `${TESTS}: the page does not say of ${part}: "${text}"`),
    ...listed.flatMap(({ part, byFile }) =>
      Object.values(byFile).flat().length === 0 ? [`${TESTS}: a claim of ${part} has no test`] : [],
    ),
    ...new Set(
      listed.flatMap(({ byFile }) =>
        Object.entries(byFile).flatMap(([path, titles]) => titleFaults(path, titles, sourceOf(path))),
      ),
    ),
  ];
}

/** Every cell after the first is made of claims, with semicolons between them; links are no part of them. */
function claimsOf(page: string): Claim[] {
  const claims: Claim[] = [];
  let isTable = false;
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) isTable = false;
    else if (HEAD.test(line)) isTable = true;
    else if (isTable && !line.startsWith('|---')) {
      const [part = '', ...cells] = cellsOf(line);
      const texts = cells.flatMap((cell) => withoutLinks(cell).split(';'));
      claims.push(...texts.map((text) => ({ part, text: text.trim() })));
    }
  }
  return claims;
}

function titleFaults(path: string, titles: readonly string[], source: string | null): string[] {
  if (source === null) return [`${TESTS}: there is no file ${path}`];
  return titles
    .filter((title) => !hasTest(source, title))
    .map((title) => `${TESTS}: ${path} has no test "${title}"`);
}

export function theftFaultsOf(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const shown: Shown = JSON.parse(read(TESTS));
  return theftFaults(read(PAGE), shown, (path) => (existsSync(join(root, path)) ? read(path) : null));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = theftFaultsOf(join(dirname(fileURLToPath(import.meta.url)), '..'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
