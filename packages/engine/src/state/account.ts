/** One account: what most entries read in a row of typed arrays shared by all accounts, everything else in the object. */

import type { Address, Hex, MarginMode, Micros } from '@venue/protocol';
import { type FillStore, Fills } from './fill-store.ts';
import type { AccountIndex, SessionHandle } from './ids.ts';
import { type PositionStore, Positions } from './positions.ts';
import type { Attestation } from './records.ts';
import { SessionRecord } from './session.ts';
import { NO_SESSION, type SessionStore } from './session-store.ts';

const CAPACITY_MIN = 64;

/** A row is 64 bytes, a line of cache, seen through two views: four doubles, then integers from the 32nd byte on. */
const FLOATS_SHIFT = 3;
const CASH = 0;
const REALIZED = 1;
const RESERVED = 2;
const HELD = 3;

const INTS_SHIFT = 4;
const LAST_SESSION = 8;
const MARGIN_ENABLED = 9;
const FROZEN = 10;
const SHORT_COUNT = 11;
const DEFINED_RISK = 12;

/** The rows of all accounts of one engine, by index. As fields, amounts past 31 bits would each be an object. */
export class AccountStore {
  /** For `Account` only, like `ints`. */
  floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);
  ints = new Int32Array(this.floats.buffer);
  readonly sessions: SessionStore;

  constructor(sessions: SessionStore) {
    this.sessions = sessions;
  }

  /** Makes room for an account's row, initially zeros. */
  reserve(index: AccountIndex): void {
    if (index << FLOATS_SHIFT < this.floats.length) return;
    const grown = new Float64Array(this.floats.length * 2);
    grown.set(this.floats);
    this.floats = grown;
    this.ints = new Int32Array(grown.buffer);
  }
}

export type AccountRole = 'house' | 'fees' | 'maker' | 'trader';

export interface AccountIdentity {
  readonly index: AccountIndex;
  readonly role: AccountRole;
  /** Null for the venue's own accounts. */
  readonly address: Address | null;
}

/** The columns that accounts store beside their objects. */
export interface AccountColumns {
  readonly rows: AccountStore;
  readonly positions: PositionStore;
  readonly fills: FillStore;
}

/** How far an account's liquidation in quarters has come. */
export interface Quarters {
  /** The last of its ticks, from 1 on. */
  readonly tick: number;
  /** The short positions before the first of them, by sid. */
  readonly sizes: ReadonlyMap<number, Micros>;
}

export class Account {
  readonly index: AccountIndex;
  readonly role: AccountRole;
  readonly #rows: AccountStore;
  readonly positions: Positions;
  readonly address: Address | null;
  /** True if the account was in margin call at the last liquidation run (LIQ-1). */
  wasCalled = false;
  /** The time of the liquidation run that found it in call, while every run since has; null if the last did not (OPS-1). */
  calledSince: number | null = null;
  /** Null unless its shorts are being bought back in quarters (RSK-4). */
  quarters: Quarters | null = null;
  readonly sessions = new Map<Address, SessionRecord>();
  /** Oldest first, the newest `FILLS_KEPT`. */
  readonly fills: Fills;
  /** Number of held deposits. */
  heldCount = 0;
  /** Ever requested, oldest first. */
  readonly payouts: Payout[] = [];

  constructor(identity: AccountIdentity, { rows, positions, fills }: AccountColumns) {
    this.index = identity.index;
    this.role = identity.role;
    this.address = identity.address;
    this.positions = new Positions(positions);
    this.fills = new Fills(fills);
    this.#rows = rows;
    rows.reserve(identity.index);
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

  /** Cost of a trader's resting buys, each rounded up, and the reserves of its quote sets. */
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

  /** The session that signed last: most writes are signed by the same session key as the one before. */
  get lastSession(): SessionRecord | null {
    const h = this.#getInt(LAST_SESSION) as SessionHandle;
    return h === NO_SESSION ? null : new SessionRecord(this.#rows.sessions, h);
  }

  set lastSession(session: SessionRecord | null) {
    this.#setInt(LAST_SESSION, session?.handle ?? NO_SESSION);
  }

  get marginEnabled(): boolean {
    return this.#getInt(MARGIN_ENABLED) === 1;
  }

  set marginEnabled(enabled: boolean) {
    this.#setInt(MARGIN_ENABLED, Number(enabled));
  }

  /** The rule that margins its shorts (DRM-1). */
  get marginMode(): MarginMode {
    return this.#getInt(DEFINED_RISK) === 1 ? 'defined-risk' : 'per-leg';
  }

  set marginMode(mode: MarginMode) {
    this.#setInt(DEFINED_RISK, Number(mode === 'defined-risk'));
  }

  get frozen(): boolean {
    return this.#getInt(FROZEN) === 1;
  }

  set frozen(frozen: boolean) {
    this.#setInt(FROZEN, Number(frozen));
  }

  /** Number of short positions. */
  get shortCount(): number {
    return this.#getInt(SHORT_COUNT);
  }

  set shortCount(count: number) {
    this.#setInt(SHORT_COUNT, count);
  }

  #get(field: number): Micros {
    return this.#rows.floats[(this.index << FLOATS_SHIFT) + field] as Micros;
  }

  #set(field: number, micros: Micros): void {
    this.#rows.floats[(this.index << FLOATS_SHIFT) + field] = micros;
  }

  #getInt(field: number): number {
    return this.#rows.ints[(this.index << INTS_SHIFT) + field]!;
  }

  #setInt(field: number, value: number): void {
    this.#rows.ints[(this.index << INTS_SHIFT) + field] = value;
  }
}

/** The signed words that a payout rests on (CUS-5), so that the payer need not trust the ledger. */
export interface PayoutProof {
  /** The withdrawal as the session key signed it. */
  readonly sessionKey: Address;
  readonly nonce: number;
  readonly signature: Hex;
  readonly expiresAt: number;
  /** The approval of the session key, as the wallet signed it. */
  readonly approval: Hex;
  /** Where a contract wallet's approval was attested; null if a key signed it (CUS-19). */
  readonly attestation: Attestation | null;
}

/** The second secret for a payout above the limits: an approver's signature, which the ledger only carries (CUS-16). */
export interface PayoutApproval {
  readonly approver: Address;
  readonly signature: Hex;
}

/** A withdrawal: debited here, to be paid by the vault to the account's own address. */
export interface Payout {
  /** Counts from 1 without gaps. */
  readonly id: number;
  /** Its number in the vault, which contains the ledger's epoch (CUS-3). */
  readonly payoutId: number;
  readonly account: Account;
  readonly amountMicros: Micros;
  readonly requestedAt: number;
  /** True if it takes capital out of the house (CUS-8). */
  readonly isOfHouse: boolean;
  /** True if an operator recorded it from the chain, on no withdrawal that this ledger knows (CUS-4). */
  readonly isAdopted: boolean;
  /** Null for an unsigned withdrawal and an adopted payout. */
  readonly proof: PayoutProof | null;
  /** The transaction that committed it on chain; null until then. */
  txHash: Hex | null;
  /** When an operator voided it; null otherwise (CUS-4). */
  voidedAt: number | null;
  /** Why it waits, as the batcher reported it; null otherwise. */
  waits: string | null;
  approvals: readonly PayoutApproval[];
}
