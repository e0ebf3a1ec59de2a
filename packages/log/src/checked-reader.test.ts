import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { notes, seqs } from '../test/behaviour-tools.ts';
import { placeItems } from './append-queue.ts';
import { CheckedReader } from './checked-reader.ts';
import { LogArchivedError, LogDamagedError } from './errors.ts';
import type { LogEntry } from './log.ts';
import { SqliteFile } from './sqlite/file.ts';
import { pack, unpack } from './sqlite/packed.ts';

/** Batches of entries 1 to 2, 3 to 5, 6, and 7 to 9. */
const SIZES = [2, 3, 1, 3];

describe('archiving between two statements of a read', () => {
  let folder: string;
  let file: SqliteFile;
  /** Runs before the next read of the batches. */
  let beforeBatches: () => void;
  let reader: CheckedReader<readonly LogEntry[]>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
    file = new SqliteFile(join(folder, 'venue.db'));
    for (const size of SIZES) {
      file.commit(pack(placeItems(notes(size, 'n'), { firstSeq: file.head.seq + 1, ts: 1 })));
    }
    beforeBatches = () => {};
    const { tables } = file;
    reader = new CheckedReader<readonly LogEntry[]>({
      entries: (fromSeq, toSeq) => unpack(tables.entries(fromSeq, toSeq)),
      entriesOf: (page) => page,
      batches: (fromSeq, toSeq) => {
        const act = beforeBatches;
        beforeBatches = () => {};
        act();
        return tables.batches(fromSeq, toSeq);
      },
      chainStart: () => tables.chainStart(),
    });
  });
  afterEach(() => {
    file.close();
    rmSync(folder, { recursive: true });
  });

  const isArchived = (seq: number, firstSeq: number) => (error: unknown) => {
    assert.ok(error instanceof LogArchivedError, String(error));
    assert.deepEqual([error.seq, error.firstSeq], [seq, firstSeq]);
    return true;
  };

  test('the first entry of a read was archived: an error says so', async () => {
    beforeBatches = () => file.dropSome(6);
    await assert.rejects(reader.read(4, 9), isArchived(4, 6));
  });

  test('a later entry of a read was archived: an error says so', async () => {
    assert.deepEqual(seqs(await reader.read(1, 2)), [1, 2]);
    beforeBatches = () => file.dropSome(6);
    await assert.rejects(reader.read(3, 9), isArchived(3, 6));
  });

  test('a batch is readable even if only its predecessor was archived', async () => {
    beforeBatches = () => {
      beforeBatches = () => file.dropSome(3);
    };
    assert.deepEqual(seqs(await reader.read(3, 9)), [3, 4, 5, 6, 7, 8, 9]);
  });

  test('a batch that is missing without having been archived is damage', async () => {
    const batches = file.tables.batches(1, 9);
    reader = new CheckedReader<readonly LogEntry[]>({
      entries: (fromSeq, toSeq) => unpack(file.tables.entries(fromSeq, toSeq)),
      entriesOf: (page) => page,
      batches: (fromSeq, toSeq) =>
        batches.filter((one) => one.firstSeq !== 3 && one.firstSeq <= toSeq && one.lastSeq >= fromSeq),
      chainStart: () => file.tables.chainStart(),
    });
    for (const from of [1, 4, 6]) await assert.rejects(reader.read(from, 9), isDamaged);
  });
});

function isDamaged(error: unknown): boolean {
  assert.ok(error instanceof LogDamagedError, String(error));
  assert.match(error.message, /^the batch of entry [345] is missing from the log$/);
  return true;
}
