import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../test/scenario.ts';
import { addressOf, micros, PARAMETERS, seriesIdOf, Venue } from '../test/venue.ts';
import { apply } from './engine.ts';
import type { OpenCommand } from './entry/command.ts';
import { decodeCommand, encodeCommand } from './entry/command-codec.ts';
import { NO_EFFECTS } from './entry/effects.ts';
import { stateDigest } from './snapshot.ts';
import { FUNDED_MAX_MICROS } from './state/limits.ts';

const OPEN: OpenCommand = { kind: 'open', address: addressOf('alice') };

describe('entries come in order', () => {
  test('a gap or a repetition in the sequence throws and changes nothing', () => {
    const { state, nowMs } = new Venue();
    const digest = stateDigest(state);
    for (const seq of [state.seq, state.seq + 2, 0]) {
      assert.throws(() => apply(state, { seq, ts: nowMs, command: OPEN }, NO_EFFECTS), /does not follow/);
    }
    assert.equal(stateDigest(state), digest);
  });

  test('the time of the log stays or advances, and never goes back', () => {
    const { state, nowMs } = new Venue();
    const seq = state.seq + 1;
    assert.throws(() => apply(state, { seq, ts: nowMs - 1, command: OPEN }, NO_EFFECTS), /back in time/);
    apply(state, { seq, ts: nowMs, command: OPEN }, NO_EFFECTS);
    assert.deepEqual([state.seq, state.ts], [seq, nowMs]);
  });

  test('an unknown kind of entry throws', () => {
    const body = encodeCommand(OPEN);
    assert.throws(() => decodeCommand('transmute', body), /transmute/);
    assert.throws(() => decodeCommand('toString', body), /toString/);
    assert.deepEqual(decodeCommand('open', body), OPEN);
  });
});

describe('accounts', () => {
  const order = {
    kind: 'order',
    account: addressOf('nobody'),
    seriesId: seriesIdOf('AAPL-C-190'),
    side: 'buy',
    qtyMicros: 1,
    priceMicros: 1,
  } as const;

  test('an address without an account is refused, signed or not', () => {
    const venue = Venue.listed();
    const authorization = { sessionKey: addressOf('phone'), nonce: venue.nowMs, signature: '0x' } as const;
    assert.deepEqual(venue.apply(order), { refusal: 'unknownToken' });
    assert.deepEqual(venue.apply({ ...order, authorization }), { refusal: 'unknownSessionKey' });
  });

  test('ACC-2 an account is opened once, with paper capital or with nothing', () => {
    for (const [fundingMode, cash] of [
      ['paper', PARAMETERS.paperCashMicros],
      ['deposits', 0],
    ] as const) {
      const venue = new Venue({ fundingMode });
      const first = venue.apply(OPEN);
      const second = venue.apply(OPEN);
      assert.ok('opened' in first && first.opened);
      assert.ok('opened' in second && !second.opened);
      assert.equal(venue.account('alice').cashMicros, cash);
    }
  });

  test('NUM-1 no more paper capital is given once the total could leave the exact range', () => {
    const venue = new Venue({ paperCashMicros: micros('3000000000') });
    assert.ok('account' in venue.apply(OPEN));
    const bob = addressOf('bob');
    assert.deepEqual(venue.apply({ kind: 'open', address: bob }), { refusal: 'tooManyAccounts' });
    const approval = { sessionKey: addressOf('phone'), expiresAt: venue.nowMs + 1, signature: '0x' } as const;
    assert.deepEqual(venue.apply({ kind: 'approve', address: bob, ...approval }), {
      refusal: 'tooManyAccounts',
    });
    assert.equal(venue.state.accountByAddress.has(bob), false);
    assert.ok(FUNDED_MAX_MICROS < micros('6000000000'));
  });
});

describe('FINE-4 parameters', () => {
  test('a change of an immutable parameter is refused, other changes apply immediately', () => {
    const venue = new Venue();
    const configure = (change: object) =>
      venue.apply({ kind: 'configure', parameters: { ...PARAMETERS, ...change } });
    assert.deepEqual(configure({ fundingMode: 'deposits' }), { changed: false, conflict: 'fundingMode' });
    assert.deepEqual(configure({ marginPremium: 'intrinsic' }), {
      changed: false,
      conflict: 'marginPremium',
    });
    assert.deepEqual(venue.state.parameters, PARAMETERS);
    assert.deepEqual(configure({ paperCashMicros: micros('7') }), { changed: true });
    scenario('account alice   cash 7', venue);
  });
});

describe('the digest', () => {
  test('is the same after a replay from the bytes of the log', () => {
    const venue = scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5 iv 0.3 delta 0.5
      approve alice phone for 1d
      buy alice AAPL-C-190 6 @ 3.40 signed phone nonce +1s     partial 5@3.40 rest 1
      wait 5s
      maintain days 1 2 3 4                                    listed 164
    `);
    assert.equal(stateDigest(venue.replay()), stateDigest(venue.state));
  });

  test('differs after every entry, and for entries in another order', () => {
    const seen = new Set<string>();
    const venue = new Venue();
    seen.add(stateDigest(venue.state));
    for (const name of ['alice', 'bob']) {
      venue.account(name);
      seen.add(stateDigest(venue.state));
    }
    const other = new Venue();
    for (const name of ['bob', 'alice']) {
      other.account(name);
      seen.add(stateDigest(other.state));
    }
    assert.equal(seen.size, 5);
  });
});
