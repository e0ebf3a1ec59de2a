// @seconds 8

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { APPENDER, errorsOf, outputOf } from '../../test/appending.ts';
import { describeLog } from '../../test/behaviour.ts';
import { change } from '../../test/changed-file.ts';
import { ChainVerifier } from '../chain.ts';
import { LogFailedError } from '../errors.ts';
import type { LogReader } from '../reader.ts';
import { headFileOf } from './head.ts';
import { openSqliteLog } from './log.ts';
import { openSqliteReader } from './reader.ts';

/** Root may write everywhere, so when run as root these tests use another user. */
const NOBODY = 65534;
const NOTE = { kind: 'note', body: Buffer.from('{"word":"hello","n":7}') };

describeLog('SQLite log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  const path = join(folder, 'new', 'venue.db');
  return {
    open: (now) => openSqliteLog(now ? { path, now } : { path }),
    remove: async () => rmSync(folder, { recursive: true }),
    lose: async (seq) => change(path, `DELETE FROM log WHERE seq = ${seq}`),
    damage: async (seq) => change(path, `UPDATE log SET body = '{}' WHERE seq = ${seq}`),
  };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  path = join(folder, 'venue.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('SQLite file', () => {
  test('a person can query it while it is in use: JSON objects are text, other bodies blobs', async () => {
    const log = await openSqliteLog({ path, now: () => 1234 });
    await log.append([NOTE, { kind: 'raw', body: Buffer.from([1, 2]) }]);
    const reader = new DatabaseSync(path, { readOnly: true });
    const rows = reader.prepare(`SELECT seq, ts, kind, typeof(body) AS type FROM log ORDER BY seq`).all();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { seq: 1, ts: 1234, kind: 'note', type: 'text' },
        { seq: 2, ts: 1234, kind: 'raw', type: 'blob' },
      ],
    );
    const found = reader.prepare(`SELECT seq FROM log WHERE kind = 'note' AND body ->> 'n' = 7`).all();
    assert.equal(found.length, 1);
    reader.close();
    await log.close();
  });

  test('stored entries are replayed in pages of bounded size', async () => {
    const log = await openSqliteLog({ path });
    await log.append(Array(30).fill({ kind: 'big', body: Buffer.alloc(300_000) }));
    const pages: number[] = [];
    await log.follow(1, (entries) => void pages.push(entries.length)).caughtUp;
    assert.equal(
      pages.reduce((sum, size) => sum + size, 0),
      30,
    );
    assert.ok(Math.max(...pages) <= 4, `${pages}`);
    await log.close();
  });

  test('LOG-3: a replay lets the event loop go round after each page, however soon the next is there', async () => {
    const log = await openSqliteLog({ path });
    await log.append(Array(30).fill({ kind: 'big', body: Buffer.alloc(300_000) }));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const turnsAtPage: number[] = [];
    await log.follow(1, () => {
      turnsAtPage.push(turns);
      // Long enough for the thread to have read the next page.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    }).caughtUp;
    isOver = true;
    assert.ok(turnsAtPage.length >= 8);
    assert.equal(new Set(turnsAtPage).size, turnsAtPage.length, `${turnsAtPage}`);
    await log.close();
  });

  test('a log whose last entries are missing is not opened', async () => {
    const log = await openSqliteLog({ path });
    await log.append([NOTE, NOTE, NOTE]);
    await log.close();
    change(path, 'DELETE FROM log WHERE seq = 3');
    await assert.rejects(openSqliteLog({ path }), /entry 3 is missing from the log; restore/);
    change(path, 'DELETE FROM batch');
    await assert.rejects(openSqliteLog({ path }), /the batches are missing from the log; restore/);
  });
});

