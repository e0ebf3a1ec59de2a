/** A log file that one process writes and others follow (FOL-2). */

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  LogArchivedAheadError,
  LogDivergedError,
  LogError,
  LogOpenError,
  LogReplacedError,
} from '../errors.ts';
import type { Log, LogEntry, ReadOnlyLog } from '../log.ts';
import { openFollowedLog } from '../open.ts';
import { openSqliteLog } from './log.ts';
import { walOf } from './wal.ts';

let folder: string;
let path: string;
let opened: (Log | ReadOnlyLog)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-follower-'));
  path = join(folder, 'venue.db');
  opened = [];
});
afterEach(async () => {
  for (const log of opened.toReversed()) await log.close();
  rmSync(folder, { recursive: true });
});

async function writer(): Promise<Log> {
  const log = await openSqliteLog({ path });
  opened.push(log);
  return log;
}

async function follower(): Promise<ReadOnlyLog> {
  const log = await openFollowedLog(`sqlite:${path}`);
  opened.push(log);
  return log;
}

async function closed(log: Log | ReadOnlyLog): Promise<void> {
  opened.splice(opened.indexOf(log), 1);
  await log.close();
}

function notes(count: number, word: string) {
  return Array.from({ length: count }, (_, i) => ({ kind: 'note', body: Buffer.from(`${word}${i}`) }));
}

function textsOf(entries: readonly LogEntry[]): string[] {
  return entries.map(({ seq, kind, body }) => `${seq} ${kind} ${Buffer.from(body)}`);
}

function replace(): void {
  copyFileSync(path, `${path}.new`);
  renameSync(`${path}.new`, path);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2);
}

test('FOL-2: a follower is delivered every entry of another process once and in order, stored and new', async () => {
  const log = await writer();
  await log.append(notes(5_000, 'stored'));
  const followed = await follower();
  const seen: LogEntry[] = [];
  const { caughtUp } = followed.follow(1, (entries) => void seen.push(...entries));
  const appending = (async () => {
    for (let i = 0; i < 50; i += 1) await log.append(notes(1 + (i % 7), `new${i}-`));
  })();
  assert.ok((await caughtUp) >= 5_000);
  await appending;
  const { seq } = await log.head();
  await until(() => seen.length >= seq);
  const written: LogEntry[] = [];
  await log.follow(1, (entries) => void written.push(...entries)).caughtUp;
  assert.deepEqual(textsOf(seen), textsOf(written));
  assert.deepEqual(
    seen.map(({ ts }) => ts),
    written.map(({ ts }) => ts),
  );
  await until(() => followed.status().lagEntries === 0);
  assert.equal((await followed.head()).seq, seq);
  assert.deepEqual(await followed.readBatches(seq, seq), await log.readBatches(seq, seq));
});

test('FOL-2: it keeps neither the lock nor the WAL from the one that writes, which ends and starts beside it', async () => {
  const log = await writer();
  await log.append(notes(100, 'a'));
  const followed = await follower();
  const seen: number[] = [];
  await followed.follow(1, (entries) => void seen.push(...entries.map(({ seq }) => seq))).caughtUp;
  await log.append(notes(3_000, 'b'));
  await closed(log);
  assert.equal(statSync(walOf(path)).size, 0, 'the file alone has everything');
  const again = await writer();
  await again.append(notes(10, 'c'));
  await until(() => seen.length >= 3_110);
  const other = new DatabaseSync(path, { timeout: 1_000 });
  const { busy } = other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()!;
  other.close();
  assert.equal(busy, 0, 'no read is left open');
  await again.append(notes(1, 'd'));
  await until(() => seen.length >= 3_111);
  assert.deepEqual(
    seen,
    Array.from({ length: 3_111 }, (_, i) => i + 1),
  );
});

for (const [what, change] of [
  ['ends before what it has read', `DELETE FROM log WHERE seq > 3; DELETE FROM batch WHERE last_seq > 3`],
  ['has another entry there', `UPDATE batch SET hash = randomblob(32) WHERE last_seq = 6`],
  [
    'has gone on from another',
    `UPDATE batch SET hash = randomblob(32) WHERE last_seq = 6;
    INSERT INTO log VALUES (7, 9e15, 'note', x'00'); INSERT INTO batch VALUES (7, 7, 'x', zeroblob(32))`,
  ],
])
  test(`FOL-3: a log that ${what} ends the follower, which is of a copy that was restored`, async () => {
    const log = await writer();
    await log.append(notes(3, 'a'));
    await log.append(notes(3, 'b'));
    const followed = await follower();
    await closed(log);
    const other = new DatabaseSync(path);
    other.exec(`BEGIN IMMEDIATE; ${change}; COMMIT`);
    other.close();
    const error = await followed.failed;
    assert.ok(error instanceof LogDivergedError, error.message);
    assert.match(
      error.message,
      /^entry 6 is no longer .* an older copy of the log was restored; restart the node$/,
    );
  });

test('FOL-3: a copy that is written over the file beneath it ends the follower', async () => {
  const log = await writer();
  await log.append(notes(3, 'a'));
  await closed(log);
  copyFileSync(path, `${path}.old`);
  const more = await writer();
  await more.append(notes(300, 'b'));
  const followed = await follower();
  await closed(more);
  copyFileSync(`${path}.old`, path);
  rmSync(`${path}-head`);
  // The next start writes, and that is when SQLite looks at the file again.
  const restored = await writer();
  await restored.append(notes(5, 'c'));
  assert.ok((await followed.failed) instanceof LogError);
});

test('FOL-3: a start on a log that has lost its end is refused', async () => {
  const log = await writer();
  await log.append(notes(3, 'a'));
  await closed(log);
  copyFileSync(path, `${path}.old`);
  const more = await writer();
  await more.append(notes(3, 'b'));
  await closed(more);
  copyFileSync(`${path}.old`, path);
  await assert.rejects(follower(), (error: Error) => {
    assert.ok(error instanceof LogOpenError);
    assert.match(error.message, /ends with entry 3, and entry 6 was durable/);
    return true;
  });
});

for (const [what, change] of [
  ['removed', () => rmSync(path)],
  ['replaced', replace],
  ['left by its WAL', () => rmSync(walOf(path))],
] as const)
  test(`FOL-3: a file that is ${what} ends the follower`, async () => {
    const log = await writer();
    await log.append(notes(3, 'a'));
    const followed = await follower();
    await closed(log);
    change();
    const error = await followed.failed;
    assert.ok(error instanceof LogReplacedError, error.message);
  });

test('FOL-4: a follower whose next entry was archived says so and ends', async () => {
  const log = await writer();
  await log.append(notes(10, 'a'));
  const followed = await follower();
  const behind = new DatabaseSync(path);
  // What a follower finds that was stopped for hours: the entries after its last one are gone.
  behind.exec(`BEGIN IMMEDIATE;
    INSERT INTO log VALUES (11, 9e15, 'note', x'00'), (12, 9e15, 'note', x'00');
    INSERT INTO batch VALUES (11, 11, 'x', zeroblob(32)), (12, 12, 'y', zeroblob(32));
    UPDATE chain_start SET first_seq = 12; DELETE FROM log WHERE seq < 12; DELETE FROM batch WHERE first_seq < 12;
    COMMIT`);
  behind.close();
  const error = await followed.failed;
  assert.ok(error instanceof LogArchivedAheadError, error.message);
  assert.equal(error.seq, 11);
});

test('FOL-2: without a log there is nothing to follow, and nothing is made', async () => {
  await assert.rejects(follower(), /holds no log yet; start the exchange that writes it/);
  assert.throws(() => statSync(path));
});
