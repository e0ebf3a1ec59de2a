import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord, Position, RefusedExpiry, Settlement, SettlementList } from '@venue/protocol';
import {
  expiryStage,
  handRange,
  heldStage,
  intrinsicOf,
  payoutsOf,
  refusalText,
  secondExpiry,
  shownExpiries,
  waitingPositions,
  windowEstimate,
} from './expiry-stage.ts';

const T = 1_800_000_000;
const HOUR = 3_600;
const settled = (expiryTs: number) => ({ expiryTs, symbol: 'BTC', price: 61_000 }) as Settlement;
const refused = (expiryTs: number) => ({ expiryTs, symbol: 'BTC' }) as RefusedExpiry;
const decided: SettlementList = {
  settlements: [settled(T - 48 * HOUR), settled(T - HOUR)],
  refused: [refused(T - 72 * HOUR)],
};

test('the stages of an expiry by the clock, to the millisecond', () => {
  const at = (nowMs: number) => expiryStage(T, { decided: null, nowMs }).kind;
  assert.deepEqual(
    [at(T * 1_000 - 30 * 60_000 - 1), at(T * 1_000 - 30 * 60_000), at(T * 1_000 - 1), at(T * 1_000)],
    ['trading', 'window', 'window', 'settling'],
  );
});

test("the venue's decision overrides a late clock", () => {
  const list: SettlementList = { settlements: [settled(T)], refused: [refused(T + 1)] };
  const early = { decided: list, nowMs: (T - HOUR) * 1_000 };
  assert.equal(expiryStage(T, early).kind, 'settled');
  assert.equal(expiryStage(T + 1, early).kind, 'review');
});

test('a position trades to its cutoff, then waits for its price, or for an operator', () => {
  const position = { symbol: 'BTC', expiryTs: T };
  const at = (nowMs: number, ...inReview: readonly string[]) =>
    heldStage(position, { inReview: new Set(inReview), nowMs });
  assert.deepEqual(
    [at(T * 1_000 - 1), at(T * 1_000), at(T * 1_000, `ETH ${T}`), at(T * 1_000, `BTC ${T}`)],
    ['trading', 'settling', 'settling', 'review'],
  );
});

test('tabs: expiries listed, in review, settled within a day, and the chosen one', () => {
  const choice = { listed: [T + HOUR, T + 25 * HOUR], decided, chosen: null, nowMs: T * 1_000 };
  const shown = [T - 72 * HOUR, T - HOUR, T + HOUR, T + 25 * HOUR];
  assert.deepEqual(shownExpiries(choice), shown);
  assert.deepEqual(shownExpiries({ ...choice, chosen: T - 48 * HOUR }), [
    shown[0],
    T - 48 * HOUR,
    ...shown.slice(1),
  ]);
  assert.deepEqual(shownExpiries({ ...choice, decided: null, chosen: T + HOUR }), choice.listed);
});

test('ORA-1: each spot holds until the next, the first from the start of the window on', () => {
  const opens = T - 1_800;
  const spots = [
    { second: opens - 5, price: 999 },
    { second: opens + 600, price: 100 },
    { second: opens + 900, price: 200 },
  ];
  // 100 for 900 s, 200 for 300 s.
  const estimate = windowEstimate(spots, { expiryTs: T, nowMs: (opens + 1_200) * 1_000 });
  assert.deepEqual(estimate, { soFar: 125, ifUnchanged: 150, seenShare: 0.5 });
  // Spots after the cutoff do not count.
  const late = windowEstimate([...spots, { second: T + 1, price: 900 }], {
    expiryTs: T,
    nowMs: (T + 60) * 1_000,
  });
  assert.deepEqual([late!.soFar, late!.ifUnchanged], [150, 150]);
  assert.equal(windowEstimate(spots, { expiryTs: T, nowMs: (opens - 1) * 1_000 }), null);
  assert.equal(windowEstimate([], { expiryTs: T, nowMs: (opens + 60) * 1_000 }), null);
});

test('FINE-7: the payout of each position, negative for a short, and nothing of other expiries', () => {
  const fill = (id: number, row: Partial<FillRecord>) =>
    ({ id, kind: 'settlement', realized: 5, ...row }) as FillRecord;
  const fills = [
    fill(1, { seriesId: `BTC-${T}-C-100`, side: 'sell', qty: 2, price: 10 }),
    fill(2, { seriesId: `BTC-${T}-P-100`, side: 'buy', qty: 0.5, price: 4 }),
    fill(3, { seriesId: `BTC-${T}-C-100`, side: 'buy', qty: 9, price: 9, kind: 'trade' }),
    fill(4, { seriesId: `BTC-${T + 1}-C-100`, side: 'sell', qty: 2, price: 10 }),
    fill(5, { seriesId: `BTC2-${T}-C-100`, side: 'sell', qty: 2, price: 10 }),
  ];
  assert.deepEqual(
    payoutsOf({ symbol: 'BTC', expiryTs: T }, fills).map(({ id, qty, payout, cash }) => [
      id,
      qty,
      payout,
      cash,
    ]),
    [
      [1, 2, 10, 20],
      [2, -0.5, 4, -2],
    ],
  );
});

test('waiting positions, and their payouts within the range of a hand settlement', () => {
  const position = (symbol: string, expiryTs: number) =>
    ({ symbol, expiryTs, optType: 'put', strike: 3_050 }) as Position;
  const waiting = waitingPositions({ symbol: 'ETH', expiryTs: T }, [
    position('ETH', T),
    position('ETH', T + 1),
    position('BTC', T),
  ]);
  assert.equal(waiting.length, 1);
  const range = handRange({ anchor: 3_000 })!;
  assert.deepEqual(range, { low: 2_970, high: 3_030 });
  assert.deepEqual([intrinsicOf(waiting[0]!, range.low), intrinsicOf(waiting[0]!, range.high)], [80, 20]);
  assert.deepEqual(
    [intrinsicOf({ optType: 'call', strike: 3_050 }, 3_000), handRange({ anchor: null })],
    [0, null],
  );
});

test('why an expiry waits, in words', () => {
  const source = (fresh: boolean) => ({ source: 'a', average: 1, fresh, last: 1, lastTs: 1 });
  const text = (reason: string, freshOnes: boolean[], dispersionBps: number | null = null) =>
    refusalText({ reason, sources: freshOnes.map(source), dispersionBps } as unknown as RefusedExpiry);
  assert.match(text('too few fresh sources', [true, false]), /^Only one price source had printed/);
  assert.match(text('too few fresh sources', []), /^No price source had printed/);
  assert.match(text('dispersion too wide', [true, true], 299.4), /2\.99% apart/);
  assert.match(text('something new', []), /something new/);
});

test('beside the chosen expiry stands the wanted one while it trades, else the next one, else the nearest before', () => {
  const listed = [T, T + HOUR, T + 2 * HOUR];
  const second = (first: number | null, wanted: number | null = null, nowS = T - 1) =>
    secondExpiry(listed, { first, wanted, nowMs: nowS * 1_000 });
  assert.equal(second(T), T + HOUR);
  assert.equal(second(T, T + 2 * HOUR), T + 2 * HOUR);
  assert.equal(second(T + 2 * HOUR, T + 2 * HOUR), T + HOUR);
  assert.equal(second(T + HOUR, T, T + 1), T + 2 * HOUR);
  assert.equal(second(T + 2 * HOUR, null, T + HOUR + 1), null);
  assert.equal(secondExpiry([], { first: null, wanted: null, nowMs: 0 }), null);
});
