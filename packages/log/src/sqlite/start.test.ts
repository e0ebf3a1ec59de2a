import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { flipped, KilledLog, type LogFiles } from '../../test/killed-log.ts';
import { LogOpenError } from '../errors.ts';
import { headFileOf, readHead } from './head.ts';
import { openSqliteLog } from './log.ts';
import { moveWal } from './start.ts';
import { walOf } from './wal.ts';

const COMMITS = 8;
const SLOT = 4096;

let log: KilledLog;
before(() => {
  log = new KilledLog(COMMITS);
});
after(() => log.remove());

describe('LOG-1: an open moves the WAL into the file', () => {
  test('before anything is served', async () => {
    log.place();
    const opened = await openSqliteLog({ path: log.path });
    assert.equal(statSync(walOf(log.path)).size, 0);
    await opened.close();
    assert.equal(log.open({}), 'whole');
  });

  test('after waiting for readers, with a warning', async () => {
    log.place();
    const reader = reading(log.path);
    const warnings: string[] = [];
    const opened = await openSqliteLog({
      path: log.path,
      onWarning: (text) => {
        warnings.push(text);
        reader.close();
      },
    });
    assert.deepEqual(warnings, [`${log.path} is being read by another program; the start waits for its end`]);
    assert.equal(statSync(walOf(log.path)).size, 0);
    await opened.close();
  });

  test('or is refused while a reader stays', () => {
    log.place();
    const reader = reading(log.path);
    const db = new DatabaseSync(log.path);
    assert.throws(
      () => moveWal(db, { path: log.path, onWarning: () => {}, limitMs: 0 }),
      (error) =>
        error instanceof LogOpenError &&
        /^\S+ is being read by another program, .*\bstart again$/.test(error.message),
    );
    reader.close();
    moveWal(db, { path: log.path, onWarning: () => assert.fail('nobody reads any more'), limitMs: 0 });
    db.close();
  });

  function reading(path: string): DatabaseSync {
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM log').get();
    return reader;
  }
});

describe('LOG-2: a log that lost acknowledged entries is refused in one line', () => {
  const refused = (changed: Partial<LogFiles>, message: RegExp) => {
    const outcome = log.open(changed);
    assert.ok(typeof outcome === 'object', String(outcome));
    assert.match(outcome.refusal, message);
    assert.ok(!outcome.refusal.includes('\n'));
  };
  const ENDS_EARLY = new RegExp(
    `^the log ends with entry ${COMMITS / 2}, and entry ${COMMITS} was durable: its end is missing; restore the log from a backup, or remove /\\S+-head to go on without it$`,
  );

  test('with a flipped bit in the WAL before later commits, with or without a head file; all files stay unchanged', () => {
    const wal = flipped(log.files['-wal']!, 200);
    const line = new RegExp(
      `^/\\S+-wal is damaged: entry ${COMMITS / 2 + 1} cannot be read, and commits stand behind it; restore the log from a backup$`,
    );
    refused({ '-wal': wal }, line);
    refused({ '-wal': wal, '-head': undefined }, line);
    assert.equal(statSync(walOf(log.path)).size, wal.length);
  });

  test('with a flipped bit in its last commit', () => {
    const wal = log.files['-wal']!;
    refused(
      { '-wal': flipped(wal, wal.length - 300) },
      new RegExp(`ends with entry ${COMMITS - 1}, and entry ${COMMITS} was`),
    );
  });

  test('with a WAL that is missing, empty or truncated', () => {
    refused({ '-wal': undefined }, ENDS_EARLY);
    refused({ '-wal': Buffer.alloc(0) }, ENDS_EARLY);
    const wal = log.files['-wal']!;
    refused({ '-wal': wal.subarray(0, wal.length - 4000) }, /ends with entry 7, and entry 8 was durable/);
  });

  test('with a file from an older backup, or none', () => {
    refused({ '': log.older, '-wal': undefined }, ENDS_EARLY);
    refused({ '': undefined, '-wal': undefined }, /ends with entry 0, and entry 8 was durable/);
    assert.ok(!existsSync(log.path));
  });

  test('with a different past', () => {
    const other = new KilledLog(COMMITS, 'bye');
    refused(
      { '-head': other.files['-head'] },
      /^entry 8 is another than the one that was durable: .* go on with this one$/,
    );
    other.remove();
  });
});

describe('LOG-2: a log that has everything that was acknowledged starts', () => {
  const starts = (changed: Partial<LogFiles>, warning?: RegExp) => {
    assert.equal(log.open(changed), 'whole');
    assert.equal(log.warnings.length, warning ? 1 : 0, `${log.warnings}`);
    if (warning) assert.match(log.warnings[0]!, warning);
  };

  test('without a warning, and goes on recording its head', () => {
    starts({});
    const { seq } = readHead(headFileOf(log.path)) as { seq: number };
    assert.equal(seq, COMMITS);
  });

  test('with a head that lags, as after a power cut, or one half of which is torn', () => {
    const head = log.files['-head']!;
    const [first, second] = [head.subarray(0, SLOT), head.subarray(SLOT)];
    for (const lagging of [
      Buffer.concat([Buffer.alloc(SLOT), second]),
      Buffer.concat([first, Buffer.alloc(SLOT)]),
      Buffer.concat([flipped(first, 40), second]),
      head.subarray(0, SLOT),
    ])
      starts({ '-head': lagging });
  });

  test('without a head, or with an unreadable one: a line says so, and a new one is made', () => {
    starts(
      { '-head': undefined },
      /-head is missing, so nothing tells whether entries behind entry 8 are missing; it is rebuilt$/,
    );
    starts({ '-head': Buffer.alloc(2 * SLOT) }, /-head is unreadable, so nothing tells/);
    starts({ '-head': Buffer.from('a text') }, /-head is unreadable, so nothing tells/);
    assert.equal((readHead(headFileOf(log.path)) as { seq: number }).seq, COMMITS);
  });

  test('with part of a last commit that was never acknowledged', () => {
    const { files, entries } = log;
    const wal = files['-wal']!;
    const outcome = log.open({ '-wal': wal.subarray(0, wal.length - 1), '-head': undefined });
    assert.equal(outcome, 'lost');
    assert.equal(readSeq(), entries.length - 1);
  });

  function readSeq(): number {
    return (readHead(headFileOf(log.path)) as { seq: number }).seq;
  }
});

describe('LOG-2: a flipped bit anywhere', () => {
  for (const suffix of ['', '-wal', '-head'] as const) {
    test(`in venue.db${suffix} is found, or does not matter`, () => {
      const bytes = log.files[suffix]!;
      const step = Math.ceil(bytes.length / 40);
      for (let at = 7; at < bytes.length; at += step) {
        const outcome = log.open({ [suffix]: flipped(bytes, at) });
        assert.notEqual(outcome, 'lost', `a bit of byte ${at}`);
        if (typeof outcome === 'object') assert.ok(!outcome.refusal.includes('\n'), outcome.refusal);
      }
    });
  }
});
