import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type NamedOperator, readOperators } from '@venue/config';
import { runInProcess } from '../../../test/in-process.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'venue-operators-'));
after(() => rmSync(folder, { recursive: true }));

const operators = (file: string, ...words: string[]) =>
  runInProcess(['operators', ...words, '--file', join(folder, file)], {});
const read = (file: string) => readOperators(readFileSync(join(folder, file), 'utf8')) as NamedOperator[];

test('OPS-2: an operator is added, rotated and removed, and the file has hashes alone', async () => {
  const added = await operators('a', 'add', 'ann', '--roles', 'settle,operate');
  assert.match(added.stdout, /^[0-9a-f]{64}\n$/);
  assert.match(added.stderr, /^the secret of ann, shown once;/);
  const first = added.stdout.trim();
  assert.equal(statSync(join(folder, 'a')).mode & 0o777, 0o600);
  assert.deepEqual(read('a'), [
    { name: 'ann', roles: ['operate', 'settle'], hashes: [hash('sha256', first)] },
  ]);
  await operators('a', 'add', 'bo', '--roles', 'read');
  const second = (await operators('a', 'rotate', 'ann')).stdout.trim();
  assert.deepEqual(read('a')[0]?.hashes, [hash('sha256', second), hash('sha256', first)]);
  const listed = await operators('a', 'list');
  assert.equal(listed.stdout, 'ann operate,settle (two secrets: a rotation is under way)\nbo read\n');
  await operators('a', 'rotate', 'ann', '--finish');
  assert.deepEqual(read('a')[0]?.hashes, [hash('sha256', second)]);
  assert.equal((await operators('a', 'remove', 'bo')).code, 0);
  const json = JSON.parse((await operators('a', 'list', '--json')).stdout);
  assert.deepEqual(json, [{ name: 'ann', roles: ['operate', 'settle'], secrets: 1 }]);
  const text = readFileSync(join(folder, 'a'), 'utf8');
  for (const secret of [first, second]) assert.ok(!text.includes(secret));
});

test('OPS-2: what cannot be done is refused in a line, and changes nothing', async () => {
  await operators('b', 'add', 'ann', '--roles', 'read');
  const before = readFileSync(join(folder, 'b'), 'utf8');
  for (const [words, refusal] of [
    [['add', 'ann', '--roles', 'read'], /^venue: \S+ names ann already\n$/],
    [['add', 'Bo', '--roles', 'read'], /a name must be 1 to 32 lower-case letters/],
    [['add', 'operator', '--roles', 'read'], /operator is the name of the shared secret/],
    [['add', 'bo', '--roles', 'root'], /roles must be some of read,operate,settle,custody/],
    [['rotate', 'bo'], /^venue: \S+ names no bo\n$/],
    [['rotate', 'ann', '--finish'], /^venue: ann has one secret: there is no rotation to finish\n$/],
    [['remove', 'ann'], /^venue: ann is the last of/],
  ] as const) {
    const { code, stdout, stderr } = await operators('b', ...words);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, refusal);
    assert.equal(readFileSync(join(folder, 'b'), 'utf8'), before);
  }
  await operators('b', 'rotate', 'ann');
  assert.match((await operators('b', 'rotate', 'ann')).stderr, /^venue: ann has two secrets already:/);
  mkdirSync(join(folder, 'e'), { mode: 0o700 });
  assert.match(
    (await operators('e', 'add', 'ann', '--roles', 'read')).stderr,
    /^venue: \S+ is not a file\n$/,
  );
  const nameless = await runInProcess(['operators', 'list', '--file', ''], {});
  assert.match(nameless.stderr, /it must name a file/);
  chmodSync(join(folder, 'b'), 0o644);
  assert.match((await operators('b', 'list')).stderr, /^venue: others can read /);
  writeFileSync(join(folder, 'c'), 'ann read clear-secret\n', { mode: 0o600 });
  assert.match((await operators('c', 'list')).stderr, /^venue: \S+: line 1: after name and roles/);
  assert.ok(!existsSync(join(folder, 'd')));
  assert.equal((await operators('d', 'list')).stdout, '');
});

test('OPS-2: of two commands at once one is refused, and every secret that was shown is valid', async () => {
  const command = (name: string) => {
    const words = ['operators', 'add', name, '--roles', 'read', '--file', join(folder, 'f', 'operators')];
    const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    return Promise.all([text(child.stdout), text(child.stderr)]);
  };
  const ended = await Promise.all(Array.from({ length: 4 }, (_, i) => command(`n${i}`)));
  const hashes = ended.map(([secret]) => secret.trim()).filter((secret) => secret !== '');
  assert.deepEqual(
    read('f/operators')
      .flatMap((one) => one.hashes)
      .sort(),
    hashes.map((secret) => hash('sha256', secret)).sort(),
  );
  for (const [secret, refusal] of ended)
    if (secret === '') assert.match(refusal, /^venue: another command is changing \S+: try again\n$/);
  assert.deepEqual(readdirSync(join(folder, 'f')), ['operators', 'operators.lock']);
});

test('OPS-2: while another command changes the file, one is refused and changes nothing', async () => {
  const { stdout: secret } = await operators('g', 'add', 'ann', '--roles', 'read');
  using lock = new DatabaseSync(join(folder, 'g.lock'));
  lock.exec('BEGIN EXCLUSIVE');
  const { code, stdout, stderr } = await operators('g', 'rotate', 'ann');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^venue: another command is changing \S+: try again\n$/);
  assert.deepEqual(read('g')[0]?.hashes, [hash('sha256', secret.trim())]);
  assert.equal((await operators('g', 'list')).code, 0);
});
