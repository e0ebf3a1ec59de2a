/** The runner of the tests against files that fail in every way a file can. */

// @seconds 9

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUNNER = fileURLToPath(new URL('../../scripts/test.ts', import.meta.url));
/** No file has as much to do, however loaded the machine is; those that never end take as long. */
const TIMEOUT_MS = 15_000;
const IMPORTS = `import { after, before, describe, test } from 'node:test';\n`;
const WELL = `test('well', () => {});\n`;
const FAIL = `() => { throw new Error('on purpose'); }`;

/** Waits for the limit of a test, or of silence, without anything to do for a processor. */
const SLEEP = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

/** What each file does, and how many of its tests count as passed and as failed. */
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

test('TEST-2: an option that the runner does not have runs no test', async () => {
  for (const words of [['--help'], ['--timeout=soon']])
    assert.deepEqual(await run(words), { status: 2, said: '' });
});
