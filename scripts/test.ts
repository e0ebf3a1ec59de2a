/**
 * Runs test files under the pinned Node and closes with the slowest files and `tests: N passed, N failed`.
 *
 *   npm test                          the everyday half: unit, property and scenario tests, and one path from end to end
 *   npm test -- packages/log          of these, the files whose path contains one of the words; a whole path runs any file
 *   npm test -- PATH -t "a title"     of these, the tests whose title contains the text
 *   npm test -- --changed             of these, the files that import something changed since main, the nearest first
 *   npm test -- --watch PATH          again after every change
 *   npm test -- --long                the long half, some of which needs a Debian package; --nightly, or --all three
 *   npm test -- --times               closes with every file, not with the slowest alone
 *   npm test -- --timeout=2000        milliseconds that a test may take, instead of ten minutes, or an hour at night
 *   VENUE_TEST_REQUIRE=all npm test -- --all   with skipping forbidden
 */

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { testsOfChanges } from './changed-tests.ts';
import { costsIn } from './evidence.ts';
import { preloadOfJoined } from './joined-packages.ts';
import { BAIT, type FileTally, Tally } from './tally.ts';
import { batches, HALVES, type Half, halfOf } from './test-files.ts';

const FOLDERS = ['packages/*/{src,sim,test}', 'scripts', 'tests'];
const SLOWEST_SHOWN = 10;

const { words, halves, title, changed, watch, times, timeoutMs } = argumentsGiven();
if (watch) watchSources();
const all = globSync(FOLDERS.map((sources) => `${sources}/**/*.test.ts`)).sort();
const matching = (changed ? testsOfChanges(all) : all).filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
);
const files = matching.filter((file) => halves.includes(halfOf(file)) || words.includes(file));
const folder = mkdtempSync(join(tmpdir(), 'venue-test-'));
const evidence = join(folder, 'evidence');
const costs = join(folder, 'costs');
mkdirSync(evidence);
Object.assign(process.env, { VENUE_TEST_EVIDENCE: evidence, VENUE_TEST_COSTS: costs });
// At night every process loads its packages as it does for those who use it.
if (!halves.includes('nightly'))
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${await preloadOfJoined()}`;

// Files also wait for their processes, the long ones above all for leases, pauses and cutoffs: four at a time left a third
// of two cores idle, while six keep more markets and pages going than the cores can serve.
const tally = await runOnce(
  batches(files, changed ? 'as given' : 'slowest first'),
  availableParallelism() + (halves.includes('everyday') ? 2 : 3),
);
const flaky = await tryAgain();
process.stdout.write(closing());
if (tally.failed > 0 || files.length === 0) process.exitCode = 1;
const hasEvidence = readdirSync(evidence).length > 0;
process.on('exit', () => rmSync(hasEvidence ? costs : folder, { recursive: true, force: true }));

/** Node runs this again after every change, until it is interrupted. */
function watchSources(): never {
  const paths = globSync(FOLDERS).map((sources) => `--watch-path=${sources}`);
  const words = process.argv.slice(1).filter((word) => word !== '--watch');
  spawnSync(process.execPath, ['--watch-preserve-output', ...paths, ...words], { stdio: 'inherit' });
  process.exit();
}

async function runOnce(processes: readonly (readonly string[])[], concurrency: number): Promise<Tally> {
  const filesOf = new Map(processes.map((batch) => [moduleOf(batch), batch]));
  const found = new Tally(filesOf);
  const stuck = new AbortController();
  // No single test may take as long, nor the end of a process: a file that is left then neither goes on nor ends.
  const silence = setTimeout(() => stuck.abort(), timeoutMs * 1.5);
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
 * the machine was busy. Returns a line for each test that failed so.
 */
async function tryAgain(): Promise<string[]> {
  const lines: string[] = [];
  for (const [file, { failed }] of tally.files) {
    if (failed.length === 0 || halfOf(file) === 'everyday') continue;
    process.stdout.write(`\nonce more, by itself: ${file}\n`);
    const again = await runOnce([[file]], 1);
    if (again.failed > 0) continue;
    tally.replace(file, again.files.get(file)!);
    lines.push(...failed.map((what) => `flaky: ${file}: ${what}`));
  }
  return lines;
}

/** Writes the module that a process runs: it has the tests of each file in a suite of its name. */
function moduleOf(batch: readonly string[]): string {
  const path = join(folder, `${readdirSync(folder).length}.mjs`);
  const head = `import { after, afterEach, describe, it, mock } from 'node:test';
