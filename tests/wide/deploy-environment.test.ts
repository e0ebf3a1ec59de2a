/** docs/environment.md names every variable that the code reads, and no other. */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NAME = /\bVENUE_[A-Z0-9_]*[A-Z0-9]\b/g;

/** Sections of the page and the files whose names they have to be. */
const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['Exchange', ['packages/exchange/src/**/*.ts', 'packages/log/src/**/*.ts']],
  ['Feed', ['packages/feed/src/**/*.ts']],
  ['Maker', ['packages/maker/src/**/*.ts']],
  ['Watcher and batcher', ['packages/vault/src/**/*.ts']],
  ['Command', ['packages/cli/src/config.ts', 'packages/cli/src/profile/**/*.ts']],
  ['Tests', ['tests/faults/machine.ts']],
];
/** Read by the command and passed on to the vault's code as an argument. */
const PASSED_ON = 'VENUE_DEPLOYER_KEY';

const page = readFileSync(`${ROOT}/docs/environment.md`, 'utf8');

describe('docs/environment.md', () => {
  for (const [title, patterns] of SECTIONS) {
    test(`${title}: what the code reads, and nothing else`, () => {
      assert.deepEqual(tabled(section(title)), namesIn(patterns));
    });
  }

  test('every name in any package is on the page', () => {
    const known = new Set(tabled(page));
    assert.ok(known.has(PASSED_ON));
    const all = namesIn(['packages/*/src/**/*.{ts,tsx}']);
    assert.ok(all.length > 50, `${all.length}`);
    assert.deepEqual(
      all.filter((name) => !known.has(name)),
      [],
    );
  });

  test('every name in deploy is on the page', () => {
    const known = new Set(tabled(page));
    const used = namesIn(['deploy/docker/*', 'deploy/systemd/*', 'deploy/bin/*']);
    assert.ok(used.includes('VENUE_LOG'));
    assert.deepEqual(
      used.filter((name) => !known.has(name)),
      [],
    );
  });
});

function section(title: string): string {
  const [, text] = page.split(`\n## ${title}\n`);
  assert.ok(text, `no section ${title}`);
  return text.split('\n## ')[0]!;
}

/** Names in the first column of tables. */
function tabled(text: string): string[] {
  const cells = [...text.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  return sorted(cells.flatMap((cell) => cell.match(NAME) ?? []));
}

function namesIn(patterns: readonly string[]): string[] {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.') && !entry.name.endsWith('.env'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  return sorted(files.flatMap((file) => readFileSync(file, 'utf8').match(NAME) ?? []));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
