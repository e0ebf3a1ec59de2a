import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
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
  ['packages/engine/src/a.ts', 'const x = 1.5 ** n;', 'may not use inexact arithmetic'],
  ['packages/engine/src/a.ts', 'const x = Math.sqrt(2);', 'may not use fractions'],
  ['packages/protocol/src/exp-ln.ts', 'const x = Math.exp(1);', 'may not use inexact arithmetic'],
  ['packages/protocol/src/normal.ts', 'const x = Math.pow(2, k);', 'may not use inexact arithmetic'],
  ['packages/protocol/src/black76.ts', 'const x = Math.log2(1);', 'may not use inexact arithmetic'],
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
  ['packages/web/src/A.tsx', "import { apply } from '@venue/engine';", 'may not import @venue/engine'],
  [
    'packages/engine/src/risk/a.ts',
    "import { placeOrder } from '../trading/orders.ts';",
    'risk may not import trading',
  ],
  [
    'packages/engine/src/book/a.ts',
    "import type { Series } from '../state/series.ts';",
    'book may not import state',
  ],
  [
    'packages/engine/src/entry/a.ts',
    "import { apply } from '../engine.ts';",
    'entry may not import the hall',
  ],
  [
    'packages/exchange/src/auth/a.ts',
    "import { refuse } from '../http/errors.ts';",
    'auth may not import http',
  ],
  [
    'packages/exchange/src/entries/a.ts',
    "import type { Config } from '../config.ts';",
    'entries may not import the hall',
  ],
  ['packages/exchange/src/new/a.ts', "import { Tape } from '../views/tape.ts';", 'new may not import views'],
  [
    'packages/vault/src/gate/a.ts',
    "import { Signer } from '../batcher/signer.ts';",
    'gate may not import batcher',
  ],
  [
    'packages/vault/src/contract/a.ts',
    "import { ChainError } from '../chain/errors.ts';",
    'contract may not import chain',
  ],
  ['packages/vault/src/keys/a.ts', "import { gate } from '../index.ts';", 'keys may not import the hall'],
  ['packages/sdk/src/net/a.ts', "import { Auth } from '../sign/auth.ts';", 'net may not import sign'],
  [
    'packages/sdk/src/stream/a.ts',
    "import type { TraderClient } from '../client/trader.ts';",
    'stream may not import client',
  ],
  [
    'packages/sdk/src/client/a.ts',
    "import { VenueClient } from '../index.ts';",
    'client may not import the hall',
  ],
  [
    'packages/cli/src/trader/orders/a.ts',
    "import { account } from '../account/account.ts';",
    'trader/orders may not import trader/account',
  ],
  ['packages/cli/src/base/a.ts', "import { run } from '../run.ts';", 'base may not import the hall'],
  [
    'packages/web/src/areas/chain/A.tsx',
    "import { F } from '../order/Ticket.tsx';",
    'areas/chain may not import areas/order',
  ],
  [
    'packages/web/src/areas/chain/core/a.ts',
    "import { F } from '../Chain.tsx';",
    'areas/chain/core may not import areas/chain',
  ],
  [
    'packages/web/src/areas/order/core/tray/a.ts',
    "import { F } from '../../../../terminal/stores.ts';",
    'areas/order/core may not import terminal',
  ],
  ['packages/web/src/new/A.tsx', "import { F } from '../page/App.tsx';", 'new may not import page'],
  ['packages/web/src/kit/A.tsx', "import { F } from '../main.tsx';", 'kit may not import the hall'],
];

for (const [path, text, breach] of BREACHES) {
  test(`a breach is found: ${breach} in ${path}`, () => {
    const [found, ...others] = findBreaches([{ path, text }]);
    assert.match(found ?? '', new RegExp(breach.replaceAll('.', '\\.')));
    assert.deepEqual(others, []);
  });
}

test('.tsx files are checked too', () => {
  assert.ok(productionFiles(ROOT).some(({ path }) => path.endsWith('.tsx')));
});

describe('the size', () => {
  const file = (name: string, lines = 1) => ({
    path: `packages/feed/src/${name}.ts`,
    text: 'export {};\n'.repeat(lines),
  });

  test('of a file is at most 400 lines', () => {
    assert.deepEqual(findBreaches([file('a', 400)]), []);
    assert.deepEqual(findBreaches([file('a', 401)]), ['packages/feed/src/a.ts: 401 lines, of at most 400']);
  });

  test('of a folder is at most 30 source files', () => {
    const files = Array.from({ length: 30 }, (_, i) => file(`${i}`));
    assert.deepEqual(findBreaches([...files, file('deep/a')]), []);
    assert.deepEqual(findBreaches([...files, file('a')]), [
      'packages/feed/src: 31 source files, of at most 30',
    ]);
  });
});

describe('an import cycle', () => {
  const file = (path: string, imported: string) => ({
    path: `packages/engine/src/state/${path}`,
    text: `import type { X } from '${imported}';`,
  });

  test('is found, however long it is', () => {
    const circle = [
      file('a.ts', './deep/b.ts'),
      file('deep/b.ts', './c.ts'),
      file('deep/c.ts', '../a.ts'),
      file('aside.ts', './a.ts'),
    ];
    assert.deepEqual(findBreaches(circle), [
      'packages/engine/src/state/a.ts: a circle of imports: packages/engine/src/state/a.ts, packages/engine/src/state/deep/b.ts, packages/engine/src/state/deep/c.ts',
    ]);
  });

  test('is found inside one folder', () => {
    assert.deepEqual(findBreaches([file('a.ts', './b.ts'), file('b.ts', './a.ts')]), [
      'packages/engine/src/state/a.ts: a circle of imports: packages/engine/src/state/a.ts, packages/engine/src/state/b.ts',
    ]);
  });
});

describe('the length of a function', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  cpSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  after(() => rmSync(folder, { recursive: true }));

  const isRefused = (path: string, lines: number) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export function long(): void {\n${'  void 0;\n'.repeat(lines)}}\n`);
    const args = ['lint', '--colors=off', '--vcs-enabled=false', path];
    const { stderr } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), args, {
      cwd: folder,
      encoding: 'utf8',
    });
    return stderr.includes('noExcessiveLinesPerFunction');
  };

  test('is at most 70 lines in production code', () => {
    for (const path of ['packages/engine/src/a.ts', 'packages/web/src/A.tsx', 'scripts/a.ts']) {
      assert.ok(!isRefused(path, 70), path);
      assert.ok(isRefused(path, 71), path);
    }
  });

  test('is unlimited in tests', () => {
    assert.ok(!isRefused('packages/engine/src/a.test.ts', 71));
  });
});

test('an allowed import is no breach', () => {
  const text =
    "import { x } from '@venue/protocol';\n// Date.now() would break replay\nimport type { State } from './state.ts';";
  assert.deepEqual(findBreaches([{ path: 'packages/engine/src/a.ts', text }]), []);
});
