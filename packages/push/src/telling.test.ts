import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createState } from '@venue/engine';
import { type Address, NEWS_KINDS, type NewsKind, type PushMessage } from '@venue/protocol';
import { ALICE, BOB, SESSION, TestVenue } from '../../exchange/test/auth-venue.ts';
import { Browser } from '../test/devices.ts';
import type { Gathered } from './collector.ts';
import { Delivery, type Outcome } from './delivery.ts';
import type { Sent } from './sender.ts';
import { type Device, type Message, PushStore } from './store.ts';
import { Teller } from './teller.ts';

const KEY = 'the key of now';
const START_MS = 1_800_000_000_000;
const AGE_MS = 600_000;

let folder: string;
let store: PushStore;
let nowMs: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'push-'));
  store = new PushStore(join(folder, 'push.db'));
  nowMs = START_MS;
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const clock = () => nowMs;
const place = (seq: number) => ({ seq, anchorSeq: seq, anchorHash: `hash ${seq}` });

function teller(state = createState()): Teller {
  return new Teller({ store, state, publicKey: KEY, ageMs: AGE_MS, clock });
}

/** Closes the file as a kill would leave it, and opens it again. */
function restart(): void {
  store.close();
  store = new PushStore(join(folder, 'push.db'));
}

function device(id: string, given: Partial<Device> = {}): void {
  store.putDevice({
    ...{ account: ALICE, id, ...new Browser().subscription, publicKey: KEY, kinds: NEWS_KINDS },
    ...{ name: 'a', sessionKey: SESSION.address, since: START_MS, ...given },
  });
}

function filled(orderId: number, account: Address = ALICE): Gathered {
  const row = { seriesId: 'BTC-1801098000-C-95000', side: 'buy', qtyMicros: 1e6, worth: 1e12 } as const;
  const news = {
    kind: 'fills',
    since: START_MS,
    at: START_MS,
    more: 0,
    rows: [{ ...row, orderId, totalMicros: null, leftMicros: 0 }],
  } as const;
  return new Map([[account, new Map<NewsKind, typeof news>([['fills', news]])]]);
}

function messages(): PushMessage[] {
  return store.dueMessages(nowMs, Number.MAX_SAFE_INTEGER, 1_000).map(({ payload }) => JSON.parse(payload));
}

describe('PUSH-6 messages', () => {
  test('a storm of a thousand fills in a minute is told in three messages a device', () => {
    device('phone');
    const one = teller();
    for (let i = 1; i <= 1_000; i += 1) {
      one.keep(filled(i), place(i));
      one.tell();
      nowMs += 60;
    }
    nowMs += 30_000;
    one.tell();
    const counted = messages().map(({ title }) => Number(/^\d+/.exec(title)));
    assert.equal(counted.length, 3);
    assert.equal(
      counted.reduce((sum, count) => sum + count),
      1_000,
    );
  });

  test('one message for each device that wants the kind, and none for others', () => {
    device('phone', { kinds: ['fills'] });
    device('desk', { kinds: ['margin'] });
    device('old', { publicKey: 'another key' });
    device('bob', { account: BOB });
    const one = teller();
    assert.equal(one.isWanted(ALICE, 'fills'), true);
    assert.equal(one.isWanted(ALICE, 'guard'), true);
    one.keep(filled(1), place(1));
    nowMs += 1_500;
    assert.equal(one.tell(), 1);
    assert.equal(store.dueMessages(nowMs, Number.MAX_SAFE_INTEGER, 9)[0]!.device, 'phone');
  });

  test('PUSH-3 devices that a revoked session turned on are forgotten before they are told', () => {
    const venue = new TestVenue();
    venue.approve(ALICE, SESSION.address);
    device('phone');
    const one = teller(venue.state);
    venue.apply({ kind: 'revoke', address: ALICE, sessionKey: SESSION.address, signature: '0x' });
    one.keep(filled(1), place(1));
    nowMs += 1_500;
    assert.equal(one.tell(), 0);
    assert.equal(store.count(), 0);
    assert.equal(one.isWanted(ALICE, 'fills'), false);
  });

  test('a message names no account, no key and no endpoint', () => {
    device('phone');
    const one = teller();
    one.keep(filled(1), place(1));
    nowMs += 1_500;
    one.tell();
    const text = JSON.stringify(messages());
    for (const secret of [ALICE.slice(2), SESSION.address.slice(2), 'push.example'])
      assert.ok(!text.includes(secret));
  });
});

