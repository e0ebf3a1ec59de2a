/** One data folder under the pinned Node, then another minor version of it, then the pinned one again. */

// @seconds 20

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { skipBecause } from '../faults/machine.ts';
import { underLoad } from '../faults/under-load.ts';
import { nodeOf, whyNoNode } from './other-versions.ts';

const OTHER = '26.9.0';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNTIME = nodeOf(OTHER);

/** The last line of `venue verify`, with the given Node replaying the log. */
function digestUnder(runtime: string, log: string): string {
  const args = ['packages/cli/src/main.ts', 'verify', '--log', log];
  const output = execFileSync(runtime, args, { cwd: ROOT, encoding: 'utf8' });
  return /^state digest +(\S+)$/m.exec(output)?.[1] ?? assert.fail(output);
}

const skip = skipBecause(whyNoNode(OTHER));

test('another minor version of Node continues with the folder, and the pinned one after it, with one digest', {
  skip,
}, async (t) => {
  assert.notEqual(process.version, `v${OTHER}`);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-minor-'));
  const log = `sqlite:${join(folder.path, 'venue.db')}`;
  const { faults, crowd } = await underLoad({ log, traders: 2 }, async ({ node, crowd }) => {
    await crowd.untilServed(20);
    await node.stop();
    node.runtime = RUNTIME;
    await node.start();
    await crowd.untilServed(20);
    await node.stop();
    // Of what both have written.
    assert.equal(digestUnder(RUNTIME, log), digestUnder(process.execPath, log));
    node.runtime = process.execPath;
    await node.start();
    await crowd.untilServed(20);
  });
  // The judge replays it all under the pinned one, and compares what it shows.
  assert.deepEqual(faults, []);
  t.diagnostic(`${crowd.acknowledgements} acknowledged`);
});
