/** An exchange for tests: the real engine behind short names, with every entry encoded and decoded. */

import assert from 'node:assert/strict';
import {
  type Address,
  formatSeriesId,
  MICROS_PER_UNIT,
  type Micros,
  type Right,
  sha256,
  toMicros,
} from '@venue/protocol';
import { apply } from '../src/engine.ts';
import type { Command } from '../src/entry/command.ts';
import { decodeCommand, encodeCommand } from '../src/entry/command-codec.ts';
import { type Effects, NO_EFFECTS } from '../src/entry/effects.ts';
import { FEATURE_LEVEL } from '../src/entry/feature-level.ts';
import type { OutcomeOf } from '../src/entry/outcome.ts';
import { stateDigest } from '../src/snapshot.ts';
import type { Account } from '../src/state/account.ts';
import { FEATURE_LEVELS } from '../src/state/feature-levels.ts';
import type { VenueParameters } from '../src/state/parameters.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { Series } from '../src/state/series.ts';
import { createState, type State } from '../src/state/state.ts';

/** Monday noon, UTC; 20:00 in New York is midnight UTC, twelve hours later. */
export const START_MS = Date.UTC(2026, 5, 1, 12);
const FIRST_EXPIRY_TS = START_MS / 1_000 + 12 * 3_600;
const DAY_S = 24 * 3_600;

export const PARAMETERS: VenueParameters = {
  version: FEATURE_LEVEL,
  fundingMode: 'paper',
  marginPremium: 'mark',
  symbols: [
    { symbol: 'AAPL', assetClass: 'equity' },
    { symbol: 'BTC', assetClass: 'crypto' },
  ],
  paperCashMicros: micros('100000'),
  houseLineMicros: micros('10000000'),
  strikesPerSide: 20,
  maintenanceMs: 5_000,
  quoteTtlMs: 30_000,
  noncesPerKeyMax: 16_384,
  sourceStaleMs: 60_000,
  oracle: { minSources: 2, staleMs: 60_000, dispersionBps: 100, handBps: 100 },
  payoutMinMicros: micros('0'),
  houseLineFunded: false,
  riskMark: 'book',
  markMakers: [],
  impactMicros: micros('1000'),
  setLevelsMax: 250_000,
  paperMakerCashMicros: micros('100000'),
  jumpStopBps: 0,
};

/** Parses a decimal to micros, digit by digit: `3.30` gives 3300000. */
export function micros(text: string): Micros {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  assert.ok(whole !== '', `not an amount: ${text}`);
  const magnitude = Number(whole) * MICROS_PER_UNIT + Number(fraction.padEnd(6, '0'));
  return toMicros(sign === '-' && magnitude !== 0 ? -magnitude : magnitude);
}

/** The address for a name. */
export function addressOf(name: string): Address {
  return `0x${Buffer.from(sha256(Buffer.from(name)).subarray(0, 20)).toString('hex')}` as Address;
}

/** Unix seconds of the expiry on a day: 1 is the nearest. */
export function expiryOnDay(day: number): number {
  return FIRST_EXPIRY_TS + (day - 1) * DAY_S;
}

/** `AAPL-C-190` of the nearest expiry, or of another day: `AAPL-C-190/2`. Other texts are returned unchanged. */
export function seriesIdOf(name: string): string {
  const [, symbol = '', right = '', strike = '', day = '1'] =
    /^([A-Z]+)-([CP])-([\d.]+)(?:\/(\d+))?$/.exec(name) ?? [];
  if (symbol === '') return name;
  const strikeMicros = micros(strike);
  return formatSeriesId({ symbol, expiryTs: expiryOnDay(Number(day)), right: right as Right, strikeMicros });
}

interface LoggedEntry {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
}

const HOUSE_NAMES = ['house', 'fees', 'maker'];

export class Venue {
  readonly state: State;
  readonly log: LoggedEntry[] = [];
  readonly #unread = new Map<Account, FillRecord[]>();
  readonly #clientIds = new Map<number, string>();
  readonly #closes = new Map<Account, string[]>();
  /** False once a test has put the state into a shape that no entry leads to. */
  isReplayable = true;
  nowMs = START_MS;

  constructor(overrides: Partial<VenueParameters> = {}, featureLevels = FEATURE_LEVELS) {
    this.state = createState(featureLevels);
    this.apply({ kind: 'configure', parameters: { ...PARAMETERS, ...overrides } });
  }

