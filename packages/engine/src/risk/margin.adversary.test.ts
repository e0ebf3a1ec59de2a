import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { THOUSAND, TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, type Venue } from '../../test/venue.ts';
import { BPS, LIQUIDATION_DEBT_MAX_MICROS, TAKER_FEE_BPS } from '../state/limits.ts';

const MARK = { ...THOUSAND, marginPremium: 'mark' } as const;
const INTRINSIC = { ...THOUSAND, marginPremium: 'intrinsic' } as const;
const TWO_TICKS = `${TICK} ${TICK}`;

/** Alice, an honest account: ten calls of 210 sold at 3, 1000 + 30 - 0.15; nothing else in the book. */
const VICTIM = `
  quote AAPL-C-210 bid 3x10
  margin alice on
  sell alice AAPL-C-210 10 @ 3             filled 10@3
  margin mallory on
`;

/** The loss of the house: the debts of accounts, less the cash it received for the shorts it took over. */
function houseLoss({ state }: Venue): number {
  const debts = state.accounts.filter(({ role }) => role === 'trader').map(({ cashMicros }) => -cashMicros);
  const house = state.accounts[0]!.cashMicros;
  return debts.filter((debt) => debt > 0).reduce((sum, debt) => sum + debt, 0) - house;
}

describe('MAR-1 a deep short under-margined on an empty book', () => {
  // A call of 150 is worth 50; its mark is zero. An accomplice pays a cent for it.
  test('premium at the mark: 40 per contract are locked, and the shortfall is the loss of the house', () => {
    // Once marked at 50, 25 trade at 51 each: 1000.25 - 1275 - 6.375. Entry unit then: 50 + 40.
    const venue = scenario(
      `
      margin mallory on
      sell mallory AAPL-C-150 25.000001 @ 0.01 rejected insufficient margin for short (need ~1000.00, have 1000.00)
      sell mallory AAPL-C-150 25 @ 0.01        rested
      buy carol AAPL-C-150 25 @ 0.01           filled 25@0.01
      account mallory                          cash 1000.25 maintenance 600 marginCall no
      quote AAPL-C-150 bid 49x50 ask 51x50
      account mallory                          marginCall yes
      ${TWO_TICKS}
      account mallory                          cash -281.125
    `,
      MARK,
    );
    assert.equal(houseLoss(venue), micros('281.125'));
    assertLossWithin(venue, { short: '25', unit: '90', cash: '1000.25' });
  });

  test('premium of at least intrinsic: 90 per contract, and the house loses nothing', () => {
    // 11 x 51 and 2.805.
    const venue = scenario(
      `
      margin mallory on
      sell mallory AAPL-C-150 25 @ 0.01        rejected insufficient margin for short (need ~2250.00, have 1000.00)
      sell mallory AAPL-C-150 11 @ 0.01        rested
      buy carol AAPL-C-150 11 @ 0.01           filled 11@0.01
      account mallory                          cash 1000.11 maintenance 814 marginCall no
      quote AAPL-C-150 bid 49x50 ask 51x50
      account mallory                          equity 450.11 marginCall yes
      ${TWO_TICKS}
      account mallory                          cash 436.305
    `,
      INTRINSIC,
    );
    assert.equal(houseLoss(venue), 0);
  });
});

