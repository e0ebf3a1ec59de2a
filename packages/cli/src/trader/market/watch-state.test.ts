import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamFrame, TapePrint } from '@venue/protocol';
import { colourless } from '../../terminal/style.ts';
import { table } from '../../terminal/table.ts';
import { TRADE_COLUMNS, tradeText, WatchState } from './watch-state.ts';

const TS = Date.UTC(2026, 10, 22, 8);
const print: TapePrint = { seriesId: 'BTC-1795827600-C-92000', price: 12.5, qty: 0.1, side: 'sell', ts: TS };
const spots = (spot: number, feedFresh = true): StreamFrame => ({
  type: 'spots',
  spots: [
    { symbol: 'BTC', spot, feedFresh },
    { symbol: 'ETH', spot: 3_000, feedFresh: true },
  ],
});

test('a line for each change, and none for what stays', () => {
  const state = new WatchState('BTC');
  assert.deepEqual(state.apply(spots(92_000)), ['spot   BTC 92000.00 USD']);
  assert.deepEqual(state.apply(spots(92_000)), []);
  assert.deepEqual(state.apply(spots(92_000, false)), ['spot   BTC 92000.00 USD, stale']);
  assert.deepEqual(state.apply({ type: 'tape', symbol: 'BTC', print }), [
    'trade  sell 0.1 BTC-1795827600-C-92000 at 12.50 USD, 2026-11-22 08:00:00 UTC',
  ]);
});

test('the screen shows the newest trades first, and a bounded number of them', () => {
  const state = new WatchState(undefined);
  for (let n = 1; n <= 20; n++) state.apply({ type: 'tape', symbol: 'BTC', print: { ...print, price: n } });
  const lines = state.lines({ width: 100, paint: colourless });
  assert.equal(lines[0], 'Last trades');
  assert.match(lines[2]!, / 20\.00$/);
  assert.equal(lines.length, 14);
});

test('HIS-1: what an account traded with itself is told apart, in a line and in a table', () => {
  const own = { ...print, self: true } as const;
  assert.match(tradeText(own), /^self-sell 0\.1 /);
  assert.match(tradeText(print), /^sell 0\.1 /);
  const [, first, second] = table(TRADE_COLUMNS, [own, print], { width: 100, paint: colourless });
  assert.match(first!, / self-sell /);
  assert.match(second!, / sell /);
});

test('a frame of an unknown kind changes nothing', () => {
  const state = new WatchState(undefined);
  assert.deepEqual(state.apply({ type: 'news' } as unknown as StreamFrame), []);
  assert.deepEqual(state.lines({ width: 80, paint: colourless }), []);
});
