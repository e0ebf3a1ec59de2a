import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGES, malformed } from '@venue/protocol';
import { readSigningFields } from './signing-fields.ts';

const KEY = '0xABCDEF0123456789abcdef0123456789ABCDEF01';
const SIGNATURE = `0x${'11'.repeat(65)}`;
const WHOLE = { sessionKey: KEY, nonce: 1_700_000_000_000, signature: SIGNATURE };
const INCOMPLETE = MESSAGES.signatureFieldsRequired;
const BAD_KEY = malformed('sessionKey');

test('AUTH-3: a write without any of the three fields is unsigned, whatever else it has', () => {
  assert.deepEqual(readSigningFields({ seriesId: 'X', token: 'y' }), { kind: 'unsigned' });
});

test('SIG-1: all three are read, the key lowercased, the signature left as posted', () => {
  assert.deepEqual(readSigningFields({ ...WHOLE, signature: 'no signature at all' }), {
    kind: 'signed',
    fields: { sessionKey: KEY.toLowerCase(), nonce: WHOLE.nonce, signature: 'no signature at all' },
  });
});

test('SIG-5: a negative nonce is well-formed; the window refuses it', () => {
  assert.equal(readSigningFields({ ...WHOLE, nonce: -1 }).kind, 'signed');
});

const REFUSED: readonly [string, Record<string, unknown>, object][] = [
  ['sessionKey alone', { sessionKey: KEY }, INCOMPLETE],
  ['nonce alone', { nonce: 1 }, INCOMPLETE],
  ['signature alone', { signature: SIGNATURE }, INCOMPLETE],
  ['no sessionKey', { nonce: 1, signature: SIGNATURE }, INCOMPLETE],
  ['no nonce', { sessionKey: KEY, signature: SIGNATURE }, INCOMPLETE],
  ['no signature', { sessionKey: KEY, nonce: 1 }, INCOMPLETE],
  ['all null', { sessionKey: null, nonce: null, signature: null }, INCOMPLETE],
  ['nonce null', { ...WHOLE, nonce: null }, INCOMPLETE],
  ['nonce a string', { ...WHOLE, nonce: '1700000000000' }, INCOMPLETE],
  ['nonce a float', { ...WHOLE, nonce: 1_700_000_000_000.5 }, INCOMPLETE],
  ['nonce beyond the exact integers', { ...WHOLE, nonce: 2 ** 53 }, INCOMPLETE],
  ['nonce true', { ...WHOLE, nonce: true }, INCOMPLETE],
  ['nonce an array', { ...WHOLE, nonce: [1] }, INCOMPLETE],
  ['signature a number', { ...WHOLE, signature: 1 }, INCOMPLETE],
  ['signature null', { ...WHOLE, signature: null }, INCOMPLETE],
  ['sessionKey null', { ...WHOLE, sessionKey: null }, BAD_KEY],
  ['sessionKey empty', { ...WHOLE, sessionKey: '' }, BAD_KEY],
  ['sessionKey a number', { ...WHOLE, sessionKey: 7 }, BAD_KEY],
  ['sessionKey without 0x', { ...WHOLE, sessionKey: KEY.slice(2) }, BAD_KEY],
  ['sessionKey too short', { ...WHOLE, sessionKey: KEY.slice(0, -1) }, BAD_KEY],
  ['sessionKey with a line break', { ...WHOLE, sessionKey: `${KEY}\n` }, BAD_KEY],
  ['sessionKey with a Cyrillic a', { ...WHOLE, sessionKey: KEY.replace('a', 'а') }, BAD_KEY],
];

for (const [name, body, error] of REFUSED) {
  test(`AUTH-3: refused, never treated as unsigned: ${name}`, () => {
    assert.deepEqual(readSigningFields(body), { kind: 'refused', error });
  });
}
