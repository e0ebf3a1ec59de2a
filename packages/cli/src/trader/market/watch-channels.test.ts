import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chain, ChainLeg } from '@venue/protocol';
import { chainLines, changedChain } from './watch-channels.ts';

const EMPTY: Chain = { symbol: 'BTC', expiryTs: 1, spot: 0, sessionOpen: true, rows: [] };
const leg = (seriesId: string, bid: number | null): ChainLeg => ({
  ...{ seriesId, sid: 1, ask: null, mid: null, iv: 0, delta: 0, openInterest: 0, volume: 0 },
  bid: bid === null ? null : { price: bid, qty: 2 },
});

describe('a watched chain', () => {
  it('is what its messages say, and tells what changed', () => {
    const row = (strike: number, bid: number | null) => ({
      strike,
      call: leg(`C-${strike}`, bid),
      put: null,
    });
    const first = changedChain(EMPTY, { type: 'snapshot', spot: 5, rows: [row(20, 1), row(10, 3)] });
    assert.deepEqual(
      first.rows.map(({ strike }) => strike),
      [10, 20],
    );
    assert.deepEqual(chainLines(EMPTY, first), [
      'spot   5.00 USD',
      'quote  C-10 2 at 3 / none',
      'quote  C-20 2 at 1 / none',
    ]);
    const second = changedChain(first, {
      type: 'delta',
      sessionOpen: false,
      rows: [row(15, null), { strike: 10, call: null, put: null }],
    });
    assert.deepEqual([second.spot, second.sessionOpen], [5, false]);
    assert.deepEqual(
      second.rows.map(({ strike }) => strike),
      [15, 20],
    );
    assert.deepEqual(chainLines(first, second), ['quote  C-15 none / none']);
    assert.deepEqual(changedChain(second, { type: 'snapshot', spot: 6 }).rows, []);
  });
});
