// @seconds 8

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BOB, provableLog, start } from '../test/proven-world.ts';

const CHILD = fileURLToPath(new URL('../test/proven-child.ts', import.meta.url));

test('CUS-18: a checker that is killed at any step of a write goes on from the old file or the new one', async () => {
  const log = await provableLog();
  await (await start(log)).copy.close();
  let provenSeq = log.state.seq;
  for (const [step, isKept] of [
    ['state-drafted', false],
    ['state-synced', false],
    ['state-replaced', true],
  ] as const) {
    await log.append(log.withdrawal(BOB, 7));
    const child = spawn(process.execPath, [CHILD, log.path, step], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
    if (isKept) provenSeq = log.state.seq;
    const { copy, lines } = await start(log);
    await copy.close();
    const { seq } = log.state;
    assert.equal(lines.length, 1);
    assert.match(
      lines[0]!,
      new RegExp(`^proven ${seq - provenSeq} entries of the log, after the ${provenSeq} of`),
    );
    provenSeq = seq;
  }
  await log.stop();
});
