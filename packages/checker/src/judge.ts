/** Decides if a payout that the gate is asked for follows from the log (CUS-18). */

import type { Payout, State } from '@venue/engine';
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
 * - `unknown`: the log as read so far has no such payout. The copy may lag behind.
 * - `held`: it follows, and a person has to look at it first.
 * - `refused`: it must not be paid, and an honest batcher may have proposed it.
 * - `wrong`: no log ever had it, so that somebody else has the proposer's key.
 */
export type Verdict =
  | { readonly kind: 'follows' }
  | { readonly kind: 'unknown' | 'held' | 'refused' | 'wrong'; readonly why: string };

/** The worst first: that of a batch is that of its worst payout. */
const WORST_FIRST: readonly Verdict['kind'][] = ['wrong', 'refused', 'unknown', 'held', 'follows'];
const FOLLOWS: Verdict = { kind: 'follows' };

/**
 * A payout follows if the log has a withdrawal of that number, account and amount that nobody voided. That its owner
 * signed it, and that the account had the money, is proven by the replay of the log.
 */
export function judgePayout({ custody }: State, { id, account, amount }: ProposedPayout): Verdict {
  if (id > BigInt(Number.MAX_SAFE_INTEGER)) return wrong(`no ledger has a payout ${id}`);
  const payout = custody.payoutByNumber.get(Number(id));
  if (payout === undefined)
    return custody.payouts.some((one) => BigInt(one.payoutId) === id)
      ? refused(`payout ${id} was voided`)
      : { kind: 'unknown', why: `the log has no payout ${id}` };
  if (payout.account.address !== account)
    return wrong(`payout ${id} is owed to ${payout.account.address}, not to ${account}`);
  if (BigInt(payout.amountMicros) !== amount)
    return wrong(`payout ${id} is of ${payout.amountMicros} micros, not of ${amount}`);
  if (payout.isAdopted) return refused(`payout ${id} was adopted from the chain: no withdrawal asked for it`);
  if (payout.isOfHouse && isOverdrawn(custody, account))
    return refused(`payout ${id} takes more out of the house than ${account} paid in for it`);
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

/** Why a payout that follows waits for a person, or null. */
export type HeldOf = (payout: Payout) => string | null;

/** Judges a whole batch: the worst of its payouts, and whether the ledger is of this vault at all. */
export function judgeBatch(
  state: State,
  payouts: readonly ProposedPayout[],
  { place, heldOf }: { readonly place: VaultPlace; readonly heldOf: HeldOf },
): Verdict {
  const { binding, payoutByNumber } = state.custody;
  if (binding !== null && (binding.vault !== place.vault || binding.chainId !== place.chainId))
    return refused(`the ledger is bound to the vault ${binding.vault} on chain ${binding.chainId}`);
  const verdicts = payouts.map((payout): Verdict => {
    const verdict = judgePayout(state, payout);
    if (verdict.kind !== 'follows') return verdict;
    const why = heldOf(payoutByNumber.get(Number(payout.id))!);
    return why === null ? FOLLOWS : { kind: 'held', why: `payout ${payout.id} waits for a person: ${why}` };
  });
  const worst = WORST_FIRST.find((kind) => verdicts.some((verdict) => verdict.kind === kind));
  return verdicts.find(({ kind }) => kind === worst) ?? FOLLOWS;
}

function wrong(why: string): Verdict {
  return { kind: 'wrong', why };
}

function refused(why: string): Verdict {
  return { kind: 'refused', why };
}
