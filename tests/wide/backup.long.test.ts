/** deploy/bin/venue-backup on a real log: only what can be restored counts as a backup. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadConfig } from '../../packages/exchange/src/config.ts';
import { startExchange } from '../../packages/exchange/src/node.ts';
import { eventually } from '../e2e/launched.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';

const SCRIPT = resolve('deploy/bin/venue-backup');
const MAIN = resolve('packages/cli/src/main.ts');
const MISSING = ['sqlite3', 'jq'].find((program) => !isInstalled(program));

describe('CFG-5: a backup', { skip: skipBecause(MISSING && `needs the Debian package ${MISSING}`) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-backup-'));
  const log = join(folder, 'venue.db');
  const backups = join(folder, 'backups');

  before(async () => {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/venue'), `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
    chmodSync(join(folder, 'bin/venue'), 0o755);
    const env = { VENUE_LOG: `sqlite:${log}`, VENUE_PORT: '0', VENUE_LOG_LEVEL: 'silent' };
    const exchange = await startExchange(loadConfig({ ...env, VENUE_MAINTENANCE_MS: '100' }), {
      onFatal: assert.fail,
    });
    await eventually('entries', () => entriesIn(log) > 2);
    await exchange.stop();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function backUp(env: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(SCRIPT, [backups], {
      env: {
        PATH: `${folder}/bin:${process.env.PATH}`,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        VENUE_LOG: `sqlite:${log}`,
        ...env,
      },
      encoding: 'utf8',
    });
    return { status, name: stdout.trim(), stderr };
  }
  const metrics = () => readFileSync(join(backups, 'venue_backup.prom'), 'utf8');

  test('is a copy that passed a trial restore, with its head and its time', () => {
    const beganS = Math.floor(Date.now() / 1_000);
    const { status, name, stderr } = backUp();
    assert.equal(status, 0, stderr);
    const [, position, hash] = /^([1-9]\d*):([0-9a-f]{64})\n$/.exec(readFileSync(`${name}.head`, 'utf8'))!;
    assert.equal(entriesIn(`${name}.db`), Number(position));
    assert.equal(JSON.parse(readFileSync(`${name}.json`, 'utf8')).facts.entries.chainHead, hash);
    const [, told] = /^venue_backup_timestamp_seconds (\d+)$/m.exec(metrics())!;
    assert.ok(Number(told) >= beganS && Number(told) <= Date.now() / 1_000);
    assert.match(metrics(), new RegExp(`^venue_backup_position ${position}$`, 'm'));
  });

  test('that fails its trial restore is not kept, and the time of the last good one stays', () => {
    const [files, told] = [readdirSync(backups).sort(), metrics()];
    execFileSync('sqlite3', [log, "UPDATE log SET body = '{}' WHERE seq = 2"]);
    const { status, name, stderr } = backUp();
    assert.deepEqual([status, name], [1, '']);
    assert.match(stderr, /^venue-backup: the backup does not pass venue verify; it is not kept$/m);
    assert.deepEqual(readdirSync(backups).sort(), files);
    assert.equal(metrics(), told);
  });

  test('of a missing log, and of one on PostgreSQL without a database for the trial, is refused', () => {
    assert.match(backUp({ VENUE_LOG: 'sqlite:/nowhere.db' }).stderr, /\/nowhere\.db is not there/);
    assert.match(
      backUp({ VENUE_LOG: 'postgres://db/venue', BACKUP_TRIAL: 'postgres://db/venue' }).stderr,
      /BACKUP_TRIAL has to name/,
    );
  });
});

function entriesIn(path: string): number {
  const asked = ['-readonly', path, 'SELECT max(seq) FROM log'];
  return Number(execFileSync('sqlite3', asked, { encoding: 'utf8' }));
}
