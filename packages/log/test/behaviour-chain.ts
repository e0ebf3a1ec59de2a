import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ChainVerifier } from '../src/chain.ts';
import { LogArchivedError, LogArchiveError } from '../src/errors.ts';
import type { BatchRecord, Log, LogEntry } from '../src/log.ts';
import { note, notes, type Open, range, readAll, seqs } from './behaviour-tools.ts';

/** Tampers with a log behind its back. */
export interface Tampering {
  /** Deletes one entry. */
  lose(seq: number): Promise<void>;
  /** Overwrites the body of one entry. */
  damage(seq: number): Promise<void>;
}

/** The tests of the hash chain. */
export function describeChain(open: Open, tampering: () => Tampering): void {
  test('every append transaction is a batch; batches are dense and their hashes as documented', async () => {
    const log = await open(() => 1234);
    await Promise.all([log.append([note('a')]), log.append([note('b'), note('c')])]);
    await log.append([{ kind: 'k\u00e9', body: Buffer.alloc(0) }]);
    const batches = await log.readBatches(1, 4);
    assert.deepEqual(
      batches.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]),
      [
        [1, 3],
        [4, 4],
      ],
    );
    const first = hashByHand(Buffer.alloc(32), 1, 1234, [
      ['note', '{"word":"a"}'],
      ['note', '{"word":"b"}'],
      ['note', '{"word":"c"}'],
    ]);
    const second = hashByHand(first, 4, 1234, [['k\u00e9', '']]);
    assert.deepEqual(
      batches.map(({ hash }) => hash),
      [first.toString('hex'), second.toString('hex')],
    );
    assert.match(batches[0]!.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.notEqual(batches[0]!.id, batches[1]!.id);
  });

  test('batches are found by any of their entries, and the chain continues across reopening', async () => {
    const log = await open();
    for (const size of [3, 1, 5]) await log.append(notes(size, 'n'));
    const spans = async (from: number, to: number) =>
      (await log.readBatches(from, to)).map(({ firstSeq, lastSeq }) => `${firstSeq}-${lastSeq}`);
    assert.deepEqual(await spans(2, 4), ['1-3', '4-4']);
    assert.deepEqual(await spans(6, 100), ['5-9']);
    assert.deepEqual(await spans(10, 100), []);
    await log.close();
    const again = await open();
    await again.append(notes(2, 'later'));
    assert.deepEqual((await again.readBatches(9, 11)).length, 2);
    assert.equal((await verifyAll(again)).verified.seq, 11);
  });

  test('a missing entry makes the log fail instead of being skipped, wherever the reader begins', async () => {
    const log = await open();
    await log.append(notes(4, 'n'));
    await log.close();
    await tampering().lose(3);
    for (const from of [1, 4]) {
      const holed = await open();
      await assert.rejects(
        holed.follow(from, () => {}).caughtUp,
        /^LogDamagedError: entry 3 is missing from the log$/,
      );
      assert.match((await holed.failed).message, /entry 3 is missing/);
      await assert.rejects(holed.append([note('x')]), /entry 3 is missing/);
      await holed.close();
    }
  });

  test('a changed entry makes the log fail, and the message names it', async () => {
    const log = await open();
    for (const size of [1, 1, 3, 1]) await log.append(notes(size, 'n'));
    await log.close();
    await tampering().damage(2);
    const damaged = await open();
    await assert.rejects(damaged.follow(1, () => {}).caughtUp, /entry 2 is damaged: the hash of its batch/);
    await damaged.close();
    await tampering().damage(4);
    const later = await open();
    await assert.rejects(later.follow(4, () => {}).caughtUp, /one of the entries 3 to 5 is damaged/);
    await later.close();
    const beyond = await open();
    assert.equal(await beyond.follow(6, () => {}).caughtUp, 6);
  });

  test('readers that alternate in one large batch still check it', async () => {
    const log = await open();
    await log.append(Array(40).fill({ kind: 'big', body: Buffer.alloc(100_000) }));
    await log.close();
    await tampering().damage(39);
    const damaged = await open();
    const followers = range(1, 12).map((from) => damaged.follow(from, () => {}));
    for (const { caughtUp } of followers) await assert.rejects(caughtUp, /one of the entries 1 to 40/);
  });
}

