/** Previews an order (OWN-35) by executing it on a copy of the few things that it touches. */

import { BATCH_REJECT, clampMicros, type Micros, type OrderTerms } from '@venue/protocol';
import { type Effects, NO_EFFECTS } from '../entry/effects.ts';
import { EntryRisk } from '../risk/entry-risk.ts';
import { riskOf } from '../risk/margin.ts';
import type { Account } from '../state/account.ts';
import type { QuoteSet } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { PLAIN_LIMIT, PLAIN_MARKET } from '../state/terms.ts';
import { type CopiedFor, type Copy, copyFor } from './copies.ts';
import { fillValueMicros } from './matching.ts';
import type { OrderRequest } from './order-checks.ts';
import { type Declined, type NewOrder, type Placed, placeOrder } from './orders.ts';
import { endEntry } from './set-reserves.ts';
import { Work } from './work.ts';

export interface AccountAmounts {
  readonly cashMicros: Micros;
  readonly lockedMicros: Micros;
  readonly buyingPowerMicros: Micros;
  readonly equityMicros: Micros;
  readonly maintenanceMarginMicros: Micros;
}

export interface OrderPreview {
  readonly outcome: Placed | Declined;
  /** Premium of the fills: paid by a buy, received by a sell. */
  readonly valueMicros: Micros;
  readonly feeMicros: Micros;
  readonly before: AccountAmounts;
  /** As the order would leave them; unchanged if it would be rejected. */
  readonly after: AccountAmounts;
}

/** An order as a preview takes it; one without terms is an order placed by itself. */
export interface PreviewedOrder extends OrderRequest {
  readonly terms?: OrderTerms;
}

/** Previews an order at a time not before the log's, as if its client id were new. Does not change the state. */
export function previewOrder(
  state: State,
  account: Account,
  order: PreviewedOrder,
  ts: number,
): OrderPreview {
  const request = { ...order, terms: anonymous(order), signer: null };
  const { bill, ...foreseen } = foresee({ state, account, ts }, [request], (copy, effects, bounds) =>
    placeOrder(copy.state, effects, copy.account, { ...request, ...bounds }),
  );
  // Only one of the two is not zero.
  return { ...foreseen, valueMicros: clampMicros(bill.paid + bill.received), feeMicros: bill.feeMicros };
}

/** The terms of an order without its client id. */
function anonymous({ terms, priceMicros }: PreviewedOrder): OrderTerms {
  if (terms === undefined) return priceMicros === null ? PLAIN_MARKET : PLAIN_LIMIT;
  const { clientId: _, ...others } = terms;
  return others;
}

/** An account, and the time at which something of it is imagined. */
interface Present {
  readonly state: State;
  readonly account: Account;
  /** Counts from the log's time on. */
  readonly ts: number;
}

/**
 * The outcome of placing orders on a copy of the state, with the account's amounts before and after the whole entry. All
 * of it may look at as much as an entry may (BAT-7).
 */
export function foresee<T extends { readonly status: string }>(
  { state, account, ts }: Present,
  orders: readonly CopiedFor[],
  place: (copy: Copy, effects: Effects, bounds: Pick<NewOrder, 'work' | 'risk'>) => T,
): { outcome: T | Declined; bill: Bill; before: AccountAmounts; after: AccountAmounts } {
  const now = { ...state, ts: Math.max(ts, state.ts) };
  // Marks of a model age, so that only amounts of one time differ by the orders alone.
  const before = amountsOf(now, account);
  const work = new Work();
  const dropped: QuoteSet[] = [];
  for (;;) {
    const bill = new Bill();
    const copy = copyFor(now, account, { orders, work, dropped });
    if (copy === null) return { outcome: TOO_MUCH_WORK, bill, before, after: before };
    const risk = new EntryRisk(copy.state, copy.account);
    const outcome = place(copy, bill.effects, { work, risk });
    endEntry(copy.state, NO_EFFECTS);
    // The end of an entry drops sets of those who can no longer carry them; few entries do.
    const lost = copy.lost();
    if (lost.length === 0) {
      const after = outcome.status === 'rejected' ? before : amountsOf(copy.state, copy.account);
      return { outcome, bill, before, after };
    }
    dropped.push(...lost);
  }
}

const TOO_MUCH_WORK: Declined = { status: 'rejected', reason: BATCH_REJECT.tooMuchWork };

/** Adds up what a taker's fills cost. */
class Bill {
  #fee = 0;
  paid = 0;
  received = 0;
  readonly effects: Effects = {
    ...NO_EFFECTS,
    filled: (_, fill) => {
      if (!fill.taker) return;
      const value = fillValueMicros(fill.side, fill.priceMicros, fill.qtyMicros);
      if (fill.side === 'buy') this.paid += value;
      else this.received += value;
      this.#fee += fill.feeMicros;
    },
  };

  get feeMicros(): Micros {
    return clampMicros(this.#fee);
  }
}

/** The current amounts of an account. */
export function amountsOf(state: State, account: Account): AccountAmounts {
  const { cashMicros } = account;
  const { lockedMicros, equityMicros, maintenanceMarginMicros } = riskOf(state, account);
  const buyingPowerMicros = clampMicros(cashMicros - lockedMicros);
  return { cashMicros, lockedMicros, buyingPowerMicros, equityMicros, maintenanceMarginMicros };
}
