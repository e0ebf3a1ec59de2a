import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { deviceId, type PushDevice, type PushRequest, pushEnvelope } from '@venue/protocol/push';
import { addressOfPrivateKey, signPersonal } from '@venue/protocol/signing';
import { keptStorage } from '../../../../../test/kept-storage.ts';
import type { KeptSession } from '../../../../session/kept-session.ts';
import { deviceName } from './browser-push.ts';
import { type BoundSubscription, PushDesk } from './push-desk.ts';

const KEY = `0x${'1'.repeat(64)}` as const;
const SESSION = {
  account: '0x00000000000000000000000000000000000000aa',
  ...{ sessionKey: addressOfPrivateKey(KEY), privateKey: KEY, venue: 'one' },
} as unknown as KeptSession;
const NOW_MS = 1_800_000_000_000;

/** A venue and a browser, each as a test wants them. */
class World {
  hasPush = true;
  isUp = true;
  publicKey = 'now';
  permission: NotificationPermission = 'default';
  answer: NotificationPermission = 'granted';
  session: KeptSession | null = SESSION;
  bound: BoundSubscription | null = null;
  isThere = true;
  devices: PushDevice[] = [];
  acts: PushRequest[] = [];
  storage = keptStorage();
  lost = 0;
  subscribed = 0;
  refusal: string | null = null;
  /** Refuses so many requests, as while the session is not known yet. */
  unknown = 0;

  desk(): PushDesk {
    const world = this;
    return new PushDesk({
      fetch: async (address, init) => this.#answer(address, init),
      session: async () => this.session,
      nonceOf: async () => NOW_MS,
      storage: () => this.storage,
      now: () => NOW_MS,
      onLost: () => {
        this.lost += 1;
      },
      browser: {
        get isThere() {
          return world.isThere;
        },
        name: 'Chrome on Android',
        permission: () => this.permission,
        ask: async () => {
          this.permission = this.answer;
          return this.answer;
        },
        subscription: async () => this.bound,
        subscribe: async (publicKey) => {
          this.subscribed += 1;
          this.bound = { endpoint: `https://p/${this.subscribed}`, p256dh: 'p', auth: 'a', publicKey };
          const { publicKey: _, ...terms } = this.bound;
          return terms;
        },
        unsubscribe: async () => {
          this.bound = null;
        },
      },
    });
  }

