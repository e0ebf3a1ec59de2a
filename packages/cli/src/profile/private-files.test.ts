import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
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
import { after, test } from 'node:test';
import { createPrivate, readPrivate, replacePrivate } from './private-files.ts';

const root = mkdtempSync(join(tmpdir(), 'venue-private-'));
after(() => rmSync(root, { recursive: true }));

let made = 0;
const newPath = () => {
  made += 1;
  return join(root, `folder-${made}`, 'wallet.json');
};
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a file is created for its owner only, in a folder for its owner only, whatever the mask', () => {
  for (const mask of [0o000, 0o022, 0o277]) {
    const before = process.umask(mask);
    const path = newPath();
    mkdirSync(join(path, '..'), { mode: 0o700 });
    chmodSync(join(path, '..'), 0o700);
    try {
      assert.equal(createPrivate(path, 'key'), true);
      replacePrivate(path, 'new');
    } finally {
      process.umask(before);
    }
    assert.deepEqual([modeOf(path), modeOf(join(path, '..'))], [0o600, 0o700]);
    assert.deepEqual([readPrivate(path), readdirSync(join(path, '..'))], ['new', ['wallet.json']]);
  }
});

test('an existing file is never overwritten by a new one', () => {
  const path = newPath();
  createPrivate(path, 'first');
  assert.equal(createPrivate(path, 'second'), false);
  assert.equal(readFileSync(path, 'utf8'), 'first');
});

test('the draft of a process that was killed is removed by the next that writes, that of one that runs is not', () => {
  const path = newPath();
  createPrivate(path, 'key');
  const { pid: ended } = spawnSync('true');
  const drafts = [`${path}.${ended}.draft`, `${path}.1.draft`, `${path}.old.draft`];
  for (const draft of drafts) writeFileSync(draft, 'key');
  replacePrivate(path, 'new');
  assert.deepEqual(readdirSync(join(path, '..')).sort(), [
    'wallet.json',
    'wallet.json.1.draft',
    'wallet.json.old.draft',
  ]);
});

test('a file or folder that others can open is refused, with a remedy', () => {
  const path = newPath();
  createPrivate(path, 'key');
  for (const mode of [0o640, 0o604, 0o660, 0o601]) {
    chmodSync(path, mode);
    assert.throws(() => readPrivate(path), new RegExp(`others can read ${path}: run chmod 600 ${path}`));
  }
  chmodSync(path, 0o400);
  assert.equal(readPrivate(path), 'key');
  chmodSync(join(path, '..'), 0o750);
  assert.throws(() => readPrivate(path), /others can enter .*: run chmod 700 /);
  assert.throws(() => replacePrivate(path, 'other'), /others can enter /);
});

test('an absent file has no text; an unreadable one says why', () => {
  assert.equal(readPrivate(newPath()), null);
  const path = newPath();
  mkdirSync(join(path, '..'), { mode: 0o700 });
  writeFileSync(path, '', { mode: 0o600 });
  assert.throws(() => readPrivate(join(path, 'below')), /^CommandError: .* cannot be read: ENOTDIR/);
});
