import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { apply, type Command, createState, NO_EFFECTS } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { loadConfig } from '../config.ts';
import { CHALLENGE_LIFETIME_MS, Challenges } from './challenges.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce' as Address;
const BOB = '0x0000000000000000000000000000000000000b0b' as Address;
const MINUTE_MS = 60_000;
const { parameters } = loadConfig({});

/** Nodes on one log. The clock stands at the start of a minute. */
function setUp({ outstandingMax = 8, isShared = false, secret = 'shared' } = {}) {
  const clock = { ms: 1_700_000_040_000 };
  const state = createState();
  const append = (command: Command) =>
    apply(state, { seq: state.seq + 1, ts: Math.max(state.ts, clock.ms), command }, NO_EFFECTS);
  append({ kind: 'configure', parameters });
  const now = () => Math.max(state.ts, clock.ms);
  const node = (aheadMs = 0, ownSecret = secret) =>
    new Challenges({
      ...{ state, randomBytes, isShared, outstandingMax },
      now: () => now() + aheadMs,
      secret: ownSecret,
    });
  const spend = (address: Address, signed = true) =>
    append({ kind: 'sign-in', address, after: state.seq, signed });
  return { clock, state, challenges: node(), node, spend };
}

function address(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}` as Address;
}

/** The texts that a node would accept from the address. */
function messagesAt(challenges: Challenges, of = ALICE): readonly string[] {
  const taken = challenges.take(of);
  return 'messages' in taken ? taken.messages : [];
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

test('AUTH-1: a challenge is single-use, and the next one has another text', () => {
  const { challenges, spend } = setUp();
  const message = challenges.issue(ALICE);
  assert.equal(messagesAt(challenges)[0], message);
  spend(ALICE);
  assert.ok(!messagesAt(challenges).includes(message));
  assert.notEqual(challenges.issue(ALICE), message);
});

test('AUTH-1: a challenge that was never issued is not accepted', () => {
  const { challenges } = setUp();
  const message = challenges.issue(ALICE);
  assert.ok(!messagesAt(challenges, BOB).includes(message));
});

test('AUTH-1: a challenge expires ten minutes after issue, is reported expired once and is then unknown', () => {
  const { clock, challenges } = setUp();
  challenges.issue(ALICE);
  clock.ms += 10 * 60_000;
  assert.deepEqual(challenges.take(ALICE), { refusal: 'challengeExpired' });
  const again = challenges.take(ALICE);
  assert.deepEqual(again, { refusal: 'noChallenge' });
});

test('AUTH-1: a flood of addresses is bounded by dropping the oldest challenge', () => {
  const { challenges } = setUp({ outstandingMax: 8 });
  for (let index = 0; index < 1_000; index++) challenges.issue(address(index));
  const held = Array.from({ length: 1_000 }, (_, index) => index).filter(
    (index) => 'messages' in challenges.take(address(index)),
  );
  assert.deepEqual(held, [992, 993, 994, 995, 996, 997, 998, 999]);
});

test('AUTH-1: asking again when the limit is reached drops nobody’s challenge', () => {
  const { challenges } = setUp({ outstandingMax: 2 });
  const first = challenges.issue(ALICE);
  challenges.issue(BOB);
  for (let times = 0; times < 10; times++) challenges.issue(BOB);
  assert.deepEqual(messagesAt(challenges), [first]);
});

test('AUTH-1: a challenge of one node is known at every other, even one started later', () => {
  const { clock, challenges, node } = setUp({ isShared: true });
  const message = challenges.issue(ALICE);
  assert.equal(node().issue(ALICE), message);
  clock.ms += 9 * MINUTE_MS;
  for (const aheadMs of [0, 2_000, -2_000])
    assert.ok(messagesAt(node(aheadMs)).includes(message), `${aheadMs}`);
  assert.ok(messagesAt(node()).length <= 11);
  clock.ms += MINUTE_MS;
  assert.ok(!messagesAt(node()).includes(message));
});

test('AUTH-1: a node whose clock is ahead issues challenges that the others accept', () => {
  const { clock, node } = setUp({ isShared: true });
  clock.ms += MINUTE_MS - 1;
  const message = node(2_000).issue(ALICE);
  assert.notEqual(node().issue(ALICE), message);
  assert.ok(messagesAt(node()).includes(message));
});

test('AUTH-1: a spent challenge is spent at every node, whatever their clocks, and after a restart', () => {
  for (const signed of [true, false]) {
    const { clock, challenges, node, spend } = setUp({ isShared: true });
    const early = challenges.issue(ALICE);
    const late = node(2_000).issue(ALICE);
    clock.ms += 500;
    spend(ALICE, signed);
    for (let i = 0; i < 24; i++) {
      for (const aheadMs of [0, 2_000, -2_000]) {
        const messages = messagesAt(node(aheadMs));
        assert.ok(!messages.includes(early) && !messages.includes(late), `${i}`);
      }
      clock.ms += MINUTE_MS / 2;
    }
    assert.ok(!messagesAt(challenges).includes(early));
  }
});

test('AUTH-1: the next challenge is valid at every node immediately and lives as long as any', () => {
  const { clock, challenges, node, spend } = setUp({ isShared: true });
  challenges.issue(ALICE);
  spend(ALICE);
  const next = challenges.issue(ALICE);
  clock.ms += 9 * MINUTE_MS;
  assert.ok(messagesAt(node()).includes(next));
  assert.equal(challenges.issue(ALICE), next);
});

test('AUTH-1: a node with another secret knows none of them', () => {
  const { challenges, node } = setUp({ isShared: true });
  const message = challenges.issue(ALICE);
  assert.ok(!messagesAt(node(0, 'another')).includes(message));
});

test('AUTH-1: a wrong signature is a bad one if a challenge may be outstanding, and finds no challenge otherwise', () => {
  const otherwise = (challenges: Challenges) => {
    const taken = challenges.take(ALICE);
    return 'otherwise' in taken ? taken.otherwise : taken.refusal;
  };
  const alone = setUp();
  assert.equal(otherwise(alone.challenges), 'noChallenge');
  alone.challenges.issue(ALICE);
  assert.equal(otherwise(alone.challenges), 'badSignature');
  const several = setUp({ isShared: true });
  assert.equal(otherwise(several.challenges), 'badSignature');
  several.spend(ALICE, false);
  assert.equal(otherwise(several.challenges), 'noChallenge');
  several.challenges.issue(ALICE);
  assert.equal(otherwise(several.challenges), 'badSignature');
});

test('AUTH-1: failed attempts go to the log one a second, with bursts of twenty', () => {
  const { clock, challenges } = setUp();
  const counted = () => Array.from({ length: 100 }, () => challenges.countFailure()).filter(Boolean).length;
  assert.equal(counted(), 20);
  clock.ms += 1_000;
  assert.equal(counted(), 1);
  clock.ms += 60_000;
  assert.equal(counted(), 20);
});

test('AUTH-1: a challenge is spent even if its failed attempt never reached the log', () => {
  for (const isShared of [true, false]) {
    const { challenges } = setUp({ isShared });
    const message = challenges.issue(ALICE);
    assert.ok(messagesAt(challenges).includes(message));
    assert.ok(!messagesAt(challenges).includes(message));
    const next = challenges.issue(ALICE);
    assert.notEqual(next, message);
    const again = messagesAt(challenges);
    assert.ok(again.includes(next) && !again.includes(message));
  }
});

test('AUTH-1: a single node accepts only the challenges it issued', () => {
  const { challenges } = setUp();
  assert.deepEqual(challenges.take(ALICE), { refusal: 'noChallenge' });
  const message = challenges.issue(ALICE);
  assert.deepEqual(messagesAt(challenges), [message]);
});
