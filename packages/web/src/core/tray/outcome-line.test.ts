import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { outcomeLine } from './outcome-line.ts';
import { bookAfter, type TrayTerms } from './terms.ts';

it('TERM-11: one line says what an order can lose and make, and where it is even', () => {
  const condor = { greatestLoss: 215, greatestGain: 285, breakEvens: [94_195.4, 95_805] };
  assert.equal(
    outcomeLine(condor, null),
    'Lose at most $215.00 · make at most $285.00 · even at 94,195 and 95,805',
  );
  assert.match(outcomeLine(condor, 'For 0.5'), /^For 0\.5: lose at most/);
  const call = { greatestLoss: 5, greatestGain: null, breakEvens: [230.25] };
  assert.equal(outcomeLine(call, null), 'Lose at most $5.00 · gains are unlimited · even at 230.25');
  const sold = { greatestLoss: null, greatestGain: -1, breakEvens: [] };
  assert.equal(outcomeLine(sold, null), 'Losses are unlimited · cannot gain');
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
