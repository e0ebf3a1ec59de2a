import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { CHALLENGE_LIFETIME_MS, Challenges } from './challenges.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce' as Address;
const BOB = '0x0000000000000000000000000000000000000b0b' as Address;

function setUp(outstandingMax = 8) {
  const clock = { ms: 1_700_000_000_000 };
  return { clock, challenges: new Challenges({ now: () => clock.ms, randomBytes, outstandingMax }) };
}

function address(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}` as Address;
}

test('AUTH-1: a challenge has the four lines of the contract', () => {
  const [first, second, third, fourth, ...rest] = setUp().challenges.issue(ALICE).split('\n');
  assert.equal(first, 'Venue: sign in to prove you own this address.');
  assert.equal(second, '');
  assert.equal(third, `Address: ${ALICE}`);
  assert.match(fourth ?? '', /^Nonce: [0-9a-f]{32}$/);
  assert.deepEqual(rest, []);
});

test('AUTH-1: asking again while a challenge is outstanding returns the same one', () => {
  const { clock, challenges } = setUp();
  const message = challenges.issue(ALICE);
  clock.ms += CHALLENGE_LIFETIME_MS - 1;
  assert.equal(challenges.issue(ALICE), message);
  assert.notEqual(challenges.issue(BOB), message);
});

test('AUTH-1: asking again does not lengthen the life of the outstanding challenge', () => {
  const { clock, challenges } = setUp();
  const message = challenges.issue(ALICE);
  clock.ms += CHALLENGE_LIFETIME_MS - 1;
  challenges.issue(ALICE);
  clock.ms += 1;
  assert.notEqual(challenges.issue(ALICE), message);
});

test('AUTH-1: a challenge is single-use, and the next one is another text', () => {
  const { challenges } = setUp();
  const message = challenges.issue(ALICE);
  assert.deepEqual(challenges.take(ALICE), { message });
  assert.deepEqual(challenges.take(ALICE), { refusal: 'noChallenge' });
  assert.notEqual(challenges.issue(ALICE), message);
});

test('AUTH-1: nobody takes a challenge that was never issued', () => {
  const { challenges } = setUp();
  challenges.issue(ALICE);
  assert.deepEqual(challenges.take(BOB), { refusal: 'noChallenge' });
});

test('AUTH-1: a challenge expires ten minutes after issue, says so once and is then unknown', () => {
  const { clock, challenges } = setUp();
  challenges.issue(ALICE);
  clock.ms += 10 * 60_000;
  assert.deepEqual(challenges.take(ALICE), { refusal: 'challengeExpired' });
  assert.deepEqual(challenges.take(ALICE), { refusal: 'noChallenge' });
});

test('AUTH-1: a flood of addresses is held to the bound, the oldest out first', () => {
  const { challenges } = setUp(8);
  for (let index = 0; index < 1_000; index++) challenges.issue(address(index));
  const held = Array.from({ length: 1_000 }, (_, index) => index).filter(
    (index) => 'message' in challenges.take(address(index)),
  );
  assert.deepEqual(held, [992, 993, 994, 995, 996, 997, 998, 999]);
});

test('AUTH-1: an address that asks again in a full room pushes nobody out', () => {
  const { challenges } = setUp(2);
  const first = challenges.issue(ALICE);
  challenges.issue(BOB);
  for (let times = 0; times < 10; times++) challenges.issue(BOB);
  assert.deepEqual(challenges.take(ALICE), { message: first });
});
