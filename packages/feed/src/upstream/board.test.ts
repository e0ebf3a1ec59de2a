import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Observation, PriceBoard } from './board.ts';

const NOW = 1_800_000_000_000;

class Scene {
  nowMs = 0;
  readonly board = new PriceBoard({
    outlierBps: 500,
    ageMaxMs: 10_000,
    clock: { wallMs: () => NOW + this.nowMs, steadyMs: () => this.nowMs },
  });

  /** Offers one price half a second later; returns whether it was published. */
  offer(price: number, more: Partial<Observation> = {}): boolean {
    this.nowMs += 500;
    this.board.offer({ symbol: 'BTC', source: 'a', price, ...more });
    return this.board.take().length > 0;
  }

  warm(): this {
    for (let i = 0; i < 5; i++) this.offer(100);
    assert.match(this.board.report(), /^dropped: 4 outlier$/);
    return this;
  }
}

for (const [name, price] of [
  ['not positive', 0],
  ['not positive', -0],
  ['not positive', -100],
  ['not a number', Number.NaN],
  ['not a number', Number.POSITIVE_INFINITY],
  ['not representable', 0.0000004],
  ['not representable', 1e300],
  ['outlier', 9_000_000],
  ['outlier', 0.01],
] as const) {
  test(`FEED-1: a price of ${price} is dropped as ${name}`, () => {
    const scene = new Scene().warm();
    assert.equal(scene.offer(price), false);
    assert.equal(scene.board.report(), `dropped: 1 ${name}`);
    assert.equal(scene.offer(100), true);
  });
}

test('NUM-2: a price finer than a micro is rounded to the nearest', () => {
  const scene = new Scene().warm();
  scene.board.offer({ symbol: 'BTC', source: 'a', price: 100.00000051 });
  assert.deepEqual(scene.board.take(), [{ symbol: 'BTC', source: 'a', price: 100.000001 }]);
});

test('an id counts once, for one channel', () => {
  const scene = new Scene().warm();
  assert.equal(scene.offer(100, { id: '7' }), true);
  assert.equal(scene.offer(101, { id: '7' }), false);
  assert.equal(scene.board.report(), 'dropped: 1 duplicate');
});

test('a repeated outlier confirms nothing', () => {
  const scene = new Scene().warm();
  for (let i = 0; i < 20; i++) assert.equal(scene.offer(200, { id: '8' }), false);
  assert.equal(scene.board.report(), 'dropped: 19 duplicate, 1 outlier');
});

test('old, future and out-of-order prices are dropped', () => {
  const scene = new Scene().warm();
  const at = (offsetMs: number) => ({ upstreamMs: NOW + scene.nowMs + offsetMs });
  assert.equal(scene.offer(100, at(-20_000)), false);
  assert.equal(scene.offer(100, at(20_000)), false);
  assert.equal(scene.offer(100, at(0)), true);
  assert.equal(scene.offer(100, at(-2_000)), false);
  assert.equal(scene.board.report(), 'dropped: 2 history, 1 future');
});

test('an upstream whose clock goes back is accepted again within seconds', () => {
  const scene = new Scene().warm();
  let dropped = 0;
  assert.equal(scene.offer(100, { upstreamMs: NOW + scene.nowMs + 4_000 }), true);
  while (!scene.offer(100, { upstreamMs: NOW + scene.nowMs - 5_000 })) dropped += 1;
  assert.ok(dropped > 0 && dropped < 30, `${dropped}`);
});

test('only the latest price of a channel is taken, once', () => {
  const scene = new Scene().warm();
  for (const price of [100, 101, 102]) scene.board.offer({ symbol: 'BTC', source: 'a', price });
  assert.deepEqual(scene.board.take(), [{ symbol: 'BTC', source: 'a', price: 102 }]);
  assert.deepEqual(scene.board.take(), []);
});

test('the report names silent channels, and starts afresh', () => {
  const scene = new Scene().warm();
  scene.board.expect('ETH', 'a');
  scene.offer(100);
  assert.equal(scene.board.report(), 'dropped: nothing; silent: ETH a');
  scene.nowMs += 60_000;
  assert.equal(scene.board.report(), 'dropped: nothing; silent: BTC a, ETH a');
});
