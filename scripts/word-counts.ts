/**
 * Counts the words that people are asked to read, and refuses more than they have time for: all of `docs`, a page, and what
 * the changelog says of the next release. Signs that stand alone are no words.
 *
 *   node_modules/.bin/node scripts/word-counts.ts
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** To be lowered as pages get shorter. */
const DOCS_MAX = 84_000;
const PAGE_MAX = 2_500;
const UNRELEASED_MAX = 800;
/** Pages that may be longer, each with its reason. */
const LONG_PAGES: ReadonlyMap<string, string> = new Map([
  ['docs/reference/benchmarks.md', 'a table for each benchmark'],
  ['docs/reference/environment.md', 'a row for each variable'],
  ['docs/reference/decisions/README.md', 'a line for each decision'],
]);

interface Page {
  readonly path: string;
  readonly text: string;
}

export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** A sentence for each text that is too long. */
export function wordFaults(pages: readonly Page[], changelog: string): string[] {
  const counts = pages.map(({ path, text }) => ({ path, words: wordsOf(text) }));
  const all = counts.reduce((sum, { words }) => sum + words, 0);
  const unreleased = wordsOf(/^## Unreleased$(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog)?.[1] ?? '');
  const faults = counts
    .filter(({ path, words }) => words > PAGE_MAX && !LONG_PAGES.has(path))
    .map(
      ({ path, words }) => `${path} has ${words} words, more than ${PAGE_MAX}: shorten it, or make two of it`,
    );
  if (all > DOCS_MAX) faults.push(`docs have ${all} words, more than ${DOCS_MAX}`);
  if (unreleased > UNRELEASED_MAX)
    faults.push(`CHANGELOG.md has ${unreleased} words of the next release, more than ${UNRELEASED_MAX}`);
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..');
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });
  const pages = globSync('docs/**/*.md', { cwd: root }).sort().map(read);
  console.log(`words: ${pages.reduce((sum, { text }) => sum + wordsOf(text), 0)} in ${pages.length} pages`);
  for (const fault of wordFaults(pages, read('CHANGELOG.md').text)) {
    console.error(fault);
    process.exitCode = 1;
  }
}
