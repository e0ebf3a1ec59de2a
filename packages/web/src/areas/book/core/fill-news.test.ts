import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account, FillRecord } from '@venue/protocol';
import { FillNews, type FillNewsOptions } from './fill-news.ts';
import type { SeenFills } from './seen-fills.ts';

const fill = (id: number, more: Partial<FillRecord> = {}): FillRecord => ({
  ...{ id, orderId: 7, seriesId: 'S', symbol: 'BTC', side: 'buy', taker: false },
  ...{ qty: 1, price: 10, fee: 0, realized: 0, ts: 0, kind: 'trade' },
  ...more,
});

/** Marks shared by several pages, as in one browser. */
function sharedMarks(): SeenFills {
  const marks = new Map<string, number>();
  return {
    async claim(account, newestId) {
      const before = marks.get(account) ?? null;
      marks.set(account, Math.max(before ?? 0, newestId));
      return before;
    },
  };
}

function page(seen: SeenFills, options: Partial<FillNewsOptions> = {}) {
  const titles: string[] = [];
  const news = new FillNews({
    ...{ seen, labelOf: (id) => id, readOlder: async () => [] },
    ...{ isShown: () => true, isOtherShown: () => false, onTold: () => undefined },
    notices: {
      add: ({ title, text }) => titles.push(title === 'While you were away' ? `${title}: ${text}` : title),
    },
    ...options,
  });
  return { news, titles };
}

test('the first read of an account announces nothing: all of it is history', async () => {
  const { news, titles } = page(sharedMarks());
  await news.takeFills('A', [fill(3), fill(2)]);
  assert.deepEqual(titles, []);
});

test("a resting order's fill is announced once across all pages, an order's own answer never", async () => {
  const marks = sharedMarks();
  const [one, other] = [page(marks), page(marks)];
  for (const { news } of [one, other]) await news.takeFills('A', [fill(1, { taker: true })]);
  one.news.takeOrders({ account: { openOrders: [{ id: 7, qty: 3 }] } as unknown as Account });
  other.news.takeOrders({ account: { openOrders: [{ id: 7, qty: 3 }] } as unknown as Account });
  const fills = [fill(2), fill(1, { taker: true })];
  await Promise.all([one.news.takeFills('A', fills), other.news.takeFills('A', fills)]);
  assert.deepEqual([...one.titles, ...other.titles], ['Filled 2 of 3: buy S']);
  await one.news.takeFills('A', [fill(3), ...fills]);
  assert.deepEqual([...one.titles, ...other.titles], ['Filled 2 of 3: buy S', 'Filled 3 of 3: buy S']);
  await one.news.takeFills('A', [fill(4, { taker: true, orderId: 9 }), fill(3), ...fills]);
  assert.equal(one.titles.length + other.titles.length, 2);
});

test('fills that came while no page was open become one card, with fills from older pages', async () => {
  const marks = sharedMarks();
  await page(marks).news.takeFills('A', [fill(1)]);
  const asked: number[] = [];
  const readOlder = async (before: number) => {
    asked.push(before);
    return before === 5 ? [fill(4), fill(3, { orderId: 8 })] : [fill(2, { orderId: 9 }), fill(1)];
  };
  const { news, titles } = page(marks, { readOlder });
  await news.takeFills('A', [fill(5)]);
  assert.deepEqual(titles, ['While you were away: 3 orders filled. Cash −$40.00.']);
  assert.deepEqual(asked, [5, 3]);
});

test('a hidden page leaves the announcement to a visible one', async () => {
  const marks = sharedMarks();
  const hidden = page(marks, { isShown: () => false, isOtherShown: () => true });
  const shown = page(marks);
  for (const { news } of [hidden, shown]) await news.takeFills('A', [fill(1)]);
  await Promise.all([hidden, shown].map(({ news }) => news.takeFills('A', [fill(2), fill(1)])));
  assert.deepEqual([hidden.titles.length, shown.titles.length], [0, 1]);
});
