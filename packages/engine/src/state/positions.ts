/** Positions of all accounts in typed arrays, because every order reads all positions of its account. */

import type { Micros } from '@venue/protocol';

import { Blocks } from './blocks.ts';
import type { Sid } from './ids.ts';
import type { Series } from './series.ts';

/** No record and no index. */
const NIL = -1;

/** Records in the smallest block; each larger size has room for twice as many. */
const BLOCK_MIN = 2;
const CAPACITY_MIN = 64;
/** Up to this many positions a lookup scans them, beyond that it uses a table. */
const SCANNED_MAX = 16;
/** How many positions may be dropped before the table is rebuilt: a settlement drops thousands, one by one. */
const FORGOTTEN_MAX = 256;

/** A record is 64 bytes, one cache line, seen through two views: five doubles, then integers from the 40th byte on. */
const FLOATS_SHIFT = 3;
const QTY = 0;
const COST = 1;
const REALIZED = 2;
const RESTING_BUY = 3;
const RESTING_SELL = 4;
const FLOATS_END = 5;

const INTS_SHIFT = 4;
const SID = 10;
const OPENING = 11;

/** The record of a position that nobody has opened: always flat. */
const FLAT = 0;

/**
 * The records of one engine. Those of an account are contiguous in its own block, so that a pass over them waits for
 * memory once; a full block moves to one of twice the size, and its space is reused.
 */
export class PositionStore {
  /** For `Position` and `Positions` only, like `ints`. */
  floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);
  ints = new Int32Array(this.floats.buffer);
  readonly #series: readonly Series[];
  readonly #blocks = new Blocks(FLAT + 1);

  /** `series` is the venue's list of series by sid, which may grow. */
  constructor(series: readonly Series[]) {
    this.#series = series;
  }

  /** A flat position without resting orders that belongs to nobody and is never written to. */
  get flat(): Position {
    return new Position(this, FLAT);
  }

  series(h: number): Series {
    return this.#series[this.sid(h)]!;
  }

  sid(h: number): Sid {
    return this.ints[(h << INTS_SHIFT) + SID] as Sid;
  }

  /** Which of its account's openings a record is. */
  opening(h: number): number {
    return this.ints[(h << INTS_SHIFT) + OPENING]!;
  }

  /** Resets a record to a flat position. */
  clear(h: number, sid: Sid, opening: number): void {
    this.floats.fill(0, h << FLOATS_SHIFT, (h << FLOATS_SHIFT) + FLOATS_END);
    this.ints[(h << INTS_SHIFT) + SID] = sid;
    this.ints[(h << INTS_SHIFT) + OPENING] = opening;
  }

  /** Copies `count` records; the ranges may overlap. */
  move(from: number, to: number, count: number): void {
    this.floats.copyWithin(to << FLOATS_SHIFT, from << FLOATS_SHIFT, (from + count) << FLOATS_SHIFT);
  }

  /** The first record of a block of that size. */
  allocate(size: number): number {
    const first = this.#blocks.allocate(size);
    while (this.#blocks.end << FLOATS_SHIFT > this.floats.length) this.#grow();
    return first;
  }

  free(first: number, size: number): void {
    this.#blocks.free(first, size);
  }

  #grow(): void {
    const grown = new Float64Array(this.floats.length * 2);
    grown.set(this.floats);
    this.floats = grown;
    this.ints = new Int32Array(grown.buffer);
  }
}

/**
 * A view of a position's record, created on each access. Valid until its account opens or drops a position, so do not
 * keep one.
 */
export class Position {
  readonly #store: PositionStore;
  readonly #h: number;

  constructor(store: PositionStore, h: number) {
    this.#store = store;
    this.#h = h;
  }

  get sid(): Sid {
    return this.#store.sid(this.#h);
  }

  get series(): Series {
    return this.#store.series(this.#h);
  }

  /** Signed; negative is short. */
  get qtyMicros(): Micros {
    return this.#get(QTY);
  }

  set qtyMicros(micros: Micros) {
    this.#set(QTY, micros);
  }

  /** Premium paid for a long or received for a short, never negative. */
  get costMicros(): Micros {
    return this.#get(COST);
  }

  set costMicros(micros: Micros) {
    this.#set(COST, micros);
  }

  get realizedMicros(): Micros {
    return this.#get(REALIZED);
  }

  set realizedMicros(micros: Micros) {
    this.#set(REALIZED, micros);
  }

  /** Quantity of the account's resting buys in the series. */
  get restingBuyMicros(): Micros {
    return this.#get(RESTING_BUY);
  }

