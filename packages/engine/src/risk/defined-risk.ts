/** Equity, locked margin and margin calls of an account whose longs cover its shorts (DRM-1 to DRM-4). */

import { clampMicros, ExactSum, MICROS_PER_UNIT, type Micros, subtract, ZERO } from '@venue/protocol';
import {
  ENTRY_MARGIN,
  intrinsicMicros,
  Legs,
  maintenanceOf,
  requirementMicros,
} from '@venue/protocol/margin';
import type { Account } from '../state/account.ts';
import { type AccountGroups, findGroup, groupsOfSeries, type MarginGroup } from '../state/margin-groups.ts';
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import type { Risk } from './risk.ts';
import { marginUnitMicros, valuationsFor } from './units.ts';

const MS_PER_SECOND = 1_000;

/** Everything in one pass over the positions; only groups of which something changed are computed again. */
export function definedRiskOf(state: State, account: Account): Risk {
  const known = groupsOf(state, account);
  const equity = new ExactSum().add(account.cashMicros);
  const { positions } = account;
  for (let place = 0; place < positions.size; place++) {
    const position = positions.at(place);
    const mark = readPosition(state, known, place, position);
    if (mark !== 0) equity.addMulDivFloor(position.qtyMicros, mark, MICROS_PER_UNIT);
  }
  computeStale(state, account, known);
  const locked = new ExactSum().add(account.reservedMicros).addSum(known.requirement);
  const equityMicros = equity.clamped();
  const maintenanceMarginMicros = known.maintenance.clamped();
  const isCalled = equityMicros < maintenanceMarginMicros;
  return { equityMicros, lockedMicros: locked.clamped(), maintenanceMarginMicros, isCalled };
}

/** A quantity by which the position in a series, less its resting sells, would change. */
export interface NetChange {
  readonly series: Series;
  readonly changeMicros: number;
}

/** By how much a change would raise what its group requires at entry level; no other group is looked at. */
export function requirementRiseMicros(
  state: State,
  account: Account,
  { series, changeMicros }: NetChange,
): Micros {
  if (changeMicros === 0) return ZERO;
  const { right, strikeMicros } = series;
  const known = groupsOf(state, account);
  const group = findGroup(known.groups, series);
  if (group !== undefined) {
    for (const place of group.places) readPosition(state, known, place, account.positions.at(place));
    compute(state, account, known, group);
  }
  const changed = group === undefined ? noLegs() : entryLegs(account, known, group);
  const unitMicros = marginUnitMicros(state, series, ENTRY_MARGIN);
  const leg = changed.find(right, strikeMicros);
  if (leg === -1) changed.insert({ right, strikeMicros, qtyMicros: changeMicros, unitMicros, markMicros: 0 });
  else changed.set(leg, changed.qtys[leg]! + changeMicros, unitMicros, 0);
  return subtract(requirementMicros(changed), group?.requirementMicros ?? ZERO);
}

/** The groups of an account as the memo has them; sorted anew once it has other positions. */
export function groupsOf(state: State, account: Account): AccountGroups {
  const { positions } = account;
  const known = state.marginGroups.get(account.index);
  if (known !== undefined && known.version === positions.version) return known;
  const sorted = groupsOfSeries(
    positions.version,
    [...positions].map(({ series }) => series),
  );
  state.marginGroups.set(account.index, sorted);
  return sorted;
}

/**
 * Brings the inputs of a position up to date, and returns its mark. They are compared at every use, so that nobody has to
 * announce changes.
 */