/** The tests of archiving. */
export function describeArchive(open: Open): void {
  const keepSnapshot = (log: Log, seq: number) =>
    log.saveSnapshot({ seq, version: 1, digest: '', body: Buffer.from('state') });

  test('batches below a snapshot can be dropped, whole ones only, and the log goes on with the rest', async () => {
    const log = await open();
    for (const size of [2, 3, 1, 4]) await log.append(notes(size, 'n'));
    assert.equal(await log.firstSeq(), 1);
    await keepSnapshot(log, 9);
    assert.equal(await log.dropBefore(5), 3, 'entries 3 to 5 are one batch');
    assert.equal(await log.dropBefore(9), 7);
    assert.equal(await log.dropBefore(9), 7);
    await log.append([note('new')]);
    await isLeft(log);
    await log.close();
    await isLeft(await open());

    async function isLeft(one: Log): Promise<void> {
      assert.equal(await one.firstSeq(), 7);
      const seen: number[] = [];
      assert.equal(await one.follow(8, (entries) => void seen.push(...seqs(entries))).caughtUp, 11);
      assert.deepEqual(seen, range(8, 11));
      assert.deepEqual(
        (await one.readBatches(1, 100)).map(({ firstSeq }) => firstSeq),
        [7, 11],
      );
      assert.deepEqual(await one.readBatches(1, 6), []);
    }
  });

  test('requests for archived entries say so, and do the log no harm', async () => {
    const log = await open();
    for (const size of [2, 2, 2]) await log.append(notes(size, 'n'));
    await keepSnapshot(log, 5);
    await log.dropBefore(5);
    await assert.rejects(log.follow(3, () => {}).caughtUp, (error) => {
      assert.ok(error instanceof LogArchivedError, String(error));
      assert.equal(
        error.message,
        'entry 3 was archived; the log begins at entry 5, so start from a snapshot or read the archive',
      );
      return true;
    });
    await log.append([note('fine')]);
    assert.equal((await log.head()).seq, 7);
  });

  test('nothing is dropped without a snapshot at or above, or beyond the end', async () => {
    const log = await open();
    for (const size of [2, 2]) await log.append(notes(size, 'n'));
    await assert.rejects(log.dropBefore(3), /snapshot of entry 3 or later is kept; there is none/);
    await keepSnapshot(log, 2);
    await assert.rejects(log.dropBefore(3), LogArchiveError);
    await assert.rejects(log.dropBefore(3), /the newest is of entry 2$/);
    await keepSnapshot(log, 50);
    await assert.rejects(log.dropBefore(5), /the log ends at entry 4, before entry 5/);
    await assert.rejects(log.dropBefore(1.5), LogArchiveError);
    assert.equal(await log.firstSeq(), 1);
    assert.equal((await readAll(log)).length, 4);
  });
}

/** Feeds a whole log to a separate verifier. */
export async function verifyAll(log: Log): Promise<ChainVerifier> {
  const entries: readonly LogEntry[] = await readAll(log);
  const verifier = new ChainVerifier();
  const batches: BatchRecord[] = [];
  for (let from = 1; ; from = batches.at(-1)!.lastSeq + 1) {
    const page = await log.readBatches(from, entries.length);
    if (page.length === 0) break;
    batches.push(...page);
  }
  verifier.addBatches(batches);
  assert.equal(verifier.addEntries(entries) ?? verifier.finish(), undefined);
  return verifier;
}

/** The chain as documented, written as plainly as possible. */
function hashByHand(
  previous: Buffer,
  firstSeq: number,
  ts: number,
  entries: readonly (readonly [kind: string, body: string])[],
): Buffer {
  const sha256 = (parts: readonly Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const number = (value: number, bytes: number) =>
    Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex');
  const digest = sha256(
    entries.flatMap(([kind, body]) => [
      number(Buffer.byteLength(kind), 4),
      number(Buffer.byteLength(body), 4),
      Buffer.from(kind),
      Buffer.from(body),
    ]),
  );
  return sha256([previous, number(firstSeq, 8), number(ts, 8), digest]);
}
