/** Books a trade or a settlement in all its accounts: cash, position, realised P&L, and a row of fills each. */

import { type Micros, toMicros, ZERO } from '@venue/protocol';
import type { Account } from './account.ts';
import { addFill, type FillListener } from './fills.ts';
import { FEES, type SessionHandle } from './ids.ts';
import { bookFill, paySettlement, type SettlementLeg, transfer } from './ledger.ts';
import type { FillRecord } from './records.ts';
import type { Series, Side } from './series.ts';
import { positionOf, type State } from './state.ts';

/** The terms shared by both sides of a trade. */
export interface TradeTerms {
  readonly series: Series;
  /** The taker's side. */
  readonly side: Side;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  /** The amount one side pays the other. */
  readonly valueMicros: Micros;
  /** The fee, paid by the taker in addition. */
  readonly feeMicros: Micros;
}

/** The details of one side of a trade. */
export interface TradeParty {
  readonly account: Account;
  readonly orderId: number;
  readonly kind: FillRecord['kind'];
  readonly signer: SessionHandle | null;
}

/**
 * Books a trade, the taker first. The same integer value moves between the two sides; the fee comes from the taker
 * (NUM-3).
 */
export function bookTrade(
  state: State,
  listener: FillListener,
  terms: TradeTerms,
  { taker, maker }: { readonly taker: TradeParty; readonly maker: TradeParty },
): void {
  const { side, valueMicros, feeMicros } = terms;
  if (side === 'buy') transfer(taker.account, maker.account, valueMicros);
  else transfer(maker.account, taker.account, valueMicros);
  transfer(taker.account, state.accounts[FEES]!, feeMicros);
  bookParty(state, listener, terms, taker, { side, feeMicros, taker: true });
  const makerSide = side === 'buy' ? 'sell' : 'buy';
  bookParty(state, listener, terms, maker, { side: makerSide, feeMicros: ZERO, taker: false });
}

function bookParty(
  state: State,
  listener: FillListener,
  { series, priceMicros, qtyMicros, valueMicros }: TradeTerms,
  { account, orderId, kind, signer }: TradeParty,
  { side, feeMicros, taker }: Pick<FillRecord, 'side' | 'feeMicros' | 'taker'>,
): void {
  const booked = { side, qtyMicros, valueMicros };
  const realizedMicros = bookFill(account, positionOf(account, series), booked);
  addFill(state, listener, account, {
    orderId,
    series,
    side,
    priceMicros,
    qtyMicros,
    feeMicros,
    realizedMicros,
    taker,
    ts: state.ts,
    kind,
    signer,
    cashMicros: toMicros(side === 'buy' ? 0 - valueMicros : valueMicros),
  });
}

/** A part of a handover: a quantity of one series, and what it counts for in the amount that is paid. */
export interface HandoverLeg {
  readonly series: Series;
  /** Negative for a short. */
  readonly qtyMicros: Micros;
  readonly priceMicros: Micros;
  /** At least 0. */
  readonly valueMicros: Micros;
}

export interface Handover {
  readonly from: TradeParty;
  readonly to: TradeParty;
  /** The value of the shorts less that of the longs. */
  readonly paidMicros: Micros;
}

/**
 * Moves positions from one account to another for one amount. Cash moves once, so that no leg can take either account out
 * of the exact range.
 */
export function bookHandover(
  state: State,
  listener: FillListener,
  legs: readonly HandoverLeg[],
  { from, to, paidMicros }: Handover,
): void {
  transfer(from.account, to.account, paidMicros);
  for (const { series, priceMicros, qtyMicros, valueMicros } of legs) {
    const side = qtyMicros < 0 ? 'buy' : 'sell';
    const terms = { series, side, priceMicros, valueMicros, feeMicros: ZERO } as const;
    const traded = { ...terms, qtyMicros: toMicros(Math.abs(qtyMicros)) };
    bookParty(state, listener, traded, from, { side, feeMicros: ZERO, taker: true });
    const other = side === 'buy' ? 'sell' : 'buy';
    bookParty(state, listener, traded, to, { side: other, feeMicros: ZERO, taker: false });
  }
}

/** Books the payout of a series, with one leg per account that is not flat. */
export function bookSettlement(
  state: State,
  listener: FillListener,
  series: Series,
  legs: readonly SettlementLeg[],
): void {
  const held = legs.map(({ position }) => position.qtyMicros);
  paySettlement(legs).forEach((realizedMicros, i) => {
    const qtyMicros = held[i]!;
    addFill(state, listener, legs[i]!.account, {
      orderId: 0,
      series,
      side: qtyMicros > 0 ? 'sell' : 'buy',
      priceMicros: series.payoutMicros,
      qtyMicros: toMicros(Math.abs(qtyMicros)),
      feeMicros: ZERO,
      realizedMicros,
      taker: false,
      ts: state.ts,
      kind: 'settlement',
      signer: null,
      cashMicros: legs[i]!.payMicros,
    });
  });
}
