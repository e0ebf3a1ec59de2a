/** A snapshot as large as for 100,000 accounts with long histories; needs 2 GiB of memory for some seconds. */

import assert from 'node:assert/strict';
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { snapshotVersion, stateDigest, stateLines } from '@venue/engine';
import { bodyFault, restoreSnapshot } from '@venue/replay';
import { TestVenue } from '../../packages/exchange/test/auth-venue.ts';

test('a snapshot with more text than fits into one string works like any other', async () => {
  const { state } = new TestVenue();
  // JSON ignores the spaces, which stand in for the histories of 100,000 accounts.
  const lines = [...stateLines(state)];
  const padding = Buffer.alloc(Math.ceil((constants.MAX_STRING_LENGTH + 1) / lines.length), ' ');
  const text = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), padding, Buffer.from('\n')]));
  assert.ok(text.length > constants.MAX_STRING_LENGTH);
  const body = zstdCompressSync(text.subarray(0, -1));
  const snapshot = { seq: 1, version: snapshotVersion(state), body };
  const digest = createHash('sha256').update(text).digest('hex');
  assert.equal(await bodyFault({ ...snapshot, digest }), null);
  const restored = await restoreSnapshot({ ...snapshot, digest: stateDigest(state) });
  assert.ok(typeof restored !== 'string', String(restored));
  assert.equal(stateDigest(restored), stateDigest(state));
});
