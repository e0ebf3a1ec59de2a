import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { hashMessage as ethersDigest } from 'ethers';
import fc from 'fast-check';
import { hashMessage } from 'viem';
import type { Hex } from './address.ts';
import { addressOfPublicKey, parseSignature, personalDigest, recoverAddress } from './eip191.ts';
import { addressOfPrivateKey, signPersonal } from './signing.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const KEY: Hex = `0x${'11'.repeat(32)}`;
const TEXT = 'Venue order v1';
const signed = signPersonal(TEXT, KEY);
const r = BigInt(signed.slice(0, 66));
const s = BigInt(`0x${signed.slice(66, 130)}`);
const v = Number.parseInt(signed.slice(130), 16);

function spell(parts: { r?: bigint; s?: bigint; v?: number }): string {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  return `0x${word(parts.r ?? r)}${word(parts.s ?? s)}${(parts.v ?? v).toString(16).padStart(2, '0')}`;
}

function signerOf(text: string, signature: string): string | undefined {
  const parsed = parseSignature(signature);
  return parsed && recoverAddress(personalDigest(text), parsed)?.address;
}

describe('SIG-1 signature shapes', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['as signed', signed],
    ['upper-case digits', `0x${signed.slice(2).toUpperCase()}`],
    ['v of 0 or 1', spell({ v: v - 27 })],
  ];
  for (const [name, signature] of accepted) {
    it(`SIG-1 ${name}: the signer is recovered`, () => {
      assert.equal(signerOf(TEXT, signature), addressOfPrivateKey(KEY));
    });
  }

  const shaped: readonly (readonly [string, string])[] = [
    ['s at the middle', spell({ s: HALF })],
    ['r of one', spell({ r: 1n })],
    ['r of n-1', spell({ r: ORDER - 1n })],
    ['s of one', spell({ s: 1n })],
  ];
  for (const [name, signature] of shaped) {
    it(`SIG-1 ${name} is in range`, () => {
      assert.ok(parseSignature(signature));
    });
  }

  const refused: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['only a prefix', '0x'],
    ['64 bytes', signed.slice(0, 130)],
    ['66 bytes', `${signed}00`],
    ['an odd digit', signed.slice(0, -1)],
    ['a prefix in upper case', signed.replace('0x', '0X')],
    ['upper case throughout', signed.toUpperCase()],
    ['no prefix', signed.slice(2)],
    ['no prefix, filled up', `00${signed.slice(2)}`],
    ['a digit that is none', signed.replace(/.$/, 'g')],
    ['a newline after it', `${signed}\n`],
    ['a blank before it', ` ${signed}`],
    ['v of 2', spell({ v: 2 })],
    ['v of 26', spell({ v: 26 })],
    ['v of 29', spell({ v: 29 })],
    ['v of 37', spell({ v: 37 })],
    ['v of 255', spell({ v: 255 })],
    ['zero r', spell({ r: 0n })],
    ['zero s', spell({ s: 0n })],
    ['r of n', spell({ r: ORDER })],
    ['r over n', spell({ r: ORDER + 1n })],
    ['greatest r', spell({ r: 2n ** 256n - 1n })],
    ['s past the middle', spell({ s: HALF + 1n })],
    ['the same signature with high s', spell({ s: ORDER - s, v: v === 27 ? 28 : 27 })],
    ['s of n', spell({ s: ORDER })],
  ];
  for (const [name, signature] of refused) {
    it(`SIG-1 ${name} is refused`, () => {
      assert.equal(parseSignature(signature), undefined);
    });
  }

  for (const [value, recovery] of [
    [27, 0],
    [28, 1],
    [0, 0],
    [1, 1],
  ] as const) {
    it(`SIG-1 v of ${value} means recovery bit ${recovery}`, () => {
      assert.equal(parseSignature(spell({ v: value }))?.recovery, recovery);
    });
  }

  it('SIG-1 parsing gives r, s and the recovery bit', () => {
    assert.deepEqual(parseSignature(spell({ r: 1n, s: 2n, v: 28 })), {
      compact: hexToBytes('1'.padStart(64, '0') + '2'.padStart(64, '0')),
      recovery: 1,
    });
  });
});

describe('recovery', () => {
  it('recovery gives the uncompressed public key behind the address', () => {
    const signer = recoverAddress(personalDigest(TEXT), parseSignature(signed)!);
    assert.equal(signer?.publicKey.length, 65);
    assert.equal(signer?.publicKey[0], 4);
    assert.equal(addressOfPublicKey(signer!.publicKey), signer?.address);
  });

  it('a different text, recovery bit or half gives a different signer', () => {
    const own = addressOfPrivateKey(KEY);
    assert.notEqual(signerOf(`${TEXT} `, signed), own);
    assert.notEqual(signerOf(TEXT, spell({ v: v === 27 ? 28 : 27 })), own);
    assert.notEqual(signerOf(TEXT, spell({ s: s - 1n })), own);
  });

  it('an r that is not the abscissa of a point has no signer', () => {
    // 5^3 + 7 is not a square modulo the field prime.
    const signature = parseSignature(spell({ r: 5n }));
    assert.ok(signature);
    assert.equal(recoverAddress(personalDigest(TEXT), signature), undefined);
  });

  it('the public key of the private key 1 has its well-known address', () => {
    const one: Hex = `0x${'1'.padStart(64, '0')}`;
    assert.equal(addressOfPrivateKey(one), '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf');
  });

  it('any key can sign any text, and its address is recovered', () => {
    const key = fc
      .bigInt({ min: 1n, max: ORDER - 1n })
      .map((value): Hex => `0x${value.toString(16).padStart(64, '0')}`);
    fc.assert(
      fc.property(key, fc.string({ unit: 'grapheme' }), (privateKey, text) => {
        assert.equal(signerOf(text, signPersonal(text, privateKey)), addressOfPrivateKey(privateKey));
      }),
      { numRuns: 50 },
    );
  });

  for (const privateKey of [
    '0x',
    '0x11',
    `0x${'00'.repeat(32)}`,
    `0x${ORDER.toString(16)}`,
    `0x${'zz'.repeat(32)}`,
    `00${'11'.repeat(32)}`,
  ]) {
    it(`${privateKey.slice(0, 12)}… is not a private key`, () => {
      assert.throws(() => signPersonal(TEXT, privateKey as Hex));
      assert.throws(() => addressOfPrivateKey(privateKey as Hex));
    });
  }
});

describe('SIG-2 digests', () => {
  for (const text of ['', 'a', '123456789', '1234567890', 'é', '日本語', '𝄞', 'a\n\nb', 'x'.repeat(1_000)]) {
    it(`SIG-2 ${JSON.stringify(text.slice(0, 12))} of ${Buffer.byteLength(text)} bytes`, () => {
      const digest = `0x${bytesToHex(personalDigest(text))}`;
      assert.equal(digest, hashMessage(text));
      assert.equal(digest, ethersDigest(text));
    });
  }

  it('SIG-2 the length counts UTF-8 bytes, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        assert.equal(`0x${bytesToHex(personalDigest(text))}`, hashMessage(text));
      }),
      { numRuns: 300 },
    );
  });
});
