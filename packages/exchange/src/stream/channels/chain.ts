/**
 * The calls and puts of one expiry, a row a strike. It is of the log's time, so that every node shows the same after
 * the same entry.
 */

import { type Instrument, isTradable, type Series, type State } from '@venue/engine';
import { type Micros, microsToDecimal } from '@venue/protocol';
import { chainLegView } from '../../views/market.ts';
import { isMarketOpen } from '../../views/market-hours.ts';
import { FACTS, writeFacts } from '../../views/market-pages.ts';
import { type Change, type Content, jsonMembers, NO_CHANGES, valueChange } from './content.ts';
import { type EndReason, endOfExpiry } from './ends.ts';

const MINUTE_MS = 60_000;

/** One contract, and the JSON of what was last shown of it; `null` once it is no longer traded. */
interface Leg {
  readonly series: Series;
  readonly facts: Float64Array;
  json: string;
}

interface Row {
  readonly strike: number;
  call: Leg | null;
  put: Leg | null;
}

export class ChainContent implements Content {
  readonly #state: State;
  readonly #instrument: Instrument;
  readonly #expiryTs: number;
  /** Refilled for each comparison. */
  readonly #now = new Float64Array(FACTS);
  #rows = new Map<number, Row>();
  #listings: readonly Series[] = [];
  #listed = 0;
  #seq = 0;
  #spot: Micros;
  #isOpen: boolean;
  #minute: number;

  constructor(state: State, instrument: Instrument, expiryTs: number) {
    this.#state = state;
    this.#instrument = instrument;
    this.#expiryTs = expiryTs;
    this.#spot = instrument.spotMicros;
    this.#minute = Math.floor(state.ts / MINUTE_MS);
    this.#isOpen = isMarketOpen(instrument.assetClass, state.ts);
    this.#list();
    this.#rowChanges();
    this.#seq = state.seq;
  }

  get ended(): EndReason | null {
    return endOfExpiry(this.#instrument, this.#expiryTs);
  }

  snapshot(): string {
    const { symbol } = this.#instrument;
    const head = {
      symbol,
      expiryTs: this.#expiryTs,
      spot: microsToDecimal(this.#spot),
      sessionOpen: this.#isOpen,
    };
    const rows = [...this.#rows.values()].filter(isShown).sort((a, b) => a.strike - b.strike);
    return `${jsonMembers(head)},"rows":[${rows.map(rowJson).join(',')}]`;
  }

  changes(): readonly Change[] {
    const { seq } = this.#state;
    if (seq === this.#seq) return NO_CHANGES;
    this.#seq = seq;
    const gone = this.#list();
    return [...this.#valueChanges(), ...gone, ...this.#rowChanges()];
  }

  #valueChanges(): Change[] {
    const { spotMicros, assetClass } = this.#instrument;
    const changes: Change[] = [];
    if (spotMicros !== this.#spot) {
      this.#spot = spotMicros;
      changes.push(valueChange('spot', microsToDecimal(spotMicros)));
    }
    const minute = Math.floor(this.#state.ts / MINUTE_MS);
    if (minute === this.#minute) return changes;
    this.#minute = minute;
    const isOpen = isMarketOpen(assetClass, this.#state.ts);
    if (isOpen !== this.#isOpen) changes.push(valueChange('sessionOpen', isOpen));
    this.#isOpen = isOpen;
    return changes;
  }

  /** Takes in new listings and those that left, and returns the rows that are gone. */
  #list(): Change[] {
    const { series: listings } = this.#instrument;
    if (listings === this.#listings && listings.length === this.#listed) return [];
    this.#listings = listings;
    this.#listed = listings.length;
    const before = this.#rows;
    this.#rows = new Map();
    for (const series of listings) if (series.expiryTs === this.#expiryTs) this.#add(series, before);
    return [...before.values()]
      .filter((row) => isShown(row) && !this.#rows.has(row.strike))
      .map(({ strike }) => rowChange({ strike, call: null, put: null }));
  }

  #add(series: Series, before: ReadonlyMap<number, Row>): void {
    const strike = microsToDecimal(series.strikeMicros);
    const row = this.#rows.get(strike) ?? { strike, call: null, put: null };
    this.#rows.set(strike, row);
    const right = series.right === 'C' ? 'call' : 'put';
    const known = before.get(strike)?.[right];
    // NaN differs from every value, so a new leg counts as changed.
    row[right] =
      known?.series === series
        ? known
        : { series, facts: new Float64Array(FACTS).fill(Number.NaN), json: 'null' };
  }

  #rowChanges(): Change[] {
    const changes: Change[] = [];
    for (const row of this.#rows.values()) {
      const hasChanged = [this.#refresh(row.call), this.#refresh(row.put)].includes(true);
      if (hasChanged) changes.push(rowChange(row));
    }
    return changes;
  }

  /** Returns true if the leg shows something else than before. */
  #refresh(leg: Leg | null): boolean {
    if (leg === null) return false;
    const { facts, series } = leg;
    const now = this.#now;
    writeFacts(series, this.#state.ts, now, 0);
    if (now.every((fact, i) => Object.is(fact, facts[i]))) return false;
    facts.set(now);
    const { json } = leg;
    leg.json = isTradable(series, this.#state.ts) ? JSON.stringify(chainLegView(series)) : 'null';
    return leg.json !== json;
  }
}

function isShown({ call, put }: Row): boolean {
  return (call?.json ?? 'null') !== 'null' || (put?.json ?? 'null') !== 'null';
}

/** A row without call and put is gone. */
function rowChange(row: Row): Change {
  return { member: 'rows', key: row.strike, json: rowJson(row) };
}

function rowJson({ strike, call, put }: Row): string {
  return `{"strike":${strike},"call":${call?.json ?? null},"put":${put?.json ?? null}}`;
}
