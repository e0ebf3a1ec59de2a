import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadOnce } from './load-once.ts';

describe('a part loaded once', () => {
  it('is loaded with the first need, and tried again after a load that failed', async () => {
    let loads = 0;
    const part = loadOnce(async () => {
      loads += 1;
      if (loads === 1) throw new Error('no network');
      return { loads };
    });
    await assert.rejects(part.get(), /no network/);
    const [one, other] = await Promise.all([part.get(), part.get()]);
    assert.equal(one, other);
    assert.equal(loads, 2);
  });

  it('is left alone by what concerns only a loaded one', async () => {
    let loads = 0;
    const part = loadOnce(async () => {
      loads += 1;
      return 'loaded';
    });
    const told: string[] = [];
    part.ifLoaded((text) => told.push(text));
    assert.equal(loads, 0);
    await part.get();
    part.ifLoaded((text) => told.push(text));
    await part.get();
    assert.deepEqual(told, ['loaded']);
  });
});
