import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { deviceId, NEWS_KINDS, type PushAct, type PushRequest } from '@venue/protocol';
import { ALICE, BOB, SESSION, START_MS, STRANGER, TestVenue } from '../../exchange/test/auth-venue.ts';
import { Browser, SERVICES, type Signing, signedAct } from '../test/devices.ts';
import { PushRefusal, Register } from './register.ts';
import { PushStore } from './store.ts';

const PUBLIC_KEY = 'the key of now';
const DAY_MS = 86_400_000;

let venue: TestVenue;
let store: PushStore;
let register: Register;
let lastNonce: number;

beforeEach(() => {
  venue = new TestVenue();
  venue.approve(ALICE, SESSION.address, 7 * DAY_MS);
  venue.approve(BOB, STRANGER.address, 7 * DAY_MS);
  store = new PushStore(':memory:');
  register = registerOf(PUBLIC_KEY);
  lastNonce = START_MS;
});

function registerOf(publicKey: string): Register {
  return new Register({
    ...{ store, state: venue.state, services: SERVICES, publicKey },
    now: () => venue.nowMs,
    place: () => ({ seq: 7, anchorSeq: 7, anchorHash: 'x' }),
    onChanged: () => {},
  });
}

function act(of: PushAct, given: Partial<Signing> = {}) {
  lastNonce += 1;
  const signing = {
    venue: venue.state.venue ?? '',
    account: ALICE,
    key: SESSION,
    nonce: lastNonce,
    ...given,
  };
  return signedAct(of, signing);
}

function refusalOf(request: unknown): string {
  try {
    register.act(request);
    return 'none';
  } catch (error) {
    assert.ok(error instanceof PushRefusal, String(error));
    return error.refusal.error;
  }
}

