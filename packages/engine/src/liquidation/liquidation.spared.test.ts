import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLED, SHORT, THOUSAND, TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros } from '../../test/venue.ts';

const STALE_SETTING = { paperCashMicros: micros('22000'), marginPremium: 'intrinsic' } as const;
/**
 * A short in each underlying; BTC no longer prints. 22,000 + 100 + 30 - 0.50 - 0.15 = 22,129.35 against 10 x (2290 +
 * 300) and 6,600; the AAPL short goes to the house for 22,900.
 */
const STALE_BTC = `
  quote BTC-C-110000 bid 100x1
  margin alice on
  sell alice BTC-C-110000 1 @ 100          filled 1@100
  ${SHORT}
  quote AAPL-C-210 bid - ask -
  buy alice AAPL-P-200 1 @ 1               rested
  wait 30s
  spot AAPL 2500
  wait 30001ms
  account alice                            equity 22129.35 maintenance 32500 marginCall yes
  instrument BTC                           feed stale
  maintain
  account alice                            orders 1
  ${TICK}
  account alice                            orders 0 cash -770.65 marginCall yes
  position alice AAPL-C-210                qty 0
  position alice BTC-C-110000              qty -1
`;

describe('LIQ-3 stale prices never liquidate', () => {
  const INTRINSIC = { ...THOUSAND, marginPremium: 'intrinsic' } as const;
  // An empty book at a spot of 300: 1029.85 against 10 x (90 + 36), and to the house at 90.
  const EMPTY = `
    ${SHORT}
    quote AAPL-C-210 bid - ask -
    buy alice AAPL-P-200 1 @ 1               rested
    spot AAPL 300
    account alice                            marginCall yes
    wait 55s
    maintain
  `;

  test('an account with only stale shorts keeps its orders and its shorts', () => {
    scenario(
      `
      ${EMPTY}
      wait 5001ms
      maintain
      account alice                            orders 1 marginCall yes
      position alice AAPL-C-210                qty -10
      spot AAPL 300
      ${TICK}
      account alice                            orders 0 cash 129.85
    `,
      INTRINSIC,
    );
  });

  test('a price exactly at the age limit is fresh', () => {
    scenario(
      `
      ${EMPTY}
      wait 5s
      maintain
      account alice                            orders 0 cash 129.85
    `,
      INTRINSIC,
    );
  });

  test('FINE-11 with fresh and stale shorts, an account loses its orders and the fresh ones, and keeps the stale ones', () => {
    scenario(STALE_BTC, STALE_SETTING);
  });
});

describe('a short past its cutoff', () => {
  test('MAR-2 cannot be traded: it stays margined and waits for settlement, resting orders are pulled', () => {
    scenario(
      `
      ${SHORT}
      buy alice AAPL-P-200/2 1 @ 1             rested
      wait to cutoff
      spot AAPL 300
      maintain
      account alice                            marginCall yes orders 1
      ${TICK}
      account alice                            marginCall yes orders 0 cash 1029.85
      position alice AAPL-C-210                qty -10
      account house                            cash 0
    `,
      { ...THOUSAND, marginPremium: 'intrinsic' },
    );
  });
});

describe('HOUSE-1 exempt accounts', () => {
  test('neither the maker nor the house is ever liquidated, however short', () => {
    scenario(
      `
      ${CALLED}
      quote AAPL-P-200 bid 2x9 ask 3x9
      buy bob AAPL-P-200 9 @ 3                 filled 9@3
      quote AAPL-C-210 ask -
      ${TICK}
      ${TICK}
      position house AAPL-C-210                qty -10
      spot AAPL 20
      quote AAPL-P-200 bid 150x9 ask 190x9
      ${TICK}
      ${TICK}
      position house AAPL-C-210                qty -10
      position maker AAPL-P-200                qty -9
    `,
      THOUSAND,
    );
  });
});

describe('LIQ-1 after the buy-back', () => {
  test("the account's call is recomputed", () => {
    const free = scenario(`${CALLED} ${TICK} ${TICK}`, THOUSAND);
    assert.equal(free.account('alice').wasCalled, false);
    // A stale short and a debt remain, and keep this account in margin call.
    const owing = scenario(STALE_BTC, STALE_SETTING);
    assert.equal(owing.account('alice').wasCalled, true);
  });
});
