/** The runner of the tests against files that fail in every way a file can. */

// @seconds 51

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('../../scripts/test.ts', import.meta.url));
const EVIDENCE = new URL('../../scripts/evidence.ts', import.meta.url).href;
/** No file has as much to do, however loaded the machine is; those that never end take as long. */
const TIMEOUT_MS = 15_000;
const IMPORTS = `import { after, before, describe, test } from 'node:test';\n`;
const WELL = `test('well', () => {});\n`;
const FAIL = `() => { throw new Error('on purpose'); }`;

/** Waits for the limit of a test, or of silence, without anything to do for a processor. */
const SLEEP = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

/** The behaviour of each file, and how many of its tests count as passed and as failed. */
const FILES: readonly (readonly [does: string, source: string, passed: number, failed: number])[] = [
  ['has a test that never ends', `test('a', () => new Promise(() => {}));\n${WELL}`, 1, 1],
  ['has a test that never pauses', `${WELL}test('a', () => { ${SLEEP}; });`, 0, 1],
  ['does not end with its tests', `test('a', () => { setInterval(() => {}, 1_000); });`, 1, 1],
  ['has a test that fails', `${WELL}test('a', ${FAIL});`, 1, 1],
  [
    'has tests that fail in a suite and in a test',
    `describe('s', () => { test('a', ${FAIL}); test('b', (t) => t.test('c', ${FAIL})); });`,
    0,
    2,
  ],
  [
    'fails before its tests',
    `describe('s', () => { before(${FAIL}); test('a', () => {}); test('b', () => {}); });`,
    0,
    3,
  ],
  ['fails after its tests', `describe('s', () => { after(${FAIL}); test('a', () => {}); });`, 1, 1],
  ['fails after its tests, outside a suite', `after(${FAIL});\n${WELL}`, 1, 1],
  ['fails in a suite, outside its tests', `describe('s', () => { throw new Error('on purpose'); });`, 0, 1],
  ['fails when it is imported', `throw new Error('on purpose');`, 0, 1],
  ['fails when its tests are over', `test('a', () => { setTimeout(${FAIL}, 50); });`, 1, 1],
  ['ends its process well, in the middle', `${WELL}test('a', () => process.exit(0));\n${WELL}`, 0, 1],
  ['ends its process badly, in the middle', `${WELL}test('a', () => process.exit(1));`, 0, 1],
  ['has its process killed', `test('a', () => process.kill(process.pid, 'SIGKILL'));`, 0, 1],
  ['has nothing wrong', `${WELL}test('a', { skip: true }, ${FAIL});`, 1, 0],
];

