import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, toMicros } from '@venue/protocol';
import { Random } from '../../sim/random.ts';
import { FillStore, Fills } from './fill-store.ts';
import { FILLS_KEPT } from './limits.ts';
import type { FillRecord } from './records.ts';
import type { Series } from './series.ts';
import { SessionRecord } from './session.ts';
import { SessionStore } from './session-store.ts';

const ACCOUNTS = 5;
const STEPS = 8_000;
const LARGEST = 2 ** 50;
/** The last sid is above what 16 bits hold. */
const SERIES = Array.from({ length: 70_000 }, (_, sid) => ({ sid }) as Series);

function anyFill(random: Random, id: number, signer: Address | undefined): FillRecord {
  const amount = () => toMicros(random.between(0, LARGEST));
  return {
    id,
    orderId: random.between(0, LARGEST),
    series: SERIES[random.between(0, SERIES.length - 1)]!,
    side: random.chance(0.5) ? 'buy' : 'sell',
    priceMicros: amount(),
    qtyMicros: amount(),
    feeMicros: amount(),
    realizedMicros: toMicros(random.between(-LARGEST, LARGEST)),
    taker: random.chance(0.5),
    ts: random.between(0, LARGEST),
    kind: (['trade', 'settlement', 'liquidation'] as const)[random.between(0, 2)]!,
    signer,
  };
}

/** Adds fills to some accounts at random, and the same to an array of objects for each. */
function fillAccounts(steps: number) {
  const random = new Random(7);
  const sessions = new SessionStore();
  const store = new FillStore(SERIES, sessions);
  const signers = ['0xa', '0xb'].map((key) => new SessionRecord(sessions, sessions.open(key as Address)));
  const accounts = Array.from({ length: ACCOUNTS }, () => ({
    fills: new Fills(store),
    plain: [] as FillRecord[],
  }));
  for (let id = 1; id <= steps; id++) {
    const { fills, plain } = accounts[random.between(0, ACCOUNTS - 1)]!;
    const signer = signers[random.between(0, 2)];
    const fill = anyFill(random, id * 3, signer?.sessionKey);
    fills.add(fill, signer?.handle ?? null);
    plain.push(fill);
    if (plain.length > FILLS_KEPT) plain.shift();
  }
  return { accounts, sessions, signers };
}

describe('fills in a shared store', () => {
  for (const steps of [3, 400, STEPS]) {
    test(`are what an object for each would be, after ${steps}`, () => {
      for (const { fills, plain } of fillAccounts(steps).accounts) {
        assert.deepEqual([...fills], plain);
        assert.equal(fills.size, plain.length);
        assert.deepEqual(fills.slice(1, 3), plain.slice(1, 3));
        const signed = plain.filter(({ signer }) => signer !== undefined);
        assert.equal([...fills.signers()].length, signed.length);
        for (const id of [0, 1, steps, 2 * steps, 4 * steps])
          assert.equal(fills.countBelow(id), plain.filter((fill) => fill.id < id).length);
      }
    });
  }

  test('hold the session that signed each, until they are dropped', () => {
    const { accounts, sessions, signers } = fillAccounts(STEPS);
    for (const session of signers) session.forget();
    assert.equal(sessions.count, 2);
    const unsigned = anyFill(new Random(1), STEPS * 3 + 1, undefined);
    for (const { fills } of accounts) {
      assert.equal(sessions.count, 2);
      for (let i = 0; i < FILLS_KEPT; i++) fills.add(unsigned, null);
    }
    assert.equal(sessions.count, 0);
  });
});
