/** Tells an account's owner and the sweep which long covers which short in defined-risk mode, by positions alone. */

import { clampMicros, type Micros, toMicros } from '@venue/protocol';
import {
  cheapestCover,
  ENTRY_MARGIN,
  type GroupRule,
  greatestLoss,
  hasShort,
  Legs,
  requirementMicros,
  smaller,
} from '@venue/protocol/margin';
import type { Account } from '../state/account.ts';
import type { Position } from '../state/positions.ts';
import type { Instrument, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { marginUnitMicros } from './units.ts';

/** A quantity of a short with the long that covers it, and what a contract of both needs. */
export interface CoveredPair {
  readonly short: Series;
  readonly long: Series;
  readonly qtyMicros: Micros;
  readonly eachMicros: Micros;
}

/** The requirement of one group, with the cover that it comes from. */
export interface GroupCoverage {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  /** Everything that counts, ascending by strike, calls first. */
  readonly held: readonly { readonly series: Series; readonly qtyMicros: Micros }[];
  readonly rule: GroupRule;
  readonly requirementMicros: Micros;
  /** Those of rule A; none under rule B, where the group covers itself as a whole. */
  readonly pairs: readonly CoveredPair[];
  readonly uncovered: readonly {
    readonly series: Series;
    readonly qtyMicros: Micros;
    readonly unitMicros: Micros;
  }[];
  /** The most that the group, without its uncovered shorts, can pay out, and at which price of the underlying. */
  readonly loss: { readonly amountMicros: Micros; readonly atMicros: Micros };
}

/** The groups of an account by their first series; `qtyOf` says what of a position counts. */
export function coverageOf(
  state: State,
  account: Account,
  qtyOf: (position: Position) => number,
): GroupCoverage[] {
  const groups: {
    instrument: Instrument;
    expiryTs: number;
    held: { series: Series; qtyMicros: Micros }[];
  }[] = [];
  for (const position of [...account.positions].sort((a, b) => a.sid - b.sid)) {
    const { series } = position;
    const qtyMicros = toMicros(qtyOf(position));
    if (qtyMicros === 0) continue;
    const { instrument, expiryTs } = series;
    let group = groups.find((one) => one.expiryTs === expiryTs && one.instrument === instrument);
    if (group === undefined) {
      group = { instrument, expiryTs, held: [] };
      groups.push(group);
    }
    group.held.push({ series, qtyMicros });
  }
  return groups.map((group) => ({ ...group, ...explain(state, group.held) }));
}

function explain(
  state: State,
  held: GroupCoverage['held'],
): Pick<GroupCoverage, 'rule' | 'requirementMicros' | 'pairs' | 'uncovered' | 'loss'> {
  const ordered = inOrder(held);
  const legs = legsOf(state, ordered);
  const rule = hasShort(legs) ? smaller(legs).rule : 'none';
  const cover = rule === 'A' ? cheapestCover(legs) : { pairs: [], uncovered: [] };
  const pairs = cover.pairs.map(({ short, long, qtyMicros, eachMicros }) => ({
    short: ordered[short]!.series,
    long: ordered[long]!.series,
    qtyMicros: toMicros(qtyMicros),
    eachMicros: toMicros(eachMicros),
  }));
  const uncovered = cover.uncovered
    .map((qty, at) => ({
      series: ordered[at]!.series,
      qtyMicros: toMicros(qty),
      unitMicros: legs.units[at]! as Micros,
    }))
    .filter(({ qtyMicros }) => qtyMicros > 0);
  return {
    ...{ rule, requirementMicros: requirementMicros(legs), pairs, uncovered },
    loss: lossOf(state, rule, ordered, pairs),
  };
}

/** As legs are ordered: calls, then puts, each by strike. */
function inOrder(held: GroupCoverage['held']): GroupCoverage['held'] {
  const place = ({ right }: Series) => (right === 'C' ? 0 : 1);
  return held.toSorted(
    (a, b) => place(a.series) - place(b.series) || a.series.strikeMicros - b.series.strikeMicros,
  );
}

function legsOf(state: State, held: GroupCoverage['held']): Legs {
  return Legs.of(
    held.map(({ series, qtyMicros }) => {
      const unitMicros = marginUnitMicros(state, series, ENTRY_MARGIN);
      return { right: series.right, strikeMicros: series.strikeMicros, qtyMicros, unitMicros, markMicros: 0 };
    }),
  );
}

/** The greatest loss of the whole group under rule B, and of all pairs together under rule A. */
function lossOf(
  state: State,
  rule: GroupRule,
  held: GroupCoverage['held'],
  pairs: readonly CoveredPair[],
): GroupCoverage['loss'] {
  const covered =
    rule === 'B'
      ? held
      : pairs.flatMap(({ short, long, qtyMicros }) => [
          { series: short, qtyMicros: toMicros(-qtyMicros) },
          { series: long, qtyMicros },
        ]);
  const loss = greatestLoss(legsOf(state, merged(covered)))!;
  return { amountMicros: clampMicros(Number(loss.sum.ceil())), atMicros: toMicros(loss.atMicros) };
}

/** A series in several pairs is one leg. */
function merged(held: GroupCoverage['held']): GroupCoverage['held'] {
  const bySeries = new Map<Series, number>();
  for (const { series, qtyMicros } of held) bySeries.set(series, (bySeries.get(series) ?? 0) + qtyMicros);
  return [...bySeries].map(([series, qty]) => ({ series, qtyMicros: toMicros(qty) }));
}

/** By sid, the quantity of each short that no long covers; a group under rule B has none. */
export function uncoveredMicros(state: State, account: Account): Map<number, number> {
  const uncovered = new Map<number, number>();
  for (const group of coverageOf(state, account, ({ qtyMicros }) => qtyMicros))
    for (const { series, qtyMicros } of group.uncovered) uncovered.set(series.sid, qtyMicros);
  return uncovered;
}