describe('PUSH-5 restarts, and files from elsewhere', () => {
  test('news and their place in the log are kept together, and told after a restart', () => {
    device('phone');
    teller().keep(filled(1), place(41));
    restart();
    assert.deepEqual(store.place(), place(41));
    nowMs += 1_500;
    assert.equal(teller().tell(), 1);
    restart();
    assert.equal(teller().tell(), 0, 'told twice');
    assert.equal(messages().length, 1);
  });

  test('a change that fails half way leaves neither', () => {
    device('phone');
    assert.throws(() =>
      store.together(() => {
        store.setPlace(place(9));
        throw new Error('killed');
      }),
    );
    assert.equal(store.place(), null);
  });

  test('a change that SQLite undoes by itself says why it did', () => {
    store.close();
    const file = join(folder, 'push.db');
    const database = new DatabaseSync(file);
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(ROLLBACK, 'disk is full'); END",
    );
    database.close();
    store = new PushStore(file);
    assert.throws(() => store.together(() => store.setPlace(place(9))), /disk is full/);
    assert.equal(store.place(), null);
  });

  test('an old copy tells nothing that is older than the bound', () => {
    device('phone');
    const one = teller();
    one.keep(filled(1), place(1));
    nowMs += 1_500;
    one.tell();
    one.keep(filled(2), place(2));
    nowMs += 30_000 + AGE_MS + 1;
    restart();
    assert.equal(teller().tell(), 0);
    const { delivery, sent } = deliveryTo(() => ({ kind: 'taken' }));
    delivery.pump();
    assert.deepEqual(sent, ['given up']);
    assert.equal(store.messageCount(), 0);
  });

  test('a clock that is set back neither loses news nor holds them up', () => {
    device('phone');
    const one = teller();
    one.keep(filled(1), place(1));
    nowMs -= 300_000;
    assert.equal(one.tell(), 1);
    one.keep(filled(2), place(2));
    nowMs += 30_000;
    assert.equal(one.tell(), 1);
    assert.equal(store.messageCount(), 2);
  });

  test('a second process is refused the file', () => {
    assert.throws(() => new PushStore(join(folder, 'push.db')), /one process at a time uses it/);
  });

  test('a file that is none, or of another venue, is refused', () => {
    assert.equal(store.isOf('one'), true);
    restart();
    assert.equal(store.isOf('one'), true);
    assert.equal(store.isOf('other'), false);
    assert.throws(() => new PushStore(join(import.meta.dirname, 'store.ts')), /cannot be used/);
  });
});

