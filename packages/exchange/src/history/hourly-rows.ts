/** Samples of the hour on their way to the file: implied volatilities, volatility indices, equities (HIS-4). */

import { equityMicros, type Instrument, type State } from '@venue/engine';
import { atmIv } from '../analytics/atm-iv.ts';
import { chainsOf } from '../analytics/chain.ts';
import { volatilityIndex } from '../analytics/volatility-index.ts';
import { CellBuffer, NONE, type Rows } from './cells.ts';
import { HourSlots, SLOTS } from './hour-slots.ts';
import { HOURLY_CELL, HOURLY_CELLS, HOURLY_KINDS, type HourlyKind, VALUE_UNIT } from './hourly-cells.ts';

/** A sample of the hour. */
interface Sample {
  readonly kind: HourlyKind;
  readonly t: number;
  readonly of: number;
  readonly expiryTs?: number;
  readonly value: number;
}

/**
 * Collects samples right after entries. Accounts and underlyings take turns in the first minute of the hour, so that no
 * entry of a large venue has to value all of them.
 */
export class HourlyBuffer {
  readonly #rows = new CellBuffer(HOURLY_CELLS);
  readonly #slots: HourSlots;
  /** Last sampled equity by account; without one, the file decides whether it is a change. */
  readonly #equities: number[] = [];

  /** `ts` is the time of the last entry before those that it will hear of. */
  constructor(ts: number) {
    this.#slots = new HourSlots(ts);
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#rows.count;
  }

  /** Call after every entry. */
  sample(state: State): void {
    for (const { slot, hour } of this.#slots.due(state.ts)) {
      this.#sampleAccounts(state, slot, hour);
      let n = 0;
      for (const instrument of state.instruments.values())
        if (n++ % SLOTS === slot) this.#sampleInstrument(state, instrument, hour);
    }
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    return this.#rows.take();
  }

  /** Most accounts hold nothing but cash, and most of those the same as an hour ago. */
  #sampleAccounts(state: State, slot: number, t: number): void {
    const { accounts } = state;
    for (let index = slot; index < accounts.length; index += SLOTS) {
      const account = accounts[index]!;
      if (account.role !== 'trader') continue;
      const value = equityMicros(state, account);
      if (this.#equities[index] === value) continue;
      this.#equities[index] = value;
      this.#add(state, { kind: 'equity', t, of: index, value });
    }
  }

  #sampleInstrument(state: State, instrument: Instrument, t: number): void {
    const { symbol, spotMicros } = instrument;
    if (spotMicros === 0) return;
    const of = this.#rows.placeOf(symbol);
    for (const expiry of chainsOf(state, instrument)) {
      const iv = atmIv(state, spotMicros, expiry);
      const { expiryTs } = expiry;
      if (iv !== null) this.#add(state, { kind: 'iv', t, of, expiryTs, value: Math.round(iv * VALUE_UNIT) });
    }
    const index = volatilityIndex(state, instrument);
    if (index !== null)
      this.#add(state, { kind: 'volatility', t, of, value: Math.round(index * VALUE_UNIT) });
  }

  #add({ seq }: State, { kind, t, of, expiryTs = NONE, value }: Sample): void {
    const at = this.#rows.add();
    const { cells } = this.#rows;
    cells[at + HOURLY_CELL.seq] = seq;
    cells[at + HOURLY_CELL.kind] = HOURLY_KINDS.indexOf(kind);
    cells[at + HOURLY_CELL.t] = t;
    cells[at + HOURLY_CELL.of] = of;
    cells[at + HOURLY_CELL.expiryTs] = expiryTs;
    cells[at + HOURLY_CELL.value] = value;
  }
}
