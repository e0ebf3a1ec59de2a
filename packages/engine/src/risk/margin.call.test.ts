import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { micros } from '../../test/venue.ts';

/**
 * Ten calls of strike 210 sold at 3 with 1000 of cash: 1000 + 30 - 0.15. With the spot at 250 and the mark at 81 the
 * equity is 1029.85 - 810, the maintenance margin 10 x (81 + 30).
 */
const CALLED = `
  quote AAPL-C-210 bid 3x10 ask 3.20x10
  margin alice on
  sell alice AAPL-C-210 10 @ 3             filled 10@3
  spot AAPL 250
  quote AAPL-C-210 bid 80x20 ask 82x20
  account alice                            cash 1029.85 equity 219.85 maintenance 1110 marginCall yes
`;
const THOUSAND = { paperCashMicros: micros('1000') };
const REDUCE_ONLY = 'rejected margin call — reduce-only (buy back shorts)';

describe('margin call', () => {
  test('equity below the maintenance margin calls, equity equal to it does not', () => {
    // One short with cash of 51.015 + 3 - 0.015 = 54: at a mark of 20 both sides are 34.
    scenario(
      `
      quote AAPL-C-210 bid 3x1 ask 3.20x1
      margin alice on
      sell alice AAPL-C-210 1 @ 3              filled 1@3
      quote AAPL-C-210 bid 19.99x1 ask 20.01x1
      account alice                            cash 54 equity 34 maintenance 34 marginCall no
      quote AAPL-C-210 bid 19.99x1 ask 20.010002x1
      account alice                            equity 33.999999 maintenance 34.000001 marginCall yes
      quote AAPL-C-210 bid 19.99x1 ask 20.009998x1
      account alice                            equity 34.000001 maintenance 33.999999 marginCall no
    `,
      { paperCashMicros: micros('51.015') },
    );
  });

  test('only a buy of no more than the short passes', () => {
    scenario(
      `
      ${CALLED}
      sell alice AAPL-C-210 1 @ 80             ${REDUCE_ONLY}
      buy alice AAPL-C-200 1 @ 1               ${REDUCE_ONLY}
      buy alice AAPL-C-210 10.000001 @ 1       ${REDUCE_ONLY}
      buy alice AAPL-C-210 10 @ 82             filled 10@82
      -- 820 and a fee of 4.10
      account alice                            cash 205.75 marginCall no maintenance 0
      buy alice AAPL-C-200 1 @ 1               rested
    `,
      THOUSAND,
    );
  });

  test('a reducer needs only cash, even with negative buying power', () => {
    // Locked 10 x (81 + max(50, 21)) = 1310.
    scenario(
      `
      ${CALLED}
      account alice                            buyingPower -280.15
      buy alice AAPL-C-210 1 @ market          filled 1@82
    `,
      THOUSAND,
    );
  });

  test('FINE-9 resting reducers share one short and one cash balance', () => {
    // Six rest at 81 = 486, which leaves 543.85; three at 82 and a fee are 247.23, four 329.64.
    scenario(
      `
      ${CALLED}
      buy alice AAPL-C-210 6 @ 81              rested
      buy alice AAPL-C-210 5 @ 81              ${REDUCE_ONLY}
      buy alice AAPL-C-210 4 @ market          filled 4@82
      position alice AAPL-C-210                qty -6
      buy alice AAPL-C-210 0.000001 @ market   ${REDUCE_ONLY}
      cancel alice all                         pulled 1
      buy alice AAPL-C-210 6 @ 81              rested
    `,
      THOUSAND,
    );
  });

  test('a reducer that cash does not cover, fee included, to the micro', () => {
    // Cash 1029.85 after the sale. Ten at 102.472636 make 1024.72636 and a fee of 5.1236318, up to 5.123632: a total of
    // 1029.849992. At 102.472637 it is 1024.72637 + 5.123632 = 1029.850002.
    const table = (ask: string, expected: string) => `
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      quote AAPL-C-210 bid 100x20 ask ${ask}x20
      account alice                            cash 1029.85 marginCall yes
      buy alice AAPL-C-210 10 @ market         ${expected}
    `;
    scenario(table('102.472636', 'filled 10@102.472636'), THOUSAND);
    scenario(table('102.472637', 'rejected insufficient cash'), THOUSAND);
  });

  test('FINE-9 cash reserved by resting reducers is not available to the next one', () => {
    // 1029.85 less 6 x 81; four at 135 and a fee are 542.70, at 136 they are 546.72.
    const table = (ask: string, expected: string) => `
      ${CALLED}
      buy alice AAPL-C-210 6 @ 81              rested
      quote AAPL-C-210 bid 80x20 ask ${ask}x20
      buy alice AAPL-C-210 4 @ market          ${expected}
    `;
    scenario(table('135', 'filled 4@135'), THOUSAND);
    scenario(table('136', 'rejected insufficient cash'), THOUSAND);
  });

  test('FINE-10 a market reducer that finds an empty book is cancelled', () => {
    // With no book the mark is zero; the spot alone would not call (24 + 0 per contract), so the premium is intrinsic.
    scenario(
      `
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      quote AAPL-C-210 bid - ask -
      -- 1029.85 against 10 x (90 + 36)
      spot AAPL 300
      account alice                            equity 1029.85 maintenance 1260 marginCall yes
      buy alice AAPL-C-210 10 @ market         cancelled
      account alice                            orders 0
      buy alice AAPL-C-210 10 @ 1              rested
    `,
      { ...THOUSAND, marginPremium: 'intrinsic' },
    );
  });

  test('a margin call leaves resting orders alone until liquidation', () => {
    scenario(
      `
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      buy alice AAPL-P-200 1 @ 1               rested
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x20
      account alice                            marginCall yes orders 1
      cancel alice AAPL                        pulled 1
    `,
      THOUSAND,
    );
  });
});

describe('NUM-1 values beyond the exact range', () => {
  test('an absurd mark puts a short in margin call, and blocks nobody else', () => {
    // Two contracts at a mark of 9,007,199,254.74 are worth more than any amount: equity is clamped to the end of the
    // range.
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      buy bob AAPL-C-210 8 @ 3.20              filled 8@3.20
      quote AAPL-C-210 bid - ask -
      sell bob AAPL-C-210 0.5 @ 9007199254.740991   rested
      account alice                            equity -9007199254.740991 maintenance 9007199254.740991 marginCall yes
      account bob                              equity 9007199254.740991 marginCall no
      sell alice AAPL-C-210 1 @ 3              ${REDUCE_ONLY}
      buy alice AAPL-C-210 1 @ market          rejected insufficient cash
      buy bob AAPL-P-200 1 @ 1                 rested
      cancel bob all                           pulled 2
      account alice                            marginCall no
    `);
  });
});
