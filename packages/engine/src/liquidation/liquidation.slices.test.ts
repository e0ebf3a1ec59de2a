import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THOUSAND, TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import type { Venue } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { stateDigest } from '../snapshot.ts';
import { LIQUIDATION_SLICE_WORK } from '../state/limits.ts';
import { addAccount, type State } from '../state/state.ts';
import { continueLiquidation, startLiquidation } from './liquidation.ts';

describe('liquidation in slices', () => {
  /** Six accounts in margin call over three series, asks for some of them, and one account without a short. */
  function called(): Venue {
    const names = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'];
    const shorts = names.map(
      (name, i) => `
      quote AAPL-C-21${i % 3 === 1 ? '2.5' : i % 3 === 2 ? '5' : '0'} bid 3x10 ask 3.20x10
      margin ${name} on
      sell ${name} AAPL-C-21${i % 3 === 1 ? '2.5' : i % 3 === 2 ? '5' : '0'} 10 @ 3    filled 10@3`,
    );
    return scenario(
      `
      ${shorts.join('\n')}
      open gail
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x12
      quote AAPL-C-212.5 bid 80x20 ask 82x3 100x3
      quote AAPL-C-215 bid 80x20 ask 82x30
      ${TICK}
    `,
      THOUSAND,
    );
  }

  function finish(state: State, sliceWork: number): number {
    startLiquidation(state);
    let slices = 1;
    while (continueLiquidation(state, NO_EFFECTS, sliceWork)) slices += 1;
    return slices;
  }

  test('ends like liquidation in one go', () => {
    const venue = called();
    const [whole, halves, single] = [venue.state, venue.replay(), venue.replay()];
    assert.equal(finish(whole, Number.POSITIVE_INFINITY), 1);
    assert.ok(finish(halves, 200) > 1);
    assert.equal(finish(single, 1), single.accounts.length);
    assert.ok(whole.accounts.some(({ cashMicros, role }) => role === 'house' && cashMicros > 0));
    assert.equal(stateDigest(halves), stateDigest(whole));
    assert.equal(stateDigest(single), stateDigest(whole));
  });

  test('an unfinished liquidation continues at the next maintenance entry, however early, and nothing else does', () => {
    const { state } = called();
    for (let i = 0; i < LIQUIDATION_SLICE_WORK; i++) addAccount(state, 'trader', null);
    const tick = () => {
      const command = { kind: 'maintain', expiries: [state.series[0]!.expiryTs + 9 * 86_400] } as const;
      return apply(state, { seq: state.seq + 1, ts: state.ts + 1, command }, NO_EFFECTS);
    };
    state.lastMaintenanceTs = 0;
    const listed = state.series.length;
    assert.deepEqual(tick(), { done: true, listed: 164, unfinished: true, stopped: [] });
    assert.ok(state.liquidationNext !== null);
    assert.deepEqual(tick(), { done: true, listed: 0, unfinished: false, stopped: [] });
    assert.equal(state.series.length, listed + 164);
    assert.equal(state.liquidationNext, null);
    assert.deepEqual(tick(), { done: false, listed: 0, unfinished: false, stopped: [] });
  });
});
