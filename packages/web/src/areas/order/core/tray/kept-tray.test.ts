import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptTray } from './kept-tray.ts';
import { type Listed, presetOf, spreadOf } from './presets.ts';

const EXPIRY = 1_795_827_600;
const STRIKES = Array.from({ length: 11 }, (_, i) => 95_000 + i * 1_000);
const listed: Listed = {
  ...{ symbol: 'BTC', spot: 100_100, expiries: [EXPIRY] },
  strikes: new Map([[EXPIRY, STRIKES]]),
};
const preset = presetOf('straddle', EXPIRY);
const { legs } = spreadOf(preset, listed);
const NOTHING = { qty: '1', preset: null, isClosing: false };

function storageOf(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

describe('TERM-17 the tray after a reload', () => {
  it('has kind and quantity again, with the distance from the money as it is now', () => {
    const kept = new KeptTray(storageOf);
    assert.deepEqual(kept.find(legs, listed), NOTHING);
    const storage = storageOf();
    const tab = new KeptTray(() => storage);
    tab.keep({ legs, qty: '0.7', preset, isClosing: false });
    assert.deepEqual(tab.find(legs, listed), { qty: '0.7', preset, isClosing: false });
    assert.deepEqual(tab.find(legs.toReversed(), listed).preset, preset);
    assert.equal(tab.find(legs, { ...listed, spot: 102_000 }).preset?.shift, -2);
    assert.equal(tab.find(legs, { ...listed, spot: Number.NaN }).preset?.shift, 0);
    assert.deepEqual(tab.find(legs.slice(1), listed), NOTHING);
    tab.keep({ ...NOTHING, legs: [] });
    assert.deepEqual(tab.find(legs, listed), NOTHING);
  });

  it('takes nothing from a storage with nonsense, or without one', () => {
    const storage = storageOf();
    const tab = new KeptTray(() => storage);
    const bad = {
      qty: ['0', '-1', '1e3', 7, '9'.repeat(60), '<b>'],
      preset: [
        ...[{ kind: 'toString' }, { kind: 'condor' }, { width: 0 }, { width: 1.5 }, { side: 'hold' }],
        ...[{ right: 'C' }, { shift: '0' }, { shorts: [1] }, { expiryTs: 1 }, { expiryTs: null }],
      ].map((patch) => ({ ...preset, ...patch })),
    };
    tab.keep({ legs, qty: '2', preset, isClosing: false });
    const good = JSON.parse(storage.getItem('venue-tray')!);
    for (const qty of bad.qty) {
      storage.setItem('venue-tray', JSON.stringify({ ...good, qty }));
      assert.deepEqual(tab.find(legs, listed), { qty: '1', preset, isClosing: false });
    }
    // A straddle has no width.
    for (const one of bad.preset) {
      storage.setItem('venue-tray', JSON.stringify({ ...good, preset: one }));
      assert.equal(tab.find(legs, listed).preset, null, JSON.stringify(one));
    }
    for (const text of ['', '{', 'null', '[]', '7', `"${'x'.repeat(9_999)}"`]) {
      storage.setItem('venue-tray', text);
      assert.deepEqual(tab.find(legs, listed), NOTHING);
    }
    const barred = new KeptTray(() => {
      throw new Error('SecurityError');
    });
    barred.keep({ legs, qty: '2', preset, isClosing: false });
    assert.deepEqual(barred.find(legs, listed), NOTHING);
  });
});
