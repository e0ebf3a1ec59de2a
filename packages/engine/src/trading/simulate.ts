/** An account as trades that nobody made, in a market that is only imagined, would leave it (CMB-4). */

import { REJECT, type RejectReason, toMicros, ZERO } from '@venue/protocol';
import { OrderStore } from '../book/book.ts';
import { shortExposureMicros } from '../risk/margin.ts';
import { markMicros } from '../risk/marks.ts';
import { forgetGroups } from '../risk/memos.ts';
import { marksByModel, positionMarkMicros } from '../risk/risk-marks.ts';
import {
  type MarketShift,
  shiftedInstrument,
  shiftedSeries,
  shiftedVol,
  volOf,
} from '../risk/shifted-marks.ts';
import type { Account } from '../state/account.ts';
import { isCostExact } from '../state/cost.ts';
import type { Sid } from '../state/ids.ts';
import { bookFill, type PositionFill } from '../state/ledger.ts';
import type { Position } from '../state/positions.ts';
import type { Instrument, Series } from '../state/series.ts';
import { positionOf, type State } from '../state/state.ts';
import { copyOfAccount } from './copies.ts';
import { fillValueMicros } from './matching.ts';
import { checkTerms, type OrderRequest } from './order-checks.ts';

/** Trades as if filled in order, each at its price or else at the mark, and then how the market moves. */
export interface Imagined {
  readonly legs: readonly OrderRequest[];
  readonly shift: MarketShift;
}

/** The position of an account in one series after the legs. */
export interface Holding {
  /** In the imagined market. */
  readonly series: Series;
  /** Signed; zero for one that the legs closed. */
  readonly qtyMicros: number;
  /** Premium paid for the position before the legs and for the legs, less premium received. */
  readonly paidMicros: number;
  /** The volatility that a model of the series takes in the imagined market; null if it is worth its payoff. */
  readonly vol: number | null;
}

export interface Simulation {
  /** A copy in which the imagined things are true. Only to be read. */
  readonly state: State;
  readonly account: Account;
  /** Every series that the account holds, or that a leg names, in the order in which it was opened. */
  readonly holdings: readonly Holding[];
}

/** The first leg that cannot be imagined. */
export interface LegFault {
  /** Its place in the list, from 0 on. */
  readonly leg: number;
  /** Null for a leg that needs a price, because its series has no mark. */
  readonly reason: RejectReason | null;
}

interface ImaginedFill extends PositionFill {
  readonly series: Series;
}

/**
 * Imagines trades of an account, and then a shift of the market, at a time not before the log's. There are no fees and no
 * checks of the account: its margin afterwards is the answer. Changes nothing of the state.
 */
export function simulate(
  state: State,
  account: Account,
  { legs, shift }: Imagined,
  ts: number,
): Simulation | LegFault {
  const now = stateAt(state, ts);
  const fills = fillsOf(now, legs);
  if ('leg' in fills) return fills;
  const vols = volsOf(now, account, fills);
  const paid = paidBefore(account);
  const copy = copyOfAccount(now, account);
  for (const [leg, fill] of fills.entries()) {
    if (!tryFill(copy, fill)) return { leg, reason: REJECT.badQty };
    const value = fill.side === 'buy' ? fill.valueMicros : -fill.valueMicros;
    paid.set(fill.series.sid, (paid.get(fill.series.sid) ?? 0) + value);
  }
  if (shift.spotMicros !== 0 || shift.vol !== 0) shiftMarket(copy, vols, shift);
  const holdings = [...copy.account.positions]
    .filter(({ sid, qtyMicros }) => qtyMicros !== 0 || vols.has(sid))
    .map(({ sid, series, qtyMicros }) => ({
      series,
      qtyMicros,
      paidMicros: paid.get(sid) ?? 0,
      vol: shiftedVol(vols.get(sid) ?? null, shift),
    }));
  return { ...copy, holdings };
}

/**
 * The first leg that cannot be imagined whatever the account holds, at a time not before the log's; null for none. It
 * costs no copy of the account, so a request with such a leg need not wait for its turn (CMB-4).
 */
