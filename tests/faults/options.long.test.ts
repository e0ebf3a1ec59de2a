// @seconds 6

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));

describe('the scripts refuse in one line options that could not prove anything', () => {
  for (const [words, message] of [
    ['cluster.ts --faults typo', /^--faults takes all, or some of restart, .*, not 'typo'\n$/],
    ['cluster.ts --faults=', /^--faults takes all, or some of restart, .*, not ''\n$/],
    ['cluster.ts --nodes 1', /^--nodes is 2 at least, not 1\n$/],
    ['cluster.ts --scale x', /^--scale takes a whole number, not 'x'\n$/],
    ['kill.ts --rounds x', /^--rounds takes a whole number, not 'x'\n$/],
    ['kill.ts --rounds 0', /^--rounds is 1 at least, not 0\n$/],
    ['kill.ts --round 5', /^Unknown option '--round'[^\n]*\n$/],
    ['power-cut.ts --rounds 1.5', /^--rounds takes a whole number, not '1.5'\n$/],
    ['large.ts --accounts none', /^--accounts takes a whole number, not 'none'\n$/],
    ['../../packages/exchange/sim/main.ts --node --seeds 9..1', /^--seeds 9\.\.1 holds no seed\n$/],
    ['../../packages/exchange/sim/main.ts --node --minutes 0', /^--minutes is 1 at least, not 0\n$/],
  ] as const) {
    it(words, () => {
      const [script, ...options] = words.split(' ');
      const child = spawnSync(process.execPath, [SCRIPTS + script, ...options], {
        encoding: 'utf8',
        timeout: 120_000,
      });
      assert.match(child.stderr, message);
      assert.deepEqual([child.status, child.stdout], [1, '']);
    });
  }
});
