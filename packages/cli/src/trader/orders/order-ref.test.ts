import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../../base/command-error.ts';
import { refOf, refText } from './order-ref.ts';

test('CID-1: digits name an order of the venue, anything else a client id', () => {
  for (const [text, ref] of [
    ['17', { orderId: 17 }],
    ['9007199254740991', { orderId: Number.MAX_SAFE_INTEGER }],
    ['hedge-1', { clientId: 'hedge-1' }],
    ['17b', { clientId: '17b' }],
    ['client:17', { clientId: '17' }],
  ] as const) {
    assert.deepEqual(refOf(text), ref);
    assert.equal(refText(ref), text);
  }
  const REFUSED = ['', '0', '-1', '9007199254740992', '_a', 'a b', 'a,b', 'client:', 'x'.repeat(37), 'ä'];
  for (const text of REFUSED)
    assert.throws(
      () => refOf(text),
      (error) => error instanceof CommandError && error.exitCode === 2,
      text,
    );
});