function readPosition(
  state: State,
  { groupAt, inputs, stale }: AccountGroups,
  place: number,
  { series, sid, qtyMicros, restingSellMicros }: Position,
): number {
  const net = qtyMicros - restingSellMicros;
  // A flat position needs nothing, whatever the series is worth.
  const isFlat = qtyMicros === 0 && net === 0;
  const valuations = isFlat ? null : valuationsFor(state, series);
  const mark = valuations?.markMicros(sid) ?? 0;
  const isEntryNew = inputs.setEntry(place, net, valuations?.entryUnitMicros(sid) ?? 0);
  const kept = valuations?.maintenanceUnitMicros(sid) ?? 0;
  const isMaintenanceNew = inputs.setMaintenance(place, qtyMicros, kept, mark);
  if (isEntryNew || isMaintenanceNew) {
    const group = groupAt[place]!;
    if (isEntryNew) group.isEntryKnown = false;
    if (isMaintenanceNew) group.isMaintenanceKnown = false;
    stale.push(group);
  }
  return mark;
}

/** The legs of one group at a time, as no call needs another's. */
const legs = new Legs();

function noLegs(): Legs {
  legs.clear();
  return legs;
}

function entryLegs({ positions }: Account, { inputs }: AccountGroups, { places }: MarginGroup): Legs {
  legs.clear();
  for (const place of places) {
    const { right, strikeMicros } = positions.at(place).series;
    legs.push(right, strikeMicros, inputs.netMicros(place), inputs.entryUnitMicros(place), 0);
  }
  return legs;
}

function maintenanceLegs({ positions }: Account, { inputs }: AccountGroups, { places }: MarginGroup): Legs {
  legs.clear();
  for (const place of places) {
    const { right, strikeMicros } = positions.at(place).series;
    const unit = inputs.maintenanceUnitMicros(place);
    legs.push(right, strikeMicros, inputs.qtyMicros(place), unit, inputs.markMicros(place));
  }
  return legs;
}

/** Computes the groups of which an input changed, or which may have come to have a price. */
function computeStale(state: State, account: Account, known: AccountGroups): void {
  const { groups, stale, firstExpiryTs } = known;
  const hasExpired = state.ts >= firstExpiryTs * MS_PER_SECOND;
  for (const group of hasExpired ? groups : stale) compute(state, account, known, group);
  stale.length = 0;
}

function compute(state: State, account: Account, known: AccountGroups, group: MarginGroup): void {
  const priceMicros = group.instrument.decisions.get(group.expiryTs)?.priceMicros ?? null;
  if (priceMicros !== group.priceMicros) {
    group.priceMicros = priceMicros;
    group.isEntryKnown = false;
    group.isMaintenanceKnown = false;
  }
  if (group.isEntryKnown && group.isMaintenanceKnown) return;
  const { requirementMicros, maintenanceMicros } = group;
  if (priceMicros !== null) computeDecided(state, account, group, priceMicros);
  else computeOpen(account, known, group);
  group.isEntryKnown = true;
  group.isMaintenanceKnown = true;
  known.requirement.add(group.requirementMicros - requirementMicros);
  known.maintenance.add(-maintenanceMicros).add(group.maintenanceMicros);
}

function computeOpen(account: Account, known: AccountGroups, group: MarginGroup): void {
  if (!group.isEntryKnown) group.requirementMicros = requirementMicros(entryLegs(account, known, group));
  if (!group.isMaintenanceKnown)
    group.maintenanceMicros = maintenanceOf(maintenanceLegs(account, known, group));
}

/**
 * The unpaid part of a group with a price requires what it will pay (DRM-4), each series rounded against the account. At
 * maintenance level its marks are added as equity counts them, so that what they are does not matter.
 */
function computeDecided(state: State, account: Account, group: MarginGroup, priceMicros: Micros): void {
  const due = new ExactSum();
  const marks = new ExactSum();
  for (const place of group.places) {
    const { series, qtyMicros } = account.positions.at(place);
    if (qtyMicros === 0) continue;
    due.addMulDivFloor(qtyMicros, intrinsicMicros(series, priceMicros), MICROS_PER_UNIT);
    marks.addMulDivFloor(qtyMicros, valuationsFor(state, series).markMicros(series.sid), MICROS_PER_UNIT);
  }
  const received = due.exact();
  group.requirementMicros = clampMicros(Math.max(0, -Number(received)));
  group.maintenanceMicros = marks.exact() - received;
}
