import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Contracts, comboEffect } from './combo-effect.ts';
import { effectText } from './combo-text.ts';

const NEAR = 'BTC-1795741200';
const FAR = 'BTC-1796432400';

/** `C-95000: -0.5` of the near expiry as a position. */
const at = (name: string, qty: number, expiry = NEAR): Contracts => ({ seriesId: `${expiry}-${name}`, qty });

/** The sentence about trades of signed quantities at a price. */
function told(
  trades: readonly (readonly [Contracts, price: number])[],
  positions: readonly Contracts[],
  fee = 0,
) {
  const fills = trades.map(([{ seriesId, qty }, price]) => ({
    ...{ seriesId, price, qty: Math.abs(qty) },
    side: qty > 0 ? ('buy' as const) : ('sell' as const),
  }));
  const cost = trades.reduce((sum, [{ qty }, price]) => sum + qty * price, 0);
  return effectText(comboEffect({ fills, cost, fee }, positions), 'BTC');
}

describe('CMB-1 what a combo can lose is judged by what it opens', () => {
  const roll = [
    [at('C-95000', -0.02), 800],
    [at('C-95000', 0.02, FAR), 1_000],
  ] as const;
  const closed = `it closes 0.02 ${NEAR}-C-95000`;
  const CASES: readonly (readonly [string, string, string])[] = [
    [
      'legs alone have no bound',
      told(roll, [], 0.2),
      'it can lose without limit, it can gain without limit; its expiries settle at prices of their own',
    ],
    [
      'a roll of a long opens a long, which can lose its premium and the fees',
      told(roll, [at('C-95000', 0.02)], 0.2),
      `${closed}; what it opens can lose at most 20.20 USD, it can gain without limit; it breaks even at 96010`,
    ],
    [
      'of more than is held, the surplus opens too',
      told(roll, [at('C-95000', 0.01)]),
      `it closes 0.01 ${NEAR}-C-95000; what it opens can lose without limit, it can gain without limit; its expiries settle at prices of their own`,
    ],
    ['a position of the same side is not closed', told(roll, [at('C-95000', -0.02)]), told(roll, [])],
    [
      'levels of one leg close first and then open',
      told(
        [
          [at('P-90000', 1), 100],
          [at('P-90000', 1), 110],
          [at('P-80000', -2), 50],
        ],
        [at('P-90000', -1.5)],
      ),
      `it closes 1.5 ${NEAR}-P-90000; what it opens can lose at most 114955.00 USD, it can gain at most 5045.00 USD; it breaks even at 76636.666667`,
    ],
    [
      'one that only closes',
      told(
        [
          [at('C-95000', -1), 800],
          [at('C-96000', 1), 500],
        ],
        [at('C-95000', 1), at('C-96000', -1)],
      ),
      `it closes 1 ${NEAR}-C-95000 and 1 ${NEAR}-C-96000, and opens nothing`,
    ],
    [
      'one that closes what bounds another position',
      told(
        [
          [at('C-95000', -1), 800],
          [at('P-90000', 1), 100],
        ],
        [at('C-95000', 1), at('C-96000', -1)],
      ),
      `it closes 1 ${NEAR}-C-95000; what it opens can lose at most 100.00 USD, it can gain at most 89900.00 USD; it breaks even at 89900; without what it closes, your other positions in BTC can lose without limit`,
    ],
  ];
  for (const [title, sentence, expected] of CASES) it(title, () => assert.equal(sentence, expected));
});
