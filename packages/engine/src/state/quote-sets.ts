/** Quote sets: ladders that an account keeps standing as a market maker, with their protection (QTS-2, QTS-3). */

import { decimalToMicros, MICROS_MAX, MICROS_PER_UNIT, type Micros, toMicros, ZERO } from '@venue/protocol';
import { Changes } from '../book/changes.ts';
import type { AccountIndex, Sid } from './ids.ts';

/** The limits on trading before a set is pulled and frozen. */
export interface Protection {
  /** A push this long or longer after the first fill makes the allowance whole again. */
  readonly windowMs: number;
  /** Contracts. */
  readonly qtyMicros: Micros;
  /** Contracts times absolute delta; null for no such limit. */
  readonly deltaMicros: Micros | null;
  /** How long a set stays frozen once its allowance is used up; 0 until it is unfrozen. */
  readonly frozenMs: number;
}

/** The quotes of a set in one series, and its annotations there, which stay until they are named again. Never without a quote (QTS-2). */
export interface SetRow {
  readonly sid: Sid;
  /** Order ids, best first; may include ids that have since been filled or pulled. */
  readonly bids: number[];
  readonly asks: number[];
  /** Null until named. */
  iv: number | null;
  delta: number | null;
  /** A contract's share in a limit on delta, by the annotation. */
  countedMicros: Micros;
  /** Resting quantities. */
  bidMicros: Micros;
  askMicros: Micros;
  /** Rises with every change of the resting quotes. */
  version: number;
  /** Memo of what the quotes need, with all that it was computed from; null until it is asked for. */
  need: RowNeed | null;
}

/** The need of quotes. `risk` defines the meaning. */
export interface QuotesNeed {
  readonly sumMicros: number;
  /** The reserve of one contract: the most expensive quote's. */
  readonly highestUnitMicros: number;
  /** How many quotes there are. */
  readonly levels: number;
  readonly hasAsks: boolean;
}

/** The need of a row's quotes. */
export interface RowNeed extends QuotesNeed {
  /** The version of the row, and the entry unit of its series. */
  readonly version: number;
  readonly unitMicros: Micros;
}

/** When a frozen set may be pushed again: a time in milliseconds, or null for not before it is unfrozen. */
export interface Freeze {
  readonly until: number | null;
}

/** The contracts and the delta that a set may trade, and how much of them is used. */
export interface Allowance {
  readonly protection: Protection;
  /** Contracts. */
  readonly usedMicros: number;
  /** Micros of contracts times micros of absolute delta. */
  readonly usedDelta: bigint;
}

/** An allowance by which quotes bound marks. */
export interface ShownAllowance extends Allowance {
  /** The most that a contract of a row counts of a limit on delta: with less than that left the set is used up (DET-5). */
  readonly countedMicros: number;
}

/** One set of an account. */
export interface QuoteSet {
  /** Dense number among all sets that exist; it may be another one after a restart. */
  readonly slot: number;
  readonly account: AccountIndex;
  /** 1 to `QUOTE_SETS_MAX`. */
  readonly number: number;
  /** The one underlying that it quotes. */
  symbol: string;
  protection: Protection;
  /**
   * The allowance by which quotes bound marks: as the last entry left it, so that a fill, or quotes that come or go, move no
   * marks but those of their own series before their entry ends (RSK-2).
   */
  shown: ShownAllowance;
  /** Contracts traded of the allowance. */
  usedMicros: Micros;
  /** Micros of contracts times micros of absolute delta traded of the allowance. */
  usedDelta: bigint;
  /** Time of the first fill that used the present allowance; null while it is whole. */
  firstFillTs: number | null;
  /** Null while it may be pushed. */
  freeze: Freeze | null;
  /** Time of the last push that was carried out, or of a later `protect`. */
  lastPushTs: number;
  readonly rows: Map<Sid, SetRow>;
  /** No row has counted more delta; a look at it spares most fills a look at every row. */
  deltaBoundMicros: Micros;
  /** Memo of the most that a row counts now; null while it has to be looked for. */
  countedMicros: number | null;
  /** The part of the account's reserved cash that is the set's (QTS-4). */
  reserveMicros: Micros;
}

/** Contracts that a walk takes of a set in one series. */
export interface SetUse {
  /** The set, as the owner of its quotes. */
  readonly owner: number;
  readonly sid: Sid;
  readonly takenMicros: number;
}

export interface NewSet extends Pick<QuoteSet, 'symbol' | 'protection'> {
  readonly ts: number;
  readonly slot?: number;
}

/** All sets of all accounts. */
export class QuoteSets {
  readonly #bySlot: (QuoteSet | undefined)[] = [];
  readonly #free: number[] = [];
  /** In ascending order of their numbers. */
  readonly #byAccount = new Map<AccountIndex, QuoteSet[]>();
  /** The original's sets, in a copy of a state: books that are not copied still name them. */
  readonly #base: QuoteSets | null;
  /** The owners of sets whose shown allowance has changed; those of a copy count on from its base's. */
  readonly #shown: Changes;
  /** Sets whose allowance or rows have changed in the entry being applied; empty between entries. */
  readonly #changed = new Set<QuoteSet>();
  readonly #quoting = new Set<QuoteSet>();
  /** Sets that were filled in the entry being applied, and those that lost quotes; empty between entries. */
  readonly filled = new Set<QuoteSet>();
  readonly stale = new Set<QuoteSet>();

