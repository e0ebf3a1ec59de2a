import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogOpenError } from './errors.ts';
import { openLog, openLogReader, parseLogSpec } from './open.ts';
import { parsePostgresUrl } from './postgres-url.ts';

test('a log is named by a path or by a URL, and is shown without its password', () => {
  assert.deepEqual(parseLogSpec('sqlite:./data/venue.db'), {
    kind: 'sqlite',
    path: './data/venue.db',
    shown: 'sqlite:./data/venue.db',
  });
  const url = 'postgres://me:s%40cret@db1:5433,db2,[::1]:5434/venue?sslmode=disable';
  assert.deepEqual(parseLogSpec(url), {
    kind: 'postgres',
    url,
    shown: 'postgres://db1:5433,db2:5432,[::1]:5434',
  });
  assert.deepEqual(
    parsePostgresUrl(url).map(({ connectionString }) => connectionString),
    [
      'postgres://me:s%40cret@db1:5433/venue?sslmode=disable',
      'postgres://me:s%40cret@db2/venue?sslmode=disable',
      'postgres://me:s%40cret@[::1]:5434/venue?sslmode=disable',
    ],
  );
  assert.equal(parseLogSpec('postgresql:///venue?host=/run/pg').shown, 'postgres:///run/pg:5432');
});

test('anything else is refused in one line, without what may be a password', async () => {
  for (const spec of ['', 'sqlite:', 'data/venue.db', 'mysql://me:secret@h/d', 'postgres://me:se/cret@h/d']) {
    assert.throws(
      () => parseLogSpec(spec),
      (error) =>
        error instanceof LogOpenError && !/\n/.test(error.message) && !/se\/?cret/.test(error.message),
      spec,
    );
  }
  await assert.rejects(openLog('venue.db'), /sqlite:<path> or postgres:/);
});

test('a log and its reader are opened by the same name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const spec = `sqlite:${join(folder, 'venue.db')}`;
  await assert.rejects(openLogReader(spec), /venue\.db does not exist; name the file of a log/);
  const log = await openLog(spec, { now: () => 77 });
  await log.append([{ kind: 'note', body: Buffer.from('{}') }]);
  const reader = await openLogReader(spec);
  assert.deepEqual(await reader.head(), { seq: 1, ts: 77 });
  await reader.close();
  await log.close();
});