describe('LIQ-1 LIQ-2 a mark spoofed by dust to trigger a liquidation', () => {
  test('in an empty book dust is the mark: it puts the victim in margin call and earns next to nothing', () => {
    // A millionth at 200 costs 0.0002 and 0.000001; 9.999999 go to the house at 200.
    const venue = scenario(
      `
      ${VICTIM}
      sell mallory AAPL-C-210 0.000001 @ 200   rested
      account alice                            equity -970.15 marginCall yes
      ${TWO_TICKS}
      account alice                            cash -970.150001
      account mallory                          cash 1000.0002
      account house                            cash 1999.9998
    `,
      THOUSAND,
    );
    // More was received for the short than is owed: the house has 1029.85 in hand for it.
    assert.equal(houseLoss(venue), micros('-1029.849799'));
  });

  test('in a book quoted on both sides it moves nothing, or at most the spread', () => {
    scenario(
      `
      ${VICTIM}
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      sell mallory AAPL-C-210 0.000001 @ 200   rested
      mark AAPL-C-210                          3.10
      buy mallory AAPL-C-210 0.000001 @ 3.199999   rested
      mark AAPL-C-210                          3.199999
      account alice                            marginCall no
      ${TWO_TICKS}
      position alice AAPL-C-210                qty -10
    `,
      THOUSAND,
    );
  });

  test('it must rest over two ticks', () => {
    scenario(
      `
      ${VICTIM}
      sell mallory AAPL-C-210 0.000001 @ 200   rested
      ${TICK}
      cancel mallory all                       pulled 1
      ${TICK}
      position alice AAPL-C-210                qty -10
      account alice                            cash 1029.85
    `,
      THOUSAND,
    );
  });

  test('beside a bid, an ask of any size is above the entry unit that its own mark makes', () => {
    // Mark (3 + 400) / 2 = 201.50, unit 231.50: the ask at 400 is too expensive, ten go to the house at 201.50.
    const venue = scenario(
      `
      ${VICTIM}
      quote AAPL-C-210 bid 3x1
      sell mallory AAPL-C-210 10 @ 400         rested
      ${TWO_TICKS}
      account alice                            cash -985.15
      account mallory                          cash 1000
      account house                            cash 2015
    `,
      THOUSAND,
    );
    assert.equal(houseLoss(venue), micros('-1029.85'));
  });

  test('an ask alone in its book is its own mark, and so within its own entry unit: the seller is paid', () => {
    // 10 x 150 and 7.50. The bound is ten times the unit 150 + 30, and the fee on it.
    const venue = scenario(
      `
      ${VICTIM}
      sell mallory AAPL-C-210 10 @ 150         rested
      ${TWO_TICKS}
      account alice                            cash -477.65
      account mallory                          cash 2500
    `,
      THOUSAND,
    );
    assert.equal(houseLoss(venue), micros('477.65'));
    assertLossWithin(venue, { short: '10', unit: '180', cash: '1029.85' });
  });

  test('with real money no seller is paid more than the short has: the rest goes to the house (OWN-59)', () => {
    const venue = scenario(
      `
      open mallory
      open alice
      deposit mallory 100 log a:1
      deposit alice 100 log b:1
      margin alice on
      sell alice AAPL-C-210 1 @ 3              rested
      buy mallory AAPL-C-210 1 @ 3             filled 1@3
      sell mallory AAPL-C-210 0.4 @ 200        rested
      sell mallory AAPL-C-210 0.6 @ 100000     rested
      ${TWO_TICKS}
      -- 103 pay 0.4 x 200 and the fee; 0.6 x 100000 is more than is left, so the house is given 0.6 at the mark of 200
      account alice                            cash -97.4
      account mallory                          cash 176.985
      position alice AAPL-C-210                qty 0
      position mallory AAPL-C-210              qty 0.6
    `,
      { fundingMode: 'deposits', marginPremium: 'intrinsic' },
    );
    const traders = venue.state.accounts.filter(({ role }) => role === 'trader');
    const owed = traders.reduce((sum, { cashMicros }) => sum + Math.max(0, cashMicros), 0);
    assert.ok(owed <= venue.state.fundedMicros, 'more is owed than came in');
  });
});

describe('NUM-1 a mark beyond the exact range', () => {
  test('liquidation can take no more once the debts of all traders reach their limit', () => {
    // 10 x 900,000,000 is more than anyone may owe: the ask counts as too expensive, and the house gets the rest.
    const venue = scenario(
      `
      ${VICTIM}
      open zoe
      quote AAPL-C-210 bid 3x10
      margin zoe on
      sell zoe AAPL-C-210 10 @ 3               filled 10@3
      sell mallory AAPL-C-210 10 @ 900000000   rested
      ${TWO_TICKS}
      account alice                            cash -2251799813.685247
      account mallory                          cash 1000
      -- no debt is left for her: she pays what she has
      account zoe                              cash 0
      position zoe AAPL-C-210                  qty 0
      position house AAPL-C-210                qty -20
    `,
      THOUSAND,
    );
    assert.equal(venue.account('alice').cashMicros, -LIQUIDATION_DEBT_MAX_MICROS);
    // Nobody but the house was paid: its position is unchanged, with two deposits.
    assert.equal(houseLoss(venue), micros('-2059.70'));
  });
});

