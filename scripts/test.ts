/**
 * Runs test files under the pinned Node and closes with `tests: N passed, N failed`.
 *
 *   npm test                       every suite but the wide ones, of which each is named
 *   npm test -- packages/log       the files whose path contains one of the words
 *   VENUE_TEST_REQUIRE=all npm test -- --wide   the suites that need a Debian package, with skipping forbidden
 */

import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { longestFirst } from './long-tests.ts';

const EVERYDAY = [
  'packages/*/src/**/*.test.ts',
  'packages/*/sim/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'tests/**/*.test.ts',
];
/** Suites that need a Debian package, and minutes; each skips itself with one line where the package is missing. */
const WIDE = ['tests/wide/**/*.test.ts'];
const TEST_TIMEOUT_MS = 240_000;
/** No single test may take as long: a file that is left then has done its tests, and something keeps its process alive. */
const SILENCE_MS_MAX = 300_000;

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const wide = matching(WIDE);
const isWide = process.argv.includes('--wide');
const files = longestFirst(isWide ? wide : matching(EVERYDAY).filter((file) => !wide.includes(file)));

function matching(patterns: readonly string[]): string[] {
  return globSync(patterns)
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
}

const counts = { passed: 0, failed: 0, skipped: 0 };
// Files mostly wait for their processes, so one more of them than there are cores.
const concurrency = availableParallelism() + 1;
const stuck = new AbortController();
const silence = setTimeout(() => stuck.abort(), SILENCE_MS_MAX);
const stream = run({ files, concurrency, timeout: TEST_TIMEOUT_MS, signal: stuck.signal });
stream.on('test:complete', () => silence.refresh());
stream.on('test:pass', ({ skip, details }) => {
  if (details.type === 'suite') return;
  if (skip === undefined) counts.passed += 1;
  else counts.skipped += 1;
});
stream.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') counts.failed += 1;
});
stream.on('end', () => {
  clearTimeout(silence);
  if (counts.failed > 0 || files.length === 0) process.exitCode = 1;
  if (!isWide)
    for (const file of wide) process.stdout.write(`\nnot run: ${file}; npm test -- --wide runs it`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  process.stdout.write(`\ntests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
});
stream.compose(new spec()).pipe(process.stdout, { end: false });
