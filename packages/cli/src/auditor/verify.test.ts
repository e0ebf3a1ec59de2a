import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../test/in-process.ts';

for (const [words, message, exitCode = 1] of [
  [
    ['verify', '--log', 'sqlite:/nowhere/venue.db'],
    /^venue: \/nowhere\/venue\.db does not exist; name the file of a log\n$/,
  ],
  [
    ['verify', '--log', 'postgres://u:hunter2@127.0.0.1:1/x'],
    /^venue: the log cannot be reached \(127\.0\.0\.1:1: (?!.*hunter2)[^\n]*\n$/,
  ],
  [
    ['verify', '--archive', '/nowhere/venue.zst'],
    /^venue: \/nowhere\/venue\.zst does not exist, or its folder does not\n$/,
  ],
  [['verify', '--skip', '1,x'], /argument '1,x' is invalid\. It must be the number of an entry/, 2],
  [
    ['export', '--log', 'sqlite:/nowhere/venue.db', '--out', '/tmp/x.zst'],
    /^venue: .*does not exist; name the file of a log\n$/,
  ],
  [['export'], /required option '--out <file>' not specified/, 2],
  [['archive', '--out', '/tmp/x.zst', '--keep', 'some'], /It must be a number of entries, or "snapshot"/, 2],
] as [string[], RegExp, number?][]) {
  test(`venue ${words.join(' ')} is refused with an explanation`, async () => {
    const { code, stderr } = await runInProcess(words, {});
    assert.equal(code, exitCode);
    assert.match(stderr, message);
  });
}
