import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadOnce } from './load-once.ts';

/** Once all that waits for promises alone has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

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

  it('is waited for by one promise, which asks again only after a while', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let loads = 0;
    const part = loadOnce(async () => {
      loads += 1;
      if (loads < 3) throw new Error('no network');
      return 'loaded';
    });
    const waited = part.wait();
    assert.equal(part.wait(), waited);
    for (const expected of [1, 2, 3]) {
      await settled();
      assert.equal(loads, expected);
      t.mock.timers.tick(1_999);
      await settled();
      assert.equal(loads, expected, 'not at once');
      t.mock.timers.tick(1);
    }
    assert.equal(await waited, 'loaded');
    assert.equal(part.wait(), waited);
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
