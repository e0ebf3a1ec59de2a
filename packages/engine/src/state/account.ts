/** One account: its amounts in a typed array shared by all accounts, everything else in the object. */

import type { Address, Hex, Micros } from '@venue/protocol';
import type { AccountIndex } from './ids.ts';
import { type PositionStore, Positions } from './positions.ts';
import type { FillRecord, SessionRecord } from './records.ts';

const CAPACITY_MIN = 64;

const FLOATS_SHIFT = 2;
const CASH = 0;
const REALIZED = 1;
const RESERVED = 2;
const HELD = 3;

/** The amounts of all accounts of one engine, by index. As fields, amounts past 31 bits would each be an object. */
export class AmountStore {
  /** For `Account` only. */
  floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);

  /** Makes room for an account's amounts, initially zero. */
  reserve(index: AccountIndex): void {
    if (index << FLOATS_SHIFT < this.floats.length) return;
    const grown = new Float64Array(this.floats.length * 2);
    grown.set(this.floats);
    this.floats = grown;
  }
}

export type AccountRole = 'house' | 'fees' | 'maker' | 'trader';

export interface AccountIdentity {
  readonly index: AccountIndex;
  readonly role: AccountRole;
  /** Null for the venue's own accounts. */
  readonly address: Address | null;
}

export class Account {
  readonly index: AccountIndex;
  readonly role: AccountRole;
  readonly address: Address | null;
  marginEnabled = false;
  frozen = false;
  /** Number of short positions. */
  shortCount = 0;
  /** True if the account was in margin call at the last liquidation run (LIQ-1). */
  wasCalled = false;
  readonly positions: Positions;
  /** The session that signed last: most writes are signed by the same session key as the one before. */
  lastSession: SessionRecord | null = null;
  /** Session keys that signed resting orders, which refer to them by index. */
  readonly signers: Address[] = [];
  readonly sessions = new Map<Address, SessionRecord>();
  /** Oldest first, the newest `FILLS_KEPT`. */
  readonly fills: FillRecord[] = [];
  /** Number of held deposits. */
  heldCount = 0;
  /** Ever requested, oldest first. */
  readonly payouts: Payout[] = [];
  readonly #amounts: AmountStore;

  constructor(identity: AccountIdentity, amounts: AmountStore, positions: PositionStore) {
    this.index = identity.index;
    this.role = identity.role;
    this.address = identity.address;
    this.positions = new Positions(positions);
    this.#amounts = amounts;
    amounts.reserve(identity.index);
  }

  get cashMicros(): Micros {
    return this.#get(CASH);
  }

  set cashMicros(micros: Micros) {
    this.#set(CASH, micros);
  }

  get realizedMicros(): Micros {
    return this.#get(REALIZED);
  }

  set realizedMicros(micros: Micros) {
    this.#set(REALIZED, micros);
  }

  /** Cost of a trader's resting buys, each rounded up. */
  get reservedMicros(): Micros {
    return this.#get(RESERVED);
  }

  set reservedMicros(micros: Micros) {
    this.#set(RESERVED, micros);
  }

  /** Held deposits, out of reach while the account is frozen (DEP-2). */
  get heldMicros(): Micros {
    return this.#get(HELD);
  }

  set heldMicros(micros: Micros) {
    this.#set(HELD, micros);
  }

  #get(field: number): Micros {
    return this.#amounts.floats[(this.index << FLOATS_SHIFT) + field] as Micros;
  }

  #set(field: number, micros: Micros): void {
    this.#amounts.floats[(this.index << FLOATS_SHIFT) + field] = micros;
  }
}

/** A withdrawal: debited here, to be paid by the vault to the account's own address. */
export interface Payout {
  /** Counts from 1 without gaps. */
  readonly id: number;
  readonly account: Account;
  readonly amountMicros: Micros;
  readonly requestedAt: number;
  /** The transaction that committed it on chain; null while it is outstanding. */
  txHash: Hex | null;
}
