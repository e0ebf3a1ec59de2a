import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Failure, Schedule, type Task } from './schedule.ts';

/** Runs a schedule on a simulated clock for the given time, in steps of its tick. */
async function runFor(ms: number, tasks: readonly Task[], take = () => true) {
  let nowMs = 0;
  const failures: Failure[] = [];
  const schedule = new Schedule({
    ...{ tasks, take, now: () => nowMs, random: () => 1 },
    onAnswer() {},
    onFailure: (failure) => failures.push(failure),
  });
  for (; nowMs < ms; nowMs += 50) {
    schedule.tick();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { schedule, failures };
}

function counting(name: string, everyMs: number | null, run = async () => {}) {
  const task = { name, everyMs: () => everyMs, runs: 0, run: async () => {} };
  task.run = async () => {
    task.runs += 1;
    await run();
  };
  return task;
}

describe('a schedule', () => {
  test('reads each task at its own interval, and an inactive one never', async () => {
    const chain = counting('chain', 250);
    const account = counting('account', 2_000);
    const nothing = counting('nothing', null);
    await runFor(10_000, [chain, account, nothing]);
    assert.deepEqual([chain.runs, account.runs, nothing.runs], [40, 5, 0]);
  });

  test('with few reads left, the more important task goes first', async () => {
    let tokens = 0;
    const take = () => {
      tokens += 0.1;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    };
    const first = counting('first', 100);
    const second = counting('second', 100);
    await runFor(20_000, [first, second], take);
    assert.ok(first.runs > 10 * second.runs, `${first.runs} ${second.runs}`);
  });

  test('consecutive failures double the wait each time, up to half a minute', async () => {
    const broken = counting('broken', 100, async () => {
      throw new Error('gone');
    });
    const { failures } = await runFor(120_000, [broken]);
    const waits = failures.slice(2).map(({ nextTryMs }, i) => nextTryMs - failures[i + 1]!.nextTryMs);
    assert.ok(waits[0]! >= 1_000 && waits[0]! < 2_500, String(waits));
    assert.ok(waits.at(-1)! >= 30_000 && waits.at(-1)! < 31_000, String(waits));
    assert.ok(broken.runs < 12, String(broken.runs));
  });

  test('an answer resets the wait', async () => {
    let left = 3;
    const task = counting('task', 100, async () => {
      left -= 1;
      if (left >= 0) throw new Error('gone');
    });
    const { failures } = await runFor(20_000, [task]);
    assert.equal(failures.length, 3);
    assert.ok(task.runs > 100, String(task.runs));
  });

  test('a task hurried while it is being read is read again afterwards', async () => {
    let answer = () => {};
    const held = counting(
      'held',
      30_000,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const { schedule } = await runFor(100, [held]);
    schedule.hurry('held');
    assert.equal(held.runs, 1, 'not twice at a time');
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    schedule.tick();
    assert.equal(held.runs, 2);
  });

  test('a hurried task is not starved by one that is always due', async () => {
    let tokens = 1;
    let nowMs = 0;
    const chain = counting('chain', 100);
    const fills = counting('fills', 30_000);
    const take = () => tokens-- > 0;
    const schedule = new Schedule({
      ...{ tasks: [chain, fills], take, now: () => nowMs, random: () => 1 },
      ...{ onAnswer() {}, onFailure() {} },
    });
    for (; nowMs < 3_000; nowMs += 500) {
      tokens = 1;
      schedule.tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = fills.runs;
    schedule.hurry('fills');
    tokens = 1;
    schedule.tick();
    assert.equal(fills.runs, before + 1);
  });
});
