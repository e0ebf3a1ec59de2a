import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptStorage, refusedStorage } from '../../test/kept-storage.ts';
import { keptColumns, USUAL_COLUMNS } from './columns.ts';

const storageWith = (state: string) => keptStorage({ 'venue-columns': `{"state":${state},"version":1}` });

describe('the chosen columns (TERM-13)', () => {
  it('come back in their order, none of them too', () => {
    const storage = keptStorage();
    const chosen = { chain: ['vega', 'iv'], positions: [], grouping: 'expiry' } as const;
    keptColumns(() => storage).setState(chosen);
    assert.deepEqual(keptColumns(() => storage).getState(), chosen);
  });

  it('are the usual ones where nothing that can be used was kept', () => {
    const odd = ['', 'null', '[', '7', '[1]', '{"chain":7}', '{"chain":["rho",null]}', '{"positions":{}}'];
    odd.push('{"grouping":"underlying"}', '{"grouping":["expiry"]}');
    for (const kept of odd)
      assert.deepEqual(keptColumns(() => storageWith(kept)).getState(), USUAL_COLUMNS, kept);
  });

  it('leave out what is unknown or said twice', () => {
    const kept = '{"chain":["iv","rho","iv",7,"oi"],"positions":["delta"]}';
    assert.deepEqual(keptColumns(() => storageWith(kept)).getState(), {
      chain: ['iv', 'oi'],
      positions: ['delta'],
      grouping: null,
    });
  });

  it('last as long as the page where storage is refused, and stay where it is full', () => {
    const full = keptStorage();
    full.isFull = true;
    for (const storage of [refusedStorage, () => full]) {
      const store = keptColumns(storage);
      store.setState({ chain: ['oi'] });
      assert.deepEqual(store.getState().chain, ['oi']);
    }
  });
});
