import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { LogClosedError, StampConflictError } from '../src/errors.ts';
import type { Flush, Log, LogEntry } from '../src/log.ts';
import { describeArchive, describeChain, type Tampering } from './behaviour-chain.ts';
import { describeFollow, describeFollowerFailure } from './behaviour-follow.ts';
import { hex, note, notes, type Open, pause, range, readAll, seqs, text } from './behaviour-tools.ts';

/** A place where a log can be opened again and again, like a file. */
export interface LogPlace extends Tampering {
  open(now?: () => number): Promise<Log>;
  /** Called once every log opened there has been closed. */
  remove(): Promise<void>;
}

/** Tests every log must pass, whatever its storage. */
export function describeLog(name: string, makePlace: () => Promise<LogPlace>): void {
  describe(name, () => {
    let place: LogPlace;
    let opened: Log[];
    const open = async (now?: () => number): Promise<Log> => {
      const log = await place.open(now);
      opened.push(log);
      return log;
    };
    beforeEach(async () => {
      place = await makePlace();
      opened = [];
    });
    afterEach(async () => {
      for (const log of opened) await log.close();
      await place.remove();
    });
    describe('append', () => describeAppend(open));
    describe('follow', () => describeFollow(open));
    describe('follower failure', () => describeFollowerFailure(open));
    describe('snapshots and stamp', () => describeKept(open));
    describe('hash chain', () => describeChain(open, () => place));
    describe('archiving', () => describeArchive(open));
    describe('close', () => describeClose(open));
  });
}

