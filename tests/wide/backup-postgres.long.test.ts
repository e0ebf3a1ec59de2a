/** deploy/bin/venue-backup on a PostgreSQL log: a real dump of a standby, with a trial restore. */

// @seconds 8

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
import { DebianPostgres, debianPrograms, whyNoDebianPostgres } from './drills-postgres.ts';

const SCRIPT = resolve('deploy/bin/venue-backup');
const MAIN = resolve('packages/cli/src/main.ts');
const MISSING = isInstalled('jq') ? undefined : 'needs the Debian package jq';

describe('CFG-5: a backup of a log on PostgreSQL', {
  skip: skipBecause(MISSING) || skipBecause(whyNoDebianPostgres(), { optional: true }),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-backup-postgres-'));
  const backups = join(folder, 'backups');
  let postgres: DebianPostgres;
  let log: string;
  /** URLs without passwords, which are in `.pgpass`. */
  let addresses: { readonly standby: string; readonly trial: string };

  before(async () => {
    postgres = await DebianPostgres.start();
    log = await postgres.createDatabase('venue');
    const onStandby = await postgres.addStandby();
    const trial = await postgres.createDatabase('restored_trial');
    const { username, password } = new URL(log);
    const bare = (url: string) => url.replace(`:${password}@`, '@');
    addresses = { standby: bare(onStandby(log)), trial: bare(trial) };
    writeFileSync(join(folder, 'log'), log, { mode: 0o600 });
    writeFileSync(join(folder, 'pgpass'), `*:*:*:${username}:${password}\n`, { mode: 0o600 });
    mkdirSync(join(folder, 'bin'));
    program('venue', `exec ${process.execPath} ${MAIN} "$@"`);
    const config = loadConfig({
      VENUE_LOG: log,
      VENUE_LOG_SINGLE: '1',
      VENUE_HISTORY: 'off',
      VENUE_PORT: '0',
      VENUE_LOG_LEVEL: 'silent',
      VENUE_MAINTENANCE_MS: '100',
    });
    const exchange = await startExchange(config, { onFatal: assert.fail });
    const isReplicated = () => entriesIn(onStandby(log)) === entriesIn(log);
    await eventually('entries', () => entriesIn(log) > 2);
    await exchange.stop();
    await eventually('the standby has them', isReplicated);
  });
  after(async () => {
    await postgres?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function program(name: string, command: string): void {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${command}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }

  function backUp(env: Record<string, string> = {}) {
    const { status, stdout, stderr } = spawnSync(SCRIPT, [backups], {
      env: {
        PATH: `${folder}/bin:${debianPrograms()}:${process.env.PATH}`,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        PGPASSFILE: join(folder, 'pgpass'),
        VENUE_LOG_FILE: join(folder, 'log'),
        BACKUP_FROM: addresses.standby,
        BACKUP_TRIAL: addresses.trial,
        ...env,
      },
      encoding: 'utf8',
    });
    return { status, name: stdout.trim(), stderr };
  }
  const metrics = () => readFileSync(join(backups, 'venue_backup.prom'), 'utf8');
  const restored = () => addresses.trial.replace('venue@', `venue:${new URL(log).password}@`);

  function isRefused(reason: RegExp, env?: Record<string, string>): void {
    const [files, told] = [readdirSync(backups).sort(), metrics()];
    const { status, name, stderr } = backUp(env);
    assert.deepEqual([status, name], [1, '']);
    assert.match(stderr, reason);
    assert.deepEqual(readdirSync(backups).sort(), files);
    assert.equal(metrics(), told);
  }

  test('is a dump of a standby that passed a trial restore, with its head and its time', () => {
    const beganS = Math.floor(Date.now() / 1_000);
    const { status, name, stderr } = backUp();
    assert.equal(status, 0, stderr);
    const [, position, hash] = /^([1-9]\d*):([0-9a-f]{64})\n$/.exec(readFileSync(`${name}.head`, 'utf8'))!;
    assert.equal(entriesIn(log), Number(position));
    assert.equal(entriesIn(restored()), Number(position));
    assert.equal(asked(log, `SELECT encode(hash, 'hex') FROM batch ORDER BY first_seq DESC LIMIT 1`), hash);
    const listed = execFileSync(join(debianPrograms()!, 'pg_restore'), ['--list', `${name}.dump`], {
      encoding: 'utf8',
    });
    assert.match(listed, /TABLE DATA public log /);
    const [, told] = /^venue_backup_timestamp_seconds (\d+)$/m.exec(metrics())!;
    assert.ok(Number(told) >= beganS && Number(told) <= Date.now() / 1_000);
    assert.match(metrics(), new RegExp(`^venue_backup_position ${position}$`, 'm'));
    assert.deepEqual(
      readdirSync(backups).filter((file) => file.includes('part')),
      [],
    );
  });

  test("without a server's address to dump is refused", () => {
    isRefused(/BACKUP_FROM has to name/, { BACKUP_FROM: '' });
  });

  test('that is damaged while written is not kept, and the time of the last good one stays', () => {
    const real = join(debianPrograms()!, 'pg_dump');
    const file = `$(printf '%s\n' "$@" | sed -n 's/^--file=//p')`;
    program('pg_dump', `${real} "$@" && truncate -s -100 "${file}"`);
    isRefused(/pg_restore: error/);
    rmSync(join(folder, 'bin/pg_dump'));
  });

  test('of a tampered log is restored and not kept, as it does not verify', async () => {
    asked(log, `UPDATE log SET body = '{}' WHERE seq = 2`);
    const changed = addresses.standby.replace('venue@', `venue:${new URL(log).password}@`);
    await eventually(
      'the standby has it',
      () => asked(changed, 'SELECT length(body) FROM log WHERE seq = 2') === '2',
    );
    isRefused(/^venue-backup: the backup does not pass venue verify; it is not kept$/m);
  });
});

function asked(url: string, statement: string): string {
  return execFileSync('psql', ['-At', '-c', statement, url], { encoding: 'utf8' }).trim();
}

function entriesIn(url: string): number {
  return Number(asked(url, 'SELECT coalesce(max(seq), 0) FROM log'));
}