  constructor(base: QuoteSets | null = null) {
    this.#base = base;
    this.#shown = new Changes(CHANGES_KEPT, base?.version);
  }

  get size(): number {
    return this.#bySlot.length - this.#free.length;
  }

  /** The sets of an account, in ascending order of their numbers. */
  of(account: AccountIndex): readonly QuoteSet[] {
    return this.#byAccount.get(account) ?? NONE;
  }

  find(account: AccountIndex, number: number): QuoteSet | null {
    return this.of(account).find((set) => set.number === number) ?? null;
  }

  /** The set that is an owner of resting quotes. */
  ofOwner(owner: number): QuoteSet {
    const set = this.findOwner(owner);
    if (set === null) throw new Error(`no quote set owns as ${owner}`);
    return set;
  }

  /** The set that owns as this number now; null if it has ended. */
  findOwner(owner: number): QuoteSet | null {
    return this.#bySlot[-1 - owner] ?? this.#base?.findOwner(owner) ?? null;
  }

  /** All sets, by account in no order, and by number. */
  *[Symbol.iterator](): Generator<QuoteSet> {
    for (const sets of this.#byAccount.values()) yield* sets;
  }

  /** The sets with quotes, in no order. */
  get quoting(): ReadonlySet<QuoteSet> {
    return this.#quoting;
  }

  /** Rises with every change of a shown allowance. */
  get version(): number {
    return this.#shown.version;
  }

  /** Notes that the allowance of a set has changed. Marks go by it from the end of the entry on. */
  noteChange(set: QuoteSet): void {
    this.#changed.add(set);
  }

  /** Ends an entry: from here on marks go by the allowances as they are now (RSK-2). */
  showChanges(): void {
    for (const set of this.#changed) {
      set.shown = shownOf(set);
      this.#shown.note(ownerOfSet(set));
    }
    this.#changed.clear();
  }

  /** True in a copy of a state. */
  get isCopy(): boolean {
    return this.#base !== null;
  }

  /** The owners of the sets whose shown allowances have changed since a version; null if that is too long ago to tell. */
  changedSince(version: number): number[] | null {
    const base = this.#base;
    if (base === null || version >= base.version) return this.#shown.since(version);
    const own = this.#shown.since(base.version);
    const earlier = base.changedSince(version);
    return own === null || earlier === null ? null : [...earlier, ...own];
  }

  /** The row of a set in a series, opened if necessary. */
  rowOf(set: QuoteSet, sid: Sid): SetRow {
    const known = set.rows.get(sid);
    if (known !== undefined) return known;
    const row: SetRow = {
      ...{ sid, bids: [], asks: [], iv: null, delta: null, countedMicros: countedDeltaMicros(null) },
      ...{ bidMicros: ZERO, askMicros: ZERO, version: 0, need: null },
    };
    set.rows.set(sid, row);
    set.countedMicros = null;
    this.#quoting.add(set);
    return row;
  }

  /** Forgets a row that has lost its last quote, with its annotations (QTS-2). */
  dropIfEmpty(set: QuoteSet, row: SetRow): void {
    if (hasQuotes(row)) return;
    set.rows.delete(row.sid);
    if (row.countedMicros === set.countedMicros) set.countedMicros = null;
    // Of the rows' numbers only those matter that count against a limit.
    if (set.protection.deltaMicros !== null) this.noteChange(set);
    if (set.rows.size === 0) this.#quoting.delete(set);
  }

  /** Makes a set that was never pushed. A copy names the slot of its original. */
  open(account: AccountIndex, number: number, { symbol, protection, ts, slot: named }: NewSet): QuoteSet {
    const slot = named ?? this.#free.pop() ?? this.#bySlot.length;
    const set: QuoteSet = {
      ...{ slot, account, number, symbol, protection },
      ...{ usedMicros: ZERO, usedDelta: 0n, firstFillTs: null, freeze: null },
      shown: { protection, usedMicros: ZERO, usedDelta: 0n, countedMicros: 0 },
      lastPushTs: ts,
      rows: new Map(),
      deltaBoundMicros: toMicros(MICROS_PER_UNIT),
      countedMicros: null,
      reserveMicros: ZERO,
    };
    this.#bySlot[slot] = set;
    const own = this.#byAccount.get(account);
    if (own === undefined) this.#byAccount.set(account, [set]);
    else own.splice(own.filter((other) => other.number < number).length, 0, set);
    return set;
  }

  /** Ends a set without quotes. */
  close(set: QuoteSet): void {
    this.#bySlot[set.slot] = undefined;
    this.#free.push(set.slot);
    this.#changed.delete(set);
    this.filled.delete(set);
    this.stale.delete(set);
    const left = this.of(set.account).filter((other) => other !== set);
    if (left.length === 0) this.#byAccount.delete(set.account);
    else this.#byAccount.set(set.account, left);
  }
}

const NONE: readonly QuoteSet[] = [];
/** More than one entry changes as a rule. */
const CHANGES_KEPT = 256;

/** The number that a set's resting quotes name as their owner; those of accounts are their indexes. */
export function ownerOfSet({ slot }: Pick<QuoteSet, 'slot'>): number {
  return -1 - slot;
}

/** True for the owner of a quote of a set, false for an account. */
export function isSetOwner(owner: number): boolean {
  return owner < 0;
}

/** Gives a row its annotations. */
export function annotateRow(set: QuoteSet, row: SetRow, { iv, delta }: Pick<SetRow, 'iv' | 'delta'>): void {
  row.iv = iv;
  row.delta = delta;
  row.countedMicros = countedDeltaMicros(delta);
  set.countedMicros = null;
  set.deltaBoundMicros = toMicros(Math.max(set.deltaBoundMicros, row.countedMicros));
}

/** Changes the resting quantity of a side of a row, or its quotes alone if the change is 0. */
export function changeRow(row: SetRow, side: 'buy' | 'sell', changeMicros: number): void {
  if (side === 'buy') row.bidMicros = toMicros(row.bidMicros + changeMicros);
  else row.askMicros = toMicros(row.askMicros + changeMicros);
  row.version += 1;
}

export function hasQuotes({ bidMicros, askMicros }: SetRow): boolean {
  return bidMicros > 0 || askMicros > 0;
}

/** The delta that a contract of a row counts: 1 without an annotation; one that no micros express is rounded up. */
export function countedDeltaMicros(delta: number | null): Micros {
  if (delta === null) return toMicros(MICROS_PER_UNIT);
  const size = Math.abs(delta);
  return decimalToMicros(size) ?? toMicros(Math.min(Math.ceil(size * MICROS_PER_UNIT), MICROS_MAX));
}

/** The same of a row that there may be. */
export function countedOf(row: SetRow | undefined): Micros {
  return row?.countedMicros ?? toMicros(MICROS_PER_UNIT);
}

/** True if a level is larger than the allowance of its set, and so could never trade as a whole (QTS-2). */
export function isAboveLimit(
  { qtyMicros, deltaMicros }: Protection,
  levelMicros: number,
  countedMicros: Micros,
): boolean {
  if (levelMicros > qtyMicros) return true;
  return deltaMicros !== null && BigInt(levelMicros) * BigInt(countedMicros) > deltaLimit(deltaMicros);
}

/** A limit of contracts times delta, in the unit of `usedDelta`. */
export function deltaLimit(deltaMicros: Micros): bigint {
  return BigInt(deltaMicros) * BigInt(MICROS_PER_UNIT);
}

/** The allowance of a set as it is now. */
export function allowanceOf({ protection, usedMicros, usedDelta }: QuoteSet): Allowance {
  return { protection, usedMicros, usedDelta };
}

/** The same, as marks go by it until it changes again. */
export function shownOf(set: QuoteSet): ShownAllowance {
  return { ...allowanceOf(set), countedMicros: set.protection.deltaMicros === null ? 0 : mostCounted(set) };
}

function mostCounted(set: QuoteSet): number {
  if (set.countedMicros === null) {
    set.countedMicros = 0;
    for (const row of set.rows.values()) set.countedMicros = Math.max(set.countedMicros, row.countedMicros);
  }
  return set.countedMicros;
}

/** Contracts left of the allowance. */
export function contractsLeftMicros({ protection, usedMicros }: QuoteSet): Micros {
  return toMicros(protection.qtyMicros - usedMicros);
}

/** Makes the allowance of a set whole, and lets it be pushed. */
export function makeWhole(set: QuoteSet): void {
  set.usedMicros = ZERO;
  set.usedDelta = 0n;
  set.firstFillTs = null;
  set.freeze = null;
}

/** The quotes of an account's sets in a series, all together; `except` is left out. */
export function quotedMicros(
  { quoteSets }: { readonly quoteSets: QuoteSets },
  account: AccountIndex,
  sid: Sid,
  except: QuoteSet | null = null,
): Pick<SetRow, 'bidMicros' | 'askMicros'> {
  const sets = quoteSets.of(account);
  if (sets.length === 0) return NOTHING_QUOTED;
  let bids = 0;
  let asks = 0;
  for (const set of sets) {
    const row = set === except ? undefined : set.rows.get(sid);
    bids += row?.bidMicros ?? 0;
    asks += row?.askMicros ?? 0;
  }
  return { bidMicros: toMicros(bids), askMicros: toMicros(asks) };
}

const NOTHING_QUOTED = { bidMicros: ZERO, askMicros: ZERO } as const;
