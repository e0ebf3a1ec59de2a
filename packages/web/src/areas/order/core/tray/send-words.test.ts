import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComboPreviewAnswer } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { missingText, traySendWords } from './send-words.ts';

const [NEAR, FAR] = [1_795_827_600, 1_796_432_400];
const NOW = Date.UTC(2026, 10, 20);
const leg = (right: 'C' | 'P', strike: number, side: 'buy' | 'sell', expiryTs = NEAR): SpreadLeg => ({
  ...{ seriesId: `BTC-${expiryTs}-${right}-${strike}`, side, ratio: 1 },
});
/** One buys an iron condor by buying its inner legs. */
const condor = (inner: 'buy' | 'sell', wings: 'buy' | 'sell') => [
  leg('P', 90_000, wings),
  leg('P', 92_000, inner),
  leg('C', 97_000, inner),
  leg('C', 99_000, wings),
];
const CONDOR = condor('buy', 'sell');
const preview = (filledQty: number, cost: number, fee: number) =>
  ({ status: 'filled', filledQty, cost, fee }) as unknown as ComboPreviewAnswer;
const TRAY = { legs: CONDOR, rolls: null, isClosing: false, preview: null, cautions: [] };

type Patch = Partial<Parameters<typeof traySendWords>[0] & { readonly tif: 'ioc' | 'fok' }>;

function words(net: number, { tif = 'ioc', ...patch }: Patch = {}, qty = 0.5) {
  const tray = { ...TRAY, ...patch };
  return traySendWords(tray, { legs: tray.legs, qty, net, tif }, NOW);
}

test('TERM-25: the tray’s button names kind and size, and under them price and money', () => {
  assert.deepEqual(words(131, { preview: preview(0.5, 65.5, 2.17) }), {
    what: 'Buy 0.5 iron condor',
    how: 'at 131.00 · cost $67.67',
  });
  assert.deepEqual(words(-131, { legs: condor('sell', 'buy'), preview: preview(0.2, -26.2, 0.87) }), {
    what: 'Sell 0.2 of 0.5 iron condor',
    how: 'at 131.00 · credit $25.33',
  });
  assert.equal(words(-60, { tif: 'fok' }).how, 'at 60.00, all or none · credit $30.00');
  assert.deepEqual(words(10, { preview: preview(0, 0, 0) }), {
    what: 'Nothing would trade',
    how: 'at 10.00',
  });
});

test('TERM-25: a close and a roll say so, and what is asked is answered in the first line', () => {
  assert.deepEqual(words(620, { isClosing: true }), {
    what: 'Close 0.5 iron condor',
    how: 'at 620.00 · cost $310.00',
  });
  const loose = [leg('C', 97_000, 'sell'), leg('P', 97_000, 'buy')];
  assert.equal(words(5, { isClosing: true, legs: loose }).what, 'Close 0.5 strategy');
  const roll = [leg('C', 97_000, 'sell'), leg('C', 97_000, 'buy', FAR)];
  const rolled = words(100, { legs: roll, rolls: [{ seriesId: roll[0]!.seriesId, qty: 0.5 }] });
  assert.equal(rolled.what, 'Roll +0.5 97,000 call');
  assert.match(rolled.how, /^\d+ \w+ → \d+ \w+ at 100\.00 · cost \$50\.00$/);
  assert.deepEqual(words(131, { cautions: ['It is far from the middle.'] }), {
    what: 'Send anyway',
    how: 'Buy 0.5 iron condor at 131.00 · cost $65.50',
  });
});

test('TERM-25: without an order it says what is missing', () => {
  const missing = { legs: [], price: '', place: null, qty: '1' };
  assert.equal(missingText(missing), 'Choose a strategy');
  assert.equal(missingText({ ...missing, legs: CONDOR.slice(1, 2) }), 'Add a leg');
  assert.equal(missingText({ ...missing, legs: CONDOR, place: 0 }), 'Reading prices…');
  assert.equal(missingText({ ...missing, legs: CONDOR }), 'Enter a price');
  assert.equal(missingText({ ...missing, legs: CONDOR, qty: 'x' }), 'Enter a quantity');
});
