import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Series } from '@venue/protocol';
import { ContractShelf } from './contract-shelf.ts';

const MINUTE_MS = 60_000;
const series = (expiryTs: number, strike: number) => ({ expiryTs, strike }) as Series;

function shelf({ fails = false } = {}) {
  const reads: string[] = [];
  const state = { nowMs: 0, fails, mayRead: true };
  const contracts = new ContractShelf({
    take: () => state.mayRead,
    now: () => state.nowMs,
    async read(symbol) {
      reads.push(symbol);
      if (state.fails) throw new Error('gone');
      return [series(200, 20), series(100, 20), series(100, 10), series(100, 20)];
    },
  });
  return { contracts, reads, state };
}

describe('contracts of other underlyings', () => {
  it('are read one underlying at a time, and once', async () => {
    const { contracts, reads } = shelf();
    await Promise.all([contracts.refresh(['BTC', 'SPX']), contracts.refresh(['BTC', 'SPX'])]);
    assert.deepEqual(reads, ['BTC']);
    for (let i = 0; i < 5; i++) await contracts.refresh(['BTC', 'SPX']);
    assert.deepEqual(reads, ['BTC', 'SPX']);
    const { expiries, strikes } = contracts.store.getState().get('SPX')!;
    assert.deepEqual(
      [expiries, [...strikes]],
      [
        [100, 200],
        [
          [100, [10, 20]],
          [200, [20]],
        ],
      ],
    );
  });

  it('are read again after ten minutes, and after a failure soon, with what was known meanwhile', async () => {
    const { contracts, reads, state } = shelf();
    await contracts.refresh(['BTC']);
    state.nowMs = 10 * MINUTE_MS;
    state.fails = true;
    await contracts.refresh(['BTC']);
    await contracts.refresh(['BTC']);
    assert.equal(reads.length, 2);
    assert.ok(contracts.store.getState().has('BTC'));
    state.nowMs += 10_000;
    await contracts.refresh(['BTC']);
    assert.equal(reads.length, 3);
  });

  it('wait for the allowance', async () => {
    const { contracts, reads, state } = shelf();
    state.mayRead = false;
    await contracts.refresh(['BTC']);
    assert.deepEqual(reads, []);
    state.mayRead = true;
    await contracts.refresh(['BTC']);
    assert.deepEqual(reads, ['BTC']);
  });
});
