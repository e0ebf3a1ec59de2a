import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importersOf } from './changed-tests.ts';

test('a change concerns what imports it, by any way, the nearest first, in a circle too', () => {
  const imports = new Map([
    ['book.test.ts', ['book.ts']],
    ['trade.test.ts', ['trade.ts']],
    ['trade.ts', ['book.ts', 'types.ts']],
    ['types.ts', ['trade.ts']],
    ['fee.test.ts', ['fee.ts']],
  ]);
  assert.deepEqual(
    [...importersOf(['book.ts'], imports)],
    ['book.ts', 'book.test.ts', 'trade.ts', 'trade.test.ts', 'types.ts'],
  );
  assert.deepEqual([...importersOf(['README.md'], imports)], ['README.md']);
});
