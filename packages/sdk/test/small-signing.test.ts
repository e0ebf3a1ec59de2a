/** Compares the browsers' small signing with the regular one, byte for byte. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as usual from '@venue/protocol/signing';
import fc from 'fast-check';
import * as small from '../scripts/small-signing.ts';
import { hexOf } from '../src/sign/hex.ts';

test('SIG-1: any key signs any text the same way as elsewhere', () => {
  const bytes = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .filter(([first]) => first! > 0 && first! < 255);
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(bytes, text, (key, message) => {
      const privateKey = hexOf(key);
      assert.equal(small.addressOfPrivateKey(privateKey), usual.addressOfPrivateKey(privateKey));
      assert.equal(small.signPersonal(message, privateKey), usual.signPersonal(message, privateKey));
    }),
    { numRuns: 15, seed: 7 },
  );
});

test('an invalid private key is refused without showing it', () => {
  for (const key of ['0x12', 'ab'.repeat(32), `0x${'zz'.repeat(32)}`] as const) {
    assert.throws(
      () => small.signPersonal('a', key as never),
      /^TypeError: a private key is 0x and 64 hex digits$/,
    );
  }
  for (const key of [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`] as const) {
    assert.throws(() => small.signPersonal('a', key));
    assert.throws(() => usual.signPersonal('a', key));
  }
});
