import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLED, SHORT, THOUSAND, TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS, type TapePrint } from '../entry/effects.ts';

describe('LIQ-1 which accounts are liquidated', () => {
  test('an account in margin call at two ticks in a row loses its orders and has its shorts bought back', () => {
    // 10 x 82 and a fee of 4.10: 1029.85 - 824.10.
    scenario(
      `
      ${SHORT}
      buy alice AAPL-P-200 1 @ 1               rested
      buy alice BTC-P-90000 1 @ 2              rested
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x20
      account alice                            marginCall yes
      ${TICK}
      account alice                            cash 1029.85 marginCall yes orders 2
      ${TICK}
      account alice                            cash 205.75 locked 0 maintenance 0 marginCall no orders 0
      account alice                            realized -790 equity 205.75
      account fees                             cash 4.25
      book AAPL-P-200                          empty
      book AAPL-C-210                          bid maker 80x20 ask maker 82x10
    `,
      THOUSAND,
    );
  });

  test('not one that recovered: it has two ticks again', () => {
    scenario(
      `
      ${CALLED}
      ${TICK}
      quote AAPL-C-210 bid 3x20 ask 3.20x20
      account alice                            marginCall no
      ${TICK}
      quote AAPL-C-210 bid 80x20 ask 82x20
      ${TICK}
      position alice AAPL-C-210                qty -10
      ${TICK}
      account alice                            cash 205.75
    `,
      THOUSAND,
    );
  });

  test('also one that recovered and was called again between two ticks', () => {
    scenario(
      `
      ${CALLED}
      ${TICK}
      quote AAPL-C-210 bid 3x20 ask 3.20x20
      account alice                            marginCall no
      quote AAPL-C-210 bid 80x20 ask 82x20
      ${TICK}
      account alice                            cash 205.75
    `,
      THOUSAND,
    );
  });

  test('a tick that comes too early does not count', () => {
    scenario(
      `
      ${CALLED}
      ${TICK}
      wait 2499ms
      maintain                                 early
      position alice AAPL-C-210                qty -10
      wait 1ms
      maintain
      position alice AAPL-C-210                qty 0
    `,
      THOUSAND,
    );
  });

  test('an account that reduced enough by itself is left alone', () => {
    // Nine bought back: 9 x 82 and 3.69. One is left: 288.16 - 81 against 81 + 30.
    scenario(
      `
      ${CALLED}
      ${TICK}
      buy alice AAPL-C-210 9 @ market          filled 9@82
      account alice                            cash 288.16 equity 207.16 maintenance 111 marginCall no
      ${TICK}
      position alice AAPL-C-210                qty -1
    `,
      THOUSAND,
    );
  });

  test('accounts in ascending order: the first takes the asks, the next goes to the house', () => {
    // Twelve at 82: alice takes ten, bob two for 164 and 0.82. The mark is 81 before each: 8 x 81 to the house. After
    // alice's ten, the book is still at 80 and 82.
    scenario(
      `
      open alice
      open bob
      quote AAPL-C-210 bid 3x20 ask 3.20x10
      margin bob on
      sell bob AAPL-C-210 10 @ 3               filled 10@3
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x12
      ${TICK}
      ${TICK}
      account alice                            cash 205.75
      account bob                              cash 217.03
      account house                            cash 648
      position house AAPL-C-210                qty -8
    `,
      THOUSAND,
    );
  });

  test("an account is judged by the marks after the previous account's liquidation", () => {
    // Bob is one short with 1000 + 3 - 0.015. At a mark of 81 he is well covered: 921.985 against 111. Once alice has
    // taken the asks at 82, those at 1120 leave a mark of 600: 402.985 against 630.
    const table = (after: string) => `
      open alice
      quote AAPL-C-210 bid 3x11 ask 3.20x11
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      margin bob on
      sell bob AAPL-C-210 1 @ 3                filled 1@3
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x40
      account alice                            marginCall yes
      ${TICK}
      quote AAPL-C-210 ask 82x10 ${after}x20
      ${TICK}
    `;
    const wild = scenario(table('1120'), THOUSAND);
    assert.equal(wild.account('alice').shortCount, 0);
    assert.equal(wild.account('bob').wasCalled, true);
    assert.equal(wild.account('bob').shortCount, 1, 'bob was not called at the tick before');
    const calm = scenario(table('84'), THOUSAND);
    assert.equal(calm.account('bob').wasCalled, false);
  });

  test('MM-4 the quotes of a silent maker are pulled first, and put nobody in margin call', () => {
    scenario(
      `
      ${CALLED}
      wait 25s
      maintain
      ${TICK}
      account alice                            cash 1029.85 equity 1029.85 marginCall no
      position alice AAPL-C-210                qty -10
    `,
      THOUSAND,
    );
  });

  test('shorts are bought back in listing order, each with its own order id, longs stay', () => {
    // Calls of 212.5 at 5 x 2 and of 210 at 82 x 10. 212.5 is listed after 210 though sold before it.
    const venue = scenario(
      `
      quote AAPL-C-212.5 bid 2x5 ask 2.20x5
      quote AAPL-P-200 bid 2x5 ask 2.20x5
      margin alice on
      sell alice AAPL-C-212.5 2 @ 2            filled 2@2
      ${SHORT}
      buy alice AAPL-P-200 1 @ 2.20            filled 1@2.20
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x20
      quote AAPL-C-212.5 bid - ask -
      account alice                            marginCall yes
      ${TICK}
      ${TICK}
      position alice AAPL-P-200                qty 1
    `,
      THOUSAND,
    );
    const rows = [...venue.account('alice').fills].filter(({ kind }) => kind === 'liquidation');
    const [first, second] = rows;
    assert.deepEqual(
      rows.map(({ series }) => series.strikeMicros),
      [micros('210'), micros('212.5')],
    );
    assert.equal(first!.orderId + 1, second!.orderId);
    assert.equal(venue.state.lastOrderId, second!.orderId);
  });
});

