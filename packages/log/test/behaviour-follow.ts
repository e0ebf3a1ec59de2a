import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Follower, LogEntry } from '../src/log.ts';
import { note, notes, type Open, pause, range, readAll, seqs, text } from './behaviour-tools.ts';

/** The tests of followers. */
export function describeFollow(open: Open): void {
  test('an append resolves after a caught-up follower has received it', async () => {
    const log = await open();
    const seen: string[] = [];
    await log.follow(1, (entries) => void seen.push(...entries.map(text))).caughtUp;
    for (const word of ['a', 'b', 'c']) {
      await log.append([note(word)]);
      assert.equal(seen.at(-1), word);
    }
  });

  test('caughtUp resolves with the last stored seq once everything up to it was delivered', async () => {
    const log = await open();
    const early = log.follow(1, () => assert.fail('nothing is stored'));
    assert.equal(await early.caughtUp, 0);
    early.stop();
    await log.append(notes(10_000, 'n'));
    const seen: number[] = [];
    assert.equal(await log.follow(9_001, (entries) => void seen.push(...seqs(entries))).caughtUp, 10_000);
    assert.deepEqual(seen, range(9_001, 10_000));
    assert.equal(await log.follow(10_001, () => assert.fail('nothing is due')).caughtUp, 10_000);
  });

  test('a follower from the middle misses nothing and repeats nothing while appends go on', async () => {
    const log = await open();
    await log.append(notes(20_000, 'stored'));
    const appending = Promise.all(
      range(1, 300).map((i) => pause(i % 17).then(() => log.append(notes(3, 'new')))),
    );
    const seen: number[] = [];
    const { caughtUp } = log.follow(5_000, (entries) => void seen.push(...seqs(entries)));
    assert.ok((await caughtUp) >= 20_000);
    await appending;
    assert.deepEqual(seen, range(5_000, 20_900));
  });

  test('followers with different starts each get their own entries, including a start in the future', async () => {
    const log = await open();
    await log.append(notes(5, 'old'));
    const starts = [1, 3, 6, 8, 20];
    const seen = starts.map(() => [] as number[]);
    const followers = starts.map((from, i) =>
      log.follow(from, (entries) => void seen[i]!.push(...seqs(entries))),
    );
    await log.append(notes(4, 'new'));
    await Promise.all(followers.map((f) => f.caughtUp));
    await log.append(notes(1, 'newer'));
    assert.deepEqual(seen, [range(1, 10), range(3, 10), range(6, 10), range(8, 10), []]);
  });

  test('local is returned in this process, even to a follower still catching up, and gone after reopening', async () => {
    const log = await open();
    await log.append(notes(5_000, 'old'));
    const local = { answer: () => 42 };
    const live: LogEntry[] = [];
    const late: LogEntry[] = [];
    await log.follow(1, (entries) => void live.push(...entries)).caughtUp;
    const { caughtUp } = log.follow(1, (entries) => void late.push(...entries));
    await log.append([{ ...note('mine'), local }]);
    await caughtUp;
    assert.equal(live.at(-1)!.local, local);
    assert.equal(late.at(-1)!.local, local);
    await log.close();
    assert.equal((await readAll(await open())).at(-1)!.local, undefined);
  });

  test('a follower may append, follow and stop from inside onEntries', async () => {
    const log = await open();
    const seen: number[] = [];
    const inner: number[] = [];
    let echo: Promise<unknown> | undefined;
    let nested: Follower | undefined;
    const follower = log.follow(1, (entries) => {
      seen.push(...seqs(entries));
      echo ??= log.append([note('echo')]);
      nested ??= log.follow(1, (more) => void inner.push(...seqs(more)));
      if (seen.length === 2) follower.stop();
    });
    await log.append([note('first')]);
    await echo;
    await nested!.caughtUp;
    await log.append([note('third')]);
    assert.deepEqual(seen, [1, 2]);
    assert.deepEqual(inner, [1, 2, 3]);
  });

  test('a stopped follower gets nothing more, and a pending caughtUp rejects', async () => {
    const log = await open();
    await log.append(notes(3, 'old'));
    const follower = log.follow(1, () => assert.fail('it was stopped'));
    follower.stop();
    await assert.rejects(follower.caughtUp, /stopped/);
    await log.append([note('new')]);
  });

  test('an invalid start is refused', async () => {
    const log = await open();
    for (const from of [0, -1, 1.5, Number.NaN]) assert.throws(() => log.follow(from, () => {}), RangeError);
  });
}

/** The tests of followers that throw. */
export function describeFollowerFailure(open: Open): void {
  test('an error thrown by a live follower goes to onError; it stops, the log and the others go on', async () => {
    const log = await open();
    const errors: unknown[] = [];
    const seen: number[] = [];
    const broken = new Error('entry 2 cannot be applied');
    const fragile = (entries: readonly LogEntry[]) => {
      if (entries.some(({ seq }) => seq >= 2)) throw broken;
    };
    await log.follow(1, fragile, { onError: (error) => errors.push(error) }).caughtUp;
    await log.follow(1, (entries) => void seen.push(...seqs(entries))).caughtUp;
    for (const word of ['a', 'b', 'c']) await log.append([note(word)]);
    assert.deepEqual(errors, [broken]);
    assert.deepEqual(seen, [1, 2, 3]);
  });

  test('an error thrown while catching up rejects caughtUp and goes to onError once', async () => {
    const log = await open();
    await log.append(notes(9_000, 'old'));
    const errors: unknown[] = [];
    const broken = new Error('no');
    let calls = 0;
    const follower = log.follow(
      1,
      () => {
        calls++;
        throw broken;
      },
      { onError: (error) => errors.push(error) },
    );
    await assert.rejects(follower.caughtUp, broken);
    await log.append([note('new')]);
    assert.deepEqual([errors, calls], [[broken], 1]);
  });

  test('without onError it is an uncaught error', async (t) => {
    const log = await open();
    await log.append([note('old')]);
    const uncaught = new Promise((resolve) => {
      const others = process.listeners('uncaughtException');
      process.removeAllListeners('uncaughtException');
      process.once('uncaughtException', resolve);
      t.after(() => {
        for (const listener of others) process.on('uncaughtException', listener);
      });
    });
    const broken = new Error('nobody listens');
    log.follow(1, () => {
      throw broken;
    });
    assert.equal(await uncaught, broken);
  });
}
