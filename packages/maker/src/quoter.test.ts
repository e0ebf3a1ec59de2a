import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instrument, Series } from '@venue/protocol';
import { Quoter } from './quoter.ts';

const NOW_MS = 1_790_000_000_000;
const EXPIRY_TS = NOW_MS / 1_000 + 7 * 24 * 3_600;

function series(sid: number, strike: number, symbol = 'BTC'): Series {
  const seriesId = `${symbol}-${EXPIRY_TS}-C-${strike}`;
  return {
    seriesId,
    sid,
    symbol,
    expiryTs: EXPIRY_TS,
    expiryCutoffMs: EXPIRY_TS * 1_000,
    right: 'C',
    strike,
  };
}

function spot(price: number, feedFresh = true, symbol = 'BTC'): Instrument {
  return { symbol, spot: price, feedFresh };
}

/** A quoter whose ladders stand at the spot of 95,000. */
function standing(list: readonly Series[] = [series(1, 95_000), series(2, 160_000)]): Quoter {
  const quoter = new Quoter();
  quoter.load(list);
  quoter.confirm(quoter.due([spot(95_000)], NOW_MS));
  return quoter;
}

function sids(changes: ReturnType<Quoter['due']>): number[] {
  return changes.map(({ row }) => row[0]);
}

test('at first every series is due, with both annotations', () => {
  const quoter = new Quoter();
  quoter.load([series(1, 95_000), series(2, 160_000)]);
  const changes = quoter.due([spot(95_000)], NOW_MS);
  assert.deepEqual(sids(changes), [1, 2]);
  const [, bids, asks, iv, delta] = changes[0]!.row;
  assert.ok(bids!.length === 3 && asks!.length === 3);
  assert.ok(iv! > 0.4 && iv! < 0.8 && delta! > 0.4 && delta! < 0.6);
});

test('rows that were not confirmed stay due', () => {
  const quoter = new Quoter();
  quoter.load([series(1, 95_000)]);
  quoter.due([spot(95_000)], NOW_MS);
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [1]);
});

test('a small move leaves the ladders, a larger one moves the rows it matters to', () => {
  const quoter = standing();
  assert.equal(quoter.quotedCount, 2);
  assert.deepEqual(sids(quoter.due([spot(95_001)], NOW_MS + 500)), []);
  assert.deepEqual(sids(quoter.due([spot(95_200)], NOW_MS + 500)), [1]);
});

test('many small moves add up', () => {
  const quoter = standing();
  let moved = 0;
  for (let i = 1; i <= 200; i++) {
    const changes = quoter.due([spot(95_000 + i)], NOW_MS + i);
    quoter.confirm(changes);
    moved += changes.length;
  }
  assert.ok(moved >= 2 && moved <= 20, `${moved} rows`);
});

test('a ladder that stands is sent again after a while, and at once after a trade in its series', () => {
  const quoter = standing();
  quoter.forget(series(2, 160_000).seriesId);
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [2]);
  assert.deepEqual(sids(standing().due([spot(95_000)], NOW_MS + 120_000)), [1, 2]);
});

test('a stale price pulls the quotes of its symbol once, a fresh one brings them back', () => {
  const list = [series(1, 95_000), series(3, 3_300, 'ETH')];
  const quoter = new Quoter();
  quoter.load(list);
  quoter.confirm(quoter.due([spot(95_000), spot(3_300, true, 'ETH')], NOW_MS));
  const stale = [spot(95_000, false), spot(3_300, true, 'ETH')];
  const pulls = quoter.due(stale, NOW_MS);
  assert.deepEqual(
    pulls.map(({ row }) => row),
    [[1, [], []]],
  );
  quoter.confirm(pulls);
  assert.equal(quoter.quotedCount, 1);
  assert.deepEqual(quoter.due(stale, NOW_MS), []);
  assert.deepEqual(sids(quoter.due([spot(95_000), spot(3_300, true, 'ETH')], NOW_MS)), [1]);
});

test('after a lost connection every ladder is due', () => {
  const quoter = standing();
  quoter.forgetAll();
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [1, 2]);
});

test('LIST-5: aliases that were renumbered make every ladder due, new listings only their own', () => {
  const grown = standing();
  grown.load([series(1, 95_000), series(2, 160_000), series(3, 96_000)]);
  assert.deepEqual(sids(grown.due([spot(95_000)], NOW_MS)), [3]);
  const renumbered = standing();
  renumbered.load([series(2, 95_000), series(1, 160_000)]);
  assert.deepEqual(sids(renumbered.due([spot(95_000)], NOW_MS)), [2, 1]);
});

test('an expired series is not quoted, and the list is out of date', () => {
  const quoter = standing();
  assert.equal(quoter.isOutdated(NOW_MS), false);
  assert.equal(quoter.isOutdated(EXPIRY_TS * 1_000), true);
  assert.deepEqual(quoter.due([spot(99_000)], EXPIRY_TS * 1_000), []);
});

test('at the end everything that may stand is pulled', () => {
  assert.deepEqual(
    standing()
      .pullAll(NOW_MS)
      .map(({ row }) => row),
    [
      [1, [], []],
      [2, [], []],
    ],
  );
});
