import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAddress } from './address.ts';

const LOWER = '0xabcdef0123456789abcdef0123456789abcdef01';

describe('addresses', () => {
  for (const text of [
    LOWER,
    '0xABCDEF0123456789ABCDEF0123456789ABCDEF01',
    '0xaBcDeF0123456789AbCdEf0123456789abcdef01',
  ]) {
    it(`${text} is accepted and lowercased`, () => {
      assert.equal(parseAddress(text), LOWER);
    });
  }

  for (const text of [
    '',
    LOWER.slice(2),
    LOWER.slice(0, -1),
    `${LOWER}0`,
    `${LOWER}\n`,
    ` ${LOWER}`,
    LOWER.replace('0x', '0X'),
    LOWER.replace('a', 'g'),
    '0xабcdef0123456789abcdef0123456789abcdef01',
  ]) {
    it(`${JSON.stringify(text)} is not an address`, () => {
      assert.equal(parseAddress(text), undefined);
    });
  }
});
