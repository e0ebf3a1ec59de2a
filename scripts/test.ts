/**
 * Runs test files under the pinned Node and closes with the ten slowest files and `tests: N passed, N failed`.
 *
 *   npm test                          the everyday half: unit, property and scenario tests, and one path from end to end
 *   npm test -- packages/log          of these, the files whose path contains one of the words; a whole path runs any file
 *   npm test -- PATH -t "a title"     of these, the tests whose title contains the text
 *   npm test -- --changed             of these, the files that import something changed since main
 *   npm test -- --watch PATH          again after every change
 *   npm test -- --long                the long half alone, some of which needs a Debian package
 *   npm test -- --nightly             the nightly half alone
 *   npm test -- --all                 all three
 *   npm test -- --timeout=2000        a test may take no longer than that, in milliseconds, instead of ten minutes
 *   VENUE_TEST_REQUIRE=all npm test -- --all   with skipping forbidden
 */

import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { testsOfChanges } from './changed-tests.ts';
import { costsIn, Tally } from './tally.ts';
import { batches, halfOf } from './test-files.ts';
import { watch } from './test-watch.ts';

const FILES = ['packages/*/{src,sim,test}/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'];
const SLOWEST_SHOWN = 10;
const USAGE =
  'npm test -- [--all | --long | --nightly] [--changed] [--watch] [-t TITLE] [--timeout=MS] [part of a path …]';
const EVIDENCE = new URL('evidence.ts', import.meta.url).href;

const { words, halves, title, isChangedAlone, isWatching, timeoutMs } = argumentsGiven();
if (isWatching) await watch(process.argv.slice(1).filter((word) => word !== '--watch'));
/** How long the process of a file may take to end after its tests. */
const lingerMsMax = timeoutMs / 4;
/** No single test may take as long, nor the end of a process: a file that is left then neither goes on nor ends. */
const silenceMsMax = timeoutMs * 1.5;

const all = globSync(FILES).sort();
const concerned = isChangedAlone ? testsOfChanges(all) : all;
const matching = concerned.filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
const files = matching.filter((file) => halves.has(halfOf(file)) || words.includes(file));
const folder = mkdtempSync(join(tmpdir(), 'venue-test-'));
const evidence = join(folder, 'evidence');
mkdirSync(evidence);
process.env.VENUE_TEST_EVIDENCE = evidence;
process.env.VENUE_TEST_COSTS = join(folder, 'costs');
let modules = 0;

// Files mostly wait for their processes, the long ones above all for leases, pauses and cutoffs: four at a time left a
// third of two cores idle.
const tally = await runOnce(batches(files), availableParallelism() + (halves.has('everyday') ? 2 : 4));
const flaky = await tryAgain(tally);
process.stdout.write(closing());
if (tally.failed > 0 || files.length === 0) process.exitCode = 1;
const isEvident = readdirSync(evidence).length > 0;
process.on('exit', () =>
  rmSync(isEvident ? process.env.VENUE_TEST_COSTS! : folder, { recursive: true, force: true }),
);

/** Runs processes of files, so many at a time, and reports each test as it ends. */
async function runOnce(processes: readonly (readonly string[])[], concurrency: number): Promise<Tally> {
  const filesOf = new Map(processes.map((batch) => [moduleOf(batch), batch]));
  const found = new Tally(filesOf);
  const stuck = new AbortController();
  const silence = setTimeout(() => stuck.abort(), silenceMsMax);
  const stream = run({
    files: [...filesOf.keys()],
    concurrency,
    timeout: timeoutMs,
    signal: stuck.signal,
    ...(title === undefined ? {} : { testNamePatterns: [RegExp(RegExp.escape(title))] }),
  });
  found.follow(stream);
  stream.on('test:complete', () => silence.refresh());
  const ended = new Promise((done) => stream.once('end', done));
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  await ended;
  clearTimeout(silence);
  return found;
}

/**
 * A file of the long halves that failed runs once more, by itself, when all else is over: what passes then failed because
 * the machine was busy. Returns what failed so, a line each.
 */
async function tryAgain(first: Tally): Promise<string[]> {
  const lines: string[] = [];
  for (const file of first.failedFiles.filter((failed) => halfOf(failed) !== 'everyday')) {
    const { failed } = first.files.get(file)!;
    process.stdout.write(`\nonce more, by itself: ${file}\n`);
    const again = await runOnce([[file]], 1);
    if (again.failed > 0) continue;
    first.replace(file, again.files.get(file)!);
    lines.push(...failed.map((what) => `flaky: ${file}: ${what}`));
  }
  return lines;
}

