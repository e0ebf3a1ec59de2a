/** Shared by the engine's benchmarks: a venue of AAPL in memory, whose clock the benchmark sets. */

import assert from 'node:assert/strict';
import type { Address, Micros } from '@venue/protocol';
import type { Command, OrderCommand } from '../../packages/engine/src/entry/command.ts';
import {
  apply,
  createState,
  FEATURE_LEVEL,
  NO_EFFECTS,
  type Series,
  type State,
} from '../../packages/engine/src/index.ts';
import type { VenueParameters } from '../../packages/engine/src/state/parameters.ts';

/** The most levels of all sets of accounts that are no mark makers, as a venue has it by default (QTS-2). */
export const SET_LEVELS_OF_ALL = 250_000;

export const MICROS = 1_000_000;
export const TICK_MS = 5_000;
export const START_MS = 1_767_225_600_000;
export const DAY_S = 86_400;
export const STRIKES_PER_SIDE = 20;

const SYMBOL = 'AAPL';
const PARAMETERS: VenueParameters = {
  version: FEATURE_LEVEL,
  fundingMode: 'paper',
  marginPremium: 'mark',
  symbols: [{ symbol: SYMBOL, assetClass: 'equity' }],
  paperCashMicros: (1_000 * MICROS) as Micros,
  houseLineMicros: (1e9 * MICROS) as Micros,
  strikesPerSide: STRIKES_PER_SIDE,
  maintenanceMs: TICK_MS,
  quoteTtlMs: 3_600_000,
  noncesPerKeyMax: 16_384,
  sourceStaleMs: 60_000,
  oracle: { minSources: 2, staleMs: 60_000, dispersionBps: 100, handBps: 100 },
  ...{ payoutMinMicros: 0 as Micros, houseLineFunded: false, jumpStopBps: 0 },
  ...{ riskMark: 'book', markMakers: [], impactMicros: (1_000 * MICROS) as Micros },
  ...{ setLevelsMax: SET_LEVELS_OF_ALL, paperMakerCashMicros: (1_000 * MICROS) as Micros },
};

/** Durations of one maintenance tick's entries, in ms; each slice of it is an entry. */
export interface Tick {
  readonly totalMs: number;
  readonly longestMs: number;
  readonly entries: number;
}

/** A market maker's level on each side, in dollars and contracts. */
export interface Quote {
  readonly bid: number;
  readonly ask: number;
  readonly bidQty: number;
  readonly askQty: number;
}

export class Venue {
  readonly state: State = createState();
  readonly #expiries: readonly number[];
  readonly #onCommand: (command: Command, ts: number) => void;
  #nowMs = START_MS;

  /**
   * `onCommand` is called with each command before it is applied. Sets the parameters and, at a spot of 200, lists the
   * expiries (Unix seconds).
   */
  constructor(
    expiries: readonly number[],
    parameters: Partial<VenueParameters> = {},
    onCommand: (command: Command, ts: number) => void = () => {},
  ) {
    this.#expiries = expiries;
    this.#onCommand = onCommand;
    this.apply({ kind: 'configure', parameters: { ...PARAMETERS, ...parameters } });
    this.print(200);
    this.apply({ kind: 'maintain', expiries });
    assert.equal(this.state.series.length, expiries.length * (2 * STRIKES_PER_SIDE + 1) * 2);
  }

  apply<C extends Command>(command: C) {
    this.#onCommand(command, this.#nowMs);
    return apply(this.state, { seq: this.state.seq + 1, ts: this.#nowMs, command }, NO_EFFECTS);
  }

  /** Advances time to this moment, Unix ms. */
  waitUntil(ms: number): void {
    this.#nowMs = ms;
  }

  wait(ms: number): void {
    this.#nowMs += ms;
  }

  /** Prints the same price, in dollars, from as many sources as settlement needs. */
  print(price: number): void {
    const prints = ['a', 'b'].map((source) => ({ symbol: SYMBOL, source, priceMicros: price * MICROS }));
    this.apply({ kind: 'prints', prints });
  }

  quote(series: readonly Series[], { bid, ask, bidQty, askQty }: Quote): void {
    const rows = series.map(({ sid }) => ({
      sid,
      bids: [[bid * MICROS, bidQty * MICROS]] as const,
      asks: [[ask * MICROS, askQty * MICROS]] as const,
    }));
    const outcome = this.apply({ kind: 'quotes', session: null, rows });
    assert.ok(!('refusal' in outcome) && outcome.applied === series.length);
  }

  /** Opens the account with this number. */
  open(i: number): Address {
    const account = `0x${i.toString(16).padStart(40, '0')}` as Address;
    this.apply({ kind: 'open', address: account });
    return account;
  }

  /** Places a market order that must fill. */
  trade(account: Address, order: Pick<OrderCommand, 'seriesId' | 'side' | 'qtyMicros'>): void {
    const outcome = this.apply({ kind: 'order', account, priceMicros: null, ...order });
    assert.ok(!('refusal' in outcome) && outcome.status === 'filled');
  }

  /** Runs one maintenance tick to the end of its last slice. */
  tick(): Tick {
    const times: number[] = [];
    for (let unfinished = true; unfinished; ) {
      const start = performance.now();
      const outcome = this.apply({ kind: 'maintain', expiries: this.#expiries });
      times.push(performance.now() - start);
      assert.ok(!('refusal' in outcome) && outcome.done);
      unfinished = outcome.unfinished;
    }
    return {
      totalMs: times.reduce((sum, ms) => sum + ms, 0),
      longestMs: Math.max(...times),
      entries: times.length,
    };
  }

  /** Accounts of traders. */
  get traders(): State['accounts'] {
    return this.state.accounts.filter(({ role }) => role === 'trader');
  }

  /** Cash over all accounts, in micros, which no entry may change. */
  get cash(): bigint {
    return this.state.accounts.reduce((sum, { cashMicros }) => sum + BigInt(cashMicros), 0n);
  }
}

/** Rounds to a tenth. */
export function round(ms: number): number {
  return Number(ms.toFixed(1));
}
