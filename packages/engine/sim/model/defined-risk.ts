/**
 * Margin for defined risk in the model: the cheapest cover as a flow of least cost, the greatest loss at every strike,
 * each time from scratch (DRM-1 to DRM-4, DET-7).
 */

import { intrinsic, mark } from './marks.ts';
import { ceilDiv, clamp, floorDiv, least, MILLION, most, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelSeries } from './records.ts';
import { type ModelState, positionIn } from './state.ts';
import { restingQty, seriesOf, unit } from './units.ts';

export type ModelLevel = 'entry' | 'maintenance';

/** One series of a group at a level. */
interface Leg {
  readonly series: ModelSeries;
  readonly qty: bigint;
  readonly unit: bigint;
  readonly mark: bigint;
}

export interface ModelPair {
  readonly short: ModelSeries;
  readonly long: ModelSeries;
  readonly qty: bigint;
  readonly each: bigint;
}

/** A sell or a buy that has not happened: by how much it changes what counts of its series. */
interface Change {
  readonly series: ModelSeries;
  readonly by: bigint;
}

/** The groups of an account, each its series in listing order; by the first series of each. */
export function groupsOf(state: ModelState, account: ModelAccount, more: readonly ModelSeries[] = []) {
  const own = new Set([...seriesOf(state, account), ...more]);
  const groups: ModelSeries[][] = [];
  for (const series of state.series) {
    if (!own.has(series)) continue;
    const group = groups.find(([one]) => isSameGroup(one!, series));
    if (group === undefined) groups.push([series]);
    else group.push(series);
  }
  return groups;
}

function isSameGroup(one: ModelSeries, other: ModelSeries): boolean {
  return one.symbol === other.symbol && one.expiryTs === other.expiryTs;
}

export function requirements(state: ModelState, account: ModelAccount): bigint {
  return sum(groupsOf(state, account).map((group) => requirement(state, account, group)));
}

export function maintenances(state: ModelState, account: ModelAccount): bigint {
  return sum(groupsOf(state, account).map((group) => maintenanceOf(state, account, group)));
}

/** By how much a change raises the requirement of its group. */
export function riseOf(state: ModelState, account: ModelAccount, change: Change): bigint {
  const group = groupsOf(state, account, [change.series]).find(([one]) => isSameGroup(one!, change.series))!;
  return requirement(state, account, group, change) - requirement(state, account, group);
}

function requirement(
  state: ModelState,
  account: ModelAccount,
  group: readonly ModelSeries[],
  change?: Change,
): bigint {
  const price = priceOf(state, group);
  if (price !== null) return clamp(positive(dueOf(account, group, price)));
  const legs = group.map((series) => {
    const by = change?.series === series ? change.by : 0n;
    const qty = positionIn(account, series.sid).qty - restingQty(state, account, series, 'sell') + by;
    return { series, qty, unit: unit(state, series, 'entry'), mark: 0n };
  });
  const shorts = legs.filter(({ qty }) => qty < 0n);
  if (shorts.length === 0) return 0n;
  const series = BigInt(legs.filter(({ qty }) => qty !== 0n).length);
  const singly = sum(shorts.map((leg) => clamp(ceilDiv(leg.unit * -leg.qty, MILLION))));
  return clamp(least(ceilDiv(least(coverCost(legs), lossOf(legs)), MILLION) + series, singly));
}

function maintenanceOf(state: ModelState, account: ModelAccount, group: readonly ModelSeries[]): bigint {
  const price = priceOf(state, group);
  if (price !== null) {
    const marks = group.map((series) =>
      floorDiv(positionIn(account, series.sid).qty * mark(state, series), MILLION),
    );
    return dueOf(account, group, price) + sum(marks);
  }
  const legs = legsAlone(state, account, group, 'maintenance');
  if (!legs.some(({ qty }) => qty < 0n)) return 0n;
  return ceilDiv(least(coverCost(legs), lossOf(legs)), MILLION);
}