  #answer(address: string, init?: RequestInit): Response {
    if (!this.isUp) throw new TypeError('Failed to fetch');
    if (address === '/assets/push.json')
      return this.hasPush ? Response.json({ url: '/push' }) : new Response('', { status: 404 });
    if (address === '/push/terms') return Response.json({ publicKey: this.publicKey, venue: 'one' });
    assert.equal(address, '/push/devices');
    const request = JSON.parse(String(init!.body)) as PushRequest;
    if (this.unknown > 0) {
      this.unknown -= 1;
      return Response.json({ error: 'unknown or revoked session key' }, { status: 401 });
    }
    if (this.refusal !== null) return Response.json({ error: this.refusal }, { status: 400 });
    const { account, sessionKey: _, nonce, signature, ...act } = request;
    assert.equal(signature, signPersonal(pushEnvelope({ venue: 'one', account, act, nonce }), KEY));
    this.acts.push(request);
    if (act.act === 'on') {
      const id = deviceId(act.subscription.endpoint);
      const { name, kinds } = act;
      this.devices = [...this.devices.filter((one) => one.id !== id), { id, name, kinds, since: NOW_MS }];
    }
    if (act.act === 'off') this.devices = this.devices.filter(({ id }) => id !== act.device);
    return Response.json({ devices: this.devices });
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

async function kindOf(desk = world.desk()): Promise<string> {
  await desk.look();
  return desk.view.getState().state.kind;
}

describe('PUSH-2 what the switch shows', () => {
  test('nothing where the venue has no push', async () => {
    world.hasPush = false;
    assert.equal(await kindOf(), 'absent');
    assert.deepEqual(world.acts, []);
  });

  test('a browser without push, a refused permission, nobody signed in, a push process that is away', async () => {
    world.isThere = false;
    assert.equal(await kindOf(), 'unsupported');
    world.isThere = true;
    world.permission = 'denied';
    assert.equal(await kindOf(), 'refused');
    world.permission = 'default';
    world.session = null;
    assert.equal(await kindOf(), 'signed-out');
    world.session = SESSION;
    assert.equal(await kindOf(), 'off');
    world.isUp = false;
    assert.equal(await kindOf(), 'away');
  });

  test('a session that the push process has not read of yet is tried again', async () => {
    world.unknown = 2;
    assert.equal(await kindOf(), 'off');
  });

  test('another venue behind the address signs nothing', async () => {
    world.session = { ...SESSION, venue: 'other' };
    assert.equal(await kindOf(), 'away');
    assert.deepEqual(world.acts, []);
  });
});

describe('PUSH-3 on and off', () => {
  test('one press turns this device on, another off', async () => {
    const desk = world.desk();
    await desk.turnOn(['fills', 'margin']);
    assert.equal(desk.view.getState().state.kind, 'on');
    assert.deepEqual(desk.kinds(SESSION.account), ['fills', 'margin']);
    await desk.turnOff(world.devices[0]!.id);
    assert.equal(desk.view.getState().state.kind, 'off');
    assert.equal(world.bound, null);
    assert.equal(desk.kinds(SESSION.account), null);
  });

  test('a person who refuses the browser is not subscribed', async () => {
    world.answer = 'denied';
    const desk = world.desk();
    await desk.turnOn(['fills']);
    assert.equal(desk.view.getState().state.kind, 'refused');
    assert.equal(world.subscribed, 0);
  });

  test('turning off another device leaves this one as it is', async () => {
    const desk = world.desk();
    await desk.turnOn(['fills']);
    world.devices.push({ id: 'other', name: 'Phone', kinds: ['fills'], since: NOW_MS });
    await desk.turnOff('other');
    assert.equal(desk.view.getState().state.kind, 'on');
    assert.notEqual(world.bound, null);
  });

  test('a refusal is told in a sentence, and changes nothing', async () => {
    const desk = world.desk();
    await desk.look();
    world.refusal = 'too many devices — turn one off';
    await desk.turnOn(['fills']);
    assert.equal(desk.view.getState().fault, 'The venue refused: too many devices — turn one off.');
    assert.equal(desk.kinds(SESSION.account), null);
    assert.equal(desk.view.getState().isBusy, false);
  });

  test('a page that opens renews a subscription that the browser lost, or that is of a former key', async () => {
    await world.desk().turnOn(['fills']);
    world.bound = null;
    world.devices = [];
    await world.desk().renew();
    assert.deepEqual([world.subscribed, world.devices.length], [2, 1]);
    world.publicKey = 'another';
    await world.desk().renew();
    assert.equal(world.subscribed, 3);
    assert.equal(world.bound!.publicKey, 'another');
    assert.equal(world.lost, 0);
  });

  test('a device that was turned off elsewhere stays off, and its page says so', async () => {
    await world.desk().turnOn(['fills']);
    world.devices = [];
    const desk = world.desk();
    await desk.renew();
    assert.equal(desk.view.getState().state.kind, 'lost');
    assert.deepEqual([world.devices.length, world.lost], [0, 1]);
    await desk.turnOn(['fills']);
    assert.equal(desk.view.getState().state.kind, 'on');
  });

  test('a device is renewed once a week', async () => {
    await world.desk().turnOn(['fills']);
    const ons = () => world.acts.filter(({ act }) => act === 'on').length;
    await world.desk().renew();
    assert.equal(ons(), 1);
    world.devices = world.devices.map((one) => ({ ...one, since: NOW_MS - 8 * 86_400_000 }));
    await world.desk().renew();
    assert.equal(ons(), 2);
  });

  test('storage that is full or holds anything does no harm', async () => {
    const lists = ['fills', [], ['gossip'], [null], { 0: 'fills' }].map((kinds) =>
      JSON.stringify({ [SESSION.account]: kinds }),
    );
    for (const text of ['{', '[]', 'null', '7', ...lists]) {
      world.storage.setItem('venue push', text);
      assert.equal(world.desk().kinds(SESSION.account), null, text);
    }
    assert.equal(await kindOf(), 'off');
    world.storage.isFull = true;
    await world.desk().turnOn(['fills']);
    assert.equal(await kindOf(), 'on');
  });
});

test('PUSH-3 a device is named by its browser and system', () => {
  const agent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
  assert.equal(deviceName(agent), 'Chrome on Android');
  assert.equal(deviceName('anything'), 'Browser on a device');
});
