/** Equity, locked margin and margin calls of an account whose longs cover its shorts (DRM-1 to DRM-4). */

import { clampMicros, ExactSum, MICROS_PER_UNIT, type Micros, subtract } from '@venue/protocol';
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
  const locked = new ExactSum().add(account.reservedMicros);
  const maintenance = new ExactSum();
  for (const group of known.groups) {
    compute(state, account, group);
    locked.add(group.requirementMicros);
    maintenance.add(group.maintenanceMicros);
  }
  const equityMicros = equity.clamped();
  const maintenanceMarginMicros = maintenance.clamped();
  const isCalled = equityMicros < maintenanceMarginMicros;
  return { equityMicros, lockedMicros: locked.clamped(), maintenanceMarginMicros, isCalled };
}

/** A quantity by which the position in a series, less its resting sells, would change. */
export interface NetChange {
  readonly series: Series;
  readonly changeMicros: number;
}

const changed = new Legs();

/** By how much a change would raise what its group requires at entry level; no other group is looked at. */
export function requirementRiseMicros(
  state: State,
  account: Account,
  { series, changeMicros }: NetChange,
): Micros {
  const { right, strikeMicros } = series;
  const known = groupsOf(state, account);
  const group = findGroup(known.groups, series);
  changed.clear();
  if (group !== undefined) {
    for (const place of group.places) readPosition(state, known, place, account.positions.at(place));
    compute(state, account, group);
    changed.copyFrom(group.entry);
  }
  const unitMicros = marginUnitMicros(state, series, ENTRY_MARGIN);
  const leg = changed.find(right, strikeMicros);
  if (leg === -1) changed.insert({ right, strikeMicros, qtyMicros: changeMicros, unitMicros, markMicros: 0 });
  else changed.set(leg, changed.qtys[leg]! + changeMicros, unitMicros, 0);
  return subtract(requirementMicros(changed), group?.requirementMicros ?? (0 as Micros));
}

/** The groups of an account as the memo has them; sorted anew once it has other positions. */
export function groupsOf(state: State, account: Account): AccountGroups {
  const known = state.marginGroups.get(account.index);
  if (known !== undefined && isOf(known, account)) return known;
  const sorted = groupsOfSeries([...account.positions].map(({ series }) => series));
  state.marginGroups.set(account.index, sorted);
  return sorted;
}

function isOf({ sids }: AccountGroups, { positions }: Account): boolean {
  if (sids.length !== positions.size) return false;
  for (let place = 0; place < sids.length; place++) if (sids[place] !== positions.at(place).sid) return false;
  return true;
}

/**
 * Brings the legs of a position up to date, and returns its mark. They are compared at every use, so that nobody has to announce changes.
 */
function readPosition(
  state: State,
  { groupAt, legAt }: AccountGroups,
  place: number,
  { series, sid, qtyMicros, restingSellMicros }: Position,
): number {
  const group = groupAt[place]!;
  const leg = legAt[place]!;
  const net = qtyMicros - restingSellMicros;
  // What is flat needs nothing, whatever it is worth.
  const isFlat = qtyMicros === 0 && net === 0;
  const valuations = isFlat ? null : valuationsFor(state, series);
  const unit = valuations?.entryUnitMicros(sid) ?? 0;
  const { entry, maintenance } = group;
  if (entry.qtys[leg] !== net || entry.units[leg] !== unit) {
    entry.set(leg, net, unit, 0);
    group.isEntryKnown = false;
  }
  const mark = valuations?.markMicros(sid) ?? 0;
  const kept = valuations?.maintenanceUnitMicros(sid) ?? 0;
  const { qtys, units, marks } = maintenance;
  if (qtys[leg] !== qtyMicros || units[leg] !== kept || marks[leg] !== mark) {
    maintenance.set(leg, qtyMicros, kept, mark);
    group.isMaintenanceKnown = false;
  }
  return mark;
}

function compute(state: State, account: Account, group: MarginGroup): void {
  const priceMicros = group.instrument.decisions.get(group.expiryTs)?.priceMicros ?? null;
  if (priceMicros !== group.priceMicros) {
    group.priceMicros = priceMicros;
    group.isEntryKnown = false;
    group.isMaintenanceKnown = false;
  }
  if (priceMicros !== null) {
    if (!group.isEntryKnown || !group.isMaintenanceKnown) computeDecided(state, account, group, priceMicros);
  } else {
    if (!group.isEntryKnown) group.requirementMicros = requirementMicros(group.entry);
    if (!group.isMaintenanceKnown) group.maintenanceMicros = maintenanceOf(group.maintenance);
  }
  group.isEntryKnown = true;
  group.isMaintenanceKnown = true;
}

/**
 * What is unpaid of a group with a price requires what it will pay (DRM-4), each series rounded against the account. At
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
