import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptInTab } from './kept-in-tab.ts';

const holding = (text: string | null) => ({
  getItem: () => text,
  setItem: () => assert.fail('full'),
  removeItem: () => assert.fail('refused'),
});

test('TERM-17: what is kept in the tab is an object of a sane length, and anything else counts as nothing', () => {
  const found = (text: string | null) => new KeptInTab(() => holding(text), 'venue-test', 20).read();
  assert.deepEqual(found('{"qty":"1"}'), { qty: '1' });
  for (const text of [null, '', '{', 'null', '7', `{"qty":"${'1'.repeat(20)}"}`])
    assert.deepEqual(found(text), {}, String(text));
});

test('TERM-17: a storage that refuses stops nothing', () => {
  const full = new KeptInTab(() => holding(null), 'venue-test', 20);
  full.write({ qty: '1' });
  full.write(null);
  const none = new KeptInTab(
    () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
    'venue-test',
    20,
  );
  none.write({ qty: '1' });
  assert.deepEqual(none.read(), {});
});