/** Writes the module that a process runs: it has the tests of each file in a suite of its name. */
function moduleOf(batch: readonly string[]): string {
  modules += 1;
  const path = join(folder, `${modules}.mjs`);
  const suites = batch.map((file, at) => suiteOf(file, at === batch.length - 1));
  writeFileSync(
    path,
    `import { after, afterEach, describe } from 'node:test';
import { createRequire } from 'node:module';
import { keepEvidence, noteCost } from ${JSON.stringify(EVIDENCE)};
const load = createRequire(import.meta.url);
// What files share is ended by the last of them, which has to know that it is.
process.env.VENUE_TEST_FILES = '${batch.length}';
${suites.join('')}`,
  );
  return path;
}

/** A process whose tests are over may be kept alive, by what a failed test left running: it says by what, and ends. */
function suiteOf(file: string, isLast: boolean): string {
  const path = resolve(file);
  const name = JSON.stringify(file);
  const leave = `console.error('kept alive after its tests by', ...process.getActiveResourcesInfo()), process.exit(1)`;
  const watchEnd = isLast ? `after(() => void setTimeout(() => { ${leave}; }, ${lingerMsMax}).unref());` : '';
  const hooks = `afterEach((context) => keepEvidence(${name}, context)); after(() => noteCost(${name})); ${watchEnd}`;
  // Node passes over a suite that has none of the tests that were asked for by the time its function returns.
  if (title !== undefined) return `describe(${name}, () => { ${hooks} load(${JSON.stringify(path)}); });\n`;
  const url = JSON.stringify(pathToFileURL(path).href);
  return `await describe(${name}, async () => { ${hooks} await import(${url}); });\n`;
}

/** Ends the process with one line on an argument that means nothing here, instead of running every test. */
function argumentsGiven() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        long: { type: 'boolean' },
        nightly: { type: 'boolean' },
        changed: { type: 'boolean' },
        watch: { type: 'boolean' },
        title: { type: 'string', short: 't' },
        timeout: { type: 'string' },
      },
    });
    const { all: isAll, long, nightly, changed = false, watch: isWatching = false, title } = values;
    const { timeout = '600000' } = values;
    if (!/^[1-9]\d*$/.test(timeout)) throw new Error(`'--timeout ${timeout}' is no number of milliseconds`);
    const halves = new Set(isAll ? (['everyday', 'long', 'nightly'] as const) : []);
    if (long) halves.add('long');
    if (nightly) halves.add('nightly');
    if (halves.size === 0) halves.add('everyday');
    return {
      words: positionals,
      halves,
      title,
      isChangedAlone: changed,
      isWatching,
      timeoutMs: Number(timeout),
    };
  } catch (error) {
    process.stderr.write(`test: ${(error as Error).message}\n${USAGE}\n`);
    process.exit(2);
  }
}

function closing(): string {
  const left = (['long', 'nightly'] as const)
    .map(
      (half) =>
        [half, matching.filter((file) => halfOf(file) === half && !files.includes(file)).length] as const,
    )
    .filter(([, count]) => count > 0 && halves.has('everyday'));
  const costs = costsIn(process.env.VENUE_TEST_COSTS!);
  const slowest = [...tally.files].filter(([, { seconds }]) => seconds !== undefined);
  slowest.sort(([, a], [, b]) => b.seconds! - a.seconds!);
  const cell = (seconds: number | undefined) => (seconds?.toFixed(1) ?? '?').padStart(6);
  const cpuOf = (file: string) => {
    const cost = costs.get(file);
    return cost && cost.user + cost.system;
  };
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : '';
  return [
    '',
    ...left.map(([half, count]) =>
      `not run: ${count} ${half} files; npm test -- --${half} ${words.join(' ')}`.trimEnd(),
    ),
    '  wall    cpu  s',
    ...slowest
      .slice(0, process.env.VENUE_TEST_TIMES === 'all' ? Number.POSITIVE_INFINITY : SLOWEST_SHOWN)
      .map(([file, { seconds }]) => `${cell(seconds)} ${cell(cpuOf(file))}  ${file}`),
    ...[...tally.files].flatMap(([file, { failed }]) => failed.map((what) => `failed: ${file}: ${what}`)),
    ...flaky,
    ...(readdirSync(evidence).length > 0 ? [`what failed tests showed: ${evidence}`] : []),
    `tests: ${tally.passed} passed, ${tally.failed} failed${skipped}\n`,
  ].join('\n');
}
