// @seconds 6

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { buildTerminal } from '../build.ts';

/** kB, minified and compressed with brotli. */
const FIRST_LOAD_KB_MAX = 160;
/** The page's script, what it needs at once, and what both pages need. */
const FIRST_SCRIPTS_MAX = 3;
/** With all that a trader loads but what is loaded when it is first used. */
const TRADING_KB_MAX = 225;
/** The curve is viem's, for signers that no page recovers. */
const FIRST_USED = /^(admin|first-admin|funds|ccip|charts|secp256k1|strategies|what-if|worker)-/;
const ADMIN_KB_MAX = 14;
/** The charts with their library, and with the lines on them. */
const LARGEST_LATER_KB_MAX = 60;
const ALL_KB_MAX = 378;

describe('the size of the terminal', () => {
  let folder: string;
  let files: Map<string, string>;
  before(async () => {
    ({ folder } = await buildTerminal());
    const assets = join(folder, 'assets');
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
    files = new Map(scripts.map((name) => [name, readFileSync(join(assets, name), 'utf8')]));
  });

  const compressed = new Map<string, number>();
  const bytesOf = (name: string) => {
    const bytes = compressed.get(name) ?? brotliCompressSync(files.get(name)!).byteLength;
    compressed.set(name, bytes);
    return bytes;
  };
  const kB = (names: Iterable<string>) =>
    Iterator.from(names).reduce((sum, name) => sum + bytesOf(name), 0) / 1_000;
  /** Scripts a page loads initially, with their imports. */
  const loadedBy = (page: string) => {
    const html = readFileSync(join(folder, page), 'utf8');
    const names = new Set([...html.matchAll(/assets\/([^"]+\.js)"/g)].map(([, name]) => name!));
    for (const name of names)
      for (const [, imported] of files.get(name)!.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
        names.add(imported!);
    return names;
  };

  test('the first load of the terminal', () => {
    const names = loadedBy('index.html');
    assert.ok(names.size <= FIRST_SCRIPTS_MAX, `${names.size} scripts`);
    const size = kB(names);
    // Less would mean that a script was missed.
    assert.ok(size > 50, `only ${size} kB`);
    assert.ok(size <= FIRST_LOAD_KB_MAX, `${size} kB`);
  });

  test('the trading view without charts, strategies, what-ifs, push and funds', () => {
    const names = [...files.keys()].filter((name) => !FIRST_USED.test(name));
    assert.equal(files.size - names.length, 9, 'each of those is a file of its own');
    assert.ok(kB(names) <= TRADING_KB_MAX, `${kB(names)} kB`);
  });

  test("the operators page's own scripts", () => {
    const terminal = loadedBy('index.html');
    const size = kB([...loadedBy('assets/admin.html')].filter((name) => !terminal.has(name)));
    assert.ok(size <= ADMIN_KB_MAX, `${size} kB`);
  });

  test('each part loaded later, and all together', () => {
    const first = new Set([...loadedBy('index.html'), ...loadedBy('assets/admin.html')]);
    for (const name of files.keys()) {
      if (first.has(name)) continue;
      assert.ok(kB([name]) <= LARGEST_LATER_KB_MAX, `${name}: ${kB([name])} kB`);
    }
    assert.ok(kB(files.keys()) <= ALL_KB_MAX, `${kB(files.keys())} kB`);
  });
});
