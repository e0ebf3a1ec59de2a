import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { isWalDamaged, walOf } from './wal.ts';

const FRAME = 24 + 4096;
const ROWS = 5;

describe('the scan of the WAL', () => {
  let folder: string;
  let path: string;
  /** Each of its commits is one frame. */
  let sound: Buffer;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'venue-wal-'));
    path = join(folder, 'copy-wal');
    const db = new DatabaseSync(join(folder, 'some.db'));
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t(x); PRAGMA wal_checkpoint(TRUNCATE)');
    for (let i = 0; i < ROWS; i++) db.exec(`INSERT INTO t VALUES (${i})`);
    copyFileSync(walOf(join(folder, 'some.db')), path);
    db.close();
    sound = readFileSync(path);
  });
  after(() => rmSync(folder, { recursive: true }));

  const isDamaged = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    return isWalDamaged(path);
  };
  const flipped = (at: number) => {
    const bytes = Buffer.from(sound);
    bytes[at]! ^= 1 << (at % 8);
    return bytes;
  };

  test('a file that is missing, empty, or whole is not damaged', () => {
    assert.equal(sound.length, 32 + ROWS * FRAME);
    assert.ok(!isWalDamaged(join(folder, 'none-wal')));
    assert.ok(!isDamaged(Buffer.alloc(0)));
    assert.ok(!isDamaged(sound));
  });

  test('a flipped bit in any byte that commits follow is found', () => {
    const missed: number[] = [];
    // Only before the last frame but one: after that, only one commit would follow.
    for (let at = 0; at < 32 + (ROWS - 2) * FRAME; at += at % FRAME < 60 ? 1 : 61)
      if (!isDamaged(flipped(at))) missed.push(at);
    assert.deepEqual(missed, []);
  });

  test('a file truncated at any byte is torn, not damaged', () => {
    for (let length = 0; length < sound.length; length += length % FRAME < 60 ? 1 : 61)
      assert.ok(!isDamaged(sound.subarray(0, length)), `${length}`);
  });

  test('a last commit with any part missing is torn, not damaged', () => {
    for (const from of [0, 8, 24, 100]) {
      const bytes = Buffer.from(sound);
      bytes.fill(0, 32 + (ROWS - 1) * FRAME + from);
      assert.ok(!isDamaged(bytes), `${from}`);
    }
  });

  test('leftovers of an earlier round are not commits', () => {
    const db = new DatabaseSync(join(folder, 'some.db'));
    for (let i = 0; i < ROWS; i++) db.exec(`INSERT INTO t VALUES (${i})`);
    db.exec('PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (9)');
    copyFileSync(walOf(join(folder, 'some.db')), path);
    db.close();
    const bytes = readFileSync(path);
    assert.equal(bytes.length, 32 + ROWS * FRAME);
    assert.ok(!isWalDamaged(path));
    // The only commit of the new round is torn.
    bytes.fill(0, 100, 200);
    assert.ok(!isDamaged(bytes));
  });
});
