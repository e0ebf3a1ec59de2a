/**
 * Checks that docs/reference/environment.md matches packages/config, and that nothing reads or sets an undeclared
 * variable.
 */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '@venue/config';
import { environmentPage } from '@venue/config/page';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAME = /\bVENUE_[A-Z0-9_]*[A-Z0-9]\b(?!…)/g;

test('docs/reference/environment.md is generated from the declarations', () => {
  const page = readFileSync(`${ROOT}docs/reference/environment.md`, 'utf8');
  assert.equal(page, environmentPage(), 'node_modules/.bin/node scripts/environment.ts writes it');
});

test('every name in sources, deploy and docs is declared', () => {
  const named = namesIn([
    'packages/*/src/**/*.{ts,tsx}',
    'deploy/{docker,systemd,bin}/*',
    'docs/**/*.md',
    'README.md',
  ]);
  assert.ok(named.size > 50, `${named.size}`);
  assert.deepEqual(
    [...named].filter((name) => !Object.hasOwn(VARIABLES, name.replace(/_FILE$/, ''))),
    [],
  );
});

test('no other page has a table of settings', () => {
  const pages = globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/reference/environment.md'] }).filter(
    (page) => /^\| (variable|setting) \| meaning/m.test(readFileSync(`${ROOT}${page}`, 'utf8')),
  );
  assert.deepEqual(pages, []);
});

test('every declared variable is read', () => {
  const read = namesIn([
    'packages/{exchange,feed,maker,crowd,vault,checker,push,cli}/src/**/*.ts',
    'tests/faults/machine.ts',
  ]);
  assert.deepEqual(
    Object.keys(VARIABLES).filter((name) => !read.has(name)),
    [],
  );
});

function namesIn(patterns: readonly string[]): Set<string> {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(NAME) ?? []));
}
