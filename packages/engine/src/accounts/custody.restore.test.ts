import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import type { Venue } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { decodeCommand } from '../entry/command-codec.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';

/** Held deposits, outstanding and committed payouts, a nonce and a resting order. */
function busyVenue(): Venue {
  return scenario(
    `
    open alice
    open bob
    deposit alice 100 log a:0
    deposit bob 100 log b:0
    approve alice phone for 1d
    deposit carol 7 log c:0                      held
    deposit carol 8 log c:1                      held
    withdraw alice 10 signed phone nonce +1s     payout 1
    withdraw bob 20                              payout 2
    withdraw alice 5                             payout 3
    commit 2 in t                                committed 2
    buy alice AAPL-C-190 1 @ 2                   rested
  `,
    { fundingMode: 'deposits', marginPremium: 'intrinsic' },
  );
}

describe('a state with custody, restored from its lines', () => {
  test('is the same, including the sums over its payouts', () => {
    const { state } = busyVenue();
    const restored = restoreState(stateLines(state));
    assert.equal(stateDigest(restored), stateDigest(state));
    assert.deepEqual(
      [restored.custody.pendingMicros, restored.custody.committedMicros],
      [15_000_000n, 20_000_000n],
    );
  });

  test('continues like the original', () => {
    const venue = busyVenue();
    const restored = restoreState(stateLines(venue.state));
    const { seq } = venue.state;
    scenario(
      `
      deposit alice 100 log a:0              duplicate
      deposit alice 101 log a:0              refused deposit conflict
      deposit carol 1 log c:2                held
      release carol                          released 16
      withdraw alice 70 signed phone nonce +1s   refused nonce already used
      withdraw alice 69 signed phone nonce +2s   refused need 69 have 68
      withdraw alice 68 signed phone nonce +3s   payout 4
      commit 2,1 in t                        committed 2,1
      commit 3 in u                          committed 3
      custody                                pending 68 committed 35
    `,
      venue,
    );
    for (const { seq: at, ts, kind, body } of venue.log.slice(seq))
      apply(restored, { seq: at, ts, command: decodeCommand(kind, body) }, NO_EFFECTS);
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    assert.equal(restored.custody.pendingMicros, 68_000_000n);
  });

  for (const [what, change] of [
    ['amount held', (venue: Venue) => set(venue.account('carol'), 'heldMicros', 1)],
    ['number held', (venue: Venue) => set(venue.account('carol'), 'heldCount', 1)],
    ['freeze', (venue: Venue) => set(venue.account('carol'), 'frozen', false)],
    ['deposit', ({ state }: Venue) => set([...state.custody.deposits.values()][0]!, 'blockHash', '0x')],
    ['deposits', ({ state }: Venue) => state.custody.deposits.delete([...state.custody.deposits.keys()][0]!)],
    ['amount of a payout', ({ state }: Venue) => set(state.custody.payouts[0]!, 'amountMicros', 1)],
    ['time of a payout', ({ state }: Venue) => set(state.custody.payouts[0]!, 'requestedAt', 1)],
    ['commit of a payout', ({ state }: Venue) => set(state.custody.payouts[0]!, 'txHash', '0x')],
    [
      'owner of a payout',
      (venue: Venue) => set(venue.state.custody.payouts[0]!, 'account', venue.account('bob')),
    ],
  ] as const) {
    test(`the digest changes with the ${what}`, () => {
      const venue = busyVenue();
      const before = stateDigest(venue.state);
      change(venue);
      assert.notEqual(stateDigest(venue.state), before);
    });
  }
});

/** Writes a field that is readonly in the engine's own code. */
function set<T extends object, K extends keyof T>(target: T, field: K, value: unknown): void {
  assert.notDeepEqual(target[field], value, `${String(field)} is that already`);
  (target as Record<K, unknown>)[field] = value;
}