import { keepEvidence, noteCost } from ${JSON.stringify(import.meta.resolve('./evidence.ts'))};
// What files share is ended by the last of them, which has to know that it is.
process.env.VENUE_TEST_FILES = '${batch.length}';
`;
  writeFileSync(path, head + batch.map((file, at) => suiteOf(file, at === batch.length - 1)).join(''));
  return path;
}

/** A process whose tests are over may be kept alive, by what a failed test left running: it says by what, and ends. */
function suiteOf(file: string, isLast: boolean): string {
  const [name, path] = [JSON.stringify(file), resolve(file)];
  const leave = `console.error('kept alive after its tests by', ...process.getActiveResourcesInfo()), process.exit(1)`;
  const end = isLast ? `after(() => void setTimeout(() => { ${leave}; }, ${timeoutMs / 4}).unref());` : '';
  // A clock or function that a file replaced and left so would be that of the next file.
  const over = `after(() => { mock.reset(); noteCost(${name}); });`;
  const hooks = `afterEach((context) => keepEvidence(${name}, context)); ${over} ${end}`;
  // Node passes over a suite that has none of the tests asked for by the time its function first waits.
  const bait = title === undefined ? '' : `it(${JSON.stringify(title)}, { skip: ${JSON.stringify(BAIT)} }); `;
  return `await describe(${name}, async () => { ${hooks} ${bait}await import(${JSON.stringify(pathToFileURL(path).href)}); });\n`;
}

/** Ends the process with one line on an argument that means nothing here, instead of running every test. */
function argumentsGiven() {
  const flag = { type: 'boolean', default: false } as const;
  const flags = { all: flag, long: flag, nightly: flag, changed: flag, watch: flag, times: flag };
  const options = { ...flags, title: { type: 'string', short: 't' }, timeout: { type: 'string' } } as const;
  try {
    const { values, positionals: words } = parseArgs({ allowPositionals: true, options });
    const timeoutMs = Number(values.timeout ?? (values.all || values.nightly ? 3_600_000 : 600_000));
    if (!Number.isSafeInteger(timeoutMs) || timeoutMs <= 0)
      throw new Error(`'--timeout ${values.timeout}' is no number of milliseconds`);
    const asked = HALVES.filter((half) => values.all || (half !== 'everyday' && values[half]));
    return { ...values, words, halves: asked.length > 0 ? asked : HALVES.slice(0, 1), timeoutMs };
  } catch (error) {
    const usage =
      '[--all | --long | --nightly] [--changed] [--watch] [--times] [--timeout=MS] [-t TITLE] [PATH …]';
    process.stderr.write(`test: ${(error as Error).message}\nnpm test -- ${usage}\n`);
    process.exit(2);
  }
}

function closing(): string {
  const leftOf = (half: Half) =>
    matching.filter((file) => halfOf(file) === half && !files.includes(file)).length;
  const left = halves.includes('everyday') ? HALVES.filter((half) => leftOf(half) > 0) : [];
  const finished = [...tally.files].filter(([, { seconds }]) => seconds !== null);
  const slowest = finished.sort(([, a], [, b]) => b.seconds! - a.seconds!);
  const spent = costsIn(costs);
  const cells = ([file, { seconds }]: [string, FileTally]) => {
    const cost = spent.get(file);
    const cpu = cost === undefined ? '' : (cost.user + cost.system).toFixed(1);
    return `${seconds!.toFixed(1).padStart(6)} ${cpu.padStart(6)}  ${file}`;
  };
  const skipped = tally.count('skipped') > 0 ? `, ${tally.count('skipped')} skipped` : '';
  return [
    '',
    ...left.map(
      (half) => `not run: ${leftOf(half)} ${half} files; npm test -- --${[half, ...words].join(' ')}`,
    ),
    'seconds, of processors, file',
    ...slowest.slice(0, times ? slowest.length : SLOWEST_SHOWN).map(cells),
    ...[...tally.files].flatMap(([file, { failed }]) => failed.map((what) => `failed: ${file}: ${what}`)),
    ...flaky,
    ...(readdirSync(evidence).length > 0 ? [`what failed tests showed: ${evidence}`] : []),
    `tests: ${tally.count('passed')} passed, ${tally.failed} failed${skipped}\n`,
  ].join('\n');
}
