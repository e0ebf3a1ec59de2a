/** The memo of defined-risk margin: what each group of an account's positions required, with what it was computed from. */

import { ExactSum, type Micros, ZERO } from '@venue/protocol';
import type { AccountIndex } from './ids.ts';
import type { Instrument, Series } from './series.ts';

/** The positions of an account in one underlying and expiry. `risk` defines the meaning of what is computed. */
export interface MarginGroup {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  /** The account's positions that belong to it, by their places: calls, then puts, each ascending by strike. */
  readonly places: readonly number[];
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
  /** The version of the positions when they were sorted. */
  readonly version: number;
  readonly groups: readonly MarginGroup[];
  /** By place. */
  readonly groupAt: readonly MarginGroup[];
  /** By place: what the groups were computed from. */
  readonly inputs: GroupInputs;
  /** The earliest of their expiries; none has a settlement price before. */
  readonly firstExpiryTs: number;
  /** Groups of which an input may have changed. */
  readonly stale: MarginGroup[];
  /** Sums over the groups as they were computed last, so that a change of one group looks at no other. */
  readonly requirement: ExactSum;
  readonly maintenance: ExactSum;
}

/** Holds the accounts that were asked about since they are in this mode. */
export type MarginGroups = Map<AccountIndex, AccountGroups>;

/** A row is 64 bytes, a line of cache. */
const ROW_SHIFT = 3;
const NET = 0;
const ENTRY_UNIT = 1;
const QTY = 2;
const MAINTENANCE_UNIT = 3;
const MARK = 4;

/** Rows of one account's positions in one array, because an order compares every one of them. */
export class GroupInputs {
  readonly #floats: Float64Array;

  constructor(positions: number) {
    this.#floats = new Float64Array(positions << ROW_SHIFT);
  }

  /** The quantity as if every resting sell had filled. */
  netMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + NET]!;
  }

  entryUnitMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + ENTRY_UNIT]!;
  }

  /** The quantity held. */
  qtyMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + QTY]!;
  }

  maintenanceUnitMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + MAINTENANCE_UNIT]!;
  }

  markMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + MARK]!;
  }

  /** Keeps what the entry level is computed from. Returns true if it is new. */
  setEntry(place: number, netMicros: number, unitMicros: number): boolean {
    const at = place << ROW_SHIFT;
    const floats = this.#floats;
    if (floats[at + NET] === netMicros && floats[at + ENTRY_UNIT] === unitMicros) return false;
    floats[at + NET] = netMicros;
    floats[at + ENTRY_UNIT] = unitMicros;
    return true;
  }

  /** The same of the maintenance level. */
  setMaintenance(place: number, qtyMicros: number, unitMicros: number, markMicros: number): boolean {
    const at = place << ROW_SHIFT;
    const floats = this.#floats;
    if (
      floats[at + QTY] === qtyMicros &&
      floats[at + MAINTENANCE_UNIT] === unitMicros &&
      floats[at + MARK] === markMicros
    )
      return false;
    floats[at + QTY] = qtyMicros;
    floats[at + MAINTENANCE_UNIT] = unitMicros;
    floats[at + MARK] = markMicros;
    return true;
  }
}

/** Sorts the series of an account's positions into groups; their quantities are not looked at. */
export function groupsOfSeries(version: number, all: readonly Series[]): AccountGroups {
  const groups: (MarginGroup & { places: number[] })[] = [];
  const groupAt = all.map((series, place) => {
    let group = findGroup(groups, series);
    if (group === undefined) {
      group = newGroup(series);
      groups.push(group);
    }
    group.places.push(place);
    return group;
  });
  for (const { places } of groups) places.sort((a, b) => inOrder(all[a]!, all[b]!));
  return {
    ...{ version, groups, groupAt, inputs: new GroupInputs(all.length), stale: [...groups] },
    firstExpiryTs: Math.min(...groups.map(({ expiryTs }) => expiryTs)),
    ...{ requirement: new ExactSum(), maintenance: new ExactSum() },
  };
}

export function findGroup<G extends Pick<MarginGroup, 'instrument' | 'expiryTs'>>(
  groups: readonly G[],
  { instrument, expiryTs }: Pick<Series, 'instrument' | 'expiryTs'>,
): G | undefined {
  return groups.find((group) => group.expiryTs === expiryTs && group.instrument === instrument);
}

/** Compares two series of a group as its legs are ordered. */
export function inOrder(a: Series, b: Series): number {
  if (a.right !== b.right) return a.right === 'C' ? -1 : 1;
  return a.strikeMicros - b.strikeMicros;
}

function newGroup({ instrument, expiryTs }: Series): MarginGroup & { places: number[] } {
  return {
    ...{ instrument, expiryTs, places: [], priceMicros: null },
    ...{ isEntryKnown: false, isMaintenanceKnown: false, requirementMicros: ZERO, maintenanceMicros: 0 },
  };
}