describe('PUSH-5 sending', () => {
  function waiting(count: number, devices = ['phone']): void {
    for (const id of devices) device(id);
    for (let i = 0; i < count; i += 1)
      for (const id of devices)
        store.addMessage({
          account: ALICE,
          device: id,
          host: 'push.example.com',
          kind: 'fills',
          payload: `{"tag":"${i}"}`,
          made: nowMs,
        });
  }

  test('a message that was taken is gone', async () => {
    waiting(1);
    const { delivery, sent } = deliveryTo(() => ({ kind: 'taken' }));
    delivery.pump();
    await delivery.idle();
    assert.deepEqual(sent, ['taken']);
    assert.equal(store.messageCount(), 0);
  });

  test('one whose push service is busy is tried again, ever later, and not after the bound', async () => {
    waiting(1);
    const { delivery, sent } = deliveryTo(() => ({ kind: 'later', afterMs: null, why: '503' }));
    const triedAt: number[] = [];
    while (store.messageCount() > 0) {
      const before = sent.length;
      delivery.pump();
      await delivery.idle();
      if (sent.length > before && sent.at(-1) === 'later') triedAt.push(nowMs - START_MS);
      nowMs += 1_000;
    }
    const pauses = triedAt.slice(1).map((at, i) => at - triedAt[i]!);
    assert.deepEqual(pauses, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000]);
    assert.equal(sent.at(-1), 'given up');
    assert.ok(nowMs - START_MS <= AGE_MS + 2_000);
  });

  test('it waits as long as the push service says, five minutes at most', async () => {
    waiting(1);
    const { delivery } = deliveryTo(() => ({ kind: 'later', afterMs: 86_400_000, why: '429' }));
    delivery.pump();
    await delivery.idle();
    assert.equal(store.dueMessages(nowMs + 299_999, Number.MAX_SAFE_INTEGER, 1).length, 0);
    assert.equal(store.dueMessages(nowMs + 300_000, Number.MAX_SAFE_INTEGER, 1).length, 1);
  });

  test('a device that its push service no longer knows is forgotten with all that waits for it', async () => {
    waiting(2);
    device('phone', { account: BOB });
    const { delivery, gone } = deliveryTo(() => ({ kind: 'gone' }));
    delivery.pump();
    await delivery.idle();
    assert.equal(store.count(), 0);
    assert.equal(store.messageCount(), 0);
    assert.deepEqual(gone.flat().sort(), [ALICE, BOB].sort());
  });

  test('what makes no sense to repeat is not repeated, and the device stays', async () => {
    waiting(1);
    const { delivery, sent } = deliveryTo(() => ({ kind: 'refused', why: '413' }));
    delivery.pump();
    await delivery.idle();
    assert.deepEqual(sent, ['refused']);
    assert.equal(store.count(), 1);
    assert.equal(store.messageCount(), 0);
  });

  test('a message is not sent again and again while the file does not take that it was', async () => {
    waiting(1);
    let asked = 0;
    const errors: unknown[] = [];
    const answer = (): Sent => {
      asked += 1;
      return { kind: 'taken' };
    };
    const { delivery } = deliveryTo(answer, (error) => errors.push(error));
    store.dropMessage = () => {
      throw new Error('disk is full');
    };
    for (let i = 0; i < 3; i += 1) {
      delivery.pump();
      await delivery.idle();
    }
    assert.deepEqual([asked, errors.length], [1, 1]);
  });

  test('a push service that hangs has sixteen at once, and leaves room for another', () => {
    waiting(600);
    device('other', new Browser('https://other.example.com/x').subscription);
    const host = 'other.example.com';
    store.addMessage({ account: ALICE, device: 'other', host, kind: 'fills', payload: '{}', made: nowMs });
    const asked: string[] = [];
    const { delivery } = deliveryTo((to) => {
      asked.push(new URL(to.endpoint).host);
      return new Promise<Sent>(() => {});
    });
    for (let i = 0; i < 3; i += 1) delivery.pump();
    assert.equal(asked.filter((host) => host === 'push.example.com').length, 16);
    assert.equal(asked.filter((host) => host === 'other.example.com').length, 1);
  });

  test('a device that is out of reach keeps twenty messages, the newest', () => {
    waiting(30);
    store.boundMessages(ALICE, 'phone', 20);
    const kept = store.dueMessages(nowMs, Number.MAX_SAFE_INTEGER, 100).map(({ n }) => n);
    assert.equal(kept.length, 20);
    assert.equal(Math.min(...kept), 11);
  });
});

function deliveryTo(
  answer: (device: Device, message: Message) => Sent | Promise<Sent>,
  onError: (error: unknown) => void = (error) => assert.fail(String(error)),
) {
  const sent: Outcome[] = [];
  const gone: (readonly Address[])[] = [];
  const delivery = new Delivery({
    ...{ store, ageMs: AGE_MS, clock, random: () => 1 },
    sender: { send: async (device, message) => answer(device, message) },
    onSent: (outcome) => sent.push(outcome),
    onGone: (accounts) => gone.push(accounts),
    onError,
  });
  return { delivery, sent, gone };
}
