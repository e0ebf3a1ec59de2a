import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Freshness } from './freshness.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

function setUp() {
  const time = { wall: NOW, steady: 1_000 };
  const clock = { wallMs: () => time.wall, steadyMs: () => time.steady };
  return { time, freshness: new Freshness(clock, 10_000) };
}

test('a timestamp is current from ten seconds ago to five ahead', () => {
  const { freshness } = setUp();
  for (const [offsetMs, fault] of [
    [0, null],
    [-10_000, null],
    [-10_001, 'history'],
    [5_000, null],
    [5_001, 'future'],
    [Number.NEGATIVE_INFINITY, 'history'],
  ] as const) {
    assert.equal(freshness.fault(NOW + offsetMs), fault, `${offsetMs}`);
  }
});

for (const stepMs of [HOUR_MS, -HOUR_MS]) {
  test(`a wall clock that steps by ${stepMs} ms shuts nothing out, before it steps back or after`, () => {
    const { time, freshness } = setUp();
    const pass = (ms: number) => {
      time.wall += ms;
      time.steady += ms;
    };
    pass(1_000);
    assert.equal(freshness.fault(NOW + 1_000), null);
    time.wall += stepMs;
    pass(60_000);
    assert.equal(freshness.fault(NOW + 61_000), null);
    assert.equal(freshness.fault(NOW - 600_000), stepMs > 0 ? 'history' : 'future');
    time.wall -= stepMs;
    pass(60_000);
    assert.equal(freshness.fault(NOW + 121_000), null);
  });
}

test('a wall clock that was wrong from the start is trusted once it is corrected', () => {
  const { time, freshness } = setUp();
  time.wall += HOUR_MS;
  const wrong = new Freshness({ wallMs: () => time.wall, steadyMs: () => time.steady }, 10_000);
  assert.equal(wrong.fault(NOW), 'history');
  assert.equal(freshness.fault(NOW), null);
  time.wall -= HOUR_MS;
  assert.equal(wrong.fault(NOW), null);
  time.wall += HOUR_MS;
  assert.equal(wrong.fault(NOW), null, 'what was right is remembered');
});
