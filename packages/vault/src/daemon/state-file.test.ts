import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '@venue/config';
import { StateFile } from './state-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-state-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a written state is read back, in a folder created for it, readable only by its owner', async () => {
  const file = new StateFile(join(folder, 'new', 'state.json'));
  assert.equal(file.read(), undefined);
  await file.write({ a: 1 });
  await file.write({ a: 2 });
  assert.deepEqual(file.read(), { a: 2 });
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(folder, 'new')), ['state.json']);
});

test('until the new content is complete the old one stands, whatever an earlier crash left behind', async () => {
  const path = join(folder, 'state.json');
  writeFileSync(`${path}.tmp`, '{"half":');
  const seen: unknown[] = [];
  const file = new StateFile(path, () => seen.push(new StateFile(path).read()));
  await file.write({ n: 1 });
  await file.write({ n: 2 });
  assert.deepEqual(seen, [undefined, undefined, { n: 1 }, { n: 1 }, { n: 1 }, { n: 2 }]);
});

test('two daemons given one file by mistake do not disturb each other', async () => {
  const path = join(folder, 'shared.json');
  const files = [new StateFile(path), new StateFile(path)];
  const write = async (file: StateFile) => {
    for (let n = 0; n < 20; n++) await file.write({ n });
  };
  await Promise.all(files.map(write));
  assert.deepEqual(new StateFile(path).read(), { n: 19 });
});

test('a file that cannot be written is reported in one line', async () => {
  writeFileSync(join(folder, 'plain'), '');
  await assert.rejects(new StateFile(join(folder, 'plain', 'state.json')).write({}), {
    name: 'ConfigError',
    message: /^the state file .*state\.json cannot be written: \w+/,
  });
});

test('a file that is not JSON is named and left unchanged', () => {
  const path = join(folder, 'broken.json');
  writeFileSync(path, '{"a":');
  assert.throws(
    () => new StateFile(path).read(),
    (error) =>
      error instanceof ConfigError &&
      error.message.includes(path) &&
      /no JSON; restore it/.test(error.message),
  );
  assert.equal(readFileSync(path, 'utf8'), '{"a":');
});
