/** The memo of defined-risk margin: what each group of an account's positions required, with what it was computed from. */

import { type Micros, ZERO } from '@venue/protocol';
import { Legs } from '@venue/protocol/margin';
import type { AccountIndex, Sid } from './ids.ts';
import type { Instrument, Series } from './series.ts';

/** The positions of an account in one underlying and expiry. `risk` defines the meaning of what is computed. */
export interface MarginGroup {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  /** The account's positions that belong to it, by their places. */
  readonly places: number[];
  /** Quantities as if every resting sell had filled, and entry units. */
  readonly entry: Legs;
  /** Quantities held, maintenance units, marks. */
  readonly maintenance: Legs;
  /** The settlement price, once there is one. */
  priceMicros: Micros | null;
  /** False while an input has changed since. */
  isEntryKnown: boolean;
  isMaintenanceKnown: boolean;
  requirementMicros: Micros;
  maintenanceMicros: number | bigint;
}

/** All groups of one account, in the order in which it opened their first positions. */
export interface AccountGroups {
  readonly groups: readonly MarginGroup[];
  /** By place: the series, its group, and its place among the legs of that. */
  readonly sids: readonly Sid[];
  readonly groupAt: readonly MarginGroup[];
  readonly legAt: Int32Array;
}

/** Of the accounts that were asked about since they are in this mode. */
export type MarginGroups = Map<AccountIndex, AccountGroups>;

/** Sorts series into groups; their quantities are not looked at. */
export function groupsOfSeries(all: readonly Series[]): AccountGroups {
  const groups: MarginGroup[] = [];
  const groupAt = all.map((series, place) => {
    const group = findGroup(groups, series) ?? newGroup(groups, series);
    group.places.push(place);
    const leg = { ...series, qtyMicros: 0, unitMicros: 0, markMicros: 0 };
    group.entry.insert(leg);
    group.maintenance.insert(leg);
    return group;
  });
  // Only now do the legs stay where they are.
  const legAt = Int32Array.from(all, (series, place) =>
    groupAt[place]!.entry.find(series.right, series.strikeMicros),
  );
  return { groups, sids: all.map(({ sid }) => sid), groupAt, legAt };
}

export function findGroup(
  groups: readonly MarginGroup[],
  { instrument, expiryTs }: Pick<Series, 'instrument' | 'expiryTs'>,
): MarginGroup | undefined {
  return groups.find((group) => group.expiryTs === expiryTs && group.instrument === instrument);
}

function newGroup(groups: MarginGroup[], { instrument, expiryTs }: Series): MarginGroup {
  const group: MarginGroup = {
    ...{ instrument, expiryTs, places: [], entry: new Legs(), maintenance: new Legs(), priceMicros: null },
    ...{ isEntryKnown: false, isMaintenanceKnown: false, requirementMicros: ZERO, maintenanceMicros: 0 },
  };
  groups.push(group);
  return group;
}
