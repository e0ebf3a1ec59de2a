import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { outcomeLine } from './outcome-line.ts';
import { bookAfter, type TrayTerms } from './terms.ts';

it('TERM-11: one line says what an order can lose and make, and where it is even', () => {
  const condor = { greatestLoss: 215, greatestGain: 285, breakEvens: [94_195.4, 95_805] };
  assert.equal(
    outcomeLine(condor, null),
    'Max loss $215.00 · max profit $285.00 · break-even 94,195 and 95,805',
  );
  assert.match(outcomeLine(condor, 'For 0.5'), /^For 0\.5: max loss/);
  const call = { greatestLoss: 5, greatestGain: null, breakEvens: [230.25] };
  assert.equal(outcomeLine(call, null), 'Max loss $5.00 · max profit unlimited · break-even 230.25');
  assert.equal(
    outcomeLine(call, null, 228.4),
    'Max loss $5.00 · max profit unlimited · break-even 230.25 (settles near 228.40)',
  );
  const sold = { greatestLoss: null, greatestGain: -1, breakEvens: [] };
  assert.equal(outcomeLine(sold, null), 'Max loss unlimited · max profit none');
});

it('TERM-11: a roll is judged by the book after it, in which what it closes is gone', () => {
  const [near, far] = ['BTC-1795827600-C-96000', 'BTC-1796432400-C-96000'] as const;
  const terms: TrayTerms = {
    legs: [
      { seriesId: far, side: 'buy', ratio: 1 },
      { seriesId: near, side: 'sell', ratio: 1 },
    ],
    ...{ qty: 2, net: 920, tif: 'ioc' },
  };
  const held = { seriesId: near, symbol: 'BTC', qty: 2, avgPrice: 500 };
  const counted = { units: 2, paid: 1_840, hasFee: true };
  const fill = { seriesId: near, side: 'buy', qty: 2, price: 500, fee: 5 } as FillRecord;
  // Both premiums, and the fee of what was opened, are all that two calls can lose.
  assert.deepEqual(bookAfter(terms, counted, { positions: [held], fills: [fill] }), {
    ...{ greatestLoss: 2_845, greatestGain: null, breakEvens: [97_422.5], hasManyExpiries: false },
  });
  const bystander = { ...held, seriesId: 'BTC-1796432400-P-90000', qty: 1 };
  const of = (seriesId: string) => ({ ...bystander, seriesId });
  for (const [positions, hasManyExpiries] of [
    [[held, bystander], false],
    [[held, of('BTC-1796000400-P-90000')], true],
  ] as const)
    assert.equal(bookAfter(terms, counted, { positions, fills: [] })?.hasManyExpiries, hasManyExpiries);
});