function describeAppend(open: Open): void {
  test('each flushed batch is announced, with its entries and its time', async () => {
    const log = await open();
    const flushes: Flush[] = [];
    log.onFlushed((flush) => flushes.push(flush));
    await Promise.all([log.append([note('a'), note('b')]), log.append([note('c')])]);
    await log.append([note('d')]);
    assert.deepEqual(
      flushes.map(({ entries }) => entries),
      [3, 1],
    );
    assert.ok(flushes.every(({ ms }) => ms >= 0 && ms < 60_000));
  });

  test('an empty log has a head of zeros, and its first entry has seq 1', async () => {
    const log = await open(() => 5000);
    assert.deepEqual(await log.head(), { seq: 0, ts: 0 });
    assert.deepEqual(await log.append([note('a'), note('b')]), { firstSeq: 1, ts: 5000 });
    assert.deepEqual(await log.head(), { seq: 2, ts: 5000 });
  });

  test('an open log is in touch with its store and does not lag', async () => {
    const log = await open();
    const sentMs = performance.now();
    await log.append([note('a')]);
    const { reachable, lastContactMs, lagEntries, writable } = log.status();
    assert.deepEqual([reachable, lagEntries, writable], [true, 0, true]);
    const sinceMs = performance.now() - sentMs;
    assert.ok(lastContactMs <= sinceMs, `${lastContactMs} ms, though it was told ${sinceMs} ms ago`);
  });

  test('seqs are dense and in the order of the calls, and survive reopening', async () => {
    const log = await open(() => 7);
    const placed = await Promise.all([1, 2, 3, 2, 1].map((n, i) => log.append(notes(n, `call${i}-`))));
    assert.deepEqual(
      placed.map((p) => p.firstSeq),
      [1, 2, 4, 7, 9],
    );
    await log.close();
    const again = await open(() => 8);
    assert.deepEqual(await again.append([note('last')]), { firstSeq: 10, ts: 8 });
    const expected = [1, 2, 3, 2, 1].flatMap((n, i) => notes(n, `call${i}-`)).map(text);
    assert.deepEqual((await readAll(again)).map(text), [...expected, 'last']);
    assert.deepEqual(
      (await readAll(again)).map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  test('time never goes back, neither with the clock nor across reopening', async () => {
    const clock = [100, 90, 110, 50];
    const log = await open(() => clock.shift()!);
    const times: number[] = [];
    for (let i = 0; i < 4; i++) times.push((await log.append([note('tick')])).ts);
    assert.deepEqual(times, [100, 100, 110, 110]);
    await log.close();
    const again = await open(() => 20);
    assert.equal((await again.append([note('tick')])).ts, 110);
    assert.deepEqual(
      (await readAll(again)).map(({ ts }) => ts),
      [100, 100, 110, 110, 110],
    );
  });

  test('the items of one call are adjacent and share one time, however many calls run concurrently', async () => {
    const log = await open();
    const calls = Array.from({ length: 200 }, (_, i) => notes(1 + (i % 7), `${i}.`));
    const placed = await Promise.all(calls.map((items) => log.append(items)));
    const entries = await readAll(log);
    for (const [i, items] of calls.entries()) {
      const { firstSeq, ts } = placed[i]!;
      const own = entries.slice(firstSeq - 1, firstSeq - 1 + items.length);
      assert.deepEqual(own.map(text), items.map(text));
      assert.ok(own.every((entry) => entry.ts === ts));
    }
  });

  test('an empty call appends nothing and resolves after everything appended before it', async () => {
    const log = await open();
    const order: string[] = [];
    await Promise.all([
      log.append([note('a')]).then(() => order.push('a')),
      log.append([]).then(({ firstSeq }) => order.push(`empty ${firstSeq}`)),
      log.append([note('b')]).then(({ firstSeq }) => order.push(`b ${firstSeq}`)),
    ]);
    assert.deepEqual(order, ['a', 'empty 2', 'b 2']);
    assert.equal((await log.head()).seq, 2);
    await log.append([]);
  });

  test('bytes and kinds survive exactly', async () => {
    const bodies = [
      Buffer.from('{"a":1}'),
      Buffer.from('{"quote":"\u201c\u{1f4c8}","n":[1.50, 2e3]}'),
      Buffer.from('{ not json'),
      Buffer.from('{"nul":"\0"}\0'),
      Buffer.from([0x7b, 0xff, 0xfe, 0x00]),
      Buffer.from([0x7b, 0xc3, 0x7d]),
      Buffer.from('{\ufeff}\ufeff'),
      Buffer.from('[1,2]'),
      Buffer.alloc(0),
      Uint8Array.from({ length: 256 }, (_, i) => i).subarray(3, 200),
    ];
    const log = await open();
    await log.append(bodies.map((body, i) => ({ kind: `kind-${i % 3} \u00e9`, body })));
    await log.close();
    const entries = await readAll(await open());
    assert.deepEqual(
      entries.map(({ kind, body }) => [kind, hex(body)]),
      bodies.map((body, i) => [`kind-${i % 3} \u00e9`, hex(body)]),
    );
  });

  test('a body of 5 MB survives, among small ones, live and stored', async () => {
    const big = Buffer.alloc(5_000_000, 'abcdefg');
    const items = [note('small'), { kind: 'big', body: big }, { kind: 'big', body: big }, note('end')];
    const log = await open();
    const live: LogEntry[] = [];
    log.follow(1, (entries) => void live.push(...entries));
    await log.append(items);
    await log.close();
    const stored = await readAll(await open());
    for (const entries of [live, stored]) {
      assert.deepEqual(
        entries.map(({ body }) => body.length),
        items.map(({ body }) => body.length),
      );
      assert.ok(Buffer.compare(entries[2]!.body, big) === 0);
    }
  });

  test('10,000 concurrent appends all complete, in few transactions', async () => {
    const log = await open();
    let transactions = 0;
    await log.follow(1, () => void transactions++).caughtUp;
    const calls = Array.from({ length: 10_000 }, (_, i) => log.append([note(String(i))]));
    const seqs = (await Promise.all(calls)).map(({ firstSeq }) => firstSeq);
    assert.deepEqual(
      seqs,
      Array.from({ length: 10_000 }, (_, i) => i + 1),
    );
    assert.ok(transactions <= 3, `${transactions} transactions`);
  });

  test('a transaction has a bounded number of bytes, but never splits a call', async () => {
    const log = await open();
    const sizes: number[] = [];
    log.follow(1, (entries) => void sizes.push(entries.length));
    const megabyte = { kind: 'big', body: Buffer.alloc(1_000_000) };
    await Promise.all([
      log.append(Array(9).fill(megabyte)),
      ...Array(9)
        .fill([megabyte])
        .map((i) => log.append(i)),
    ]);
    assert.equal(sizes[0], 9);
    assert.ok(Math.max(...sizes.slice(1)) <= 4, `${sizes}`);
  });
}

function describeKept(open: Open): void {
  const snapshot = (seq: number, body = `state ${seq}`) => ({
    seq,
    version: 3,
    digest: `digest ${seq}`,
    body: Buffer.from(body),
  });

  test('the two snapshots with the highest seq are kept, newest first, across reopening', async () => {
    const log = await open();
    assert.deepEqual(await log.loadSnapshots(), []);
    for (const seq of [10, 30, 20, 5]) await log.saveSnapshot(snapshot(seq));
    const kept = async (from: Log) =>
      (await from.loadSnapshots()).map((s) => ({ ...s, body: Buffer.from(s.body) }));
    assert.deepEqual(await kept(log), [snapshot(30), snapshot(20)]);
    await log.saveSnapshot(snapshot(30, 'again'));
    await log.close();
    assert.deepEqual(await kept(await open()), [snapshot(30, 'again'), snapshot(20)]);
  });

  test('a snapshot body of 20 MB, and an empty one, survive; the given one stays usable', async () => {
    const log = await open();
    const body = Buffer.alloc(20_000_000, 'state');
    await log.saveSnapshot({ seq: 1, version: 1, digest: '', body });
    await log.saveSnapshot({ seq: 2, version: 1, digest: '', body: Buffer.alloc(0) });
    assert.equal(body.length, 20_000_000);
    const [empty, big] = await log.loadSnapshots();
    assert.equal(empty!.body.length, 0);
    assert.ok(Buffer.compare(big!.body, body) === 0);
  });

  test('MODE-1: a stamp is kept, may grow, and never changes', async () => {
    const log = await open();
    assert.deepEqual(await log.readStamp(), new Map());
    await log.writeStamp(new Map([['mode', 'paper']]));
    await log.close();
    const again = await open();
    await again.writeStamp(
      new Map([
        ['mode', 'paper'],
        ['premium', 'mark'],
      ]),
    );
    const change = again.writeStamp(
      new Map([
        ['added', 'x'],
        ['mode', 'deposits'],
      ]),
    );
    await assert.rejects(change, (error) => {
      assert.ok(error instanceof StampConflictError);
      assert.deepEqual([error.key, error.stored, error.given], ['mode', 'paper', 'deposits']);
      return true;
    });
    assert.deepEqual(
      await again.readStamp(),
      new Map([
        ['mode', 'paper'],
        ['premium', 'mark'],
      ]),
    );
    await again.append([note('a refused stamp does not hurt the log')]);
  });
}

function describeClose(open: Open): void {
  test('close flushes pending appends and delivers them to followers', async () => {
    const log = await open();
    const seen: number[] = [];
    await log.follow(1, (entries) => void seen.push(...seqs(entries))).caughtUp;
    const calls = range(1, 500).map((i) => log.append([note(String(i))]));
    await log.close();
    assert.deepEqual(seen, range(1, 500));
    assert.equal((await Promise.all(calls)).at(-1)!.firstSeq, 500);
    assert.equal((await (await open()).head()).seq, 500);
  });

  test('after close everything is refused, and closing again is harmless', async () => {
    const log = await open();
    await log.append(notes(3, 'n'));
    const pending = log.follow(1, () => {});
    await Promise.all([log.close(), log.close()]);
    await assert.rejects(pending.caughtUp, LogClosedError);
    await assert.rejects(log.append([note('late')]), LogClosedError);
    await assert.rejects(log.append([]), LogClosedError);
    await assert.rejects(log.head(), LogClosedError);
    await assert.rejects(log.loadSnapshots(), LogClosedError);
    await assert.rejects(log.writeStamp(new Map()), LogClosedError);
    assert.throws(() => log.follow(1, () => {}), LogClosedError);
    assert.equal(log.status().reachable, false);
    assert.equal(await Promise.race([log.failed, pause(1).then(() => 'trusted')]), 'trusted');
  });
}