describe('PUSH-3 turning devices on and off', () => {
  test('a device is on, is listed without its endpoint, is renewed in place, and is off', () => {
    const browser = new Browser();
    const { devices } = register.act(act(browser.on(['fills'])));
    const id = deviceId(browser.subscription.endpoint);
    assert.deepEqual(devices, [{ id, name: 'Firefox on Linux', kinds: ['fills'], since: START_MS }]);
    assert.doesNotMatch(JSON.stringify(devices), /push\.example/);
    assert.deepEqual(store.place(), { seq: 7, anchorSeq: 7, anchorHash: 'x' });
    assert.deepEqual(register.act(act(browser.on())).devices[0]!.kinds, NEWS_KINDS);
    assert.equal(register.act(act({ act: 'list' })).devices.length, 1);
    assert.deepEqual(register.act(act({ act: 'off', device: id })).devices, []);
  });

  test('a request counts once: a replay turns nothing on again, nor after a restart', () => {
    const browser = new Browser();
    const on = act(browser.on());
    register.act(on);
    register.act(act({ act: 'off', device: deviceId(browser.subscription.endpoint) }));
    assert.equal(refusalOf(on), 'nonce already used');
    register = registerOf(PUBLIC_KEY);
    assert.equal(refusalOf(on), 'nonce already used');
    venue.nowMs += 61_000;
    register.prune();
    assert.equal(refusalOf(on), 'nonce outside the accepted window');
    assert.equal(store.count(), 0);
  });

  test('a replay counts for nothing after a restart, though the log stood still for minutes', () => {
    const browser = new Browser();
    const on = act(browser.on());
    register.act(on);
    register.act(act({ act: 'off', device: deviceId(browser.subscription.endpoint) }));
    venue.nowMs += 180_000;
    register.prune();
    venue.nowMs = venue.state.ts;
    register = registerOf(PUBLIC_KEY);
    assert.equal(refusalOf(on), 'nonce already used');
  });

  test('the window is that of the log, both ways', () => {
    for (const nonce of [START_MS - 60_001, START_MS + 60_001])
      assert.equal(refusalOf(act({ act: 'list' }, { nonce })), 'nonce outside the accepted window');
  });

  test('a session that is unknown, over or revoked turns nothing on', () => {
    const unknown = act(new Browser().on(), { key: STRANGER });
    assert.equal(refusalOf(unknown), 'unknown or revoked session key');
    venue.nowMs += 7 * DAY_MS;
    const late = act(new Browser().on(), { nonce: venue.nowMs });
    assert.equal(refusalOf(late), 'session expired — approve a new one');
    venue.approve(ALICE, SESSION.address, DAY_MS);
    venue.apply({ kind: 'revoke', address: ALICE, sessionKey: SESSION.address, signature: '0x' });
    const revoked = act(new Browser().on(), { nonce: venue.nowMs });
    assert.equal(refusalOf(revoked), 'unknown or revoked session key');
    assert.equal(store.count(), 0);
  });

  test('nobody turns on, lists or turns off for another account', () => {
    const browser = new Browser();
    register.act(act(browser.on()));
    const device = deviceId(browser.subscription.endpoint);
    for (const wish of [new Browser().on(), { act: 'list' }, { act: 'off', device }] as const)
      assert.equal(refusalOf(act(wish, { key: STRANGER })), 'unknown or revoked session key');
    // Bob's own request names Alice's device: it is none of his.
    assert.deepEqual(register.act(act({ act: 'off', device }, { account: BOB, key: STRANGER })).devices, []);
    assert.equal(store.devicesOf(ALICE).length, 1);
  });

  test('a request that was changed on the way is refused', () => {
    const request = act(new Browser().on(['fills'])) as PushRequest & { act: 'on' };
    const other = new Browser().subscription;
    const changes: readonly object[] = [
      { kinds: ['fills', 'margin'] },
      { name: 'Another' },
      { subscription: other },
      { subscription: { ...request.subscription, auth: other.auth } },
      { nonce: request.nonce + 1 },
    ];
    for (const change of changes) assert.equal(refusalOf({ ...request, ...change }), 'bad signature');
    assert.equal(store.count(), 0);
  });

  test('an account has ten devices', () => {
    for (let i = 0; i < 10; i += 1) register.act(act(new Browser().on()));
    assert.equal(refusalOf(act(new Browser().on())), 'too many devices — turn one off');
    assert.equal(store.count(), 10);
  });

  test('what is no request is refused with a word, and changes nothing', () => {
    const good = act(new Browser().on());
    for (const [body, error] of [
      [null, 'body malformed'],
      [[], 'body malformed'],
      [{ ...good, account: '0x1' }, 'account malformed'],
      [{ ...good, nonce: '1' }, 'nonce malformed'],
      [{ ...good, act: 'trade' }, 'act malformed'],
      [{ ...good, kinds: [] }, 'kinds malformed'],
      [{ ...good, kinds: ['fills', 'fills'] }, 'kinds malformed'],
      [{ ...good, kinds: ['prices'] }, 'kinds malformed'],
      [{ ...good, name: 'a\nkinds: fills' }, 'name malformed'],
      [{ ...good, name: 'a\u202eb' }, 'name malformed'],
      [{ ...good, name: 'x'.repeat(61) }, 'name malformed'],
      [{ ...good, subscription: 'https://push.example.com' }, 'subscription malformed'],
    ] as const)
      assert.equal(refusalOf(body), error);
    assert.equal(store.count(), 0);
  });

  test('PUSH-4 an endpoint that is no push service, and keys that are none, are refused before any signature', () => {
    const inside = act(new Browser('https://169.254.169.254/latest').on());
    assert.match(refusalOf(inside), /has a push service that the venue does not send to/);
    const on = new Browser().on() as Extract<PushAct, { act: 'on' }>;
    const odd = act({ ...on, subscription: { ...on.subscription, p256dh: 'A'.repeat(87) } });
    assert.equal(refusalOf(odd), 'subscription malformed');
  });

  test('devices of another VAPID key are as if they were off, and are renewed in place', () => {
    const browser = new Browser();
    register.act(act(browser.on()));
    register = registerOf('another key');
    assert.deepEqual(register.act(act({ act: 'list' })).devices, []);
    assert.equal(register.act(act(browser.on())).devices.length, 1);
    assert.equal(store.count(), 1);
  });

  test('a device that nobody renewed for 90 days is forgotten', () => {
    register.act(act(new Browser().on()));
    venue.nowMs += 90 * DAY_MS + 1;
    register.prune();
    assert.equal(store.count(), 0);
  });
});
