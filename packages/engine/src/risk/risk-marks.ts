/**
 * The mark of everything in an account and of its liquidation (RSK-1): the book's, or a model moved into what the book
 * shows for money (RSK-2).
 */

import { type Micros, mulDivFloor, toMicros, ZERO } from '@venue/protocol';
import {
  intrinsicMicros,
  minutesLeft,
  modelPriceMicros,
  payoutMaxMicros,
  yearsOf,
} from '@venue/protocol/margin';
import { BUY, SELL } from '../book/book.ts';
import { isCovered } from '../state/fillable-walk.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { ivAt } from './annotations.ts';
import { impactOfSide, impactSizeMicros, noDust } from './impact.ts';
import type { ImpactPrices, MarkRow } from './mark-rows.ts';
import { markMicros } from './marks.ts';
import { memosOf } from './memos.ts';

/** How far a book may take the mark from the model: a share of spot or of the model, whichever is more. */
const BAND_SPOT_PERCENT = 1;
const BAND_MODEL_PERCENT = 10;
const PERCENT = 100;

/** True if marks come from the model. */
export function marksByModel(state: State): boolean {
  return parametersOf(state).riskMark === 'model';
}

/** The mark that positions are valued at; by the book it is zero where the book is empty. */
export function positionMarkMicros(state: State, series: Series): Micros {
  return marksByModel(state) ? modelMarkMicros(state, series) : bookMarkMicros(series);
}

/** The contract's mark of a position. */
function bookMarkMicros(series: Series): Micros {
  return markMicros(series) ?? ZERO;
}

/**
 * The risk mark by the model. Series in review or settled keep the contract's mark. Without a volatility the mark is
 * intrinsic, whatever the book holds (DET-8).
 */
export function modelMarkMicros(state: State, series: Series): Micros {
  if (series.status !== 'live') return bookMarkMicros(series);
  const iv = ivAt(series, state.ts);
  if (iv === null) return intrinsicMicros(series, series.instrument.spotMicros);
  return rowOf(state, series, iv).markMicros;
}

/** A risk mark by the model, with what it was made of. */
export interface MarkParts extends ImpactPrices {
  /** Null without one that is young enough. */
  readonly iv: number | null;
  /** Null without a volatility, and in a series that is not live. */
  readonly modelMicros: Micros | null;
  /** The contract's mark; null in an empty book. */
  readonly bookMicros: Micros | null;
  /** The mark in force for accounts, by the book or by the model. */
  readonly riskMicros: Micros;
}

/** Everything that a reader needs to work out the mark of a series for himself. */
export function markParts(state: State, series: Series): MarkParts {
  const bookMicros = markMicros(series);
  const riskMicros = positionMarkMicros(state, series);
  if (series.status !== 'live')
    return { iv: null, modelMicros: null, bidMicros: null, askMicros: null, bookMicros, riskMicros };
  const iv = ivAt(series, state.ts);
  const { impact } = impactOf(state, series);
  const modelMicros = iv === null ? null : rowOf(state, series, iv).modelMicros;
  return { iv, modelMicros, ...impact, bookMicros, riskMicros };
}

/** The row of a series in the memo, with all that changed recomputed; its inputs are compared here at every use. */
function rowOf(state: State, series: Series, iv: number): MarkRow {
  const { markRows } = memosOf(state);
  const { sid, book, instrument } = series;
  const { spotMicros } = instrument;
  const minutes = minutesLeft(series, state.ts);
  const known = markRows[sid];
  const isModelKnown =
    known !== undefined && known.spotMicros === spotMicros && known.minutes === minutes && known.iv === iv;
  const impactMicros = impactSizeMicros(state);
  const isImpactKnown =
    known !== undefined &&
    known.book === book &&
    known.impactMicros === impactMicros &&
    known.bids.version === known.bidsVersion &&
    known.asks.version === known.asksVersion &&
    areAllowancesSame(state, known);
  if (isModelKnown && isImpactKnown) {
    if (known.allowances.version === state.quoteSets.version) return known;
    const again = seenAgain(state, known);
    markRows[sid] = again;
    return again;
  }
  const modelMicros = isModelKnown
    ? known.modelMicros
    : modelPriceMicros(series, { spotMicros, years: yearsOf(minutes), vol: iv });
  const { impact, allowances } = isImpactKnown ? seenAgain(state, known) : impactOf(state, series);
  const test = noDust(impactMicros);
  const [bids, asks] = [book.sieve(BUY, test), book.sieve(SELL, test)];
  const row: MarkRow = {
    ...{ spotMicros, minutes, iv, modelMicros, allowances, impact, book, impactMicros, bids, asks },
    bidsVersion: bids.version,
    asksVersion: asks.version,
    markMicros: markWithin(series, modelMicros, impact),
  };
  markRows[sid] = row;
  return row;
}

/** A row whose allowances let it stand. A new one, since a preview's copy shares rows and counts versions of its own. */
function seenAgain({ quoteSets }: State, row: MarkRow): MarkRow {
  return { ...row, allowances: { ...row.allowances, version: quoteSets.version } };
}

/** The time to the cutoff as the model takes it, in years (RSK-2). */
export function yearsLeft(series: Pick<Series, 'cutoffMs'>, ts: number): number {
  return yearsOf(minutesLeft(series, ts));
}

function impactOf(state: State, series: Series): Pick<MarkRow, 'impact' | 'allowances'> {
  const bid = impactOfSide(state, series, BUY);
  const ask = impactOfSide(state, series, SELL);
  return {
    impact: { bidMicros: bid.priceMicros, askMicros: ask.priceMicros },
    allowances: { version: state.quoteSets.version, bids: bid.uses, asks: ask.uses },
  };
}

/**
 * True if the allowances of quote sets let impact prices come out as they did. Every fill of a set changes its allowance:
 * only prices that met this very set are looked at, or fills of a maker would have every series walked again as soon as
 * strangers' sets stand in all of them.
 */
function areAllowancesSame(state: State, { bids, asks, allowances }: MarkRow): boolean {
  const { quoteSets } = state;
  if (allowances.version === quoteSets.version) return true;
  const changed = quoteSets.changedSince(allowances.version);
  for (const [orders, uses] of [
    [bids, allowances.bids],
    [asks, allowances.asks],
  ] as const) {
    for (const owner of changed ?? [...uses.keys(), ...orders.struckOwners]) {
      const use = uses.get(owner);
      if (orders.hasStruck(owner) || use === null) return false;
      if (use !== undefined && !isCovered(state, use)) return false;
    }
  }
  return true;
}

/** The model moved into the impact prices, but not past its band, below intrinsic, or above what a contract can pay. */
function markWithin(series: Series, model: Micros, { bidMicros, askMicros }: ImpactPrices): Micros {
  const { spotMicros } = series.instrument;
  const band = bandMicros(spotMicros, model);
  const wanted = Math.min(Math.max(model, bidMicros ?? model), askMicros ?? Number.POSITIVE_INFINITY);
  const near = Math.min(Math.max(wanted, model - band), model + band);
  return toMicros(
    Math.min(Math.max(near, intrinsicMicros(series, spotMicros)), payoutMaxMicros(series, spotMicros)),
  );
}

function bandMicros(spotMicros: Micros, modelMicros: Micros): Micros {
  const ofSpot = mulDivFloor(spotMicros, BAND_SPOT_PERCENT, PERCENT);
  return toMicros(Math.max(ofSpot, mulDivFloor(modelMicros, BAND_MODEL_PERCENT, PERCENT)));
}
