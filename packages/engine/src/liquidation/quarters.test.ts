import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';

const MODEL = { riskMark: 'model', impactMicros: micros('1000'), paperCashMicros: micros('1000') } as const;
/** Ten calls of strike 210 sold at 3 with 1000 of cash: 1029.85. Far in the money the model is intrinsic. */
const SHORT = `
  quote AAPL-C-210 bid 3x10 ask - iv 0.3
  margin alice on
  sell alice AAPL-C-210 10 @ 3             filled 10@3
`;
/** At 290 the mark is 80, the limit 82.90. Equity 229.85, maintenance 10 x (80 + 34.80). */
const CALLED = `
  ${SHORT}
  spot AAPL 290
  account alice                            equity 229.85 maintenance 1148 marginCall yes
`;

describe('RSK-4 with marks of the model, liquidation takes four ticks', () => {
  test('a quarter of the size at the first of them each, orders at the first', () => {
    // 2.5 x 82 and a fee of 1.025 each time.
    scenario(
      `
      ${SHORT}
      buy alice BTC-P-90000 1 @ 2              rested
      spot AAPL 290
      quote AAPL-C-210 ask 82x20
      ${TICK}
      account alice                            cash 1029.85 orders 1
      ${TICK}
      account alice                            cash 823.825 orders 0 marginCall yes
      position alice AAPL-C-210                qty -7.5
      ${TICK}
      position alice AAPL-C-210                qty -5
      ${TICK}
      position alice AAPL-C-210                qty -2.5
      ${TICK}
      position alice AAPL-C-210                qty 0
      account alice                            cash 205.75 marginCall no
      account house                            cash 0
    `,
      MODEL,
    );
  });

  test('a buy placed between two ticks leaves at the next: what it reserves is not spent twice', () => {
    // 2.5 x 82 and 1.025 are 206.025 at each tick. The resting buy of the rest reserves 7.5 x 100.
    scenario(
      `
      ${SHORT}
      spot AAPL 290
      quote AAPL-C-210 ask 82x2.5
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      buy alice AAPL-C-210 7.5 @ 100           rested
      account alice                            orders 1
      ${TICK}
      account alice                            orders 0 cash 823.825
      ${TICK}
      buy alice AAPL-C-210 7.5 @ 100           rested
      ${TICK}
      -- the house has the rest at 80, and no buy is left for strangers to sell into
      account alice                            orders 0 cash 223.825 locked 0
      position alice AAPL-C-210                qty 0
      sell bob AAPL-C-210 1 @ market           rejected no liquidity
    `,
      MODEL,
    );
  });

  test('it stops when the call ends, and the count starts again', () => {
    // At 260 the mark is 50: 2.5 x 52 and 0.65 twice leave 768.55 - 250 against 5 x (50 + 31.20).
    const venue = scenario(
      `
      ${SHORT}
      spot AAPL 260
      quote AAPL-C-210 ask 52x20
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      ${TICK}
      position alice AAPL-C-210                qty -5
      account alice                            equity 518.55 maintenance 406 marginCall no
      ${TICK}
      position alice AAPL-C-210                qty -5
      spot AAPL 290
      quote AAPL-C-210 ask 82x20
      ${TICK}
      position alice AAPL-C-210                qty -5
      ${TICK}
      -- a quarter of five
      position alice AAPL-C-210                qty -3.75
    `,
      MODEL,
    );
    assert.equal(venue.account('alice').quarters?.tick, 1);
  });

  test('an account that reduces by itself between two ticks is left alone, and its count starts again', () => {
    // 623.825 - 2.5 x 80 - after buying five - against 2.5 x 114.80.
    const venue = scenario(
      `
      ${CALLED}
      quote AAPL-C-210 ask 82x20
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      buy alice AAPL-C-210 6 @ market          filled 6@82
      account alice                            marginCall no
      ${TICK}
      position alice AAPL-C-210                qty -1.5
    `,
      MODEL,
    );
    assert.equal(venue.account('alice').quarters, null);
  });

  test('the largest maintenance margin comes first, and what follows is spared once the call ends', () => {
    // Shorts of 2 and 8: 2 x (80 + 34.80) against 8 x (77.50 + 34.80). Two of the eight are bought first.
    scenario(
      `
      quote AAPL-C-210 bid 3x2 iv 0.3
      quote AAPL-C-212.5 bid 3x8 iv 0.3
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      sell alice AAPL-C-212.5 8 @ 3            filled 8@3
      spot AAPL 290
      quote AAPL-C-210 bid - ask 80x20
      quote AAPL-C-212.5 bid - ask 77.50x20
      account alice                            cash 1029.85 equity 249.85 maintenance 1128 marginCall yes
      ${TICK}
      ${TICK}
      fills alice                              sell 2@3 fee 0.03 realized 0 taker, sell 8@3 fee 0.12 realized 0 taker, buy 2@77.50 fee 0.775 realized -149 taker, buy 0.5@80 fee 0.20 realized -38.50 taker
      position alice AAPL-C-212.5              qty -6
      position alice AAPL-C-210                qty -1.5
      -- at 265 a gift ends the call with the next quarter of the larger short: 539.365 against 467.40
      spot AAPL 265
      quote AAPL-C-212.5 ask 1x20
      ${TICK}
      position alice AAPL-C-212.5              qty -4
      position alice AAPL-C-210                qty -1.5
      account alice                            marginCall no
    `,
      { ...MODEL, impactMicros: micros('1000000') },
    );
  });

  test('a quarter is rounded up to the micro, and what is left is bought at the fourth tick', () => {
    scenario(
      `
      quote AAPL-C-210 bid 3x20 iv 0.3
      margin alice on
      sell alice AAPL-C-210 10.000001 @ 3      filled 10.000001@3
      spot AAPL 290
      quote AAPL-C-210 bid - ask 82x20
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      ${TICK}
      position alice AAPL-C-210                qty -4.999999
      ${TICK}
      position alice AAPL-C-210                qty -2.499998
      ${TICK}
      position alice AAPL-C-210                qty 0
    `,
      MODEL,
    );
  });
});

