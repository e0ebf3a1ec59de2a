/** `scripts/install.mjs` with the real npm, and the cost of starting through launcher and command. */

// @seconds 25

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyInto, install, MB_MAX, megabytes, PATH } from './installed-tree.ts';

/** Times what the command itself takes, which is no more than to start Node. */
const OVERHEAD_MAX = 2.5;
const STARTS_MIN = 2;
const STARTS_MAX = 20;

const folder = mkdtempSync(join(tmpdir(), 'venue-started-'));
after(() => rmSync(folder, { recursive: true }));

test('CFG-6: npm brings no tools for running, and launcher and command cost little more of the processor than what they start', () => {
  copyInto(folder);
  assert.equal(install(folder, ['--production']).status, 0);
  assert.ok(!existsSync(join(folder, 'node_modules/typescript-dev')), 'a tool');
  assert.ok(megabytes(folder) < MB_MAX);
  const main = 'packages/cli/src/main.ts';
  const node = 'node_modules/.bin/node';
  const itself = `${node} ${main} --version`;
  const starts = [`sh scripts/launch.sh --production ${main} --version`, `packages/cli/bin/venue --version`];
  for (const through of starts) {
    let overhead = Number.POSITIVE_INFINITY;
    let [least, leastItself] = [overhead, overhead];
    // Other work on the machine only adds to a time.
    for (let i = 0; i < STARTS_MIN || (i < STARTS_MAX && overhead >= OVERHEAD_MAX); i++) {
      least = Math.min(least, processorMs(through));
      leastItself = Math.min(leastItself, processorMs(itself));
      overhead = least / leastItself - 1;
    }
    assert.ok(overhead < OVERHEAD_MAX, `${through}: ${overhead}`);
  }
});

/** The processor time of a command and all that it starts. */
function processorMs(command: string): number {
  const timed = `TIMEFORMAT='%U %S'; time ${command} >/dev/null`;
  const { stderr } = spawnSync('bash', ['-c', timed], {
    cwd: folder,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  const found = /^([\d.]+) ([\d.]+)$/m.exec(stderr) ?? assert.fail(stderr);
  return (Number(found[1]) + Number(found[2])) * 1_000;
}
