import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PriceBoard } from './board.ts';
import { Mids } from './mids.ts';

const NOW = 1_800_000_000_000;

/** Books of one symbol on a manual clock. */
class Scene {
  nowMs = 0;
  readonly clock = { wallMs: () => NOW + this.nowMs, steadyMs: () => this.nowMs };
  readonly board = new PriceBoard({ outlierBps: 500, ageMaxMs: 10_000, clock: this.clock });
  readonly mids = new Mids({ source: 'mid', board: this.board, clock: this.clock });

  book(bid: number, ask: number): void {
    this.mids.update({ symbol: 'BTC', bid, ask, upstreamMs: undefined });
  }

  warm(): this {
    for (let i = 0; i < 5; i++) {
      this.nowMs += 300;
      this.book(99, 101);
    }
    assert.deepEqual(this.prices(), [100]);
    return this;
  }

  prices(): number[] {
    return this.board.take().map(({ price }) => price);
  }

  /** Lets seconds pass with the upstream alive or not; returns how often the midpoint was repeated. */
  pass(seconds: number, isAlive = true): number {
    let repeats = 0;
    for (let i = 0; i < seconds; i++) {
      this.nowMs += 1_000;
      if (isAlive) this.mids.alive();
      this.mids.repeat();
      repeats += this.prices().length;
    }
    return repeats;
  }
}

test('FEED-2: an unchanged book is repeated every five seconds while the upstream is alive', () => {
  assert.equal(new Scene().warm().pass(20), 4);
});

test('FEED-2: without a sign of life it is repeated for ten seconds at most', () => {
  assert.equal(new Scene().warm().pass(120, false), 1);
});

test('FEED-2: a book unchanged for five minutes is no longer a market', () => {
  const scene = new Scene().warm();
  assert.equal(scene.pass(300), 60);
  assert.equal(scene.pass(60), 0);
  scene.book(99, 101);
  assert.equal(scene.prices().length, 1);
});

test('a change of the book that leaves its midpoint is not published before the repeat is due', () => {
  const scene = new Scene().warm();
  scene.book(99.1, 100.9);
  assert.deepEqual(scene.prices(), []);
  scene.book(99.3, 100.9);
  assert.deepEqual(scene.prices(), [100.1]);
});

for (const [reason, bid, ask] of [
  ['crossed book', 101, 101],
  ['wide book', 98, 102],
  ['outlier', 199, 201],
  ['not a number', Number.NaN, 101],
  ['not a number', 99, Number.NaN],
  ['wide book', -2, -1],
] as const) {
  test(`a book of ${bid} to ${ask} is dropped as ${reason}, and the one before it is not repeated`, () => {
    const scene = new Scene().warm();
    scene.board.report();
    scene.book(bid, ask);
    assert.equal(scene.pass(30), 0);
    assert.match(scene.board.report(), new RegExp(`dropped: 1 ${reason}`));
  });
}
