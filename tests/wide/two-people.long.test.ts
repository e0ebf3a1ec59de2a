/** Settlement by hand takes two people: nothing that is deployed or written down brings their secrets together. */

// @seconds 9

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Names a secret of settlement itself, as a variable, a file or a header; not its hash. */
const ANY_SECRET = /settle[-_]token/i;

/** The secrets that a text names: 1, 2 or both. Names that a shell puts together count as both. */
function secretsNamed(text: string): number[] {
  const numbered = [1, 2].filter((which) => new RegExp(`settle[-_]token[-_]${which}`, 'i').test(text));
  const isComposed = /settle[-_]token[-_](?![12])/i.test(text);
  return isComposed ? [1, 2] : numbered;
}

const deployed = globSync('deploy/**', { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  // nginx takes the headers of all secrets off every request.
  .filter((path) => path !== 'deploy/nginx/venue/proxy.conf')
  .sort();

test('CUS-10: nothing under deploy/ has a secret of settlement, and the exchange has the hashes', () => {
  assert.ok(deployed.length > 20);
  assert.deepEqual(
    deployed.filter((path) => ANY_SECRET.test(read(path))),
    [],
  );
  for (const which of [1, 2])
    assert.match(read('deploy/docker/compose.yaml'), new RegExp(`VENUE_SETTLE_HASH_${which}:`));
});

test('CUS-10: make-secrets makes no secret of settlement', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-two-people-'));
  try {
    for (const server of [[], ['postgres']]) {
      const made = join(folder, `${server.length}`);
      const { status } = spawnSync(join(ROOT, 'deploy/bin/make-secrets'), [made, ...server]);
      assert.equal(status, 0);
      assert.ok(readdirSync(made).includes('operator-token'));
      assert.deepEqual(
        readdirSync(made).filter((file) => file.includes('settle')),
        [],
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('CUS-10: no command of a page has both secrets, which would bring them to one machine', () => {
  const blocks = globSync('{docs/**/,}*.md', { cwd: ROOT }).flatMap((page) =>
    [...read(page).matchAll(/^ *```[a-z]+\n([\s\S]*?)^ *```$/gm)].map(([, code]) => ({ page, code: code! })),
  );
  const naming = blocks.filter(({ code }) => ANY_SECRET.test(code));
  assert.ok(naming.length >= 4, 'the pages have the commands of both');
  for (const { page, code } of naming) assert.ok(secretsNamed(code).length < 2, `${page}:\n${code}`);
});

test('CUS-10: both secrets together are found, however they are put', () => {
  for (const text of [
    'VENUE_SETTLE_TOKEN_1=a VENUE_SETTLE_TOKEN_2=b venue operator settle',
    'LoadCredential=settle-token-1:x\nLoadCredential=settle-token-2:y',
    'for n in 1 2; do export "VENUE_SETTLE_TOKEN_$n"; done',
  ])
    assert.deepEqual(secretsNamed(text), [1, 2]);
  assert.deepEqual(secretsNamed('VENUE_SETTLE_TOKEN_2_FILE=~/settle-token venue'), [2]);
});
