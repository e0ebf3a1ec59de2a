import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW_MS, positionOf, seriesOf, shippedParameters } from '../test/market.ts';
import { Inventory } from './inventory.ts';
import { type Attempt, Obstacles } from './obstacles.ts';
import { type Change, Quoter } from './quoter.ts';

const PACE_MS = 3_000;
const WINDOW_MS = 10_000;
const AMPLE = { qty: 1_000, delta: 1_000, windowMs: WINDOW_MS };
/** A fee that leaves the quotes' own prices, and one above any half spread. */
const [SMALL_FEE_BPS, LARGE_FEE_BPS] = [0, 1_000];

function obstacles(takerFeeBps = SMALL_FEE_BPS): Obstacles {
  return new Obstacles({ patienceMs: PACE_MS, takerFeeBps });
}

/** Rows at the money as a push sends them, so long after the first. */
function rows(count: number, { afterMs = 0, held = 0 } = {}): Change[] {
  const list = Array.from({ length: count }, (_, i) => seriesOf({ sid: i + 1, strike: 94_000 + 100 * i }));
  const inventory = new Inventory();
  inventory.replace({
    positions: list.map((series) => positionOf(series, held)),
    ...{ exposure: 0, houseLine: 1e12 },
  });
  const quoter = new Quoter({ parameters: shippedParameters(), inventory, paceMs: 0 });
  quoter.load(list);
  return quoter.due([{ symbol: 'BTC', spot: 95_000, feedFresh: true }], NOW_MS + afterMs);
}

/** Counts the pending rows and the attempts of each push, for pushes at the given times that bar every row. */
function triedAt(known: Obstacles, count: number, times: readonly number[], filled = 0, allowance = AMPLE) {
  return times.map((afterMs) => {
    const pending = known.pending(rows(count, { afterMs }));
    const attempts = known.due(pending, allowance);
    for (const attempt of attempts) known.tried(attempt, filled, allowance);
    return [pending.length, attempts.length];
  });
}

function onlyAttempt(known: Obstacles, make: (afterMs: number) => Change[]): Attempt | undefined {
  known.due(known.pending(make(0)), AMPLE);
  return known.due(known.pending(make(PACE_MS)), AMPLE)[0];
}

test('MM-5: what is in the way for a pace is taken, at the price and size of the quote of either side', () => {
  const attempt = onlyAttempt(obstacles(), (afterMs) => rows(1, { afterMs }))!;
  const [, bids, asks] = attempt.change.row;
  const common = { type: 'place', seriesId: attempt.change.series.seriesId, tif: 'ioc' };
  assert.deepEqual(attempt.orders, [
    { ...common, side: 'sell', price: asks![0]![0], qty: asks![0]![1] },
    { ...common, side: 'buy', price: bids![0]![0], qty: bids![0]![1] },
  ]);
});

test('MM-5: what moves within a pace is left alone', () => {
  const known = obstacles();
  assert.deepEqual(triedAt(known, 1, [0, PACE_MS - 1]), [
    [1, 0],
    [1, 0],
  ]);
  known.clear(rows(1, { afterMs: PACE_MS }));
  assert.deepEqual(triedAt(known, 1, [PACE_MS + 1]), [[1, 0]], 'a later one waits again');
});

test('MM-5: after an attempt that traded, the next comes a pace later; after one in vain, none for 10 s', () => {
  assert.deepEqual(triedAt(obstacles(), 1, [0, 3_000, 5_999, 6_000], 0.1), [
    [1, 0],
    [1, 1],
    [1, 0],
    [1, 1],
  ]);
  assert.deepEqual(triedAt(obstacles(), 1, [0, 3_000, 6_000, 12_999, 13_000, 16_000]), [
    [1, 0],
    [1, 1],
    [0, 0],
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
});

test('MM-5: no more is taken in a window than the allowance, in contracts and in delta', () => {
  const size = rows(1)[0]!.row[2]![0]![1];
  const times = [0, 3_000, 6_000, 12_999, 13_000];
  const counts = (qty: number, delta: number) =>
    triedAt(obstacles(), 3, times, size, { qty, delta, windowMs: WINDOW_MS }).map(([, tried]) => tried);
  assert.deepEqual(counts(4.5 * size, 1_000), [0, 3, 1, 0, 3]);
  assert.deepEqual(counts(1_000, 1.8 * size), [0, 3, 0, 0, 3], 'three of a delta of about a half');
});

test('MM-5: a batch has two orders a row, and no more than the venue takes', () => {
  assert.deepEqual(triedAt(obstacles(), 40, [0, PACE_MS]), [
    [40, 0],
    [40, 32],
  ]);
});

test('MM-5: nothing is taken for less than the centre after the fee', () => {
  const { change, orders } = onlyAttempt(obstacles(LARGE_FEE_BPS), (afterMs) => rows(1, { afterMs }))!;
  const { centre } = change.sent.quote!;
  const [sell, buy] = orders.map(({ price }) => Number(price));
  assert.ok(sell! > change.row[2]![0]![0] && sell! * 0.9 >= centre && sell! * 0.9 < centre + 5);
  assert.ok(buy! < change.row[1]![0]![0] && buy! * 1.1 <= centre && buy! * 1.1 > centre - 6);
});

test('MM-5: a side without room takes nothing, although its far ask is quoted', () => {
  const short = onlyAttempt(obstacles(), (afterMs) => rows(1, { afterMs, held: -1_000 }))!;
  assert.deepEqual([short.change.row[2]!.length, short.orders.map(({ side }) => side)], [1, ['buy']]);
});
