import assert from 'node:assert/strict';
import { test } from 'node:test';
import { microsOf, usdText } from '../chain/amounts.ts';
import { checkReserves, reserveLine } from './reserves.ts';

const VENUE = {
  cashTotalUsd: 70.5,
  pendingWithdrawalsUsd: 10,
  committedWithdrawalsUsd: 20,
  paidBeforeUsd: 0,
  uncollectibleUsd: 3.25,
  openLiabilityUsd: 0,
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

test('RES-1: a committed payout that is not yet recorded counts once', () => {
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

test('RES-1: a recorded payout that is not on chain is still owed', () => {
  const gone = { ...VAULT, totalCommitted: VAULT.totalCommitted - 10_000_000n };
  assert.deepEqual([checkReserves(VENUE, gone).holds, checkReserves(VENUE, gone).inFlight], [true, 0n]);
  assert.ok(
    checkReserves(VENUE, gone).lines.includes('noted as committed and not on chain  10.00'),
    checkReserves(VENUE, gone).lines.join('\n'),
  );
  const swept = { ...gone, balance: gone.balance - 10_000_000n };
  assert.equal(checkReserves(VENUE, swept).holds, false);
});

const OWED = {
  ...VENUE,
  cashTotalUsd: 100,
  pendingWithdrawalsUsd: 0,
  committedWithdrawalsUsd: 0,
  uncollectibleUsd: 0,
};

test('RES-1: an operator who commits everything to itself and claims it is detected', () => {
  const emptied = { blockNumber: 9, balance: 0n, totalCommitted: 0n, totalClaimed: 100_000_000n };
  for (const vault of [emptied, { ...emptied, balance: 100_000_000n, totalCommitted: 100_000_000n }]) {
    const check = checkReserves(OWED, { ...vault, totalClaimed: 100_000_000n - vault.totalCommitted });
    assert.deepEqual([check.holds, check.inFlight, check.unasked], [false, 0n, 100_000_000n]);
    assert.equal(check.lines.at(-1), 'FAIL committed on chain and never asked for at the exchange: 100.00');
    assert.ok(check.lines.includes('cash + pending <= balance - committed: 100.00 <= 0.00 does not hold'));
    assert.equal(reserveLine(check), 'committed on chain and never asked for at the exchange: 100.00');
  }
});

test('RES-1: one who takes 90 of 200 is detected, even if the rest covers what is owed', () => {
  const venue = { ...OWED, cashTotalUsd: 200 };
  const taken = { blockNumber: 9, balance: 110_000_000n, totalCommitted: 0n, totalClaimed: 90_000_000n };
  assert.deepEqual(
    [checkReserves(venue, taken).holds, checkReserves(venue, taken).owed],
    [false, 200_000_000n],
  );
  const refilled = checkReserves(venue, { ...taken, balance: 200_000_000n });
  assert.deepEqual([refilled.holds, refilled.unasked], [false, 90_000_000n]);
});

test('RES-1: pending payouts can hide no more than their own amount', () => {
  const venue = { ...OWED, cashTotalUsd: 70, pendingWithdrawalsUsd: 30 };
  const taken = (micros: bigint) => ({
    blockNumber: 9,
    balance: 100_000_000n - micros,
    totalCommitted: 0n,
    totalClaimed: micros,
  });
  assert.equal(checkReserves(venue, taken(30_000_000n)).holds, true);
  assert.equal(checkReserves(venue, taken(30_000_001n)).holds, false);
});

test('CUS-1: what earlier vaults paid is no debt of this one', () => {
  const moved = { ...VENUE, committedWithdrawalsUsd: 120, paidBeforeUsd: 100 };
  assert.deepEqual(checkReserves(moved, VAULT), checkReserves(VENUE, VAULT));
});

test('CUS-20: what house and maker owe has to be in the surplus, to the micro', () => {
  const open = { ...VENUE, openLiabilityUsd: 20_000 };
  const check = checkReserves(open, { ...VAULT, balance: VAULT.balance + 110_000_000n });
  assert.deepEqual([check.holds, check.missingAtSettlement], [true, 19_890_000_000n]);
  assert.equal(check.lines.at(-1), 'FAIL missing at settlement, if prices stay: 19890.00');
  const funded = checkReserves(open, { ...VAULT, balance: VAULT.balance + 20_000_000_000n });
  assert.equal(funded.missingAtSettlement, 0n);
  assert.ok(!funded.lines.some((line) => line.startsWith('FAIL')));
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
open liability of house and maker     0.00
uncollectible, for information        3.25
cash + pending <= balance - committed: 80.50 <= 80.50 holds
the same, without what counts twice: 80.50 <= 80.50 holds`,
  );
});

test('amounts are shown to the micro, and the venue’s decimals become the nearest one', () => {
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
