/**
 * Runs test files under the pinned Node and closes with the ten slowest files and `tests: N passed, N failed`.
 *
 *   npm test                          every unit, property and scenario test, and one path from end to end
 *   npm test -- packages/log          of these, the files whose path contains one of the words
 *   npm test -- --all                 with the long ones, some of which need a Debian package
 *   npm test -- --long                the long ones alone
 *   npm test -- --timeout=2000        a test may take no longer than that, in milliseconds, instead of ten minutes
 *   VENUE_TEST_REQUIRE=all npm test -- --all   with skipping forbidden
 */

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Tally } from './tally.ts';
import { batches, isLong } from './test-files.ts';

const FILES = ['packages/*/{src,sim,test}/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'];
const SLOWEST_SHOWN = 10;

const { words, isAll, isLongAlone, timeoutMs } = argumentsGiven();
/** How long the process of a file may take to end after its tests. */
const lingerMsMax = timeoutMs / 4;
/** No single test may take as long, nor the end of a process: a file that is left then neither goes on nor ends. */
const silenceMsMax = timeoutMs * 1.5;
const matching = globSync(FILES)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
const files = matching.filter((file) => isAll || isLong(file) === isLongAlone);
const folder = mkdtempSync(join(tmpdir(), 'venue-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The modules that the processes run, and their files: each module has the tests of each of these in a suite of its name. */
const filesOf = new Map(
  batches(files).map((batch, index) => {
    const suites = batch.map((file, at) => suiteOf(file, at === batch.length - 1));
    const path = join(folder, `${index}.mjs`);
    // What files share is ended by the last of them, which has to know that it is.
    const count = `process.env.VENUE_TEST_FILES = '${batch.length}';\n`;
    writeFileSync(path, `import { after, describe } from 'node:test';\n${count}${suites.join('')}`);
    return [path, batch];
  }),
);

/** A process whose tests are over may be kept alive, by what a failed test left running: it says by what, and ends. */
function suiteOf(file: string, isLast: boolean): string {
  const url = JSON.stringify(pathToFileURL(resolve(file)).href);
  const leave = `console.error('kept alive after its tests by', ...process.getActiveResourcesInfo()), process.exit(1)`;
  const watch = isLast ? `after(() => void setTimeout(() => { ${leave}; }, ${lingerMsMax}).unref()); ` : '';
  return `await describe(${JSON.stringify(file)}, async () => { await import(${url}); ${watch}});\n`;
}

const tally = new Tally(filesOf);
// Files mostly wait for their processes, the long ones above all for leases, pauses and cutoffs: four at a time left a
// third of two cores idle.
const concurrency = availableParallelism() + (isLongAlone ? 4 : 2);
const stuck = new AbortController();
const silence = setTimeout(() => stuck.abort(), silenceMsMax);
const stream = run({ files: [...filesOf.keys()], concurrency, timeout: timeoutMs, signal: stuck.signal });
tally.follow(stream);
stream.on('test:complete', () => silence.refresh());
stream.on('end', () => {
  clearTimeout(silence);
  if (tally.failed > 0 || files.length === 0) process.exitCode = 1;
  process.stdout.write(closing());
});
stream.compose(new spec()).pipe(process.stdout, { end: false });

/** Ends the process with one line on an argument that means nothing here, instead of running every test. */
function argumentsGiven() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { all: { type: 'boolean' }, long: { type: 'boolean' }, timeout: { type: 'string' } },
    });
    const { all = false, long = false, timeout = '600000' } = values;
    if (!/^[1-9]\d*$/.test(timeout)) throw new Error(`'--timeout ${timeout}' is no number of milliseconds`);
    return { words: positionals, isAll: all, isLongAlone: long, timeoutMs: Number(timeout) };
  } catch (error) {
    process.stderr.write(
      `test: ${(error as Error).message}\nnpm test -- [--all | --long] [--timeout=MS] [part of a path …]\n`,
    );
    process.exit(2);
  }
}

function closing(): string {
  const left = matching.length - files.length;
  const slowest = [...tally.secondsOf].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_SHOWN);
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return [
    '',
    ...(left > 0 && !isLongAlone
      ? [`not run: ${left} long files; npm test -- --all ${words.join(' ')}`.trimEnd()]
      : []),
    ...slowest.map(([file, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${file}`),
    ...tally.unfinished.map((file) => `ended before its last test: ${file}`),
    `tests: ${tally.passed} passed, ${tally.failed} failed${skipped}\n`,
  ].join('\n');
}
