import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Instrument, Series } from '@venue/protocol';
import { accountOf, NOW_MS, positionOf, seriesOf, shippedParameters } from '../test/market.ts';
import { Inventory } from './inventory.ts';
import { type Change, Quoter } from './quoter.ts';
import type { Quote } from './symbol-quoter.ts';

const EXPIRY_TS = seriesOf({ sid: 0, strike: 1 }).expiryTs;

function series(sid: number, strike: number, symbol = 'BTC'): Series {
  return seriesOf({ sid, strike, symbol });
}

function newQuoter(inventory = new Inventory()): Quoter {
  return new Quoter({ parameters: shippedParameters(), inventory, paceMs: 0 });
}

function spot(price: number, feedFresh = true, symbol = 'BTC'): Instrument {
  return { symbol, spot: price, feedFresh };
}

/** A quoter whose ladders stand at the spot of 95,000. */
function standing(list: readonly Series[] = [series(1, 95_000), series(2, 160_000)]): Quoter {
  const quoter = newQuoter();
  quoter.load(list);
  quoter.confirm(quoter.due([spot(95_000)], NOW_MS));
  return quoter;
}

function sids(changes: ReturnType<Quoter['due']>): number[] {
  return changes.map(({ row }) => row[0]);
}

test('at first every series is due, with both annotations', () => {
  const quoter = newQuoter();
  quoter.load([series(1, 95_000), series(2, 160_000)]);
  const changes = quoter.due([spot(95_000)], NOW_MS);
  assert.deepEqual(sids(changes), [1, 2]);
  const [, bids, asks, iv, delta] = changes[0]!.row;
  assert.ok(bids!.length === 2 && asks!.length === 2);
  assert.ok(iv! > 0.4 && iv! < 0.8 && delta! > 0.4 && delta! < 0.6);
});

test('rows that were not confirmed stay due', () => {
  const quoter = newQuoter();
  quoter.load([series(1, 95_000)]);
  quoter.due([spot(95_000)], NOW_MS);
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [1]);
});

