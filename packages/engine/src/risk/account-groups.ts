/** The memo of defined-risk margin: what each group of an account's positions required, with what it was computed from. */

import { ExactSum, type Micros, ZERO } from '@venue/protocol';
import type { AccountIndex } from '../state/ids.ts';
import type { Positions } from '../state/positions.ts';
import type { Instrument, Series } from '../state/series.ts';
import { type PlaceListener, PositionInputs } from './position-inputs.ts';

/** The positions of an account in one underlying and expiry. */
export interface MarginGroup {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  /** The account's positions that belong to it, by their places: calls, then puts, each ascending by strike. */
  readonly places: number[];
  /** The settlement price, once there is one. */
  priceMicros: Micros | null;
  /** False while an input has changed since. */
  isEntryKnown: boolean;
  isMaintenanceKnown: boolean;
  requirementMicros: Micros;
  maintenanceMicros: number | bigint;
}

/** All groups of one account, in the order in which it opened their first positions. */
export class AccountGroups implements PlaceListener {
  readonly groups: MarginGroup[] = [];
  /** By place. */
  readonly groupAt: MarginGroup[] = [];
  /** By place: what the groups were computed from. */
  readonly inputs: PositionInputs;
  /** No settlement price is there before the earliest of their expiries, Unix seconds. */
  firstExpiryTs = Number.POSITIVE_INFINITY;
  /** Groups of which an input may have changed. */
  readonly stale: MarginGroup[] = [];
  /** Places whose positions have not been read yet. */
  readonly unread: number[] = [];
  /** Sums over the groups as they were computed last, so that a change of one group looks at no other. */
  readonly requirement = new ExactSum();
  readonly maintenance = new ExactSum();
  readonly #positions: Positions;

  constructor(positions: Positions, inputs = new PositionInputs(positions)) {
    this.#positions = positions;
    this.inputs = inputs;
  }

  joined(place: number): void {
    const { series } = this.#positions.at(place);
    const group = findGroup(this.groups, series) ?? this.#open(series);
    const behind = group.places.findIndex((other) => inOrder(series, this.#positions.at(other).series) < 0);
    group.places.splice(behind === -1 ? group.places.length : behind, 0, place);
    this.groupAt.push(group);
    this.unread.push(place);
    this.#note(group);
  }

  left(place: number): void {
    const group = this.groupAt.pop()!;
    group.places.splice(group.places.indexOf(place), 1);
    if (this.unread.at(-1) === place) this.unread.pop();
    this.#note(group);
  }

  /** The same for a copy of the positions, place by place; null if it is not up to date. */
  copyFor(positions: Positions, copies: Positions): AccountGroups | null {
    if (this.stale.length + this.unread.length > 0 || !this.inputs.isUpToDate(positions)) return null;
    const copy = new AccountGroups(copies, this.inputs.copyFor(copies));
    const copyOf = new Map(this.groups.map((group) => [group, { ...group, places: [...group.places] }]));
    copy.groups.push(...copyOf.values());
    copy.groupAt.push(...this.groupAt.map((group) => copyOf.get(group)!));
    copy.firstExpiryTs = this.firstExpiryTs;
    copy.requirement.addSum(this.requirement);
    copy.maintenance.addSum(this.maintenance);
    return copy;
  }

  #note(group: MarginGroup): void {
    group.isEntryKnown = false;
    group.isMaintenanceKnown = false;
    this.stale.push(group);
  }

  #open({ instrument, expiryTs }: Series): MarginGroup {
    const group: MarginGroup = {
      ...{ instrument, expiryTs, places: [], priceMicros: null },
      ...{ isEntryKnown: false, isMaintenanceKnown: false, requirementMicros: ZERO, maintenanceMicros: 0 },
    };
    this.groups.push(group);
    this.firstExpiryTs = Math.min(this.firstExpiryTs, expiryTs);
    return group;
  }
}

/** Holds the accounts that were asked about since they are in this mode. */
export type MarginGroups = Map<AccountIndex, AccountGroups>;

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