  /** A venue whose two symbols have a price and are listed for three days. */
  static listed(overrides: Partial<VenueParameters> = {}): Venue {
    const venue = new Venue(overrides);
    venue.print('AAPL', 'feed', '200');
    venue.print('BTC', 'feed', '100000');
    venue.maintain([1, 2, 3]);
    return venue;
  }

  /** Applies a command at the current time, after encoding and decoding it. */
  apply<C extends Command>(command: C): OutcomeOf<C['kind']> {
    const entry = {
      seq: this.state.seq + 1,
      ts: this.nowMs,
      kind: command.kind,
      body: encodeCommand(command),
    };
    this.log.push(entry);
    const outcome = apply(
      this.state,
      { seq: entry.seq, ts: entry.ts, command: decodeCommand(entry.kind, entry.body) as C },
      this.#effects(),
    );
    this.#checkBalance();
    return outcome;
  }

  wait(ms: number): void {
    this.nowMs += ms;
  }

  print(symbol: string, source: string, price: string): OutcomeOf<'prints'> {
    return this.apply({ kind: 'prints', prints: [{ symbol, source, priceMicros: micros(price) }] });
  }

  maintain(days: readonly number[]): OutcomeOf<'maintain'> {
    return this.apply({ kind: 'maintain', expiries: days.map(expiryOnDay) });
  }

  /** The account of a name, opened when first mentioned; `house`, `fees` and `maker` are the venue's own. */
  account(name: string): Account {
    const own = HOUSE_NAMES.indexOf(name);
    if (own >= 0) return this.state.accounts[own]!;
    const address = addressOf(name);
    if (!this.state.accountByAddress.has(address)) this.apply({ kind: 'open', address });
    return this.state.accountByAddress.get(address)!;
  }

  series(name: string): Series {
    const series = this.state.seriesById.get(seriesIdOf(name));
    assert.ok(series !== undefined, `not listed: ${name}`);
    return series;
  }

  /** All series listed and not settled, over all symbols. */
  unsettled(): Series[] {
    return [...this.state.instruments.values()].flatMap(({ series }) => series);
  }

  /** The account's fills announced since the last call. */
  takeFills(name: string): FillRecord[] {
    const account = this.account(name);
    const fills = this.#unread.get(account) ?? [];
    this.#unread.delete(account);
    return fills;
  }

  /** The account's closes since the last call, each as client id or number, and cause. */
  takeCloses(name: string): string[] {
    const account = this.account(name);
    const closes = this.#closes.get(account) ?? [];
    this.#closes.delete(account);
    return closes;
  }

  /** Replays the log into a new state, which must come out the same. */
  checkReplay(): void {
    if (this.isReplayable)
      assert.equal(stateDigest(this.replay()), stateDigest(this.state), 'replay differs');
  }

  /** The state after a number of entries, from nothing or from an earlier state, which goes on. */
  replay(until = this.log.length, state: State = createState()): State {
    for (const { seq, ts, kind, body } of this.log.slice(state.seq, until)) {
      apply(state, { seq, ts, command: decodeCommand(kind, body) }, NO_EFFECTS);
    }
    return state;
  }

  #effects(): Effects {
    return {
      ...NO_EFFECTS,
      filled: (account, fill) => {
        this.#unread.set(account, [...(this.#unread.get(account) ?? []), fill]);
      },
      comboOpened: ({ id, terms }) => {
        this.#clientIds.set(id, terms.clientId ?? `#${id}`);
      },
      orderOpened: ({ id, terms }) => {
        this.#clientIds.set(id, terms.clientId ?? `#${id}`);
      },
      orderClosed: (account, id, cause) => {
        const close = `${this.#clientIds.get(id)} ${cause}`;
        this.#closes.set(account, [...(this.#closes.get(account) ?? []), close]);
      },
    };
  }

  /** Cash and held deposits equal the amount paid in, and longs equal shorts. */
  #checkBalance(): void {
    let cash = 0n;
    const held = new Map<number, bigint>();
    for (const account of this.state.accounts) {
      cash += BigInt(account.cashMicros) + BigInt(account.heldMicros);
      for (const { series, qtyMicros } of account.positions) {
        const { sid } = series;
        held.set(sid, (held.get(sid) ?? 0n) + BigInt(qtyMicros));
      }
    }
    assert.equal(cash, BigInt(this.state.fundedMicros), 'cash came from nowhere');
    for (const [sid, sum] of held) assert.equal(sum, 0n, `positions of series ${sid} do not sum to zero`);
  }
}
