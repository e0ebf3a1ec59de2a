/** Payouts of gains that the venue's own accounts cannot pay: they wait for a person (CUS-18). */

import { FEES, HOUSE, MAKER, type Payout, type State } from '@venue/engine';

/**
 * What house, maker and fees have lost beyond what they were funded with, in micros; 0 if nothing. It is their cash alone:
 * prices are signed by nobody, and a thief of the exchange sets the marks of what they hold.
 */
export function overdrawnMicros({ accounts }: Pick<State, 'accounts'>): bigint {
  const own = [HOUSE, MAKER, FEES].reduce((sum, index) => sum + BigInt(accounts[index]!.cashMicros), 0n);
  return own < 0n ? -own : 0n;
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
