import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '@venue/protocol';
import { addressOf } from '../../test/venue.ts';
import type { QuoteSetCommand } from './command.ts';
import { decodeCommand, encodeCommand } from './command-codec.ts';

const UNSIGNED: QuoteSetCommand = {
  kind: 'quote-set',
  account: addressOf('alice'),
  set: 16,
  form: 'sqw1',
  bodyHash: '0f'.repeat(32),
  rows: [
    { sid: 7, bids: [[3_300_000, 5_000_000]], asks: [], iv: 0.3, delta: -0.5 },
    { sid: 9, bids: null, asks: null },
  ],
};
const SIGNED: QuoteSetCommand = {
  ...UNSIGNED,
  form: 'json',
  authorization: {
    sessionKey: addressOf('phone'),
    nonce: 1_780_000_000_123,
    signature: `0x${'ab'.repeat(65)}`,
  },
};

/** Where the number of the set, the form and the sign of a signature stand in the bytes. */
const SET_AT = 20;
const FORM_AT = 21;
const SIGNED_AT = 54;

describe('QTS-1 the bytes of a push to a set', () => {
  for (const [what, command] of [
    ['unsigned', UNSIGNED],
    ['signed', SIGNED],
    ['empty', { ...UNSIGNED, rows: [] }],
    ['refused whole', { ...SIGNED, rows: null }],
    ['refused whole, unsigned', { ...UNSIGNED, rows: null }],
  ] as const) {
    test(`decode to the command they encode: ${what}`, () => {
      const body = encodeCommand(command);
      assert.deepEqual(decodeCommand('quote-set', body), command);
      assert.deepEqual(encodeCommand(decodeCommand('quote-set', body)), body);
    });

    test(`are refused at every length but their own: ${what}`, () => {
      const body = encodeCommand(command);
      for (let length = 0; length < body.length; length++)
        assert.throws(
          () => decodeCommand('quote-set', body.subarray(0, length)),
          `${length} of ${body.length}`,
        );
      assert.throws(() => decodeCommand('quote-set', new Uint8Array([...body, 0])));
    });
  }

  test('are refused with an unknown form or sign of a signature', () => {
    for (const [at, value] of [
      [FORM_AT, 2],
      [FORM_AT, 255],
      [SIGNED_AT, 4],
    ] as const) {
      const body = encodeCommand(SIGNED);
      body[at] = value;
      assert.throws(() => decodeCommand('quote-set', body), /not the body/);
    }
  });

  test('are refused with the number of no set', () => {
    for (const set of [0, 17, 255]) {
      const body = encodeCommand(SIGNED);
      body[SET_AT] = set;
      assert.throws(() => decodeCommand('quote-set', body), /not the body/);
      assert.throws(() => encodeCommand({ ...SIGNED, set }), /no set/);
    }
  });

  test('are not written for what has no such bytes', () => {
    const { authorization } = SIGNED;
    for (const [odd, says] of [
      [{ ...SIGNED, bodyHash: 'xy'.repeat(32) }, /not 32 bytes/],
      [{ ...SIGNED, bodyHash: 'ab' }, /not 32 bytes/],
      [{ ...SIGNED, account: '0xab' as Address }, /not 20 bytes/],
      [{ ...SIGNED, authorization: { ...authorization!, signature: '0xab' as const } }, /not 65 bytes/],
    ] as const) {
      assert.throws(() => encodeCommand(odd), says);
    }
  });
});