/** The positions alone, without resting orders. At entry level marks count for nothing. */
function legsAlone(
  state: ModelState,
  account: ModelAccount,
  group: readonly ModelSeries[],
  level: ModelLevel,
): Leg[] {
  return group.map((series) => ({
    series,
    qty: positionIn(account, series.sid).qty,
    unit: unit(state, series, level),
    mark: level === 'entry' ? 0n : mark(state, series),
  }));
}

/** Once an expiry has a price, what is unpaid pays exactly so much; each series is rounded against the account. */
function dueOf(account: ModelAccount, group: readonly ModelSeries[], price: bigint): bigint {
  return -sum(
    group.map((series) => floorDiv(positionIn(account, series.sid).qty * intrinsic(series, price), MILLION)),
  );
}

function priceOf(state: ModelState, [one]: readonly ModelSeries[]): bigint | null {
  return state.decisions.find((decision) => isSameGroup(decision as never, one!))?.price ?? null;
}

/** The cover of a group by positions alone: the whole of it under rule B, else its pairs and its uncovered shorts. */
export function coverageOf(state: ModelState, account: ModelAccount, group: readonly ModelSeries[]) {
  const legs = legsAlone(state, account, group, 'entry').filter(({ qty }) => qty !== 0n);
  const isShort = legs.some(({ qty }) => qty < 0n);
  const isWhole = isShort && lossOf(legs) < coverCost(legs);
  const singly = sum(
    legs.filter(({ qty }) => qty < 0n).map((leg) => clamp(ceilDiv(leg.unit * -leg.qty, MILLION))),
  );
  const whole = { legs, most: clamp(least(ceilDiv(lossOf(legs), MILLION) + BigInt(legs.length), singly)) };
  const { pairs, uncovered } = cover(legs);
  if (isWhole) state.notes.push('group under its greatest loss');
  else if (pairs.length > 0) state.notes.push('group under its cheapest cover');
  if (!isShort) return { whole: null, pairs: [], uncovered: new Map<ModelSeries, bigint>() };
  return isWhole
    ? { whole, pairs: [], uncovered: new Map<ModelSeries, bigint>() }
    : { whole: null, pairs, uncovered };
}

/** More than any requirement, where the loss has no bound. */
const NO_BOUND = 10n ** 60n;

/** The most that is paid at 0 or a strike, and the marks of all; in millionths of a micro. */
function lossOf(legs: readonly Leg[]): bigint {
  const calls = legs.filter(({ series }) => series.right === 'C');
  if (sum(calls.map(({ qty }) => qty)) < 0n) return NO_BOUND;
  const prices = [0n, ...legs.map(({ series }) => series.strike)];
  const paid = prices.map((price) => -sum(legs.map(({ series, qty }) => qty * intrinsic(series, price))));
  const marks = sum(legs.map((leg) => leg.qty * leg.mark));
  return positive(paid.reduce(most)) + marks;
}

function coverCost(legs: readonly Leg[]): bigint {
  const { pairs, uncovered } = cover(legs);
  const markOf = (series: ModelSeries) => legs.find((leg) => leg.series === series)!.mark;
  const ofPairs = pairs.map(({ short, long, qty, each }) => qty * (each + markOf(long) - markOf(short)));
  const alone = legs.map((leg) => leg.unit * (uncovered.get(leg.series) ?? 0n));
  return sum([...ofPairs, ...alone]);
}

/** Finds the covered quantities by a flow of least cost, and then pairs each short with the nearest long that is left. */
function cover(legs: readonly Leg[]): { pairs: ModelPair[]; uncovered: Map<ModelSeries, bigint> } {
  const uncovered = new Map<ModelSeries, bigint>();
  const pairs: ModelPair[] = [];
  for (const right of ['C', 'P'] as const) {
    const own = legs.filter(({ series }) => series.right === right);
    own.sort((a, b) => Number(a.series.strike - b.series.strike));
    const covered = coveredBy(own);
    for (const [i, { series, qty }] of own.entries())
      if (qty < 0n && covered[i]! < -qty) uncovered.set(series, -qty - covered[i]!);
    const rows = own.map((leg, i) => ({ ...leg, left: covered[i]! }));
    pairs.push(...nearestPairs(right === 'C' ? rows : rows.reverse()));
  }
  return { pairs, uncovered };
}