describe('the price of a buy-back', () => {
  test('LIQ-2 asks up to the earlier entry unit, the rest to the house at the earlier mark', () => {
    // 4 x 82 + 1.64, 3 x 131 + 1.965; the ask at 131.000001 is too expensive; three to the house at 81. Cost released:
    // 12, 9 and 9 of the 30.
    const venue = scenario(
      `
      ${SHORT}
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x4 131x3 131.000001x20
      ${TICK}
      fills alice                              sell 10@3 fee 0.15 realized 0 taker
      ${TICK}
      fills alice                              buy 4@82 fee 1.64 realized -316 taker, buy 3@131 fee 1.965 realized -384 taker, buy 3@81 fee 0 realized -234 taker
      fills house                              sell 3@81 fee 0 realized 0 maker
      account alice                            cash 62.245 realized -934 marginCall no
      account house                            cash 243
      position house AAPL-C-210                qty -3 cost 243
      book AAPL-C-210                          bid maker 80x20 ask maker 131.000001x20
    `,
      THOUSAND,
    );
    const kinds = (name: string) => [...venue.account(name).fills].map(({ kind }) => kind);
    assert.deepEqual(kinds('alice'), ['trade', 'liquidation', 'liquidation', 'liquidation'], 'FINE-11');
    assert.deepEqual(kinds('house'), ['trade'], 'FINE-11');
    assert.deepEqual(kinds('maker'), ['trade', 'trade', 'trade'], 'FINE-11');
    assert.equal(venue.series('AAPL-C-210').volumeMicros, micros('17'), 'the house part is no volume');
  });

  test("FINE-11 trades with the book are printed, the house's part is not", () => {
    const { prints } = liquidated(`
      ${SHORT}
      spot AAPL 250
      quote AAPL-C-210 bid 80x20 ask 82x4
      ${TICK}
    `);
    assert.deepEqual(
      prints.map(({ side, priceMicros, qtyMicros }) => [side, priceMicros, qtyMicros]),
      [['buy', micros('82'), micros('4')]],
    );
  });

  test('LIQ-1 to the house at intrinsic if the mark is lower', () => {
    // A book of 49 and 51 marks at 50 but has no ask within reach; intrinsic of 300 is 90.
    scenario(
      `
      ${SHORT}
      spot AAPL 300
      quote AAPL-C-210 bid 49x1 ask -
      account alice                            equity 539.85 maintenance 850 marginCall yes
      ${TICK}
      ${TICK}
      account alice                            cash 129.85
      account house                            cash 900
    `,
      THOUSAND,
    );
  });

  test('LIQ-1 to the house at one cent if mark and intrinsic are zero', () => {
    // Sold at a spot of 150, where the floor gives a margin of 21 + 0.50; at 209 it is 12% less 1: 24.08.
    scenario(
      `
      spot AAPL 150
      quote AAPL-C-210 bid 0.50x10
      margin alice on
      sell alice AAPL-C-210 10 @ 0.50          filled 10@0.50
      spot AAPL 209
      account alice                            cash 219.975 equity 219.975 maintenance 240.80 marginCall yes
      ${TICK}
      ${TICK}
      account alice                            cash 219.875
      account house                            cash 0.10
    `,
      { paperCashMicros: micros('215') },
    );
  });

  test("the value of the house's part is rounded against the account", () => {
    // 0.333333 at 40.000001 is 13.333320333333, rounded up a micro.
    scenario(
      `
      quote AAPL-C-210 bid 3x10
      margin alice on
      sell alice AAPL-C-210 0.333333 @ 3       filled 0.333333@3
      quote AAPL-C-210 bid -
      spot AAPL 250.000001
      account alice                            cash 11.994999 maintenance 23.333311 marginCall yes
      ${TICK}
      ${TICK}
      account house                            cash 13.333321
      account alice                            cash -1.338322
    `,
      { paperCashMicros: micros('11'), marginPremium: 'intrinsic' },
    );
  });

  test('cash can go negative: the account owes, and total cash is unchanged', () => {
    // 10 x 192 and 9.60 against 1029.85.
    scenario(
      `
      ${SHORT}
      spot AAPL 400
      quote AAPL-C-210 bid 188x20 ask 192x20
      ${TICK}
      ${TICK}
      account alice                            cash -899.75 equity -899.75 buyingPower -899.75 marginCall yes
      buy alice AAPL-P-200 1 @ 1               rejected margin call — reduce-only (buy back shorts)
      ${TICK}
      account alice                            cash -899.75
    `,
      THOUSAND,
    );
  });

  test('negative cash without a short: the orders are pulled once the longs no longer cover it', () => {
    // Twenty puts at 2 cost 40.20, so 1000 + 30 - 0.15 - 40.20 - 1929.60 = -939.95 after liquidation. At 50 each they
    // are worth 1000.
    scenario(
      `
      quote AAPL-P-200/2 ask 2x20
      buy alice AAPL-P-200/2 20 @ market       filled 20@2
      ${SHORT}
      spot AAPL 400
      quote AAPL-C-210 bid 188x20 ask 192x20
      ${TICK}
      ${TICK}
      account alice                            cash -939.95
      quote AAPL-P-200/2 bid 50x1
      sell alice AAPL-P-200/2 10 @ 60          rested
      account alice                            equity 160.05 marginCall no
      ${TICK}
      quote AAPL-P-200/2 bid - ask 1x1
      account alice                            equity -919.95 marginCall yes
      ${TICK}
      account alice                            orders 1
      ${TICK}
      account alice                            orders 0
      position alice AAPL-P-200/2              qty 20
    `,
      THOUSAND,
    );
  });
});

/** Runs a table, then one more tick whose prints it returns. */
function liquidated(table: string): { prints: TapePrint[] } {
  const venue = scenario(table, THOUSAND);
  const prints: TapePrint[] = [];
  venue.wait(5_000);
  const entry = {
    seq: venue.state.seq + 1,
    ts: venue.nowMs,
    command: { kind: 'maintain', expiries: [] },
  } as const;
  apply(venue.state, entry, { ...NO_EFFECTS, printed: (print) => prints.push(print) });
  return { prints };
}
