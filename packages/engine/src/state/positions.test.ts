import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../sim/random.ts';
import { Venue } from '../../test/venue.ts';
import type { Sid } from './ids.ts';
import { PositionStore, Positions } from './positions.ts';

const ACCOUNTS = 6;
/** Enough for each account to rebuild its table. */
const STEPS = 12_000;

describe('positions in a shared store', () => {
  test('equal a list of objects per account, over blocks that grow and are reused', () => {
    const { series } = Venue.listed().state;
    const store = new PositionStore(series);
    const random = new Random(1);
    const accounts = Array.from({ length: ACCOUNTS }, () => new Positions(store));
    const plain = accounts.map((): { sid: number; qty: number }[] => []);
    for (let step = 0; step < STEPS; step++) {
      const i = random.between(0, ACCOUNTS - 1);
      const sid = random.between(0, Math.min(series.length, 40) - 1) as Sid;
      const known = plain[i]!.findIndex((held) => held.sid === sid);
      if (random.chance(0.3)) {
        accounts[i]!.delete(sid);
        if (known >= 0) plain[i]!.splice(known, 1);
      } else {
        const position = accounts[i]!.get(sid) ?? accounts[i]!.open(sid);
        position.qtyMicros = step as never;
        if (known >= 0) plain[i]![known]!.qty = step;
        else plain[i]!.push({ sid, qty: step });
      }
      assert.equal(
        accounts[i]!.has(sid),
        plain[i]!.some((held) => held.sid === sid),
      );
      assert.equal(accounts[i]!.size, plain[i]!.length);
    }
    const seen = accounts.map((positions) =>
      [...positions].map((position) => ({ sid: position.series.sid, qty: position.qtyMicros })),
    );
    assert.deepEqual(seen, plain);
  });

  test('are dropped one by one in little time, however many there are', () => {
    const positions = new Positions(new PositionStore([]));
    for (let sid = 0; sid < 40_000; sid++) positions.open(sid as Sid).qtyMicros = sid as never;
    const start = process.cpuUsage();
    for (let sid = 0; sid < 2_000; sid++) positions.delete((sid * 7) as Sid);
    const { user, system } = process.cpuUsage(start);
    // Processor time, as the machine may be busy; a table rebuilt at each drop takes several times as much.
    assert.ok(user + system < 2_000_000, `took ${user + system} µs`);
    for (const sid of [1, 13, 15, 13_999, 39_999]) assert.equal(positions.get(sid as Sid)?.qtyMicros, sid);
    for (const sid of [0, 14, 13_993]) assert.equal(positions.get(sid as Sid), undefined);
  });

  test('open flat, even if another account had one', () => {
    const store = new PositionStore(Venue.listed().state.series);
    const before = new Positions(store);
    const position = before.open(3 as Sid);
    position.costMicros = 7 as never;
    position.restingSellMicros = 7 as never;
    before.delete(3 as Sid);
    const { costMicros, restingSellMicros } = new Positions(store).open(4 as Sid);
    assert.deepEqual([costMicros, restingSellMicros], [0, 0]);
    assert.equal(store.flat.costMicros, 0);
  });
});
