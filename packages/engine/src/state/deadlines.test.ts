import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Deadline, Deadlines } from './deadlines.ts';
import type { AccountIndex } from './ids.ts';

/** Ascending by deadline, timed orders before guards, then by number (DUE-1). */
function sorted(deadlines: Iterable<Deadline>): Deadline[] {
  const rank = (one: Deadline) =>
    one.kind === 'gtd' ? [one.atMs, 0, one.orderId] : [one.atMs, 1, one.account];
  return [...deadlines].sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    const i = x.findIndex((value, place) => value !== y[place]);
    return i < 0 ? 0 : x[i]! - y[i]!;
  });
}

function drained(deadlines: Deadlines, nowMs: number): Deadline[] {
  const taken: Deadline[] = [];
  for (let due = deadlines.due(nowMs); due !== null; due = deadlines.due(nowMs)) {
    taken.push(due);
    if (due.kind === 'gtd') deadlines.dropOrder(due.orderId);
    else deadlines.setGuard(due.account, null);
  }
  return taken;
}

/** A generator of whole numbers below a limit, the same in every run. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

describe('DUE-1 deadlines', () => {
  for (let seed = 1; seed <= 50; seed++) {
    test(`come in order whatever was added, replaced and dropped, seed ${seed}`, () => {
      const below = seeded(seed);
      const deadlines = new Deadlines();
      for (let id = 1; id <= 200; id++) {
        deadlines.setOrder(id, below(40));
        if (below(3) === 0) deadlines.dropOrder(1 + below(id));
        if (below(3) === 0) deadlines.setGuard(below(20) as AccountIndex, below(5) === 0 ? null : below(40));
      }
      const expected = sorted(deadlines);
      const early = drained(deadlines, 19);
      assert.deepEqual(early, expected.slice(0, early.length));
      assert.ok(early.every(({ atMs }) => atMs <= 19));
      assert.deepEqual(drained(deadlines, 40), expected.slice(early.length));
    });
  }

  test('a guard that is renewed leaves nothing behind', () => {
    const deadlines = new Deadlines();
    for (let i = 0; i < 10_000; i++) deadlines.setGuard(3 as AccountIndex, i);
    assert.equal([...deadlines].length, 1);
    assert.equal(deadlines.guardOf(3 as AccountIndex), 9_999);
  });

  test('what is not due costs nothing: 100,000 pending ones are not looked at', () => {
    const deadlines = new Deadlines();
    for (let id = 1; id <= 100_000; id++) deadlines.setOrder(id, 1_000_000 + ((id * 7_919) % 100_000));
    const before = process.cpuUsage();
    let found = 0;
    for (let i = 0; i < 1_000_000; i++) if (deadlines.due(i) !== null) found += 1;
    const { user, system } = process.cpuUsage(before);
    const nsPerLook = ((user + system) * 1e3) / 1_000_000;
    assert.equal(found, 0);
    // A look at every pending deadline would take 100 µs or more.
    assert.ok(nsPerLook < 10_000, `${nsPerLook} ns a look`);
  });
});
