import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { costsIn, noteCost, noteUnreaped, processesBelow } from './evidence.ts';

/** Starts a child that works and goes on, and prints the id of one that it started itself. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const below = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  for (const until = process.cpuUsage().user + 3e5; process.cpuUsage().user < until; );
  console.log(below.pid);
  setInterval(() => {}, 1e6);
`;

test('what a file started counts as its cost while it runs, and once when it is killed', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-evidence-'));
  const before = process.env.VENUE_TEST_COSTS;
  process.env.VENUE_TEST_COSTS = join(folder, 'costs');
  const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => {
    parent.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    process.env.VENUE_TEST_COSTS = before;
    if (before === undefined) delete process.env.VENUE_TEST_COSTS;
  });
  const userOf = (file: string) => costsIn(process.env.VENUE_TEST_COSTS!).get(file)!.user;
  noteCost('earlier');
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  noteCost('while it runs');
  assert.ok(userOf('while it runs') >= 0.3, `${userOf('while it runs')} s of user time`);

  const pids = processesBelow(process.pid).map(({ pid }) => pid);
  assert.ok(pids.includes(parent.pid!) && pids.includes(Number(line)), `${pids}`);
  const below = Number(line);
  noteUnreaped([below]);
  process.kill(below, 'SIGKILL');
  parent.kill('SIGKILL');
  await once(parent, 'close');
  noteCost('afterwards');
  assert.ok(userOf('afterwards') > -0.02 && userOf('afterwards') < 0.3, `${userOf('afterwards')} s`);
});