export function legFaultOf(state: State, legs: Imagined['legs'], ts: number): LegFault | null {
  const fills = fillsOf(stateAt(state, ts), legs);
  return 'leg' in fills ? fills : null;
}

function stateAt(state: State, ts: number): State {
  return { ...state, ts: Math.max(ts, state.ts) };
}

function fillsOf(state: State, legs: Imagined['legs']): ImaginedFill[] | LegFault {
  const fills: ImaginedFill[] = [];
  for (const [leg, request] of legs.entries()) {
    const fill = fillOf(state, request);
    if (fill === null || typeof fill === 'string') return { leg, reason: fill };
    fills.push(fill);
  }
  return fills;
}

/** A leg at its price or at the present mark; null without either. */
function fillOf(state: State, leg: OrderRequest): ImaginedFill | RejectReason | null {
  const series = state.seriesById.get(leg.seriesId);
  const unsound = checkTerms(state, series, leg);
  if (unsound !== null || series === undefined) return unsound ?? REJECT.unknownSeries;
  const mark = marksByModel(state) ? positionMarkMicros(state, series) : markMicros(series);
  const price = leg.priceMicros ?? mark;
  if (price === null) return null;
  if (!isCostExact(price, leg.qtyMicros)) return REJECT.badQty;
  const qtyMicros = toMicros(leg.qtyMicros);
  return { series, side: leg.side, qtyMicros, valueMicros: fillValueMicros(leg.side, price, qtyMicros) };
}

/** The volatilities of all that the account holds, or that a leg names, in the present market. */
function volsOf(
  state: State,
  account: Account,
  fills: readonly ImaginedFill[],
): ReadonlyMap<Sid, number | null> {
  const held = [...account.positions].filter(isExposed).map(({ series }) => series);
  const named = fills.map(({ series }) => series);
  return new Map([...held, ...named].map((series) => [series.sid, volOf(state, series)]));
}

/** False for a flat position that no resting sell would open. */
function isExposed(position: Position): boolean {
  return position.qtyMicros !== 0 || shortExposureMicros(position) > 0;
}

/** Premium paid for each position, less premium received. */
function paidBefore(account: Account): Map<Sid, number> {
  return new Map(
    [...account.positions].map(({ sid, qtyMicros, costMicros }) => [
      sid,
      qtyMicros < 0 ? -costMicros : costMicros,
    ]),
  );
}

/** Books a leg into a copy; false if an amount leaves the exact range (NUM-1). */
function tryFill({ state, account }: { state: State; account: Account }, fill: ImaginedFill): boolean {
  const { sid } = fill.series;
  // Open interest and the list of holders change with the position, and the original series keeps its own.
  state.series[sid] = { ...fill.series, openInterestMicros: ZERO, holders: [] };
  const value = fill.side === 'buy' ? -fill.valueMicros : fill.valueMicros;
  const position = positionOf(account, state.series[sid]);
  const change = fill.side === 'buy' ? fill.qtyMicros : -fill.qtyMicros;
  const isExact =
    Number.isSafeInteger(account.cashMicros + value) && Number.isSafeInteger(position.qtyMicros + change);
  if (!isExact) return false;
  account.cashMicros = toMicros(account.cashMicros + value);
  bookFill(account, position, fill);
  return true;
}

/**
 * Moves every series of an account's copy to another spot and other volatilities, flat ones too, so that all series of an
 * underlying are of one instrument.
 */
function shiftMarket(
  { state, account }: { state: State; account: Account },
  vols: ReadonlyMap<Sid, number | null>,
  shift: MarketShift,
): void {
  const orders = new OrderStore();
  const instruments = new Map<Instrument, Instrument>();
  for (const { sid, series } of account.positions) {
    const instrument = instruments.get(series.instrument) ?? shiftedInstrument(series.instrument, shift);
    instruments.set(series.instrument, instrument);
    const vol = shiftedVol(vols.get(sid) ?? null, shift);
    state.series[sid] = shiftedSeries(state, series, { instrument, vol, orders });
  }
  // Groups are of the instruments as they were: legs would open others beside them, and cover nothing.
  forgetGroups(state, account);
}
