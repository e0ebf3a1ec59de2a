import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { readToken, TOKEN_LIFETIME_MS, Tokens } from './tokens.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce' as Address;
const BOB = '0x0000000000000000000000000000000000000b0b' as Address;

function setUp(secret = 'secret of the venue') {
  const clock = { ms: 1_700_000_000_000 };
  return { clock, tokens: new Tokens({ now: () => clock.ms, randomBytes, secret }) };
}

test('AUTH-2: a token is 128 hex digits and identifies its address', () => {
  const { tokens } = setUp();
  for (const address of [ALICE, BOB]) {
    const token = tokens.issue(address);
    assert.match(token, /^[0-9a-f]{128}$/);
    assert.equal(tokens.holderOf(token)?.address, address);
  }
});

test('AUTH-2: a token with any digit changed, and any other text, identifies nobody', () => {
  const { tokens } = setUp();
  const token = tokens.issue(ALICE);
  for (let i = 0; i < token.length; i++) {
    const changed = `${token.slice(0, i)}${token[i] === '0' ? '1' : '0'}${token.slice(i + 1)}`;
    assert.equal(tokens.holderOf(changed), null, `digit ${i}`);
  }
  const strangers = ['', 'null', token.slice(1), `${token}0`, ` ${token}`, `${token}\n`, token.toUpperCase()];
  for (const stranger of [...strangers, '0'.repeat(128), 'x'.repeat(1_000_000)]) {
    assert.equal(tokens.holderOf(stranger), null, stranger.slice(0, 80));
  }
});

test('AUTH-2: tokens live 24 hours', () => {
  const { clock, tokens } = setUp();
  const token = tokens.issue(ALICE);
  assert.equal(tokens.holderOf(token)?.expiresAtMs, clock.ms + TOKEN_LIFETIME_MS);
  clock.ms += TOKEN_LIFETIME_MS - 1;
  assert.equal(tokens.holderOf(token)?.address, ALICE);
  clock.ms += 1;
  assert.equal(tokens.holderOf(token), null);
  assert.equal(TOKEN_LIFETIME_MS, 86_400_000);
});

test('FINE-13: a new sign-in leaves earlier tokens valid', () => {
  const { tokens } = setUp();
  const first = tokens.issue(ALICE);
  const second = tokens.issue(ALICE);
  assert.notEqual(first, second);
  assert.deepEqual([tokens.holderOf(first)?.address, tokens.holderOf(second)?.address], [ALICE, ALICE]);
});

test('a node accepts tokens of nodes with its secret and of no others', () => {
  const token = setUp().tokens.issue(ALICE);
  assert.equal(setUp().tokens.holderOf(token)?.address, ALICE);
  assert.equal(setUp('secret of another venue').tokens.holderOf(token), null);
});

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const READS = [
  { name: 'no header', headers: {}, expected: { token: null } },
  { name: 'x-paper-token', headers: { 'x-paper-token': A }, expected: { token: A } },
  { name: 'bearer', headers: { authorization: `Bearer ${A}` }, expected: { token: A } },
  { name: 'bearer in any case', headers: { authorization: `bEARER  ${A} ` }, expected: { token: A } },
  {
    name: 'equal tokens in both headers',
    headers: { 'x-paper-token': A, authorization: `Bearer ${A}` },
    expected: { token: A },
  },
  {
    name: 'different tokens',
    headers: { 'x-paper-token': A, authorization: `Bearer ${B}` },
    expected: { refusal: 'conflictingTokens' },
  },
  { name: 'another scheme', headers: { authorization: `Basic ${A}` }, expected: { token: null } },
  { name: 'bearer without a token', headers: { authorization: 'Bearer ' }, expected: { token: null } },
  {
    name: 'bearer with two tokens',
    headers: { authorization: `Bearer ${A} ${B}` },
    expected: { token: null },
  },
  { name: 'empty header', headers: { 'x-paper-token': '' }, expected: { token: null } },
];

for (const { name, headers, expected } of READS) {
  test(`AUTH-2: the token of a request: ${name}`, () => {
    assert.deepEqual(readToken(headers), expected);
  });
}
