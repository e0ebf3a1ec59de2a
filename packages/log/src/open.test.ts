import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogOpenError } from './errors.ts';
import { openLog, openLogReader, parseLogSpec } from './open.ts';
import { parsePostgresUrl } from './postgres/url.ts';

test('a log is named by a path or a URL, and messages show it without its password', () => {
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

test('any other name is refused in one line that cannot contain a password', async () => {
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

test('names that SQLite would keep in memory or take for a URL are refused', async () => {
  const refused = [
    [':memory:', /^sqlite::memory: would keep nothing .*; name a file, as in sqlite:\.\/data\/venue\.db$/],
    [
      'file:x?mode=memory',
      /^sqlite:file:… is a URL, .*; name the file itself, as in sqlite:\.\/data\/venue\.db$/,
    ],
    ['file::memory:?cache=shared', /^sqlite:file:… is a URL/],
    ['file:/tmp/venue.db', /^sqlite:file:… is a URL/],
    ['', /^a log is named by sqlite:<path>/],
  ] as const;
  for (const [path, message] of refused) {
    const isRefusal = (error: unknown) => {
      assert.ok(error instanceof LogOpenError, String(error));
      assert.match(error.message, message);
      return true;
    };
    assert.throws(() => parseLogSpec(`sqlite:${path}`), isRefusal);
    await assert.rejects(openLog(`sqlite:${path}`), isRefusal);
    await assert.rejects(openLogReader(`sqlite:${path}`), isRefusal);
  }
  assert.equal(parseLogSpec('sqlite:./file:x').kind, 'sqlite');
});

test('a URL or a certificate that cannot be used is refused before any connection is tried', async () => {
  const refused: readonly (readonly [url: string, message: RegExp])[] = [
    ['postgres://u:se-cret@', /^the URL of the log is not of the form postgres:/],
    ['postgres://u:se-cret@?host=h', /^the URL of the log is not of the form postgres:/],
    [
      'postgres://u:se-cret@127.0.0.1:1,127.0.0.1:2/d?sslmode=verify-full&sslrootcert=/nowhere/root.crt',
      /^\/nowhere\/root\.crt, which the URL of the log names, cannot be read \(ENOENT\); check sslrootcert/,
    ],
    [
      'postgres://u:se-cret@127.0.0.1:1/d?sslmode=verify-ca&uselibpqcompat=true',
      /^the parameters of the URL of the log cannot be used together; check sslmode and what goes with it$/,
    ],
  ];
  for (const [url, message] of refused) {
    for (const open of [openLog, openLogReader]) {
      await assert.rejects(open(url), (error) => {
        assert.ok(error instanceof LogOpenError, String(error));
        assert.match(error.message, message);
        assert.ok(!/se-cret|\n/.test(error.message));
        return true;
      });
    }
  }
});

test('a log and its reader are opened by the same name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const spec = `sqlite:${join(folder, 'venue.db')}`;
  await assert.rejects(openLogReader(spec), /venue\.db does not exist; name the file of a log/);
  const log = await openLog(spec, { now: () => 77 });
  await log.append([{ kind: 'note', body: Buffer.from('{}') }]);
  const reader = await openLogReader(spec);
  const [batch] = await reader.readBatches(1, 1);
  assert.deepEqual(await reader.head(), { seq: 1, ts: 77, hash: batch!.hash });
  await reader.close();
  await log.close();
});
