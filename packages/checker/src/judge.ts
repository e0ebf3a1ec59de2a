/** Whether a payout that the gate is asked for follows from the log (CUS-18). */

import type { State } from '@venue/engine';
import type { Address } from '@venue/protocol';

/** A payout as somebody proposed it; its amount is in micros. */
export interface ProposedPayout {
  readonly id: bigint;
  readonly account: Address;
  readonly amount: bigint;
}

export interface VaultPlace {
  readonly chainId: number;
  readonly vault: Address;
}

/**
 * `unknown` if the log as read so far has no such payout: the copy may lag behind. `wrong` if it can never follow.
 */
export type Verdict =
  | { readonly kind: 'follows' }
  | { readonly kind: 'unknown' | 'wrong'; readonly why: string };

const FOLLOWS: Verdict = { kind: 'follows' };

/**
 * A payout follows if the log has a withdrawal of that number, account and amount that nobody voided. That its owner
 * signed it, and that the account had the money, is proven by the replay of the log.
 */
export function judgePayout({ custody }: State, { id, account, amount }: ProposedPayout): Verdict {
  const payout = custody.payoutByNumber.get(Number(id));
  if (payout === undefined || BigInt(payout.payoutId) !== id)
    return custody.payouts.some((one) => BigInt(one.payoutId) === id)
      ? wrong(`payout ${id} was voided`)
      : { kind: 'unknown', why: `the log has no payout ${id}` };
  if (payout.account.address !== account)
    return wrong(`payout ${id} is owed to ${payout.account.address}, not to ${account}`);
  if (BigInt(payout.amountMicros) !== amount)
    return wrong(`payout ${id} is of ${payout.amountMicros} micros, not of ${amount}`);
  if (payout.isAdopted) return wrong(`payout ${id} was adopted from the chain: no withdrawal asked for it`);
  if (payout.isOfHouse && isOverdrawn(custody, account))
    return wrong(`payout ${id} takes more out of the house than ${account} paid in for it`);
  return FOLLOWS;
}

/**
 * True if the payouts of the house to an address are more than its deposits for the house. No signature proves who the
 * funder is, so a thief of the exchange could name itself.
 */
function isOverdrawn({ deposits, payouts }: State['custody'], address: Address): boolean {
  const paidIn = sumOf([...deposits.values()].filter((one) => one.isOfHouse && one.address === address));
  const takenOut = sumOf(
    payouts.filter((one) => one.isOfHouse && one.voidedAt === null && one.account.address === address),
  );
  return takenOut > paidIn;
}

function sumOf(rows: readonly { readonly amountMicros: number }[]): bigint {
  return rows.reduce((sum, { amountMicros }) => sum + BigInt(amountMicros), 0n);
}

/** Judges a whole batch: the worst of its payouts, and whether the ledger is of this vault at all. */
export function judgeBatch(state: State, payouts: readonly ProposedPayout[], place: VaultPlace): Verdict {
  const { binding } = state.custody;
  if (binding !== null && (binding.vault !== place.vault || binding.chainId !== place.chainId))
    return wrong(`the ledger is bound to the vault ${binding.vault} on chain ${binding.chainId}`);
  const verdicts = payouts.map((payout) => judgePayout(state, payout));
  const worst =
    verdicts.find(({ kind }) => kind === 'wrong') ?? verdicts.find(({ kind }) => kind === 'unknown');
  return worst ?? FOLLOWS;
}

function wrong(why: string): Verdict {
  return { kind: 'wrong', why };
}
