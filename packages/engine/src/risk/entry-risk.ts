/** An account's equity and margin throughout an entry that looks at it many times (BAT-7). */

import { clampMicros, ExactSum } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import type { Sid } from '../state/ids.ts';
import type { Positions } from '../state/positions.ts';
import type { State } from '../state/state.ts';
import { definedRiskSince } from './defined-risk.ts';
import { readInputs } from './inputs.ts';
import { marginMicros, riskOf } from './margin.ts';
import { type PlaceListener, PositionInputs } from './position-inputs.ts';
import type { Risk } from './risk.ts';

/**
 * Gives the same as `riskOf`, but only the first look reads every position: later ones read those in series whose books or
 * quantities have changed since, and compute their groups alone. Spots, time and parameters must stay as they are, as they
 * do between the actions of a batch. A quantity that changes without its book is announced to the books' changes.
 */
export class EntryRisk {
  readonly #state: State;
  readonly #account: Account;
  #mode: Account['marginMode'] | null = null;
  /** The changes up to which it has looked. */
  #seen = 0;
  #legs: LegSums | null = null;

  constructor(state: State, account: Account) {
    this.#state = state;
    this.#account = account;
  }

  get(): Risk {
    const { marginMode } = this.#account;
    const { changes } = this.#state.orders;
    const changed = this.#mode === marginMode ? (changes.since(this.#seen) as Sid[] | null) : null;
    const isFirst = this.#mode === null;
    this.#mode = marginMode;
    this.#seen = changes.version;
    if (marginMode === 'defined-risk')
      return changed === null
        ? riskOf(this.#state, this.#account)
        : definedRiskSince(this.#state, this.#account, changed);
    // Most entries look once, and need no sums to be kept.
    return isFirst ? riskOf(this.#state, this.#account) : this.#perLeg(changed);
  }

  #perLeg(changed: readonly Sid[] | null): Risk {
    const { positions } = this.#account;
    if (changed === null || this.#legs?.isInPlace(positions) !== true) this.#legs = new LegSums(positions);
    return this.#legs.risk(this.#state, this.#account, changed ?? []);
  }
}

/** Sums over the positions of an account whose shorts are margined one by one. */
class LegSums implements PlaceListener {
  readonly #inputs: PositionInputs;
  readonly #locked = new ExactSum();
  readonly #maintenance = new ExactSum();
  readonly #unread: number[] = [];

  constructor(positions: Positions) {
    this.#inputs = new PositionInputs(positions);
  }

  isInPlace(positions: Positions): boolean {
    return this.#inputs.isInPlace(positions);
  }

  joined(place: number): void {
    this.#unread.push(place);
  }

  left(place: number): void {
    if (this.#unread.at(-1) === place) this.#unread.pop();
    this.#count(place, -1);
  }

  /** Reads the positions that are new, and those in series in which something has changed. */
  risk(state: State, account: Account, changed: readonly Sid[]): Risk {
    const { positions, cashMicros, reservedMicros } = account;
    this.#inputs.keepUp(positions, this);
    for (const place of this.#unread) this.#read(state, positions, place);
    this.#unread.length = 0;
    for (const sid of changed) this.#read(state, positions, positions.placeOf(sid));
    const equityMicros = new ExactSum().add(cashMicros).addSum(this.#inputs.value).clamped();
    const lockedMicros = new ExactSum().add(reservedMicros).addSum(this.#locked).clamped();
    const maintenanceMarginMicros = this.#maintenance.clamped();
    const isCalled = equityMicros < maintenanceMarginMicros;
    return { equityMicros, lockedMicros, maintenanceMarginMicros, isCalled };
  }

  #read(state: State, positions: Positions, place: number): void {
    if (place < 0) return;
    this.#count(place, -1);
    readInputs(state, this.#inputs, place, positions.at(place));
    this.#count(place, 1);
  }

  /** Adds what a row requires to the sums, or takes it out. */
  #count(place: number, sign: 1 | -1): void {
    const inputs = this.#inputs;
    const exposure = clampMicros(Math.max(0, -inputs.netMicros(place)));
    const short = clampMicros(Math.max(0, -inputs.qtyMicros(place)));
    if (exposure > 0) this.#locked.add(sign * marginMicros(inputs.entryUnitMicros(place), exposure));
    if (short > 0) this.#maintenance.add(sign * marginMicros(inputs.maintenanceUnitMicros(place), short));
  }
}
