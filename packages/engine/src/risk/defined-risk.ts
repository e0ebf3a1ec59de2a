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
import type { Sid } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { AccountGroups, findGroup, type MarginGroup } from './account-groups.ts';
import { readInputs } from './inputs.ts';
import { memosOf } from './memos.ts';
import type { Risk } from './risk.ts';
import { marginUnitMicros, valuationsFor } from './units.ts';

const MS_PER_SECOND = 1_000;

/** Everything in one pass over the positions; only groups of which something changed are computed again. */
export function definedRiskOf(state: State, account: Account): Risk {
  const known = groupsOf(state, account);
  const { positions } = account;
  for (let place = 0; place < positions.size; place++) readPosition(state, known, place, positions.at(place));
  known.unread.length = 0;
  // A group may have come to have a price.
  if (state.ts >= known.firstExpiryTs * MS_PER_SECOND) known.stale.push(...known.groups);
  return riskFrom(state, account, known);
}

/** The same, where positions and marks have changed since the last look in these series alone, and no expiry has a new price. */
export function definedRiskSince(state: State, account: Account, sids: readonly Sid[]): Risk {
  const known = groupsOf(state, account);
  const { positions } = account;
  for (const place of known.unread) readPosition(state, known, place, positions.at(place));
  known.unread.length = 0;
  for (const sid of sids) {
    const place = positions.placeOf(sid);
    if (place >= 0) readPosition(state, known, place, positions.at(place));
  }
  return riskFrom(state, account, known);
}

function riskFrom(state: State, account: Account, known: AccountGroups): Risk {
  for (const group of known.stale) compute(state, account, known, group);
  known.stale.length = 0;
  const equityMicros = new ExactSum().add(account.cashMicros).addSum(known.inputs.value).clamped();
  const locked = new ExactSum().add(account.reservedMicros).addSum(known.requirement);
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

/** The number of an account's positions in the groups of these series; 0 where each is margined by itself. */
export function groupedWith(state: State, account: Account, series: readonly Series[]): number {
  if (account.marginMode !== 'defined-risk') return 0;
  const { groups } = groupsOf(state, account);
  const touched = new Set(series.map((one) => findGroup(groups, one)));
  return [...touched].reduce((sum, group) => sum + (group?.places.length ?? 0), 0);
}

/** Gives the copy of an account the memo of its original, if that is up to date: positions are the same in both. */
export function copyGroups(state: State, account: Account, copy: { state: State; account: Account }): void {
  const known = memosOf(state).marginGroups.get(account.index);
  if (account.marginMode !== 'defined-risk' || known === undefined) return;
  const groups = known.copyFor(account.positions, copy.account.positions);
  if (groups !== null) memosOf(copy.state).marginGroups.set(copy.account.index, groups);
}

/** The groups of an account as the memo has them, with its present positions. */
export function groupsOf(state: State, account: Account): AccountGroups {
  const { positions } = account;
  const { marginGroups } = memosOf(state);
  let known = marginGroups.get(account.index);
  if (known === undefined || !known.inputs.isInPlace(positions)) {
    known = new AccountGroups(positions);
    marginGroups.set(account.index, known);
  }
  known.inputs.keepUp(positions, known);
  return known;
}

/**
 * Brings the inputs of a position up to date. They are compared at every use, so that nobody has to announce changes.
 */
function readPosition(
  state: State,
  { groupAt, inputs, stale }: AccountGroups,
  place: number,
  position: Position,
): void {
  const { isEntryNew, isMaintenanceNew } = readInputs(state, inputs, place, position);
  if (!isEntryNew && !isMaintenanceNew) return;
  const group = groupAt[place]!;
  if (isEntryNew) group.isEntryKnown = false;
  if (isMaintenanceNew) group.isMaintenanceKnown = false;
  stale.push(group);
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