test('a small move leaves the ladders, a larger one moves the rows it affects', () => {
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

test('a standing ladder is sent again after a while, and immediately after a trade in its series', () => {
  const quoter = standing();
  quoter.forget(series(2, 160_000).seriesId);
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [2]);
  assert.deepEqual(sids(standing().due([spot(95_000)], NOW_MS + 120_000)), [1, 2]);
});

test('a stale price pulls the quotes of its symbol once, a fresh one brings them back', () => {
  const list = [series(1, 95_000), series(3, 3_300, 'ETH')];
  const quoter = newQuoter();
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

describe('thrift', () => {
  const paced = () => {
    const quoter = new Quoter({ parameters: shippedParameters(), inventory: new Inventory(), paceMs: 3_000 });
    quoter.load([series(1, 95_000), series(2, 96_000)]);
    quoter.confirm(quoter.due([spot(95_000)], NOW_MS));
    return quoter;
  };
  /** Half spreads by which the first series moves with a dollar of the spot. */
  const share = (quoter: Quoter) => {
    const [{ value, halfSpread }] = [...quoter.standing()] as [Quote];
    return value.delta / halfSpread;
  };

  test('what may go waits for the pace of its symbol', () => {
    const quoter = paced();
    const moved = [spot(95_000 + 0.7 / share(quoter))];
    assert.deepEqual(sids(quoter.due(moved, NOW_MS + 1_500)), []);
    assert.ok(sids(quoter.due(moved, NOW_MS + 3_000)).includes(1));
  });

  test('what must go does not: no quote stands through fair value', () => {
    const quoter = paced();
    const moved = [spot(95_000 + 0.85 / share(quoter))];
    assert.ok(sids(quoter.due(moved, NOW_MS + 100)).includes(1));
    const stale = paced();
    assert.deepEqual(sids(stale.due([spot(95_000, false)], NOW_MS + 100)), [1, 2]);
  });

  test('a move that does not matter is never sent', () => {
    const quoter = paced();
    const moved = [spot(95_000 + 0.5 / share(quoter))];
    for (let ms = 3_000; ms < 100_000; ms += 3_000) assert.deepEqual(quoter.due(moved, NOW_MS + ms), []);
  });

  test('what is sent again to be sure is what stands', () => {
    const quoter = paced();
    const [first] = quoter.due([spot(95_000)], NOW_MS + 120_000);
    const fresh = newQuoter();
    fresh.load([series(1, 95_000), series(2, 96_000)]);
    assert.deepEqual(first!.row.slice(0, 3), fresh.due([spot(95_000)], NOW_MS)[0]!.row.slice(0, 3));
    const [moved] = quoter.due([spot(95_000 + 0.5 / share(quoter))], NOW_MS + 130_000);
    assert.deepEqual(moved!.row.slice(0, 3), first!.row.slice(0, 3));
  });

  test('RSK-2: annotations go along when they have drifted, and before a day has passed', () => {
    const quoter = paced();
    const rows = quoter.due([spot(95_000 + 0.85 / share(quoter))], NOW_MS + 100).map(({ row }) => row.length);
    assert.ok(rows.every((length) => length === 3));
    const far = quoter.due([spot(97_000)], NOW_MS + 200).map(({ row }) => row.length);
    assert.ok(far.every((length) => length === 5));
    const later = paced()
      .due([spot(95_000)], NOW_MS + 7 * 3_600_000)
      .map(({ row }) => row.length);
    assert.ok(later.every((length) => length === 5));
  });
});

test('QTS-2: the levels of a symbol are bounded, and later expiries have fewer', () => {
  const near = [1, 2].map((sid) => seriesOf({ sid, strike: 95_000 + sid, days: 7 }));
  const later = [3, 4].map((sid) => seriesOf({ sid, strike: 95_000 + sid, days: 30 }));
  const last = [5, 6].map((sid) => seriesOf({ sid, strike: 95_000 + sid, days: 60 }));
  const levelsAt = (levelsMax: number) => {
    const levelsMaxOf = () => levelsMax;
    const options = { parameters: shippedParameters(), inventory: new Inventory(), paceMs: 0, levelsMaxOf };
    const quoter = new Quoter(options);
    quoter.load([...last, ...later, ...near]);
    const rows = quoter.due([spot(95_000)], NOW_MS).map(({ row }) => row);
    return rows.sort(([a], [b]) => a - b).map(([, bids, asks]) => bids!.length + asks!.length);
  };
  assert.deepEqual(levelsAt(24), [4, 4, 4, 4, 4, 4]);
  assert.deepEqual(levelsAt(19), [4, 4, 2, 2, 2, 2]);
  assert.deepEqual(levelsAt(13), [2, 2, 2, 2, 2, 2]);
  assert.deepEqual(levelsAt(11), [2, 2, 2, 2, 0, 0], 'what is not quoted is pulled');
});

test('QTS-2: each symbol has the levels that its account leaves it beside the others', () => {
  const levelsMaxOf = (symbol: string, symbols: readonly string[]) => {
    assert.deepEqual(symbols.toSorted(), ['BTC', 'ETH']);
    return symbol === 'BTC' ? 4 : 5;
  };
  const options = { parameters: shippedParameters(), inventory: new Inventory(), paceMs: 0, levelsMaxOf };
  const quoter = new Quoter(options);
  quoter.load([series(1, 95_000), series(2, 95_500), { ...series(3, 3_300), symbol: 'ETH' }]);
  const changes = quoter.due([spot(95_000), spot(3_300, true, 'ETH')], NOW_MS);
  const levels = changes.map(({ series: { sid }, row }) => [sid, row[1]!.length + row[2]!.length]);
  assert.deepEqual(levels.sort(), [
    [1, 2],
    [2, 2],
    [3, 4],
  ]);
});

test('QTS-2: annotations go along again when levels come back', () => {
  const quoter = standing();
  const lengths = (changes: readonly Change[]) => changes.map(({ row }) => row.length);
  const pulls = quoter.due([spot(95_000, false)], NOW_MS + 100);
  assert.deepEqual(lengths(pulls), [3, 3]);
  quoter.confirm(pulls);
  assert.deepEqual(lengths(quoter.due([spot(95_000)], NOW_MS + 200)), [5, 5]);
});

test('after a lost connection every ladder is due', () => {
  const quoter = standing();
  quoter.forgetAll();
  assert.deepEqual(sids(quoter.due([spot(95_000)], NOW_MS)), [1, 2]);
});

test('LIST-5: renumbered aliases make every ladder due, new listings only their own', () => {
  const grown = standing();
  grown.load([series(1, 95_000), series(2, 160_000), series(3, 96_000)]);
  assert.deepEqual(sids(grown.due([spot(95_000)], NOW_MS)), [3]);
  const renumbered = standing();
  renumbered.load([series(2, 95_000), series(1, 160_000)]);
  assert.deepEqual(sids(renumbered.due([spot(95_000)], NOW_MS)), [2, 1]);
});

test('an expired series is not quoted, and outdates the list', () => {
  const quoter = standing();
  assert.equal(quoter.isOutdated(NOW_MS), false);
  assert.equal(quoter.isOutdated(EXPIRY_TS * 1_000), true);
  assert.deepEqual(quoter.due([spot(99_000)], EXPIRY_TS * 1_000), []);
});

test('a fill changes the room, so the ladders that lost a side are due', () => {
  const list = [series(1, 95_000), series(2, 100_000)];
  const inventory = new Inventory();
  const quoter = newQuoter(inventory);
  quoter.load(list);
  quoter.confirm(quoter.due([spot(95_000)], NOW_MS));
  // The whole of the position limit.
  inventory.replace(accountOf({ positions: [positionOf(list[1]!, 30)] }));
  const changes = quoter.due([spot(95_000)], NOW_MS);
  const change = changes.find(({ row }) => row[0] === 2);
  assert.deepEqual([change?.row[1], change?.row[2]?.length], [[], 2]);
  inventory.replace(accountOf({ positions: [positionOf(list[1]!, -30)] }));
  const shut = quoter.due([spot(95_000)], NOW_MS).find(({ row }) => row[0] === 2);
  assert.deepEqual([shut?.row[1]?.length, shut?.row[2]?.map(([, qty]) => qty)], [2, [0.01]]);
});

test('quotes to remove go first, then those that waited longest', () => {
  const quoter = newQuoter();
  quoter.load([series(1, 95_000), series(2, 96_000), series(3, 3_300, 'ETH')]);
  const both = [spot(95_000), spot(3_300, true, 'ETH')];
  const all = quoter.due(both, NOW_MS);
  quoter.confirm(all.filter(({ row }) => row[0] === 1));
  quoter.confirm(quoter.due(both, NOW_MS + 1_000).filter(({ row }) => row[0] === 3));
  assert.deepEqual(sids(quoter.due([spot(105_000), spot(3_300, false, 'ETH')], NOW_MS + 2_000)), [3, 2, 1]);
});

test('MARK-1: a series marked far above its value goes first, once per read of the account', () => {
  const list = [series(1, 95_000), series(2, 100_000), series(3, 3_300, 'ETH')];
  const inventory = new Inventory();
  const quoter = newQuoter(inventory);
  quoter.load(list);
  const both = [spot(95_000), spot(3_300, true, 'ETH')];
  quoter.confirm(quoter.due(both, NOW_MS));
  const fair = quoter.fairOf(list[1]!.seriesId)!;
  const marked = (mark: number) =>
    inventory.replace(accountOf({ positions: [{ ...positionOf(list[1]!, -1), mark }] }));
  marked(fair);
  assert.deepEqual(sids(quoter.due(both, NOW_MS)), []);
  marked(90_000);
  const stale = [both[0]!, spot(3_300, false, 'ETH')];
  const changes = quoter.due(stale, NOW_MS);
  assert.deepEqual(sids(changes), [2, 3]);
  assert.deepEqual(sids(quoter.due(both, NOW_MS)), [2], 'until it was taken');
  quoter.confirm(changes);
  assert.deepEqual(sids(quoter.due(stale, NOW_MS)), []);
  marked(90_000);
  assert.deepEqual(sids(quoter.due(stale, NOW_MS)), [2]);
});

test('HOUSE-1: a line full at the maker’s own values stops opening trades, and marks never do', () => {
  const [first] = [series(1, 95_000)];
  const inventory = new Inventory();
  const quoter = newQuoter(inventory);
  quoter.load([first!, series(2, 100_000)]);
  quoter.confirm(quoter.due([spot(95_000)], NOW_MS));
  const held = { ...positionOf(first!, -1), mark: 1e9 };
  const bidsWithLine = (houseLine: number) => {
    inventory.replace(accountOf({ houseLine, exposure: 1e9, positions: [held] }));
    quoter.forgetAll();
    return quoter.due([spot(95_000)], NOW_MS).map(({ row }) => row[1]!.length > 0);
  };
  // One short at the money: 20 % of 95,000 and some premium.
  assert.deepEqual(bidsWithLine(100_000), [true, true]);
  assert.deepEqual(bidsWithLine(30_000), [true, false]);
});

test('fair value is that of the last round', () => {
  const quoter = standing();
  const { seriesId } = series(1, 95_000);
  const before = quoter.fairOf(seriesId)!;
  quoter.due([spot(96_000)], NOW_MS);
  assert.ok(before > 0 && quoter.fairOf(seriesId)! > before);
  assert.equal(quoter.fairOf('BTC-1-C-1'), null);
});

test('a symbol without series is unknown', () => {
  const quoter = standing();
  assert.deepEqual([quoter.knows('BTC'), quoter.knows('ETH')], [true, false]);
  quoter.load([]);
  assert.deepEqual([quoter.knows('BTC'), quoter.quotedCount], [false, 0]);
  assert.deepEqual(quoter.due([spot(95_000)], NOW_MS), []);
});
