import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, VenueClock } from './venue-clock.ts';

const VENUE_MS = Date.UTC(2026, 10, 22, 12, 0, 0);

function clockAt(machineMs: number, answer: () => Promise<string | null>) {
  const aheads: number[] = [];
  let elapsedMs = 0;
  const clock = new VenueClock({
    readDate: async () => {
      elapsedMs += 200;
      return answer();
    },
    onAhead: (ms) => aheads.push(ms),
    machineNow: () => machineMs + elapsedMs,
  });
  return { clock, aheads };
}

test('a clock that is minutes off follows the venue to within a second', async () => {
  for (const offMs of [7 * 60_000, -7 * 60_000, 3_000]) {
    const { clock, aheads } = clockAt(VENUE_MS + offMs, async () => new Date(VENUE_MS).toUTCString());
    assert.ok(Math.abs(clock.now() - VENUE_MS - offMs) < 1, 'the machine before the first measurement');
    await clock.measure();
    assert.ok(Math.abs(clock.now() - VENUE_MS) < 1_000);
    assert.ok(Math.abs(aheads[0]! + offMs) < 1_000);
  }
});

test("a difference below the header's resolution is ignored", async () => {
  for (const offMs of [0, 400, 900]) {
    const { clock } = clockAt(VENUE_MS + offMs, async () => new Date(VENUE_MS).toUTCString());
    const before = clock.now();
    await clock.measure();
    assert.equal(clock.now() - before, 200);
  }
});

test('without an answer, or a date in it, the time stays unchanged', async () => {
  let answer = async (): Promise<string | null> => new Date(VENUE_MS + 60_000).toUTCString();
  const { clock } = clockAt(VENUE_MS, () => answer());
  await clock.measure();
  const known = clock.now() - VENUE_MS;
  for (const next of [async () => null, async () => 'soon', () => Promise.reject(new Error('gone'))]) {
    answer = next;
    await clock.measure();
  }
  assert.ok(Math.abs(clock.now() - VENUE_MS - known) < 1_000);
  assert.ok(known > 59_000);
});

test('a wrong clock is reported from half a minute on, with its direction', () => {
  assert.equal(clockText(29_000), null);
  assert.match(clockText(45_000)!, /45 s slow/);
  assert.match(clockText(-7 * 60_000)!, /7 min fast/);
  assert.match(clockText(-5 * 3_600_000)!, /5 h fast/);
});