describe('SQLite reader', () => {
  test('reads while a writer is open and afterwards, without blocking it', async () => {
    const log = await openSqliteLog({ path, now: () => 1234 });
    await log.append([NOTE, NOTE]);
    const reader = await openSqliteReader(path);
    await log.append([NOTE]);
    const [last] = await reader.readBatches(3, 3);
    assert.deepEqual(await reader.head(), { seq: 3, ts: 1234, hash: last!.hash });
    assert.deepEqual(await readChain(reader), 3);
    await log.writeStamp(new Map([['mode', 'paper']]));
    await log.saveSnapshot({ seq: 3, version: 1, digest: 'd', body: Buffer.from('state') });
    await log.dropBefore(3);
    await log.close();
    assert.equal((await reader.chainStart()).seq, 2);
    assert.deepEqual(await readChain(reader), 3);
    await assert.rejects(reader.readEntries(1, 3), /entry 1 was archived; the log begins at entry 3/);
    await reader.close();
    const later = await openSqliteReader(path);
    assert.deepEqual(await later.readStamp(), new Map([['mode', 'paper']]));
    assert.equal((await later.loadSnapshots())[0]?.digest, 'd');
    await later.close();
  });

  test('reads a file in a read-only folder', async (t) => {
    const log = await openSqliteLog({ path });
    await log.append([NOTE, NOTE]);
    await log.close();
    rmSync(`${path}-lock`);
    const uid = process.getuid!() === 0 ? NOBODY : process.getuid!();
    if (!canRunAppender(uid)) return t.skip(`user ${uid} cannot run this clone`);
    chmodSync(path, 0o444);
    chmodSync(folder, 0o555);
    const url = new URL('../open.ts', import.meta.url).href;
    const script = `const { openLogReader } = await import('${url}');
      const reader = await openLogReader('sqlite:${path}'); console.log((await reader.head()).seq);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { uid, cwd: '/' });
    assert.deepEqual(await Promise.all([outputOf(child), errorsOf(child)]), ['2\n', '']);
    chmodSync(folder, 0o755);
  });

  test('refuses a file that is not a log', async () => {
    await assert.rejects(openSqliteReader(path), /venue\.db does not exist; name the file of a log/);
    await assert.rejects(openSqliteReader(folder), /is not a file/);
    writeFileSync(path, '');
    await assert.rejects(openSqliteReader(path), /is no log of the exchange/);
    writeFileSync(path, 'a text of some length\n'.repeat(100));
    await assert.rejects(openSqliteReader(path), /is not a database/);
  });

  /** The last seq, after checking every hash. */
  async function readChain(reader: LogReader): Promise<number> {
    const verifier = new ChainVerifier(await reader.chainStart());
    const { seq } = await reader.head();
    while (verifier.nextSeq <= seq) {
      const entries = await reader.readEntries(verifier.nextSeq, seq);
      verifier.addBatches(await reader.readBatches(verifier.batchedSeq + 1, seq));
      assert.equal(verifier.addEntries(entries), undefined);
    }
    assert.equal(verifier.finish(), undefined);
    return verifier.verified.seq;
  }
});

describe('SQLite log under failure', () => {
  test('any SQLite error fails the log with one error class, in one line that says what to do, with its cause', async (t) => {
    const log = await openSqliteLog({ path });
    t.after(() => log.close());
    change(path, 'DROP TABLE batch');
    await assert.rejects(log.append([NOTE]), LogFailedError);
    const error = await log.failed;
    assert.ok(error instanceof LogFailedError, String(error));
    assert.equal(
      error.message,
      'the log could not be read or written: no such table: batch; check the disk, then start again: every write that was acknowledged is in the log',
    );
    assert.equal((error.cause as Error).message, 'no such table: batch');
  });

  test('a head that cannot be recorded fails the next append, which says to check the disk', async (t) => {
    if (!existsSync('/proc/self/fd')) return t.skip('no /proc lists open files here');
    const log = await openSqliteLog({ path });
    t.after(() => log.close().catch(() => {}));
    closeSync(openFile(headFileOf(path)));
    assert.deepEqual(await log.append([NOTE]).then(({ firstSeq }) => firstSeq), 1);
    await assert.rejects(log.append([NOTE]), LogFailedError);
    const error = await log.failed;
    assert.equal(
      error.message,
      'the log could not be read or written: EBADF: bad file descriptor, write; check the disk, then start again: every write that was acknowledged is in the log',
    );
  });

  test('the end of the thread fails the log', async () => {
    const threads: Worker[] = [];
    const note = (thread: Worker) => void threads.push(thread);
    process.on('worker', note);
    const log = await openSqliteLog({ path });
    process.off('worker', note);
    await threads[0]!.terminate();
    const error = await log.failed;
    assert.ok(error instanceof LogFailedError, String(error));
    assert.match(error.message, /: the thread of the log has ended; check the memory and the disk/);
    await assert.rejects(log.append([NOTE]), error);
    await log.close();
  });

  test("the log's thread does not keep a process alive after close", () => {
    const url = new URL('./log.ts', import.meta.url).href;
    const script = `const log = await (await import('${url}')).openSqliteLog({ path: '${path}' }); await log.close();`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 120_000 });
  });
});

/** The descriptor under which this process has the file open. */
function openFile(at: string): number {
  const found = readdirSync('/proc/self/fd').find((fd) => {
    const link = `/proc/self/fd/${fd}`;
    return existsSync(link) && readlinkSync(link) === realpathSync(at);
  });
  return Number(found ?? assert.fail(`${at} is not open`));
}

/** A clone in a folder that only its owner may enter is closed to every other user. */
function canRunAppender(uid: number): boolean {
  const script = `require('node:fs').readFileSync(${JSON.stringify(APPENDER)})`;
  return spawnSync(process.execPath, ['-e', script], { uid, timeout: 120_000 }).status === 0;
}