const folder = mkdtempSync(join(tmpdir(), 'venue-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function runOf(name: string): Promise<{ status: number | null; said: string }> {
  return run([`--timeout=${TIMEOUT_MS}`, `/${name}.`]);
}

async function run(words: readonly string[]): Promise<{ status: number | null; said: string }> {
  // Node runs no tests inside tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [RUNNER, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { said: await text(child.stdout), status: await ended };
}

describe('TEST-2: the runner counts a file that', { concurrency: 4 }, () => {
  mkdirSync(join(folder, 'tests', 'wide'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [does, source, passed, failed] of FILES)
    test(does, async () => {
      const name = does.replaceAll(/\W+/g, '-');
      writeFileSync(join(folder, 'tests', 'wide', `${name}.test.ts`), IMPORTS + source);
      const { status, said } = await runOf(name);
      const skipped = failed === 0 ? ', 1 skipped' : '';
      assert.equal(
        said.trim().split('\n').at(-1),
        `tests: ${passed} passed, ${failed} failed${skipped}`,
        said,
      );
      assert.equal(status, failed === 0 ? 0 : 1);
    });
});

describe('TEST-3: of files that failed', { concurrency: 2 }, () => {
  /** Fails in its first process and passes in its second. */
  const onceOnly = (mark: string) => `import { existsSync, writeFileSync } from 'node:fs';
test('b', () => {
  if (existsSync('${mark}')) return;
  writeFileSync('${mark}', '');
  throw new Error('on purpose');
});\n`;

  test('a long one that passes by itself is named as flaky and fails nothing', async () => {
    writeFileSync(join(folder, 'tests', 'wide', 'shaky.long.test.ts'), IMPORTS + WELL + onceOnly('shaky'));
    const { status, said } = await run(['--long', '/shaky.']);
    assert.match(said, /^flaky: tests\/wide\/shaky.long.test.ts: b$/m);
    assert.equal(said.trim().split('\n').at(-1), 'tests: 2 passed, 0 failed');
    assert.equal(status, 0);
  });

  test('a long one that fails again, and an everyday one, have failed', async () => {
    writeFileSync(
      join(folder, 'tests', 'wide', 'broken.long.test.ts'),
      `${IMPORTS}${WELL}test('b', ${FAIL});`,
    );
    writeFileSync(join(folder, 'tests', 'wide', 'daily.test.ts'), IMPORTS + onceOnly('daily'));
    for (const words of [['--long', '/broken.'], ['/daily.']]) {
      const { status, said } = await run(words);
      assert.match(said, /^failed: tests\/wide\/\w+(?:\.long)?\.test\.ts: b$/m);
      assert.match(said, /, 1 failed$/m);
      assert.equal(status, 1);
    }
  });

  test('the error and what witnesses showed stand in the folder that the end names', async () => {
    const witness = `import { callWitness, lastLines } from ${JSON.stringify(EVIDENCE)};
callWitness(() => [['exchange.log', lastLines(Array.from({ length: 50 }, (_, at) => 'line ' + at).join('\\n'))]]);
callWitness(() => { throw new Error('saw nothing'); });\n`;
    writeFileSync(
      join(folder, 'tests', 'wide', 'seen.test.ts'),
      `${IMPORTS}${witness}test('it fails', ${FAIL});`,
    );
    const { said } = await run(['/seen.']);
    const [, kept] = /^what failed tests showed: (.+)$/m.exec(said)!;
    const place = join(kept!, 'tests-wide-seen.test.ts', 'it-fails');
    assert.match(readFileSync(join(place, 'error.txt'), 'utf8'), /on purpose[\s\S]+seen\.test\.ts:\d/);
    const log = readFileSync(join(place, '1-exchange.log'), 'utf8').split('\n');
    assert.deepEqual([log.length, log[0], log.at(-1)], [40, 'line 10', 'line 49']);
    assert.match(readFileSync(join(place, '2-witness.txt'), 'utf8'), /saw nothing/);
    rmSync(join(kept!, '..'), { recursive: true });
  });
});

describe('the runner', { concurrency: 2 }, () => {
  test('runs the tests whose title has the text, in any half, by a whole path', async () => {
    const file = 'tests/wide/titles.nightly.test.ts';
    writeFileSync(join(folder, file), `${IMPORTS}test('a (b)', () => {});test('a b', ${FAIL});`);
    const { said } = await run([file, '-t', 'a (b']);
    assert.equal(said.trim().split('\n').at(-1), 'tests: 1 passed, 0 failed');
  });

  test('runs the tests of that title in several files, whether they wait while they are read or have none', async () => {
    const sources = [
      `await 0;\n${IMPORTS}describe('s', () => { ${WELL} });`,
      `${IMPORTS}test('other', ${FAIL});`,
    ];
    for (const [i, source] of sources.entries())
      writeFileSync(join(folder, 'tests', 'wide', `several-${i}.test.ts`), source);
    const { said } = await run(['/several-', '-t', 'well']);
    assert.equal(said.trim().split('\n').at(-1), 'tests: 1 passed, 0 failed');
  });

  test('gives the next file of a process its own clock back', async () => {
    const replaced = `import { mock } from 'node:test';\nmock.timers.enable({ apis: ['setTimeout'] });\n`;
    const waits = `test('waits', { timeout: ${TIMEOUT_MS / 3} }, () => new Promise((done) => setTimeout(done, 5)));`;
    for (const [name, source] of [
      ['clock-a', replaced + WELL],
      ['clock-b', waits],
    ])
      writeFileSync(join(folder, 'tests', 'wide', `${name}.test.ts`), IMPORTS + source);
    const { said } = await run(['/clock-']);
    assert.equal(said.trim().split('\n').at(-1), 'tests: 2 passed, 0 failed');
  });

  test('runs again after a change of a source', async () => {
    const file = join(folder, 'tests', 'wide', 'watched.test.ts');
    writeFileSync(file, IMPORTS + WELL);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, [RUNNER, '--watch', '/watched.'], {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const piece of child.stdout) {
      said += piece;
      const runs = said.match(/^tests: /gm)?.length ?? 0;
      if (runs === 1) writeFileSync(file, IMPORTS + WELL + WELL);
      if (said.includes('tests: 2 passed, 0 failed')) break;
    }
    process.kill(-child.pid!, 'SIGTERM');
  });

  test('keeps the halves apart', async () => {
    for (const suffix of ['', '.long', '.nightly'])
      writeFileSync(join(folder, 'tests', 'wide', `half${suffix}.test.ts`), IMPORTS + WELL);
    for (const words of [[], ['--long'], ['--nightly']]) {
      const { said } = await run(['--times', ...words, '/half.']);
      const ran = [...said.matchAll(/^ +[\d.]+ +[\d.]* +(tests\S+)$/gm)].map(([, file]) => file);
      const suffix = words.map((word) => word.replace('--', '.')).join('');
      assert.deepEqual(ran, [`tests/wide/half${suffix}.test.ts`]);
    }
  });
});

test('TEST-2: an option that the runner does not have runs no test', async () => {
  for (const words of [['--help'], ['--timeout=soon']])
    assert.deepEqual(await run(words), { status: 2, said: '' });
});