describe('LIQ-1 a mark spoofed by dust to dodge a liquidation', () => {
  // Seven short and 1000 + 21 - 0.105. One ask at 82 alone calls; a dust bid of a cent halves the mark.
  const DODGE = `
    quote AAPL-C-210 bid 3x7
    margin mallory on
    sell mallory AAPL-C-210 7 @ 3            filled 7@3
  `;

  test('premium at the mark: it prevents liquidation until somebody bids', () => {
    scenario(
      `
      ${DODGE}
      spot AAPL 250
      quote AAPL-C-210 ask 82x10
      account mallory                          equity 446.895 maintenance 784 marginCall yes
      buy carol AAPL-C-210 0.000001 @ 0.01     rested
      account mallory                          equity 733.86 maintenance 497.035 marginCall no
      ${TWO_TICKS}
      position mallory AAPL-C-210              qty -7
      -- an honest bid ends it: 7 x 82 and 2.87
      quote AAPL-C-210 bid 78x1
      account mallory                          marginCall yes
      ${TWO_TICKS}
      account mallory                          cash 444.025
    `,
      MARK,
    );
  });

  test('premium of at least intrinsic: the dust bid hides nothing', () => {
    // Spot 290: 7 x (80 + 34.80) against the same equity.
    const venue = scenario(
      `
      ${DODGE}
      spot AAPL 290
      quote AAPL-C-210 ask 82x10
      buy carol AAPL-C-210 0.000001 @ 0.01     rested
      account mallory                          equity 733.86 maintenance 803.60 marginCall yes
      ${TWO_TICKS}
      account mallory                          cash 444.025
    `,
      INTRINSIC,
    );
    assert.equal(houseLoss(venue), 0);
  });
});

describe('ORD-4 a short behind a long, twice', () => {
  test('a long backs one resting sell, even once the first has filled', () => {
    scenario(
      `
      quote AAPL-C-210 ask 3x5
      buy mallory AAPL-C-210 5 @ market        filled 5@3
      sell mallory AAPL-C-210 5 @ 4            rested
      sell mallory AAPL-C-210 5 @ 4            rejected margin is off — enable margin to sell short
      quote AAPL-C-210 bid 2x10
      sell mallory AAPL-C-210 5 @ market       rejected margin is off — enable margin to sell short
      buy carol AAPL-C-210 3 @ 4               filled 3@4
      -- two are left, and two rest
      sell mallory AAPL-C-210 0.000001 @ 4     rejected margin is off — enable margin to sell short
      cancel mallory all                       pulled 1
      sell mallory AAPL-C-210 3 @ market       rejected margin is off — enable margin to sell short
      sell mallory AAPL-C-210 2 @ market       filled 2@2
      position mallory AAPL-C-210              qty 0
    `,
      THOUSAND,
    );
  });

  test('with margin on the second is charged in full', () => {
    // Mark 4, the only ask: 5 x (4 + 30).
    scenario(
      `
      quote AAPL-C-210 ask 3x5
      buy mallory AAPL-C-210 5 @ market        filled 5@3
      margin mallory on
      sell mallory AAPL-C-210 5 @ 4            rested
      account mallory                          locked 0
      sell mallory AAPL-C-210 5 @ 4            rested
      account mallory                          locked 170
    `,
      THOUSAND,
    );
  });
});

describe('ORD-4 one short split over many orders', () => {
  test('locks as much as in one, and its last part is refused at the same point', () => {
    // 3 x 33.10 of 100.
    const split = Array.from({ length: 6 }, () => 'sell mallory AAPL-C-210 0.5 @ 4   rested').join('\n');
    scenario(
      `
      quote AAPL-C-210 bid 3x1 ask 3.20x1
      margin mallory on
      ${split}
      account mallory                          locked 99.30 buyingPower 0.70
      sell mallory AAPL-C-210 0.5 @ 4          rejected insufficient margin for short (need ~16.55, have 0.70)
      cancel mallory all                       pulled 6
      sell mallory AAPL-C-210 3.5 @ 4          rejected insufficient margin for short (need ~115.85, have 100.00)
      sell mallory AAPL-C-210 3 @ 4            rested
      account mallory                          locked 99.30
    `,
      { paperCashMicros: micros('100') },
    );
  });

  test('rounding up: every micro of quantity is margined', () => {
    // A micro costs 33.1 micros, rounded up to 34, to open; three of them lock 99.3, rounded up to 100.
    scenario(
      `
      quote AAPL-C-210 bid 3x1 ask 3.20x1
      margin mallory on
      sell mallory AAPL-C-210 0.000001 @ 4     rested
      account mallory                          locked 0.000034
      sell mallory AAPL-C-210 0.000001 @ 4     rested
      sell mallory AAPL-C-210 0.000001 @ 4     rested
      account mallory                          locked 0.0001
    `,
      { paperCashMicros: micros('100') },
    );
  });
});

