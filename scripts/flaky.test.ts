import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFaults } from './flaky.ts';

const HEAD = '| file | title | since | cause | fixed by |\n|---|---|---|---|---|\n';
const SOURCE = `test('one', () => {}); describe('suite', () => { test('two', () => {}); });`;
const sourceOf = (file: string) => (file === 'a.test.ts' ? SOURCE : null);
const row = (title: string, { file = 'a.test.ts', since = '2026-01-31', fixedBy = '' } = {}) =>
  `| \`${file}\` | ${title} | ${since} | | ${fixedBy} |\n`;

test('TEST-3: at most three flaky tests are open, and none stands there twice', () => {
  const faultsOf = (...rows: string[]) => findFaults(HEAD + rows.join(''), sourceOf);
  assert.deepEqual(faultsOf(row('one'), row('suite > two')), []);
  assert.deepEqual(faultsOf(row('one'), row('one')), ['stands there twice: a.test.ts: one']);
  assert.deepEqual(faultsOf(row('one'), row('one', { fixedBy: 'abc123' })), []);
  const many = faultsOf(row('one'), row('two'), row('suite > two'), row('suite > one'));
  assert.deepEqual(many, ['4 flaky tests are open; 3 may be']);
  const fixed = faultsOf(
    row('one'),
    row('two'),
    row('suite > two'),
    row('suite > one', { fixedBy: 'abc123' }),
  );
  assert.deepEqual(fixed, []);
});

test('TEST-3: each names a test that exists, and a date', () => {
  assert.deepEqual(findFaults(row('one', { file: 'b.test.ts' }), sourceOf), ['there is no file b.test.ts']);
  for (const title of ['three', 'on', 'test'])
    assert.deepEqual(findFaults(row(title), sourceOf), [`a.test.ts has no test "${title}"`]);
  assert.deepEqual(findFaults(row('one', { since: 'May' }), sourceOf), ['a.test.ts: "May" is no date']);
});
