/**
 * Runs test files under the pinned Node and closes with the ten slowest files and `tests: N passed, N failed`.
 *
 *   npm test                          every unit, property and scenario test, and one path from end to end
 *   npm test -- packages/log          of these, the files whose path contains one of the words
 *   npm test -- --all                 with the long ones, some of which need a Debian package
 *   npm test -- --long                the long ones alone
 *   VENUE_TEST_REQUIRE=all npm test -- --all   with skipping forbidden
 */

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { batches, isLong } from './test-files.ts';

const FILES = ['packages/*/{src,sim,test}/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'];
const TEST_TIMEOUT_MS = 240_000;
/** No single test may take as long: a file that is left then has done its tests, and something keeps its process alive. */
const SILENCE_MS_MAX = 300_000;
const SLOWEST_SHOWN = 10;

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isAll = process.argv.includes('--all');
const isLongAlone = process.argv.includes('--long');
const matching = globSync(FILES)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
const files = matching.filter((file) => isAll || isLong(file) === isLongAlone);
const folder = mkdtempSync(join(tmpdir(), 'venue-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A module for each process: it has the tests of each of its files in a suite of the file's name. */
function modules(): string[] {
  return batches(files).map((batch, index) => {
    const suites = batch.map(
      (file) =>
        `await describe(${JSON.stringify(file)}, () => import(${JSON.stringify(pathToFileURL(resolve(file)).href)}));\n`,
    );
    const path = join(folder, `${index}.mjs`);
    writeFileSync(path, `import { describe } from 'node:test';\n${suites.join('')}`);
    return path;
  });
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const secondsOf = new Map<string, number>();
// Files mostly wait for their processes, so one more of them than there are cores.
const concurrency = availableParallelism() + 1;
const stuck = new AbortController();
const silence = setTimeout(() => stuck.abort(), SILENCE_MS_MAX);
const stream = run({ files: modules(), concurrency, timeout: TEST_TIMEOUT_MS, signal: stuck.signal });
stream.on('test:complete', ({ name, nesting, details }) => {
  silence.refresh();
  if (nesting === 0 && details.type === 'suite') secondsOf.set(name, details.duration_ms / 1_000);
});
stream.on('test:pass', ({ skip, details }) => {
  if (details.type === 'suite') return;
  if (skip === undefined) counts.passed += 1;
  else counts.skipped += 1;
});
stream.on('test:fail', ({ details }) => {
  // A suite fails with its tests, which count, or by itself.
  const isOfTests = (details.error as { failureType?: string }).failureType === 'subtestsFailed';
  if (details.type !== 'suite' || !isOfTests) counts.failed += 1;
});
stream.on('end', () => {
  clearTimeout(silence);
  if (counts.failed > 0 || files.length === 0) process.exitCode = 1;
  process.stdout.write(closing());
});
stream.compose(new spec()).pipe(process.stdout, { end: false });

function closing(): string {
  const left = matching.length - files.length;
  const slowest = [...secondsOf].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_SHOWN);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return [
    '',
    ...(left > 0 && !isLongAlone
      ? [`not run: ${left} long files; npm test -- --all ${words.join(' ')}`.trimEnd()]
      : []),
    ...slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${file}`),
    `tests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`,
  ].join('\n');
}