describe('ORD-3 FINE-9 closing and re-opening in one order', () => {
  test('a buy is credited only for what it closes, and never takes cash below zero', () => {
    // Locked 10 x (39 + 30) of 1029.85. 26 at 40 and the fee are 1045.20, less 690; 25 are 1005.
    scenario(
      `
      ${VICTIM}
      quote AAPL-C-210 bid 38x100 ask 40x100
      account alice                            locked 690 buyingPower 339.85
      buy alice AAPL-C-210 26 @ market         rejected insufficient buying power (need ~355.20, have 339.85)
      buy alice AAPL-C-210 25 @ market         filled 25@40
      account alice                            cash 24.85 locked 0
      position alice AAPL-C-210                qty 15
    `,
      THOUSAND,
    );
  });

  test('a sell through a long is margined for the part it opens, with the cash from before', () => {
    // Long 2 for 6.03 of 100: 93.97. Three opened need 99.30, two 66.20; the premium of the sale arrives too late.
    scenario(
      `
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin mallory on
      buy mallory AAPL-C-210 2 @ market        filled 2@3.20
      account mallory                          cash 93.568
      sell mallory AAPL-C-210 5 @ market       rejected insufficient margin for short (need ~99.30, have 93.57)
      sell mallory AAPL-C-210 4 @ market       filled 4@3
      position mallory AAPL-C-210              qty -2
      account mallory                          cash 105.508 locked 66.20
    `,
      { paperCashMicros: micros('100') },
    );
  });
});

describe('ORD-12 a cancel that races a fill', () => {
  const RESTING = `
    quote AAPL-C-210 bid 3x1 ask 3.20x1
    margin mallory on
    sell mallory AAPL-C-210 5 @ 3.10         rested
  `;

  test('the fill first: nothing is left to cancel, and the short is locked', () => {
    scenario(
      `
      ${RESTING}
      buy carol AAPL-C-210 5 @ 3.10            filled 5@3.10
      cancel-order mallory #3                  not ok
      cancel mallory all                       pulled 0
      position mallory AAPL-C-210              qty -5
      account mallory                          locked 165.50 orders 0
    `,
      THOUSAND,
    );
  });

  test('the cancel first: the buyer finds nothing, and nothing is locked', () => {
    scenario(
      `
      ${RESTING}
      cancel-order mallory #3                  ok
      cancel-order mallory #3                  not ok
      buy carol AAPL-C-210 5 @ 3.10            rested
      account mallory                          cash 1000 locked 0 orders 0
    `,
      THOUSAND,
    );
  });

  test('in between: the filled part stays, the rest is cancelled', () => {
    // Two short at 3.10 with the book back at 3 and 3.20.
    scenario(
      `
      ${RESTING}
      buy carol AAPL-C-210 2 @ 3.10            filled 2@3.10
      account mallory                          locked 165.25
      cancel-order mallory #3                  ok
      position mallory AAPL-C-210              qty -2
      account mallory                          cash 1006.20 locked 66.20 orders 0
    `,
      THOUSAND,
    );
  });
});

/** LIQ-2: a buy-back never costs more per contract than the entry unit and its fee. */
function assertLossWithin(venue: Venue, bound: { short: string; unit: string; cash: string }): void {
  const [short, unit, cash] = [bound.short, bound.unit, bound.cash].map((text) => Number(micros(text)));
  const most = (short! / 1_000_000) * unit! * (1 + TAKER_FEE_BPS / BPS) - cash!;
  assert.ok(houseLoss(venue) <= most, `${houseLoss(venue)} within ${most}`);
}
