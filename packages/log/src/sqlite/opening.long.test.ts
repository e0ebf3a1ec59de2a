/** The SQLite log refuses to open a file in use, out of reach, or that is no log of this exchange. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { APPENDER, acknowledged, errorsOf, kill, startAppender } from '../../test/appending.ts';
import { change } from '../../test/changed-file.ts';
import { LogOpenError } from '../errors.ts';
import { SqliteFile } from './file.ts';
import { openSqliteLog } from './log.ts';

/** Root may write everywhere, so when run as root these tests use another user. */
const NOBODY = 65534;
const NOTE = { kind: 'note', body: Buffer.from('{"word":"hello","n":7}') };

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  path = join(folder, 'venue.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('SQLite opening is refused in one sentence', () => {
  const refused = (at: string, message: RegExp) =>
    assert.rejects(openSqliteLog({ path: at }), (error) => {
      assert.ok(error instanceof LogOpenError, String(error));
      assert.match(error.message, message);
      assert.ok(!error.message.includes('\n'));
      return true;
    });

  test('to a second opener, by any path, until the first one closes', async () => {
    const log = await openSqliteLog({ path });
    symlinkSync(path, join(folder, 'alias.db'));
    await refused(path, /venue\.db is in use by another process/);
    await refused(join(folder, 'alias.db'), /in use by another process/);
    await log.append([NOTE]);
    await log.close();
    await (await openSqliteLog({ path })).close();
  });

  test('of a file with a second hard link, by either path, which would have its own lock and WAL', async () => {
    const log = await openSqliteLog({ path });
    await log.append([NOTE]);
    const hard = join(folder, 'hard.db');
    linkSync(path, hard);
    await refused(
      hard,
      /hard\.db has 2 names \(hard links\).*; remove all but one, and copy the file instead of linking it$/,
    );
    assert.ok(!existsSync(`${hard}-lock`));
    await log.append([NOTE]);
    await log.close();
    await refused(path, /venue\.db has 2 names/);
    rmSync(hard);
    const again = await openSqliteLog({ path });
    assert.equal((await again.head()).seq, 2);
    await again.close();
  });

  test("of a dangling symbolic link, whose lock would not be the file's", async () => {
    const alias = join(folder, 'alias.db');
    symlinkSync(path, alias);
    await refused(alias, /alias\.db is a link to a file that does not exist; name that file itself/);
    assert.ok(!existsSync(path) && !existsSync(`${alias}-lock`));
  });

  test('to a second process', async () => {
    const child = startAppender(path);
    await acknowledged(child, 1);
    await refused(path, /in use by another process/);
    await kill(child);
  });

  test('of a file that is not a log of this exchange, leaving it unchanged', async () => {
    writeFileSync(path, 'a text of some length\n'.repeat(100));
    await refused(path, /is not a database/);
    const foreign = join(folder, 'foreign.db');
    const db = new DatabaseSync(foreign);
    db.exec('CREATE TABLE log(x)');
    db.close();
    await refused(foreign, /database of another program/);
    await refused(folder, /is not a file/);
    assert.ok(!existsSync(`${folder}-lock`));
    await refused(join(path, 'below', 'venue.db'), /folder .* cannot be made/);
    // A file system that reports a new folder as missing.
    if (existsSync('/proc/self')) await refused('/proc/nowhere/venue.db', /folder .* cannot be made/);
  });

  test('of another schema', async () => {
    await (await openSqliteLog({ path })).close();
    change(path, 'PRAGMA user_version = 3');
    await refused(path, /newer version of the exchange \(schema 3, this one knows 2\); upgrade/);
    change(path, 'PRAGMA user_version = 1');
    await refused(path, /older version of the exchange \(schema 1, this one reads 2\); start afresh/);
  });

  test('of read-only tables, and the lock is released', async () => {
    await (await openSqliteLog({ path })).close();
    change(path, 'ALTER TABLE batch ADD COLUMN extra TEXT');
    await refused(path, /cannot be opened \(table batch has 5 columns/);
    for (let tries = 0; tries < 2; tries++) assert.throws(() => new SqliteFile(path), /has 5 columns/);
  });

  test('of a mistyped path: only its last folder is created', async () => {
    const mistyped = join(folder, 'mistyped', 'data', 'venue.db');
    await refused(mistyped, /mistyped is not there, and of the path of a log only the last folder is made/);
    assert.ok(!existsSync(join(folder, 'mistyped')));
  });

  test('of a folder this user may not write', async (t) => {
    const uid = process.getuid!() === 0 ? NOBODY : process.getuid!();
    if (!canRunAppender(uid)) return t.skip(`user ${uid} cannot run this clone`);
    chmodSync(folder, 0o555);
    const child = startAppender(path, { uid });
    assert.match(await errorsOf(child), /LogOpenError: .* check that this user may write/);
    chmodSync(folder, 0o755);
  });

  test('of a file this user may not write', async (t) => {
    const uid = process.getuid!() === 0 ? NOBODY : process.getuid!();
    if (!canRunAppender(uid)) return t.skip(`user ${uid} cannot run this clone`);
    await (await openSqliteLog({ path })).close();
    rmSync(`${path}-lock`);
    chmodSync(path, 0o444);
    chmodSync(folder, 0o777);
    assert.match(
      await errorsOf(startAppender(path, { uid })),
      /LogOpenError: .*venue\.db cannot be opened for writing; check that this user may write/,
    );
  });
});

/** A clone in a folder that only its owner may enter is closed to every other user. */
function canRunAppender(uid: number): boolean {
  const script = `require('node:fs').readFileSync(${JSON.stringify(APPENDER)})`;
  return spawnSync(process.execPath, ['-e', script], { uid, timeout: 120_000 }).status === 0;
}
