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
  assert.deepEqual(
    batches(Object.keys(said), (file) => ({ process: null, seconds: 0, ...said[file] })),
    [['a.test.ts', 'e.test.ts'], ['d.test.ts'], ['c.long.test.ts'], ['b.test.ts', 'f.test.ts']],
  );
});

test('short files share processes, with their neighbours', () => {
  const files = Array.from({ length: 30 }, (_, index) => `packages/${index}.test.ts`);
  const shared = batches(files, () => ({ process: null, seconds: 0 }));
  assert.ok(shared.length > 1 && shared.length < 6, `${shared.length} processes`);
  assert.deepEqual(shared.flat(), files);
});
