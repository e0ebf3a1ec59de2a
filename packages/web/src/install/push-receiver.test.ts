import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PushMessage } from '@venue/protocol/push';
import { isWebKit, messageOf, type Page, PushReceiver } from './push-receiver.ts';

const NOW_MS = 1_800_000_000_000;
const ORIGIN = 'https://venue.example';
const MESSAGE: PushMessage = {
  ...{ v: 1, kind: 'fills', title: 'Buy order filled', body: '2 BTC filled', at: NOW_MS, tag: 'a' },
  place: 'BTC-1764374400-C-95000',
};

function worker(pages: readonly Partial<Page>[] = [], shownAt: number | null = null, mustShow = false) {
  const done: string[] = [];
  const receiver = new PushReceiver({
    ...{ origin: ORIGIN, mustShow },
    now: () => NOW_MS,
    pages: async () =>
      pages.map((page) => ({
        ...{ url: `${ORIGIN}/`, visibilityState: 'hidden' as const },
        navigate: async (url: string) => done.push(`go ${url}`),
        focus: async () => done.push('focus'),
        ...page,
      })),
    shown: async () =>
      shownAt === null ? [] : [{ data: { ...MESSAGE, title: 'Newer', at: shownAt }, close: () => {} }],
    show: async (title, { silent }) => void done.push(`show ${title}${silent ? ' silently' : ''}`),
    open: async (url) => done.push(`open ${url}`),
  });
  return { receiver, done };
}

const text = (given: object = {}) => JSON.stringify({ ...MESSAGE, ...given });

describe('PUSH-7 what a worker makes of a message', () => {
  test('it shows one in the form that it knows', async () => {
    const { receiver, done } = worker();
    await receiver.pushed(text());
    assert.deepEqual(done, ['show Buy order filled']);
  });

  for (const odd of [
    '',
    'null',
    '[]',
    '"text"',
    '{',
    text({ v: 2 }),
    text({ kind: 'prices' }),
    text({ title: 'x'.repeat(101) }),
    text({ body: 'x'.repeat(601) }),
    text({ body: { toString: 1 } }),
    text({ tag: 7 }),
    text({ place: 'javascript:alert(1)' }),
    text({ place: '//evil.example' }),
    text({ place: 'BTC#/../x' }),
    text({ at: '1' }),
    text({ at: NOW_MS - 25 * 3_600_000 }),
    text({ at: NOW_MS + 25 * 3_600_000 }),
  ])
    test(`it ignores ${odd.slice(0, 60) || 'nothing'}`, async () => {
      const { receiver, done } = worker();
      assert.equal(messageOf(odd, NOW_MS), null);
      await receiver.pushed(odd);
      assert.deepEqual(done, []);
    });

  test('it shows nothing beside a terminal that somebody looks at, and nothing older than what is there', async () => {
    const beside = worker([{ visibilityState: 'visible' }]);
    await beside.receiver.pushed(text());
    assert.deepEqual(beside.done, []);
    const elsewhere = worker([{ visibilityState: 'visible', url: `${ORIGIN}/docs` }], NOW_MS - 1);
    await elsewhere.receiver.pushed(text());
    assert.deepEqual(elsewhere.done, ['show Buy order filled']);
    const older = worker([], NOW_MS + 1);
    await older.receiver.pushed(text());
    assert.deepEqual(older.done, []);
  });

  test('on WebKit every push shows something, silently where others show nothing', async () => {
    const { receiver, done } = worker([{ visibilityState: 'visible' }], null, true);
    await receiver.pushed(text());
    await receiver.pushed('odd');
    const older = worker([], NOW_MS + 1, true);
    await older.receiver.pushed(text());
    const unseen = worker([], null, true);
    await unseen.receiver.pushed(text());
    assert.deepEqual(
      [...done, ...older.done, ...unseen.done],
      [
        'show Buy order filled silently',
        'show News of your account silently',
        'show Newer silently',
        'show Buy order filled',
      ],
    );
    const agent = (name: string) =>
      `Mozilla/5.0 AppleWebKit/605.1.15 (KHTML, like Gecko) ${name} Safari/604.1`;
    const names = ['Version/18.1', 'CriOS/130.0', 'Chrome/130.0', 'Chromium/130.0'];
    assert.deepEqual(
      names.map((name) => isWebKit(agent(name))),
      [true, true, false, false],
    );
    assert.equal(isWebKit('Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/130.0'), false);
  });

  test('a press opens the place, in the window that is there or a new one', async () => {
    const pressed = (data: unknown) => ({ data, close: () => {} });
    const none = worker([{ url: `${ORIGIN}/assets/admin.html` }]);
    await none.receiver.pressed(pressed(MESSAGE));
    assert.deepEqual(none.done, [`open ${ORIGIN}/#${MESSAGE.place}`]);
    const there = worker([{}]);
    await there.receiver.pressed(pressed(MESSAGE));
    assert.deepEqual(there.done, [`go ${ORIGIN}/#${MESSAGE.place}`, 'focus']);
    const call = worker([{}]);
    await call.receiver.pressed(pressed({ ...MESSAGE, place: '' }));
    assert.deepEqual(call.done, ['focus']);
    for (const data of [null, 'x', { place: 'https://evil.example' }]) {
      const odd = worker();
      await odd.receiver.pressed(pressed(data));
      assert.deepEqual(odd.done, [`open ${ORIGIN}/`]);
    }
  });
});
