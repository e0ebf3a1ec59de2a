/** Payouts of gains that the venue's own accounts cannot pay: they wait for a person (CUS-18). */

import type { Account, Payout, State } from '@venue/engine';

/**
 * Cash owed to traders beyond what they paid in and the house was funded with, in micros; 0 if none is. Their debts are
 * lost to the house, as they will hardly be collected (RES-1): a thief could have one account lose to another what it
 * never had. It is cash alone: prices are signed by nobody, and a thief of the exchange sets the marks of what they hold.
 */
export function overdrawnMicros({
  accounts,
}: {
  readonly accounts: readonly Pick<Account, 'role' | 'cashMicros'>[];
}): bigint {
  let left = 0n;
  for (const { role, cashMicros } of accounts)
    if (role !== 'trader' || cashMicros < 0) left += BigInt(cashMicros);
  return left < 0n ? -left : 0n;
}

/** True if the account has asked for more than it paid in, with this payout as the last. */
export function takesGains({ custody }: State, payout: Payout): boolean {
  const { account } = payout;
  const paidIn = [...custody.deposits.entries()]
    .filter(([key, one]) => one.address === account.address && !one.isOfHouse && !custody.doubted.has(key))
    .reduce((sum, [, { amountMicros }]) => sum + BigInt(amountMicros), 0n);
  const takenOut = account.payouts
    .filter((one) => one.voidedAt === null && !one.isOfHouse && one.id <= payout.id)
    .reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n);
  return takenOut > paidIn;
}
