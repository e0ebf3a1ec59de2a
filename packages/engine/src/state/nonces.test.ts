import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Address } from '@venue/protocol';
import { Random } from '../../sim/random.ts';
import { NonceSet } from './nonces.ts';
import { SessionStore } from './session-store.ts';

const KEY = '0x1' as Address;
const NOW_MS = Date.UTC(2026, 5, 1);

function noncesOf(nonces: Iterable<number> = []): NonceSet {
  const store = new SessionStore();
  const set = new NonceSet(store, store.open(KEY));
  for (const nonce of nonces) set.add(nonce);
  return set;
}

function assertSame(nonces: NonceSet, model: ReadonlySet<number>): void {
  assert.equal(nonces.size, model.size);
  assert.deepEqual(
    [...nonces],
    [...model].sort((a, b) => a - b),
  );
}

describe('spent nonces', () => {
  it('SIG-4: are known until they are pruned, as in a plain set', () => {
    const random = new Random(7);
    for (let round = 0; round < 20; round++) {
      const nonces = noncesOf();
      const model = new Set<number>();
      // Dense in some rounds, sparse in others.
      const spread = 10 ** random.between(1, 5);
      for (let step = 0; step < 2_000; step++) {
        const nonce = NOW_MS + random.between(-spread, spread);
        assert.equal(nonces.has(nonce), model.has(nonce));
        if (random.chance(0.7)) {
          nonces.add(nonce);
          model.add(nonce);
        }
        if (random.chance(0.003)) {
          assert.equal(nonces.countFrom(nonce), [...model].filter((one) => one >= nonce).length);
          nonces.pruneBelow(nonce);
          for (const one of model) if (one < nonce) model.delete(one);
        }
      }
      assertSame(nonces, model);
    }
  });

  it('as many as a key may have in flight are stored, whatever they have in common', () => {
    const model = new Set(Array.from({ length: 16_384 }, (_, i) => NOW_MS + i * 4_096));
    assertSame(noncesOf(model), model);
  });

  it('are none once all are pruned, and may be 0', () => {
    const nonces = noncesOf([0, 5]);
    assert.ok(nonces.has(0));
    nonces.pruneBelow(6);
    assertSame(nonces, new Set());
  });
});
