// @seconds 8

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '../../packages/engine/sim/random.ts';
import { checkDay, daysIn } from '../../packages/exchange/src/files/day-folder.ts';
import { doRound } from '../../packages/exchange/src/files/round.ts';
import { dayName, TABLE_NAMES } from '../../packages/exchange/src/files/tables.ts';
import { start } from '../../packages/exchange/test/history-starts.ts';
import { Traded } from '../../packages/exchange/test/movements.ts';
import { naiveDays } from '../../packages/exchange/test/naive-day.ts';

const MAKER = fileURLToPath(new URL('../../packages/exchange/test/day-maker.ts', import.meta.url));
const ENTRIES = 1_000;
const KILLS = 8;
/** Several rounds of a maker, whatever else the machine does. */
const LIVES_MS = 300;

for (const seed of [1, 5])
  test(`FIL-1: killed at any moment, a maker of days leaves each whole or not at all, and the same after all (seed ${seed})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-killed-days-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [history, files] = [join(folder, 'history.db'), join(folder, 'files')];
    const traded = await Traded.begin(seed, false);
    await traded.trade(ENTRIES);
    const started = await start(traded, history);
    await started.history.durable(traded.state.seq);
    await started.store.close();
    // A kill may come before the maker has made it.
    mkdirSync(files);
    const random = new Random(seed);
    let half = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await killMaker(t, [history, files], random.between(0, LIVES_MS));
      const names = readdirSync(files);
      half += names.filter((name) => name.startsWith('.making-')).length;
      for (const day of daysIn(files)) assert.ok(checkDay(files, day), `${dayName(day)} after kill ${kill}`);
    }
    t.diagnostic(`${half} of ${KILLS} kills hit a day in the making`);
    assert.ok(half > 0, 'a kill hit a day in the making');
    for (const { kind } of doRound({
      history,
      folder: files,
      anchor: '1 x\n',
      foreignAnchors: [],
      known: [],
    }))
      assert.notEqual(kind, 'lost');
    await assertEqualsLog(traded, files);
  });

async function killMaker(t: TestContext, args: readonly string[], afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [MAKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  await sleep(afterMs);
  child.kill('SIGKILL');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
}

/** Nothing but the days of the log, each with the content that a naive reader finds in it. */
async function assertEqualsLog({ log }: Traded, files: string): Promise<void> {
  const days = await naiveDays(log);
  assert.ok(days.size >= 3, `${days.size}`);
  assert.deepEqual(readdirSync(files), [...days.keys()]);
  for (const [day, tables] of days)
    for (const table of TABLE_NAMES)
      assert.equal(readFileSync(join(files, day, `${table}.csv`), 'utf8'), tables[table], `${day} ${table}`);
}
