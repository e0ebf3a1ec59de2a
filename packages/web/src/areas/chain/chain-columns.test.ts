import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chainPlaces, needsGreeks } from './chain-columns.ts';

describe('the columns of the chain (TERM-13)', () => {
  it('stand in the chosen order, mirrored, and a bid is always to the left of its ask', () => {
    const { call, put, isChosen } = chainPlaces(['vega', 'iv', 'size'], 2_000);
    assert.deepEqual(call, ['iv', 'vega', 'bidQty', 'bid', 'ask', 'askQty', 'own']);
    assert.deepEqual(put, ['own', 'bidQty', 'bid', 'ask', 'askQty', 'vega', 'iv']);
    assert.equal(isChosen, true);
  });

  it('are left out where there is no room, prices never', () => {
    const narrow = chainPlaces(['gamma', 'theta', 'vega', 'oi'], 640);
    assert.deepEqual(narrow.put, ['own', 'bid', 'ask', 'gamma']);
    assert.deepEqual(chainPlaces(['gamma'], 300).list, ['own', 'bid', 'ask']);
    assert.deepEqual(chainPlaces(['mark', 'iv'], 390).list, ['own', 'bid', 'ask', 'mark', 'iv']);
    assert.deepEqual(chainPlaces(['iv'], null).call, ['bid', 'ask', 'own']);
  });

  it('are the usual ones without a choice, and follow greeks only if one of them needs it', () => {
    assert.equal(chainPlaces(null, 300).isChosen, false);
    assert.deepEqual(
      [needsGreeks(null), needsGreeks(['iv', 'oi']), needsGreeks(['iv', 'askIv'])],
      [false, false, true],
    );
  });
});
