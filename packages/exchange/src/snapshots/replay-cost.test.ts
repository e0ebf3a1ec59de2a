import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReplayCost, type Work } from './replay-cost.ts';

const LIVE = { isReplay: false };
const REPLAY = { isReplay: true };

/** A node that applies at its own speed and saves whenever a replay would take 5 s; its thread replays at that speed too. */
class Machine {
  readonly cost = new ReplayCost();
  readonly #slowness: number;
  readonly #replayRatio: number;
  saved = 0;
  longestReplayMs = 0;
  #since: Work = { replayedMs: 0, appliedMs: 0 };

  constructor(slowness: number, replayRatio: number) {
    this.#slowness = slowness;
    this.#replayRatio = replayRatio;
  }

  apply(workMs: number): void {
    const ms = workMs * this.#slowness;
    this.#since = { ...this.#since, appliedMs: this.#since.appliedMs + ms };
    this.cost.applied({ ms, ...LIVE });
    this.longestReplayMs = Math.max(this.longestReplayMs, this.#replayMs);
    if (this.cost.ms >= 5_000) this.#save();
  }

  get #replayMs(): number {
    return this.#since.replayedMs + this.#since.appliedMs * this.#replayRatio;
  }

  #save(): void {
    const { work } = this.cost;
    this.cost.covered(work);
    this.cost.learn(work, this.#replayMs);
    this.#since = { replayedMs: 0, appliedMs: 0 };
    this.saved += 1;
  }
}

describe('LOG-3: what a replay would take', () => {
  it('is what it took, for entries that were replayed', () => {
    const cost = new ReplayCost();
    cost.applied({ ms: 300, ...REPLAY });
    assert.equal(cost.ms, 300);
  });

  it('is twice what applying took, until somebody has replayed what was applied', () => {
    const cost = new ReplayCost();
    cost.applied({ ms: 300, ...LIVE });
    assert.equal(cost.ms, 600);
    cost.learn(cost.work, 1_200);
    assert.equal(cost.ms, 1_200);
  });

  it('is not learnt from entries most of which were replayed before', () => {
    const cost = new ReplayCost();
    cost.applied({ ms: 300, ...REPLAY });
    cost.applied({ ms: 200, ...LIVE });
    cost.learn(cost.work, 5_000);
    assert.equal(cost.ms, 300 + 400);
  });

  it('stays in bounds whatever was measured', () => {
    for (const [tookMs, ms] of [
      [0, 10],
      [1e9, 1_000],
    ] as const) {
      const cost = new ReplayCost();
      cost.applied({ ms: 100, ...LIVE });
      cost.learn(cost.work, tookMs);
      assert.equal(cost.ms, ms);
    }
  });

  it('leaves what came while a snapshot was made, however long that took', () => {
    const cost = new ReplayCost();
    cost.applied({ ms: 6_000, ...LIVE });
    const { work } = cost;
    for (let n = 0; n < 10; n++) cost.applied({ ms: 700, ...LIVE });
    cost.covered(work);
    assert.equal(cost.ms, 14_000);
  });

  it('of a quiet venue never reaches the limit', () => {
    const cost = new ReplayCost();
    for (let n = 0; n < 1_000_000; n++) cost.applied({ ms: 0, ...LIVE });
    assert.equal(cost.ms, 0);
  });

  it('stays below the limit on a slow machine and on one that replays slowly, in a burst as well', () => {
    for (const [slowness, replayRatio] of [
      [1, 1],
      [10, 1],
      [1, 6],
      [5, 4],
    ] as const) {
      const machine = new Machine(slowness, replayRatio);
      const name = `${slowness} times as slow, ${replayRatio} times as long to replay`;
      // The first snapshot teaches it.
      while (machine.saved === 0) machine.apply(10);
      machine.longestReplayMs = 0;
      for (let n = 0; n < 5_000; n++) machine.apply(1);
      for (let n = 0; n < 200; n++) machine.apply(50);
      assert.ok(machine.saved > 1, name);
      const longestStepMs = 50 * slowness * replayRatio;
      assert.ok(machine.longestReplayMs <= 5_000 + longestStepMs, `${name}: ${machine.longestReplayMs} ms`);
    }
  });

  it('counts by its own speed on each of two nodes that apply the same entries', () => {
    const [fast, slow] = [new Machine(1, 2), new Machine(4, 2)];
    for (let n = 0; n < 10_000; n++) for (const machine of [fast, slow]) machine.apply(1);
    assert.deepEqual([fast.saved, slow.saved], [4, 16]);
    // What the fast one saved costs the slow one more, which it counts as it replays that.
    const restarted = new ReplayCost();
    restarted.applied({ ms: 2_400 * 4 * 2, ...REPLAY });
    assert.ok(restarted.ms >= 5_000);
  });
});
