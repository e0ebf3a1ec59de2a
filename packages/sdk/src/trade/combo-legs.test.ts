import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ComboLeg, prepare } from './actions.ts';

const leg = (seriesId: string, change: object = {}): ComboLeg => ({
  seriesId,
  side: 'buy',
  ratio: 1,
  ...change,
});
const [A, B, C, D, E] = [leg('BTC-A'), leg('BTC-B'), leg('BTC-C'), leg('BTC-D'), leg('BTC-E')];

describe('CMB-1 legs that make no combo are told before anything is signed', () => {
  const CASES: readonly (readonly [string, readonly ComboLeg[]])[] = [
    ['a combo has 2 to 4 legs, not 1', [A]],
    ['a combo has 2 to 4 legs, not 5', [A, B, C, D, E]],
    ['a combo has 2 to 4 legs, not 0', undefined as never],
    ['each leg of a combo is of another contract', [A, B, leg('BTC-A', { side: 'sell' })]],
    ['the legs of a combo are of one underlying', [A, leg('ETH-A')]],
    ['legs[1].ratio is a whole number from 1 to 10, not 0', [A, leg('BTC-B', { ratio: 0 })]],
    ['legs[1].ratio is a whole number from 1 to 10, not 11', [A, leg('BTC-B', { ratio: 11 })]],
    ['legs[0].ratio is a whole number from 1 to 10, not 1.5', [leg('BTC-A', { ratio: 1.5 }), B]],
    ['legs[1].side must be buy or sell, not BUY', [A, leg('BTC-B', { side: 'BUY' })]],
    ['legs[1].seriesId must be a text, not 7', [A, leg(7 as never)]],
    ['legs[1].seriesId must be a text, not undefined', Object.assign([A], { length: 2 })],
  ];
  for (const [message, legs] of CASES)
    it(message, () => {
      assert.throws(() => prepare([{ type: 'combo', legs, qty: 1 }]), new RangeError(message));
    });

  it('those that make one are signed as they are', () => {
    const legs = [A, B, C, leg('BTC-D', { side: 'sell', ratio: 10 })];
    const combo = { type: 'combo', legs, qty: 1, clientId: 'own' } as const;
    assert.deepEqual(prepare([combo]).wire, [combo]);
  });
});
