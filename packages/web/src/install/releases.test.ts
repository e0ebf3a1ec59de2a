import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createStores } from '../terminal/stores.ts';
import { followReleases } from './releases.ts';

const ENTRY = '/assets/index-aaaaaaaa.js';

/** A page with a browser's workers, of which it counts what it asks. */
function openPage({
  register = async () => undefined,
  isServed = async () => true,
  update = async () => {},
  installing = null,
  isKnown = false,
}: {
  register?: () => Promise<unknown>;
  isServed?: () => Promise<boolean>;
  update?: () => Promise<void>;
  installing?: EventTarget | null;
  /** True if the browser has the worker of an earlier visit. */
  isKnown?: boolean;
} = {}) {
  const { link } = createStores();
  const asked: string[] = [];
  let others = 0;
  let hear: (event: { data: unknown }) => void = () => {};
  const registration = {
    installing,
    update: () => {
      asked.push('update');
      return update();
    },
  };
  const workers = {
    register: async (address: string) => {
      asked.push(`register ${address}`);
      await register();
      isKnown = true;
      return registration;
    },
    getRegistration: async () => (isKnown ? registration : undefined),
    addEventListener: (_type: string, listener: typeof hear) => {
      hear = listener;
    },
    startMessages: () => {},
  } as unknown as ServiceWorkerContainer;
  followReleases({
    ...{ workers, entry: ENTRY, link, isServed },
    onOther: () => (others += 1),
    idle: async () => {},
  });
  const connect = () => link.setState(({ connections }) => ({ state: 'live', connections: connections + 1 }));
  return { link, connect, asked, hear: (data: unknown) => hear({ data }), others: () => others };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('registers once the venue is live, and looks for another release after each new connection (INST-2)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { link, connect, asked } = openPage();
  assert.deepEqual(asked, []);
  connect();
  for (const state of ['late', 'live', 'offline', 'live'] as const) link.setState({ state });
  await settled();
  assert.deepEqual(asked, ['register /assets/service-worker.js']);
  // A venue that was away for less time than the page takes to say so.
  connect();
  await settled();
  assert.deepEqual(asked.slice(1), ['update']);
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.deepEqual(asked.slice(1), ['update', 'update']);
  link.setState({ state: 'offline' });
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.equal(asked.length, 3);
});

it('goes on where a browser has no worker, or no room for it (INST-2)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { connect, asked } = openPage({
    register: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
  });
  connect();
  await settled();
  assert.equal(asked.length, 1);
  // Switched off, and no answer at all.
  for (const isServed of [async () => false, () => Promise.reject(new TypeError('no network'))]) {
    const without = openPage({ isServed });
    without.connect();
    await settled();
    assert.deepEqual(without.asked, []);
  }
  const stores = createStores();
  followReleases({
    workers: null,
    entry: ENTRY,
    link: stores.link,
    onOther: () => assert.fail(),
    isServed: async () => true,
    idle: async () => {},
  });
  stores.link.setState({ state: 'live', connections: 1 });
});

it('looks for another release on a later visit, as registering once more would not (INST-2)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { connect, asked } = openPage({ isKnown: true });
  connect();
  await settled();
  assert.deepEqual(asked, ['update']);
});

it('looks again soon after a look that failed, and later each time (INST-2)', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let isCut = true;
  const installing = Object.assign(new EventTarget(), { state: 'installing' });
  const { connect, asked } = openPage({
    isKnown: true,
    update: () => (isCut ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve()),
    installing,
  });
  const asksAfter = async (ms: number, times: number) => {
    t.mock.timers.tick(ms - 1);
    await settled();
    const before = asked.length;
    t.mock.timers.tick(1);
    await settled();
    assert.deepEqual(asked.slice(before), Array(times).fill('update'), `after ${ms} ms`);
  };
  connect();
  await settled();
  connect();
  await settled();
  assert.deepEqual(asked, ['update', 'update']);
  await asksAfter(60_000, 1);
  isCut = false;
  await asksAfter(120_000, 1);
  // The browser has begun to load the files of a release, and one of them does not come.
  await asksAfter(3_600_000, 0);
  installing.state = 'redundant';
  installing.dispatchEvent(new Event('statechange'));
  await settled();
  installing.state = 'installed';
  await asksAfter(240_000, 1);
  await asksAfter(3_600_000, 1);
});

it('hears of another release, and not of its own or of anything else (INST-2)', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { hear, others } = openPage();
  for (const data of [{ entry: ENTRY }, null, 'entry', {}, { entry: 3 }, undefined]) hear(data);
  assert.equal(others(), 0);
  hear({ entry: '/assets/index-bbbbbbbb.js' });
  assert.equal(others(), 1);
});
