import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { State } from '@venue/engine';
import { DeadlineTimer } from './deadline-timer.ts';

const START_MS = 1_000_000;
const DAY_MS = 86_400_000;

/** A node with its deadlines and a log, on a clock that the test moves. */
class Node {
  readonly timer: DeadlineTimer;
  /** When an entry was proposed, since the start. */
  readonly proposedMs: number[] = [];
  /** How late each deadline was carried out. */
  readonly lateMs: number[] = [];
  /** The clock's lead over the time that has passed. */
  jumpMs = 0;
  isRefusing = false;
  readonly #deadlines: number[];
  /** How far the clock of the log is behind the node's. */
  readonly #logBehindMs: number;

  constructor(t: TestContext, { deadlines, logBehindMs = 0 }: { deadlines: number[]; logBehindMs?: number }) {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
    t.after(() => mock.timers.reset());
    this.#deadlines = deadlines.map((ms) => START_MS + ms);
    this.#logBehindMs = logBehindMs;
    const nextMs = () => this.#deadlines[0] ?? null;
    const deadlines_ = Object.defineProperty({}, 'nextMs', { get: nextMs });
    this.timer = new DeadlineTimer({
      state: { deadlines: deadlines_ } as State,
      sequencer: { submit: () => this.#submit() },
      now: () => this.#now(),
    });
    this.timer.begin();
  }

  async pass(ms: number): Promise<void> {
    for (let i = 0; i < ms; i++) {
      mock.timers.tick(1);
      await turn();
    }
  }

  add(ms: number): void {
    this.#deadlines.push(START_MS + ms);
    this.#deadlines.sort((a, b) => a - b);
    this.timer.applied();
  }

  #now(): number {
    return Date.now() + this.jumpMs;
  }

  async #submit(): Promise<never> {
    this.proposedMs.push(Date.now() - START_MS);
    if (this.isRefusing) throw new Error('the log is full');
    const ts = this.#now() - this.#logBehindMs;
    while (this.#deadlines.length > 0 && this.#deadlines[0]! <= ts)
      this.lateMs.push(ts - this.#deadlines.shift()!);
    this.timer.applied();
    return undefined as never;
  }
}

describe('DUE-1: a node proposes an entry for the next deadline', () => {
  it('when it is due and not before, and none where nothing is', async (t) => {
    const node = new Node(t, { deadlines: [700] });
    await node.pass(3_000);
    assert.deepEqual(node.proposedMs, [700]);
    node.add(3_500);
    node.add(3_200);
    await node.pass(1_000);
    assert.deepEqual(node.proposedMs, [700, 3_200, 3_500]);
  });

  it('within 50 ms of every one of a thousand, by far fewer entries', async (t) => {
    const node = new Node(t, { deadlines: Array.from({ length: 1_000 }, (_, i) => 500 + i) });
    await node.pass(2_000);
    assert.equal(node.lateMs.length, 1_000);
    assert.ok(Math.max(...node.lateMs) <= 50, `${Math.max(...node.lateMs)}`);
    assert.ok(node.proposedMs.length <= 1_000 / 40 + 2, `${node.proposedMs.length}`);
  });

  it('and again ever more rarely where the clock of the log is behind, until it is there', async (t) => {
    const node = new Node(t, { deadlines: [100], logBehindMs: 10_000 });
    await node.pass(9_000);
    assert.ok(node.proposedMs.length < 15, `${node.proposedMs.length}`);
    await node.pass(3_000);
    assert.equal(node.lateMs.length, 1);
  });

  it('and goes on after a log that took nothing', async (t) => {
    const node = new Node(t, { deadlines: [100] });
    node.isRefusing = true;
    await node.pass(5_000);
    assert.ok(node.proposedMs.length < 11, `${node.proposedMs.length}`);
    node.isRefusing = false;
    await node.pass(1_500);
    assert.equal(node.lateMs.length, 1);
  });

  it('once for all that a jump of the clock makes due, and never while it is behind', async (t) => {
    const node = new Node(t, { deadlines: [60_000, 120_000, 50 * DAY_MS] });
    await node.pass(100);
    node.jumpMs = DAY_MS;
    await node.pass(1_100);
    assert.deepEqual([node.proposedMs.length, node.lateMs.length], [1, 2]);
    node.jumpMs = -DAY_MS;
    await node.pass(3_000);
    assert.equal(node.proposedMs.length, 1);
  });

  it('not once it has stopped', async (t) => {
    const node = new Node(t, { deadlines: [100] });
    await node.pass(1_100);
    assert.equal(node.proposedMs.length, 1);
    node.add(5_000);
    await node.timer.stop();
    await node.pass(6_000);
    assert.equal(node.proposedMs.length, 1);
  });
});
