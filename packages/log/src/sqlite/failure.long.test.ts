/** A log whose process is killed, whose file may not grow, or whose disk is full. */

// @seconds 4

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { APPENDER, acknowledged, errorsOf, kill, outputOf, startAppender } from '../../test/appending.ts';
import { openSqliteLog } from './log.ts';

const FULL_DISK = fileURLToPath(new URL('../../test/full-disk.ts', import.meta.url));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  path = join(folder, 'venue.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('SQLite log under failure', () => {
  test('kill -9: everything acknowledged is stored, nothing is torn, and the lock is released', async () => {
    let known = 0;
    for (let round = 1; round <= 3; round++) {
      const child = startAppender(path);
      known = await acknowledged(child, known + 200 * round);
      known = Math.max(known, await kill(child));
      const log = await openSqliteLog({ path });
      const { seq } = await log.head();
      assert.ok(seq >= known, `round ${round}: ${known} were acknowledged, ${seq} are there`);
      assert.equal(seq % 2, 0, 'both items of a call or none');
      let count = 0;
      await log.follow(1, (entries) => (count += entries.length)).caughtUp;
      assert.equal(count, seq);
      await log.close();
    }
  });

  test('a write that the system refuses is final: pending and later appends reject, failed resolves', async () => {
    // The file size limit makes a write inside a flush fail, as a full disk does.
    const child = spawn('sh', ['-c', `ulimit -f 1000; exec "${process.execPath}" "${APPENDER}" "${path}"`]);
    const lines = (await outputOf(child)).trim().split('\n');
    const rejected = lines.filter((line) => line.startsWith('rejected: '));
    const failed = lines.find((line) => line.startsWith('failed: '))?.slice('failed: '.length);
    assert.match(
      failed ?? '',
      /^the log could not be read or written: .*(full|I\/O).*; check the disk, then start/,
    );
    assert.deepEqual(new Set(rejected), new Set([`rejected: ${failed}`]));
    assert.equal(rejected.length, 32);
    assert.ok(lines.includes(`later: ${failed}`));
    const log = await openSqliteLog({ path });
    const known = Math.max(...lines.map(Number).filter(Number.isFinite));
    assert.ok((await log.head()).seq >= known);
    await log.close();
  });

  test('a full disk refuses appends, changes nothing, and does no lasting harm once there is room', async (t) => {
    const mount = 'mount -t tmpfs -o size=6m tmpfs "$1" && exec "$0" "$2" "$1"';
    // In its own mount namespace, which ends together with the file system.
    const child = spawn('unshare', ['-rm', 'sh', '-c', mount, process.execPath, folder, FULL_DISK]);
    const [output, errors] = await Promise.all([outputOf(child), errorsOf(child)]).catch(() => [
      '',
      'no unshare',
    ]);
    if (output === '' && /unshare|mount/.test(errors)) return skip(t, `no small disk: ${errors.trim()}`);
    const { before, after: afterwards, refused: refusals, ...rest } = JSON.parse(output || `"${errors}"`);
    assert.deepEqual(rest, {
      failed: '',
      otherErrors: [],
      writable: [false, true],
      snapshot: 'LogFullError',
      isSame: true,
    });
    assert.ok(before > 500 && refusals >= 50, output);
    assert.equal(afterwards, 100);
  });
});

function skip(t: TestContext, why: string): void {
  if (process.env.VENUE_TEST_REQUIRE === 'all')
    throw new Error(`${why}, and VENUE_TEST_REQUIRE forbids to skip`);
  t.skip(why);
}
