/** The drill of docs/how-to/operate.md for a lost log, with its commands run unchanged; the others are for the night. */

// @seconds 21

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../e2e/launched.ts';
import { accountCount, backUp, isWell, newTrader, SKIP } from './drills.ts';
import { blocksUnder, Machine } from './drills-machine.ts';

const LOST = blocksUnder('how-to/operate.md', 'The log is lost');

describe('a lost log', { skip: SKIP }, () => {
  let machine: Machine;
  before(async () => {
    machine = await Machine.create();
    await machine.run('systemctl start venue-exchange venue-feed venue-maker');
    await eventually('it listens', () => isWell(machine));
  });
  after(() => machine?.remove());

  test('is restored from the backup and verified by the noted head, without what came after it', async () => {
    await eventually(
      'prices',
      async () => (await fetch(`${machine.url}/v1/series?symbol=BTC`)).status === 200,
    );
    await newTrader(machine.url);
    const backup = await backUp(machine);
    machine.env.BACKUP = backup;
    const accounts = await accountCount(machine);
    await newTrader(machine.url);
    assert.equal(await accountCount(machine), accounts + 1);
    for (const block of LOST) await machine.run(block);
    assert.ok(existsSync(machine.path('/var/lib/venue-exchange/lost/venue.db')));
    assert.equal(await accountCount(machine), accounts);
  });

  test('is not confused with another one: a head it does not have is refused', async () => {
    const { BACKUP: backup } = machine.env;
    await machine.run(`cp "$BACKUP.head" "$BACKUP.true"; sed -i 's/:..../:0000/' "$BACKUP.head"`);
    assert.ok(backup);
    assert.notEqual((await machine.tries(LOST[1]!)).status, 0);
    await machine.run('mv "$BACKUP.true" "$BACKUP.head"');
  });

  test('and the kept original has what the restored one lacks', async () => {
    const said = await machine.run(LOST[2]!);
    assert.match(said, /kept to entry \d+, 20/);
    assert.match(said, /verified: entries 1 to \d+/);
  });
});
