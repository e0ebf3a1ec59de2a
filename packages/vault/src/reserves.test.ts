import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf, usdText } from './amounts.ts';
import { checkReserves, reserveLine } from './reserves.ts';

const VENUE = {
  cashTotalUsd: 70.5,
  pendingWithdrawalsUsd: 10,
  committedWithdrawalsUsd: 20,
  uncollectibleUsd: 3.25,
};
const VAULT = { blockNumber: 9, balance: 95_500_000n, totalCommitted: 15_000_000n, totalClaimed: 5_000_000n };

test('RES-1: it holds up to the micro', () => {
  const check = checkReserves(VENUE, VAULT);
  assert.deepEqual(
    [check.holds, check.owed, check.free, check.inFlight],
    [true, 80_500_000n, 80_500_000n, 0n],
  );
  const less = checkReserves(VENUE, { ...VAULT, balance: VAULT.balance - 1n });
  assert.equal(less.holds, false);
  assert.match(reserveLine(less), /^owed 80.50 > free 80.499999 /);
  assert.ok(less.lines.some((line) => /^MISSING +0.000001$/.test(line)));
});

test('RES-1: a payout that is committed and not yet noted counts once', () => {
  const committed = { ...VAULT, totalCommitted: VAULT.totalCommitted + 10_000_000n };
  const check = checkReserves(VENUE, committed);
  assert.deepEqual([check.holds, check.inFlight, check.owed], [true, 10_000_000n, 70_500_000n]);
  const claimed = {
    ...VAULT,
    balance: VAULT.balance - 10_000_000n,
    totalClaimed: VAULT.totalClaimed + 10_000_000n,
  };
  assert.deepEqual(checkReserves(VENUE, claimed).holds, true);
});

test('RES-1: a payout that is noted and not on chain is still owed', () => {
  const gone = { ...VAULT, totalCommitted: VAULT.totalCommitted - 10_000_000n };
  assert.deepEqual(
    [checkReserves(VENUE, gone).holds, checkReserves(VENUE, gone).inFlight],
    [true, -10_000_000n],
  );
  const swept = { ...gone, balance: gone.balance - 10_000_000n };
  assert.equal(checkReserves(VENUE, swept).holds, false);
});

test('the lines name every figure', () => {
  assert.equal(
    checkReserves(VENUE, VAULT).lines.join('\n'),
    `reserves at block 9, in dollars
cash of all accounts                 70.50
withdrawals pending at the exchange  10.00
of these already committed on chain   0.00
owed                                 80.50
vault balance                        95.50
of this committed and unclaimed      15.00
free in the vault                    80.50
surplus                               0.00
uncollectible, for information        3.25`,
  );
});

test('amounts are shown to the micro, and decimals of the venue become the nearest one', () => {
  const texts: [bigint, string][] = [
    [0n, '0.00'],
    [1n, '0.000001'],
    [-1_500_000n, '-1.50'],
    [1_234_500n, '1.2345'],
    [2n ** 60n, '1152921504606.846976'],
  ];
  for (const [micros, shown] of texts) assert.equal(usdText(micros), shown);
  for (const [usd, micros] of [
    [0.1, 100_000n],
    [1.000001, 1_000_001n],
    [4_294_967_295.999999, 4_294_967_295_999_999n],
  ] as const)
    assert.equal(microsOf(usd), micros);
});