describe('RSK-4 DET-8 the price of a quarter', () => {
  test('at most the risk mark and 1 % of spot', () => {
    scenario(
      `
      ${CALLED}
      quote AAPL-C-210 ask 82.90x1 82.900001x20
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -9
      book AAPL-C-210                          ask maker 82.900001x20
      ${TICK}
      position alice AAPL-C-210                qty -9
    `,
      MODEL,
    );
  });

  test('the house takes the rest at the fourth tick, at the greatest of mark, intrinsic and a cent', () => {
    scenario(
      `
      ${CALLED}
      ${TICK}
      ${TICK}
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -10
      account house                            cash 0
      ${TICK}
      position alice AAPL-C-210                qty 0
      position house AAPL-C-210                qty -10
      account house                            cash 800
      account alice                            cash 229.85 marginCall no
    `,
      MODEL,
    );
  });

  test('counterexample 10: an absurd ask is not met, where by the book it is paid', () => {
    // By the book the lone ask is the mark, so it is within its own bound.
    const table = (expected: string) => `
      ${SHORT}
      spot AAPL 255
      margin eve on
      sell eve AAPL-C-210 0.1 @ 300            rested
      ${TICK}
      ${TICK}
      ${expected}
    `;
    scenario(table('account eve     cash 1000\n position alice AAPL-C-210    qty -10'), MODEL);
    scenario(table('account eve     cash 1030'), { ...MODEL, riskMark: 'book' });
  });
});

describe('RSK-4 which shorts are spared', () => {
  test('one without a volatility: its mark is intrinsic, and nothing is bought back on that', () => {
    scenario(
      `
      quote AAPL-C-210 bid 3x10
      margin alice on
      sell alice AAPL-C-210 10 @ 3             filled 10@3
      buy alice BTC-P-90000 1 @ 2              rested
      spot AAPL 290
      quote AAPL-C-210 bid - ask 80x20
      ${TICK}
      ${TICK}
      ${TICK}
      account alice                            marginCall yes orders 1
      position alice AAPL-C-210                qty -10
      quote AAPL-C-210 iv 0.3                  kept
      ${TICK}
      account alice                            orders 0
      position alice AAPL-C-210                qty -7.5
    `,
      MODEL,
    );
  });

  test('LIQ-3 one without a fresh spot: the count waits for it', () => {
    scenario(
      `
      ${CALLED}
      quote AAPL-C-210 ask 82x20
      ${TICK}
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      wait 55s
      maintain
      ${TICK}
      position alice AAPL-C-210                qty -7.5
      spot AAPL 290
      quote AAPL-C-210 ask 82x20
      ${TICK}
      position alice AAPL-C-210                qty -5
    `,
      { ...MODEL, quoteTtlMs: 3_600_000 },
    );
  });

  test('one past its cutoff waits for settlement', () => {
    scenario(
      `
      ${SHORT}
      wait to cutoff
      spot AAPL 290
      maintain
      ${TICK}
      account alice                            marginCall yes
      position alice AAPL-C-210                qty -10
    `,
      MODEL,
    );
  });
});

test('RSK-4 a short in review has no model: a call with no other short keeps its orders, before a restart and after', () => {
  const venue = scenario(
    `
    ${SHORT}
    wait to cutoff
    spot AAPL 290
    wait 1ms
    maintain
    status AAPL-C-210                        pending-review
    buy alice BTC-P-90000/2 1 @ 2            rejected margin call — reduce-only (buy back shorts)
    ${TICK}
  `,
    MODEL,
  );
  const restored = restoreState(stateLines(venue.state));
  venue.wait(5_000);
  venue.maintain([]);
  const { seq, ts } = venue.state;
  apply(restored, { seq, ts, command: { kind: 'maintain', expiries: [] } }, NO_EFFECTS);
  assert.equal(stateDigest(restored), stateDigest(venue.state));
  assert.equal(venue.account('alice').quarters, null);
});

test('RSK-4 a snapshot between two ticks keeps the count and the sizes', () => {
  const venue = scenario(`${CALLED}\n quote AAPL-C-210 ask 82x20\n ${TICK} ${TICK} ${TICK}`, MODEL);
  const restored = restoreState(stateLines(venue.state));
  assert.equal(stateDigest(restored), stateDigest(venue.state));
  assert.deepEqual(restored.accounts.at(-1)!.quarters?.tick, 2);
  venue.wait(5_000);
  venue.maintain([]);
  const { seq, ts } = venue.state;
  apply(restored, { seq, ts, command: { kind: 'maintain', expiries: [] } }, NO_EFFECTS);
  assert.equal(stateDigest(restored), stateDigest(venue.state));
});

test('RSK-4 a change to marks of the book ends the quarters', () => {
  const venue = scenario(`${CALLED}\n quote AAPL-C-210 ask 82x20\n ${TICK} ${TICK}`, MODEL);
  venue.apply({ kind: 'configure', parameters: { ...venue.state.parameters!, riskMark: 'book' } });
  scenario(`${TICK}\n position alice AAPL-C-210     qty 0`, venue);
  assert.equal(venue.account('alice').quarters, null);
  assert.ok(venue instanceof Venue);
});
