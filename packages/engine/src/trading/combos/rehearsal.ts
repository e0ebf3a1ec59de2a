/** Looks at an account as a combo would leave it, by carrying the combo out in part and taking it back. */

import { ExactSum, type Micros, toMicros } from '@venue/protocol';
import type { Lifted, OrderHandle } from '../../book/book.ts';
import type { Risk } from '../../risk/risk.ts';
import type { Account } from '../../state/account.ts';
import type { WalkedSet } from '../../state/fillable-walk.ts';
import type { Sid } from '../../state/ids.ts';
import { ownerOfSet } from '../../state/quote-sets.ts';
import type { Series } from '../../state/series.ts';
import type { State } from '../../state/state.ts';
import { fillValueMicros, takerFeeMicros } from '../matching.ts';
import { seriesOf } from '../resting.ts';
import type { ComboPlan, LegPlan, SoundCombo } from './combo.ts';

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
export function rehearse(state: State, combo: SoundCombo, plan: ComboPlan): Rehearsal {
  const putBack = takeAside(state, plan);
  const before = outlookOf(combo);
  const undo = hold(state, combo.account, plan);
  const after = outlookOf(combo);
  undo();
  putBack();
  return { before, after };
}

function outlookOf({ account, risk }: SoundCombo): Outlook {
  return { ...risk.get(), cashMicros: account.cashMicros };
}

/** Takes out of the books what the plan takes and the quotes of sets that it uses up; returns how to undo that. */
function takeAside(state: State, { legs, sets }: ComboPlan): () => void {
  const undo: (() => void)[] = [];
  const gone = new Set<OrderHandle>();
  for (const walked of sets) if (walked.isUsedUp) undo.push(leave(state, walked, gone));
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

/** Takes out all quotes of a set that is used up. What is left of another's allowance moves no mark before the entry ends. */
function leave(state: State, { set }: WalkedSet, gone: Set<OrderHandle>): () => void {
  const { orders } = state;
  const lifts: (() => void)[] = [];
  for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h)) {
    gone.add(h);
    lifts.push(lift(seriesOf(state, h), h));
  }
  return () => {
    for (const putBack of lifts.reverse()) putBack();
  };
}

function lift({ book }: Series, h: OrderHandle): () => void {
  const lifted: Lifted = book.lift(h);
  return () => book.putBack(lifted);
}

/** Gives the account the cash and the positions of the plan; returns how to undo that. */
function hold({ orders }: State, account: Account, { legs }: ComboPlan): () => void {
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
  // Quantities change here without their books.
  const noteAll = () => {
    for (const [sid] of held) orders.changes.note(sid);
  };
  account.cashMicros = cashAfterMicros(cashMicros, legs);
  noteAll();
  return () => {
    account.cashMicros = cashMicros;
    for (const [sid, qtyMicros] of held) positions.get(sid)!.qtyMicros = qtyMicros;
    noteAll();
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