  set restingBuyMicros(micros: Micros) {
    this.#set(RESTING_BUY, micros);
  }

  get restingSellMicros(): Micros {
    return this.#get(RESTING_SELL);
  }

  set restingSellMicros(micros: Micros) {
    this.#set(RESTING_SELL, micros);
  }

  #get(field: number): Micros {
    return this.#store.floats[(this.#h << FLOATS_SHIFT) + field] as Micros;
  }

  #set(field: number, micros: Micros): void {
    this.#store.floats[(this.#h << FLOATS_SHIFT) + field] = micros;
  }
}

/** The positions of one account, in the order in which they were opened; flat ones stay until their series settles. */
export class Positions {
  readonly #store: PositionStore;
  #first = NIL;
  #size = 0;
  #room = 0;
  /** An index of the position or a later one, by sid; null while there are few enough to scan. */
  #places: Map<Sid, number> | null = null;
  /** Positions dropped since the table was built: each moved the later ones up by one. */
  #forgotten = 0;
  #version = 0;
  #shifts = 0;

  constructor(store: PositionStore) {
    this.#store = store;
  }

  get size(): number {
    return this.#size;
  }

  /** Rises whenever a position is opened or dropped. */
  get version(): number {
    return this.#version;
  }

  /** Rises whenever positions move up to others' places. */
  get shifts(): number {
    return this.#shifts;
  }

  /** A number that only this position of the account has ever had. */
  openingAt(place: number): number {
    return this.#store.opening(this.#first + place);
  }

  /** The position at an index from 0 on: for passes too frequent for an iterator. */
  at(place: number): Position {
    return new Position(this.#store, this.#first + place);
  }

  has(sid: Sid): boolean {
    return this.placeOf(sid) !== NIL;
  }

  get(sid: Sid): Position | undefined {
    const place = this.placeOf(sid);
    return place === NIL ? undefined : this.at(place);
  }

  /** Opens a flat position in a series where the account has none. */
  open(sid: Sid): Position {
    if (this.#size === this.#room) this.#grow();
    const place = this.#size;
    this.#version += 1;
    this.#store.clear(this.#first + place, sid, this.#version);
    this.#size += 1;
    if (this.#places !== null) this.#places.set(sid, place);
    else if (this.#size > SCANNED_MAX) this.#index();
    return this.at(place);
  }

  /** Drops the position in a series, if there is one; later ones move up. */
  delete(sid: Sid): void {
    const place = this.placeOf(sid);
    if (place === NIL) return;
    const behind = this.#first + place + 1;
    this.#store.move(behind, behind - 1, this.#size - place - 1);
    if (place < this.#size - 1) this.#shifts += 1;
    this.#size -= 1;
    this.#version += 1;
    this.#forgotten += 1;
    this.#places?.delete(sid);
    if (this.#size <= SCANNED_MAX || this.#forgotten > FORGOTTEN_MAX) this.#index();
    if (this.#size === 0) this.#release();
  }

  *[Symbol.iterator](): Generator<Position> {
    for (let place = 0; place < this.#size; place++) yield this.at(place);
  }

  /** The index of the position in a series, or -1. */
  placeOf(sid: Sid): number {
    if (this.#places !== null) return this.#knownPlaceOf(sid, this.#places);
    const store = this.#store;
    const first = this.#first;
    for (let place = 0; place < this.#size; place++) if (store.sid(first + place) === sid) return place;
    return NIL;
  }

  #knownPlaceOf(sid: Sid, places: Map<Sid, number>): number {
    const known = places.get(sid);
    if (known === undefined) return NIL;
    let place = Math.min(known, this.#size - 1);
    while (this.#store.sid(this.#first + place) !== sid) place -= 1;
    if (place !== known) places.set(sid, place);
    return place;
  }

  #index(): void {
    this.#forgotten = 0;
    this.#places = null;
    if (this.#size <= SCANNED_MAX) return;
    this.#places = new Map();
    for (let place = 0; place < this.#size; place++) {
      this.#places.set(this.#store.sid(this.#first + place), place);
    }
  }

  #grow(): void {
    const room = Math.max(BLOCK_MIN, this.#room * 2);
    const first = this.#store.allocate(room);
    if (this.#room > 0) {
      this.#store.move(this.#first, first, this.#size);
      this.#store.free(this.#first, this.#room);
    }
    this.#first = first;
    this.#room = room;
  }

  #release(): void {
    this.#store.free(this.#first, this.#room);
    this.#first = NIL;
    this.#room = 0;
  }
}
