import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { readToken, TOKEN_LIFETIME_MS, Tokens } from './tokens.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce' as Address;
const BOB = '0x0000000000000000000000000000000000000b0b' as Address;

function setUp(limits: { tokensMax?: number; tokensPerAddressMax?: number } = {}) {
  const clock = { ms: 1_700_000_000_000 };
  return { clock, tokens: new Tokens({ now: () => clock.ms, randomBytes, ...limits }) };
}

function address(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}` as Address;
}

test('AUTH-2: a token is 32 random bytes in hex and leads to its address', () => {
  const { tokens } = setUp();
  const token = tokens.issue(ALICE);
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(tokens.addressOf(token), ALICE);
});

test('AUTH-2: unknown tokens and other shapes lead to nobody', () => {
  const { tokens } = setUp();
  const token = tokens.issue(ALICE);
  const last = token.endsWith('0') ? '1' : '0';
  const strangers = ['', 'null', token.slice(1), `${token}0`, ` ${token}`, `${token}\n`, '0'.repeat(64)];
  for (const stranger of [...strangers, token.slice(0, 63) + last, 'x'.repeat(1_000_000)]) {
    assert.equal(tokens.addressOf(stranger), null, stranger.slice(0, 80));
  }
});

test('AUTH-2: tokens live 24 hours', () => {
  const { clock, tokens } = setUp();
  const token = tokens.issue(ALICE);
  clock.ms += TOKEN_LIFETIME_MS - 1;
  assert.equal(tokens.addressOf(token), ALICE);
  clock.ms += 1;
  assert.equal(tokens.addressOf(token), null);
  clock.ms -= 1;
  assert.equal(tokens.addressOf(token), null, 'an expired token stays forgotten');
  assert.equal(TOKEN_LIFETIME_MS, 86_400_000);
});

test('FINE-13: a new sign-in leaves earlier tokens valid', () => {
  const { tokens } = setUp();
  const first = tokens.issue(ALICE);
  const second = tokens.issue(ALICE);
  assert.notEqual(first, second);
  assert.deepEqual([tokens.addressOf(first), tokens.addressOf(second)], [ALICE, ALICE]);
});

test('AUTH-2: one address cannot hold more than its share, its oldest goes first, others keep theirs', () => {
  const { tokens } = setUp({ tokensPerAddressMax: 3 });
  const bobs = tokens.issue(BOB);
  const alices = Array.from({ length: 10 }, () => tokens.issue(ALICE));
  assert.deepEqual(
    alices.map((token) => tokens.addressOf(token) !== null),
    [false, false, false, false, false, false, false, true, true, true],
  );
  assert.equal(tokens.addressOf(bobs), BOB);
});

test('AUTH-2: a flood of addresses is held to the bound, the oldest out first', () => {
  const { tokens } = setUp({ tokensMax: 5 });
  const issued = Array.from({ length: 100 }, (_, index) => tokens.issue(address(index)));
  const live = issued.flatMap((token, index) => (tokens.addressOf(token) === null ? [] : [index]));
  assert.deepEqual(live, [95, 96, 97, 98, 99]);
});

test('AUTH-2: an address whose token was pushed out starts with a full share again', () => {
  const { tokens } = setUp({ tokensMax: 2, tokensPerAddressMax: 2 });
  tokens.issue(ALICE);
  tokens.issue(BOB);
  tokens.issue(BOB);
  const alices = [tokens.issue(ALICE), tokens.issue(ALICE)];
  assert.deepEqual(
    alices.map((token) => tokens.addressOf(token)),
    [ALICE, ALICE],
  );
});

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const READS = [
  { name: 'no header', headers: {}, expected: { token: null } },
  { name: 'x-paper-token', headers: { 'x-paper-token': A }, expected: { token: A } },
  { name: 'bearer', headers: { authorization: `Bearer ${A}` }, expected: { token: A } },
  { name: 'bearer in any case', headers: { authorization: `bEARER  ${A} ` }, expected: { token: A } },
  {
    name: 'equal ones',
    headers: { 'x-paper-token': A, authorization: `Bearer ${A}` },
    expected: { token: A },
  },
  {
    name: 'different ones',
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
