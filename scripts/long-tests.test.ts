import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LONG_TESTS, longestFirst } from './long-tests.ts';

const ROOT = join(import.meta.dirname, '..');

test('every long test is a file, and is named once', () => {
  assert.deepEqual(
    LONG_TESTS.filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
  assert.equal(new Set(LONG_TESTS).size, LONG_TESTS.length);
});

test('long files start first, and every file starts once', () => {
  const [longest, second] = LONG_TESTS as [string, string];
  assert.deepEqual(longestFirst(['a', second, 'b', longest]), [longest, second, 'a', 'b']);
});
