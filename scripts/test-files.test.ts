import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { batches, isLong, LONG_TESTS, SHARED_MARKETS, SLOW_TESTS } from './test-files.ts';

const ROOT = join(import.meta.dirname, '..');
const NAMED = [...SHARED_MARKETS.flat(), ...LONG_TESTS, ...SLOW_TESTS.flat()];

test('every long or slow test is a file, and is named once', () => {
  assert.deepEqual(
    NAMED.filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
  assert.equal(new Set(NAMED).size, NAMED.length);
});

test('long and slow files start first, and every file starts once', () => {
  const [longest, second] = LONG_TESTS as [string, string];
  const [[slow, companion]] = SLOW_TESTS as [[string, string]];
  const unnamed = 'tests/wide/unnamed.test.ts';
  assert.deepEqual(batches(['a', companion, second, unnamed, 'b', longest, slow]), [
    [longest],
    [second],
    [slow, companion],
    [unnamed],
    ['a', 'b'],
  ]);
});

test('files of one market share its process, and start before all others', () => {
  const [[one, other], [alone]] = SHARED_MARKETS as [[string, string], [string]];
  const [longest] = LONG_TESTS as [string];
  assert.deepEqual(batches([alone, longest, 'a', other, one]), [[one, other], [alone], [longest], ['a']]);
});

test('short files share processes, with their neighbours', () => {
  const files = Array.from({ length: 30 }, (_, index) => `packages/${index}.test.ts`);
  const shared = batches(files);
  assert.ok(shared.length > 1 && shared.length < 6, `${shared.length} processes`);
  assert.deepEqual(shared.flat(), files);
});

test('TEST-1: the everyday run has one path from end to end, and nothing of tests/wide', () => {
  assert.ok(!isLong('tests/e2e/paper.e2e.test.ts'));
  assert.ok(isLong('tests/wide/unnamed.test.ts'));
});
