/** Looks at an account as a combo would leave it, by carrying the combo out in part and taking it back. */

import { ExactSum, type Micros, toMicros } from '@venue/protocol';
import type { Lifted, OrderHandle } from '../../book/book.ts';
import { riskOf } from '../../risk/margin.ts';
import type { Risk } from '../../risk/risk.ts';
import type { Account } from '../../state/account.ts';
import type { WalkedSet } from '../../state/fillable-walk.ts';
import type { Sid } from '../../state/ids.ts';
import { ownerOfSet } from '../../state/quote-sets.ts';
import type { Series } from '../../state/series.ts';
import type { State } from '../../state/state.ts';
import { fillValueMicros, takerFeeMicros } from '../matching.ts';
import { seriesOf } from '../resting.ts';
import type { ComboPlan, LegPlan } from './combo.ts';

/** An account without a combo and with it, both at the marks that its legs leave (DET-6). */
export interface Rehearsal {
  readonly before: Outlook;
  readonly after: Outlook;
}

export interface Outlook extends Risk {
  readonly cashMicros: Micros;
}

/**
 * The marks after the legs and everything that depends on them come out of the one function that knows them, because
 * books and account really are in that state while it is asked. Nothing else may look at either meanwhile.
 */
export function rehearse(state: State, account: Account, plan: ComboPlan): Rehearsal {
  const putBack = takeAside(state, plan);
  const before = outlookOf(state, account);
  const undo = hold(account, plan);
  const after = outlookOf(state, account);
  undo();
  putBack();
  return { before, after };
}

function outlookOf(state: State, account: Account): Outlook {
  return { ...riskOf(state, account), cashMicros: account.cashMicros };
}

/** Takes out of the books what the plan takes and the quotes of sets that it uses up; returns how to undo that. */
function takeAside(state: State, { legs, sets }: ComboPlan): () => void {
  const undo: (() => void)[] = [];
  const gone = new Set<OrderHandle>();
  for (const walked of sets) undo.push(useUp(state, walked, gone));
  for (const { leg, takes } of legs) {
    const { book } = leg.series;
    for (const { h, qtyMicros } of takes) {
      if (gone.has(h)) continue;
      if (qtyMicros === state.orders.remaining(h)) undo.push(lift(leg.series, h));
      else {
        book.reduce(h, qtyMicros);
        undo.push(() => book.restore(h, qtyMicros));
      }
    }
  }
  return () => {
    for (const one of undo.reverse()) one();
  };
}

/** Moves a set's allowance on, and takes out all its quotes if it is used up. */
function useUp(state: State, { set, isUsedUp, ...use }: WalkedSet, gone: Set<OrderHandle>): () => void {
  const { orders, quoteSets } = state;
  const { usedMicros, usedDelta } = set;
  set.usedMicros = toMicros(use.usedMicros);
  set.usedDelta = use.usedDelta;
  quoteSets.noteChange(set);
  const lifts: (() => void)[] = [];
  if (isUsedUp) {
    for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h)) {
      gone.add(h);
      lifts.push(lift(seriesOf(state, h), h));
    }
  }
  return () => {
    for (const putBack of lifts.reverse()) putBack();
    set.usedMicros = usedMicros;
    set.usedDelta = usedDelta;
    quoteSets.noteChange(set);
  };
}

function lift({ book }: Series, h: OrderHandle): () => void {
  const lifted: Lifted = book.lift(h);
  return () => book.putBack(lifted);
}

/** Gives the account the cash and the positions of the plan; returns how to undo that. */
function hold(account: Account, { legs }: ComboPlan): () => void {
  const { positions, cashMicros } = account;
  const opened: Sid[] = [];
  const held: (readonly [Sid, Micros])[] = [];
  for (const { leg, takes } of legs) {
    const { sid } = leg.series;
    if (!positions.has(sid)) {
      positions.open(sid);
      opened.push(sid);
    }
    const position = positions.get(sid)!;
    held.push([sid, position.qtyMicros]);
    const qty = takes.reduce((sum, take) => sum + take.qtyMicros, 0);
    position.qtyMicros = toMicros(position.qtyMicros + (leg.side === 'buy' ? qty : -qty));
  }
  account.cashMicros = cashAfterMicros(cashMicros, legs);
  return () => {
    account.cashMicros = cashMicros;
    for (const [sid, qtyMicros] of held) positions.get(sid)!.qtyMicros = qtyMicros;
    for (const sid of opened.reverse()) positions.delete(sid);
  };
}

/** Clamped: no account covers as much. */
function cashAfterMicros(cashMicros: Micros, legs: readonly LegPlan[]): Micros {
  const cash = new ExactSum().add(cashMicros);
  for (const { leg, takes } of legs) {
    for (const { priceMicros, qtyMicros } of takes) {
      const value = fillValueMicros(leg.side, priceMicros, qtyMicros);
      cash.add(leg.side === 'buy' ? -value : value).add(-takerFeeMicros(value));
    }
  }
  return cash.clamped();
}
