import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches, type Directives, directivesIn, halfOf } from './test-files.ts';

test('TEST-1: the suffix tells in which half a file is', () => {
  assert.equal(halfOf('packages/log/src/log.test.ts'), 'everyday');
  assert.equal(halfOf('tests/wide/cluster.long.test.ts'), 'long');
  assert.equal(halfOf('tests/wide/drills.nightly.test.ts'), 'nightly');
  assert.equal(halfOf('tests/wide/long.test.ts'), 'everyday');
});

test('TEST-1: a file says in its head which process it shares and how long it takes', () => {
  const head = '/** A test. */\n\n// @process vault\n// @seconds 40\nimport assert from "node:assert";\n';
  assert.deepEqual(directivesIn(head), { process: 'vault', seconds: 40 });
  assert.deepEqual(directivesIn('// says @process nothing\n'), { process: null, seconds: 0 });
});

test('the slowest processes start first, and every file starts once', () => {
  const said: Record<string, Partial<Directives>> = {
    'a.test.ts': { process: 'market', seconds: 20 },
    'b.test.ts': {},
    'c.long.test.ts': {},
    'd.test.ts': { seconds: 30 },
    'e.test.ts': { process: 'market', seconds: 20 },
    'f.test.ts': { seconds: 1 },
  };
  const started = (order: 'slowest first' | 'as given') =>
    batches(Object.keys(said), order, (file) => ({ process: null, seconds: 0, ...said[file] }));
  const shared = ['a.test.ts', 'e.test.ts'];
  const short = ['b.test.ts', 'f.test.ts'];
  assert.deepEqual(started('slowest first'), [shared, ['d.test.ts'], ['c.long.test.ts'], short]);
  assert.deepEqual(started('as given'), [shared, short, ['c.long.test.ts'], ['d.test.ts']]);
});

test('short files share processes, with their neighbours', () => {
  const files = Array.from({ length: 30 }, (_, index) => `packages/${index}.test.ts`);
  const shared = batches(files, 'slowest first', () => ({ process: null, seconds: 0 }));
  assert.ok(shared.length > 1 && shared.length < 6, `${shared.length} processes`);
  assert.deepEqual(shared.flat(), files);
});
