import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpotAges } from './spot-ages.ts';

test('a price is as old as its last change, however often it is read', () => {
  const ages = new SpotAges();
  assert.equal(ages.of('BTC', 0), null);
  ages.take({ symbol: 'BTC', spot: 0 }, 0);
  assert.equal(ages.of('BTC', 0), null, 'zero is no price');
  ages.take({ symbol: 'BTC', spot: 100 }, 1_000);
  ages.take({ symbol: 'ETH', spot: 100 }, 5_000);
  ages.take({ symbol: 'BTC', spot: 100 }, 60_000);
  assert.deepEqual(ages.of('BTC', 65_000), { ms: 64_000, isSeen: false });
  ages.take({ symbol: 'BTC', spot: 101 }, 66_000);
  assert.deepEqual(ages.of('BTC', 67_000), { ms: 1_000, isSeen: true });
  assert.deepEqual(ages.of('ETH', 67_000), { ms: 62_000, isSeen: false });
});