function nearestPairs(rows: readonly (Leg & { left: bigint })[]): ModelPair[] {
  const pairs: ModelPair[] = [];
  for (const [i, row] of rows.entries()) {
    for (const before of rows.slice(0, i).reverse()) {
      const isPair = before.qty < 0n !== row.qty < 0n;
      const qty = isPair ? least(row.left, before.left) : 0n;
      if (qty === 0n) continue;
      row.left -= qty;
      before.left -= qty;
      const [short, long] = row.qty < 0n ? [row.series, before.series] : [before.series, row.series];
      pairs.push({ short, long, qty, each: widthOf(short, long) });
    }
  }
  return pairs;
}

function widthOf(short: ModelSeries, long: ModelSeries): bigint {
  return positive(short.right === 'C' ? long.strike - short.strike : short.strike - long.strike);
}

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly cost: bigint;
  left: bigint;
  readonly back: Arc | null;
}

/** Larger than all that breaks ties. */
const SCALE = 2n ** 200n;

/**
 * The quantity of each leg that covers or is covered, by the least cost of sending every short to a long or nowhere. Of equal
 * costs the cover of the lowest shorts counts, then that by the lowest longs: powers of two never sum up to each other.
 */
function coveredBy(legs: readonly Leg[]): bigint[] {
  const count = legs.length;
  const [source, sink] = [count, count + 1];
  const arcs: Arc[] = [];
  const join = (from: number, to: number, room: bigint, cost: bigint): Arc => {
    const arc: Arc = { from, to, cost, left: room, back: null };
    const back: Arc = { from: to, to: from, cost: -cost, left: 0n, back: arc };
    Object.assign(arc, { back });
    arcs.push(arc, back);
    return arc;
  };
  const ways = legs.map(({ qty }, i) => {
    if (qty < 0n) join(source, i, -qty, 0n);
    return qty > 0n ? join(i, sink, qty, 0n) : null;
  });
  for (const [i, short] of legs.entries()) {
    if (short.qty >= 0n) continue;
    join(i, sink, -short.qty, short.unit * SCALE + 2n ** BigInt(2 * count - i));
    for (const [j, long] of legs.entries()) {
      if (long.qty <= 0n) continue;
      const each = widthOf(short.series, long.series) + long.mark - short.mark;
      join(i, j, least(-short.qty, long.qty), each * SCALE + 2n ** BigInt(j));
    }
  }
  while (augment(arcs, count + 2, source, sink));
  return legs.map(({ qty }, i) => {
    if (qty > 0n) return ways[i]!.back!.left;
    const paired = arcs.filter(({ from, to }) => from === i && to < count);
    return sum(paired.map(({ back }) => back!.left));
  });
}

/** Sends as much as fits along the cheapest way that is left; false if there is none. */
function augment(arcs: readonly Arc[], nodes: number, source: number, sink: number): boolean {
  const best: (bigint | null)[] = Array(nodes).fill(null);
  const by: (Arc | null)[] = Array(nodes).fill(null);
  best[source] = 0n;
  for (let changes = true; changes; ) {
    changes = false;
    for (const arc of arcs) {
      const before = best[arc.from]!;
      if (arc.left === 0n || before === null) continue;
      const known = best[arc.to]!;
      if (known !== null && known <= before + arc.cost) continue;
      best[arc.to] = before + arc.cost;
      by[arc.to] = arc;
      changes = true;
    }
  }
  if (best[sink] === null) return false;
  const way: Arc[] = [];
  for (let node = sink; node !== source; node = way.at(-1)!.from) way.push(by[node]!);
  const sent = way.map(({ left }) => left).reduce(least);
  for (const arc of way) {
    arc.left -= sent;
    arc.back!.left += sent;
  }
  return true;
}
