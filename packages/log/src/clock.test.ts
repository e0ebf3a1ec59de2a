import assert from 'node:assert/strict';
import { test } from 'node:test';
import { note } from '../test/behaviour-tools.ts';
import { SteadyClock } from './clock.ts';
import { LogClockError } from './errors.ts';
import { openMemoryLog } from './memory.ts';
import { DatabaseClock } from './postgres/clock.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5);

/** A machine with an adjustable wall clock, and the ability to sleep. */
class FakeMachine {
  steadyMs = 5_000;
  asleepMs = 0;
  /** How far the wall clock is off. */
  offMs = 0;
  readonly clock = new SteadyClock({
    wallMs: () => START_MS + this.steadyMs + this.asleepMs + this.offMs,
    steadyMs: () => this.steadyMs,
    sinceBootMs: () => this.steadyMs + this.asleepMs,
  });

  get fault(): string | undefined {
    return this.clock.read().fault;
  }

  /** Lets time pass in steps of a second, while the wall clock drifts evenly. */
  pass(ms: number, driftMs = 0): void {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      this.steadyMs += 1_000;
      this.offMs += (driftMs * 1_000) / ms;
      this.clock.read(0);
    }
  }
}

test('CLOCK-1: a step of over 2 s either way stops a log immediately, and it resumes once the clock is back', async () => {
  for (const stepMs of [2 * HOUR_MS, -2 * HOUR_MS, 2_100, -2_100]) {
    const machine = new FakeMachine();
    const log = await openMemoryLog({ clock: machine.clock });
    const before = await log.append([note('before')]);
    machine.offMs = stepMs;
    await assert.rejects(log.append([note('wrong')]), LogClockError);
    assert.match(
      log.status().clockFault!,
      stepMs > 0 ? /^the clock jumped .* s ahead$/ : /jumped .* s back$/,
    );
    machine.pass(1_500);
    machine.offMs = 0;
    assert.equal(log.status().clockFault, undefined);
    const after = await log.append([note('after')]);
    assert.deepEqual([after.firstSeq, after.ts], [2, before.ts + 2_000]);
    await log.close();
  }
});

test('CLOCK-1: gradual NTP corrections pass, and so does sleep; steps that add up do not', () => {
  const machine = new FakeMachine();
  machine.pass(HOUR_MS, 1_800);
  machine.pass(HOUR_MS, -1_800);
  machine.asleepMs += 8 * HOUR_MS;
  assert.equal(machine.fault, undefined);
  machine.pass(10_000);
  machine.offMs += 1_500;
  assert.equal(machine.fault, undefined);
  machine.pass(60_000);
  machine.offMs += 1_500;
  assert.match(machine.fault!, /^the clock jumped 2\.9 s ahead$/);
});

test('CLOCK-1: a clock behind the log stops it, and the operator may confirm that the clock is right', async () => {
  const machine = new FakeMachine();
  machine.offMs = 2 * HOUR_MS;
  machine.clock.accept();
  const log = await openMemoryLog({ clock: machine.clock });
  const { ts } = await log.append([note('ahead')]);
  machine.offMs = 0;
  machine.clock.confirm();
  assert.equal(log.status().clockFault, 'the clock is 7200.0 s behind the last entry of the log');
  await assert.rejects(log.append([note('wrong')]), LogClockError);
  log.acceptClock();
  assert.equal((await log.append([note('right')])).ts, ts, 'time does not go back');
  machine.pass(3 * HOUR_MS);
  assert.ok((await log.append([note('later')])).ts > ts);
  machine.offMs = -2 * HOUR_MS;
  machine.clock.confirm();
  await assert.rejects(log.append([note('behind again')]), LogClockError);
  await log.close();
});

/** A node and its database, compared once a second. */
class FakePair {
  readonly node = new FakeMachine();
  databaseOffMs = 0;
  readonly database = new DatabaseClock(this.node.clock, () => this.node.steadyMs);

  ask(lastTs = 0): string | undefined {
    this.node.steadyMs += 1_000;
    const { nowMs } = this.node.clock.read();
    const serverMs = START_MS + this.node.steadyMs + this.databaseOffMs;
    this.database.compare({ sentMs: nowMs, heardMs: nowMs + 1, serverMs, lastTs });
    return this.node.fault ?? this.database.fault;
  }
}

test("CLOCK-1: a jump of the node's or the database's clock is noticed, and both agree again once it is back", () => {
  const pair = new FakePair();
  assert.equal(pair.ask(), undefined);
  pair.databaseOffMs = 2 * HOUR_MS;
  assert.equal(pair.ask(), "the clock of the database is 7200.0 s ahead of this machine's");
  pair.databaseOffMs = 0;
  assert.equal(pair.ask(), undefined);
  pair.node.offMs = -2 * HOUR_MS;
  assert.match(pair.ask()!, /^the clock jumped 7200\.0 s back$/);
  pair.node.offMs = 0;
  assert.equal(pair.ask(), undefined);
  assert.match(pair.ask(START_MS + HOUR_MS)!, /^the clock of the database is .* behind the last entry/);
});

test('CLOCK-1: once accepted, a log ahead of the clocks stays accepted through every comparison until they catch up', () => {
  const pair = new FakePair();
  const aheadTs = START_MS + HOUR_MS;
  assert.match(pair.ask(aheadTs)!, /behind the last entry/);
  pair.node.clock.accept();
  for (let i = 0; i < 3; i++) assert.equal(pair.ask(aheadTs), undefined);
  assert.equal(pair.node.clock.mayLag, true);
  pair.node.clock.read(START_MS);
  assert.equal(pair.node.clock.mayLag, false);
  assert.match(pair.ask(aheadTs)!, /behind the last entry/);
});

test('CLOCK-1: a slow answer neither faults a clock nor confirms one', () => {
  const pair = new FakePair();
  pair.ask();
  pair.node.offMs = -2 * HOUR_MS;
  const { nowMs } = pair.node.clock.read(0);
  pair.database.compare({ sentMs: nowMs, heardMs: nowMs + 2_500, serverMs: nowMs - 1, lastTs: 0 });
  assert.equal(pair.database.fault, undefined);
  assert.match(pair.node.fault!, /jumped/);
});

test('CLOCK-1: a node that starts with a wrong clock resumes once it is corrected; if both clocks jump together it does not', () => {
  const late = new FakePair();
  late.node.offMs = HOUR_MS;
  late.node.clock.confirm();
  assert.match(late.ask()!, /^the clock of the database is 3600\.0 s behind this machine's$/);
  late.ask();
  late.node.offMs = 0;
  assert.match(late.node.fault!, /jumped 3600\.0 s back/);
  assert.equal(late.ask(), undefined);

  const together = new FakePair();
  together.ask();
  [together.node.offMs, together.databaseOffMs] = [HOUR_MS, HOUR_MS];
  assert.match(together.ask()!, /jumped/);
  assert.match(together.ask()!, /jumped/);
  [together.node.offMs, together.databaseOffMs] = [0, 0];
  assert.equal(together.ask(), undefined);
});
