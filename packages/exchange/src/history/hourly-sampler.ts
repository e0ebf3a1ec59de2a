/** Takes the samples of the hour: implied volatilities, volatility indices, equities (HIS-4). */

import { equityMicros, type Instrument, type State } from '@venue/engine';
import { atmIv } from '../analytics/atm-iv.ts';
import { chainsOf } from '../analytics/chain.ts';
import { volatilityIndex } from '../analytics/volatility-index.ts';
import { HourSlots, SLOTS } from './hour-slots.ts';
import { type RowBuffers, VALUE_UNIT } from './rows.ts';

/**
 * Accounts and underlyings take turns in the first minute of the hour, so that no entry of a large venue has to value
 * all of them.
 */
export class HourlySampler {
  readonly #rows: Pick<RowBuffers, 'ivs' | 'volatilities' | 'equities'>;
  readonly #slots: HourSlots;
  /** Last sampled equity by account; without one, the file decides whether it is a change. */
  readonly #equities: number[] = [];

  /** `ts` is the time of the last entry before those that it will hear of. */
  constructor(ts: number, rows: Pick<RowBuffers, 'ivs' | 'volatilities' | 'equities'>) {
    this.#slots = new HourSlots(ts);
    this.#rows = rows;
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

  /** Most accounts hold nothing but cash, and most of those the same as an hour ago. */
  #sampleAccounts(state: State, slot: number, t: number): void {
    const { seq, accounts } = state;
    for (let index = slot; index < accounts.length; index += SLOTS) {
      const account = accounts[index]!;
      if (account.role !== 'trader') continue;
      const value = equityMicros(state, account);
      if (this.#equities[index] === value) continue;
      this.#equities[index] = value;
      this.#rows.equities.add({ seq, account: index, t, value });
    }
  }

  #sampleInstrument(state: State, instrument: Instrument, t: number): void {
    const { seq } = state;
    const { symbol, spotMicros } = instrument;
    if (spotMicros === 0) return;
    for (const expiry of chainsOf(state, instrument)) {
      const iv = atmIv(state, spotMicros, expiry);
      const { expiryTs } = expiry;
      if (iv !== null) this.#rows.ivs.add({ seq, symbol, expiryTs, t, value: Math.round(iv * VALUE_UNIT) });
    }
    const index = volatilityIndex(state, instrument);
    if (index !== null)
      this.#rows.volatilities.add({ seq, symbol, t, value: Math.round(index * VALUE_UNIT) });
  }
}
