import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedOnce, withNearest } from './nearest.ts';

const EXPIRY_TS = 4_000_000_000;
const nameOf = (strike: number) => `BTC-${EXPIRY_TS}-C-${strike}`;

test('ERR-1: the orders of a batch that name unlisted series read the list of an underlying once', async () => {
  let reads = 0;
  const series = [90, 100, 110, 120].map((strike) => ({
    ...{ seriesId: nameOf(strike), expiryTs: EXPIRY_TS, right: 'C', strike },
  }));
  const listed = listedOnce({
    get: async () => {
      reads += 1;
      return { series } as never;
    },
  });
  const declined = { code: 'unknown-series' };
  const found = await Promise.all([101, 119].map((strike) => withNearest(declined, nameOf(strike), listed)));
  assert.deepEqual(found, [
    { ...declined, nearest: [90, 100, 110].map(nameOf) },
    { ...declined, nearest: [100, 110, 120].map(nameOf) },
  ]);
  assert.equal(reads, 1);
});
