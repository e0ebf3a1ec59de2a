import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderList, OrderRecord } from '@venue/protocol';
import { NO_PAGES, newestCloseFirst, withNewest, withOlder, withoutPagesOf } from './order-pages.ts';

const page = (ids: readonly number[], before?: number): OrderList => ({
  orders: ids.map((id) => ({ id }) as OrderRecord),
  ...(before !== undefined && { before }),
});
const idsOf = ({ orders }: { orders: readonly OrderRecord[] | null }) => orders?.map(({ id }) => id);

describe('CID-2: pages of closed orders', () => {
  const newest = withNewest(NO_PAGES, page([9, 8, 7], 7));
  const both = withOlder(newest, page([6, 4, 3], 3));

  it('grow downwards, from where the last one ended', () => {
    assert.deepEqual(idsOf(both), [9, 8, 7, 6, 4, 3]);
    assert.equal(both.before, 3);
    const all = withOlder(both, { ...page([2, 1]), completeFrom: 1_000 });
    assert.deepEqual([idsOf(all), all.before, all.completeFrom], [[9, 8, 7, 6, 4, 3, 2, 1], null, 1_000]);
    assert.equal(withOlder(all, page([5])), all, 'nothing is older than the oldest');
  });

  it('keep what is older when the newest is read once more', () => {
    const again = withNewest(both, page([11, 9, 8], 8));
    assert.deepEqual([idsOf(again), again.before], [[11, 9, 8, 7, 6, 4, 3], 3]);
  });

  it('begin again where a page too many has closed meanwhile: a gap would show as if nothing were in it', () => {
    const gone = withNewest(both, page([30, 20, 10], 10));
    assert.deepEqual([idsOf(gone), gone.before], [[30, 20, 10], 10]);
  });

  it('are one page where there is no other', () => {
    assert.deepEqual(withNewest(NO_PAGES, page([])), { orders: [], before: null, completeFrom: null });
    assert.equal(withNewest(newest, page([9, 8, 7])).before, null);
  });

  it('are shown by the time of their close, wherever a page that is read later has it', () => {
    const closed = (id: number, closedAt: number | null) => ({ id, closedAt }) as OrderRecord;
    const first = { orders: [closed(9, 50), closed(8, 90), closed(7, 50)], before: 7 };
    const shown = (pages: typeof newest) => newestCloseFirst(pages.orders!).map(({ id }) => id);
    const read = withNewest(NO_PAGES, first);
    assert.deepEqual(shown(read), [8, 9, 7]);
    const more = withOlder(read, { orders: [closed(4, 50), closed(3, 70), closed(2, null)] });
    assert.deepEqual(shown(more), [8, 3, 9, 7, 4, 2]);
    assert.deepEqual(idsOf(more), [9, 8, 7, 4, 3, 2], 'the pages themselves stay by id');
  });

  it('are dropped where an old order has closed that would be missing from them', () => {
    const cut = withoutPagesOf(both, [5]);
    assert.deepEqual([idsOf(cut), cut.before], [[9, 8, 7, 6], 6]);
    assert.equal(withoutPagesOf(both, [2]), both);
    assert.equal(withoutPagesOf(both, []), both);
    assert.equal(withoutPagesOf(NO_PAGES, [5]), NO_PAGES);
  });
});
