import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBreaches, productionFiles } from './imports.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

test('every package keeps the table of imports', () => {
  const files = productionFiles(ROOT);
  assert.ok(files.length > 50, 'the sources were found');
  assert.deepEqual(findBreaches(files), []);
});

const BREACHES: readonly (readonly [string, string, string])[] = [
  ['packages/engine/src/a.ts', "import { openSqliteLog } from '@venue/log';", 'may not import @venue/log'],
  ['packages/engine/src/a.ts', "import fs from 'node:fs';", 'may not import node:fs'],
  ['packages/engine/src/a.ts', 'const now = Date.now();', 'may not use the clock'],
  ['packages/engine/src/a.ts', 'const x = Math.exp(1);', 'may not use inexact arithmetic'],
  ['packages/engine/src/a.ts', 'export async function f() {}', 'may not use promises'],
  ['packages/log/src/a.ts', "import type { State } from '@venue/engine';", 'may not import @venue/engine'],
  [
    'packages/log/src/a.ts',
    "import { x } from '../../engine/src/state/state.ts';",
    'may not import ../../engine',
  ],
  [
    'packages/feed/src/a.ts',
    "const { x } = await import('@venue/exchange');",
    'may not import @venue/exchange',
  ],
  ['packages/sdk/src/a.ts', "import\n  { verify }\n  from 'viem';", 'may not import viem'],
  ['packages/exchange/src/node.ts', 'const home = process.env.HOME;', 'only config.ts reads the environment'],
  ['packages/cli/src/up.ts', 'const home = process.env.HOME;', 'only config.ts reads the environment'],
];

for (const [path, text, breach] of BREACHES) {
  test(`a breach is found: ${breach} in ${path}`, () => {
    const [found, ...others] = findBreaches([{ path, text }]);
    assert.match(found ?? '', new RegExp(breach.replaceAll('.', '\\.')));
    assert.deepEqual(others, []);
  });
}

test('what the table allows is no breach', () => {
  const text =
    "import { x } from '@venue/protocol';\n// Date.now() would break replay\nimport type { State } from './state.ts';";
  assert.deepEqual(findBreaches([{ path: 'packages/engine/src/a.ts', text }]), []);
});
