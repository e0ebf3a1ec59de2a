/**
 * Prices, volatilities and greeks of every series of an underlying. A move of the spot changes all of them, so in a second
 * each is looked at once, a few at every tick, and what changed is sent at its end (STR-3).
 */

import type { Instrument, Series, State } from '@venue/engine';
import { headOf, type Tickers } from '../../views/tickers.ts';
import { type Change, type Content, jsonMembers, NO_CHANGES, valueChange } from './content.ts';
import { type EndReason, endOfUnderlying } from './ends.ts';

const ROUND_MS = 1_000;

type Head = ReturnType<typeof headOf>;

export interface TickerContentOptions {
  readonly state: State;
  readonly instrument: Instrument;
  readonly tickers: Tickers;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

export class TickerContent implements Content {
  readonly #options: TickerContentOptions;
  /** The values last sent of the underlying and of each series. */
  #head: Head;
  readonly #shown = new Map<Series, string>();
  #seq: number;
  /** The series of this round, since when, and how many of them were looked at. */
  #round: readonly Series[] = [];
  #roundAtMs = 0;
  #looked = 0;
  /** The values that differ from those last sent; null for a series that is no longer traded. */
  readonly #found = new Map<Series, string | null>();

  constructor(options: TickerContentOptions) {
    this.#options = options;
    const { state, instrument, tickers } = options;
    this.#head = headOf(state, instrument);
    this.#seq = state.seq;
    for (const series of instrument.series) this.#look(series);
    this.#show();
    this.#beginRound();
    // Until the trades are known, tickers lack what comes from them.
    void tickers.ready(instrument);
  }

  get ended(): EndReason | null {
    return endOfUnderlying(this.#options.instrument);
  }

  snapshot(): string {
    return `${jsonMembers(this.#head)},"tickers":[${[...this.#shown.values()].join(',')}]`;
  }

  changes(): readonly Change[] {
    const { state, elapsedMs } = this.#options;
    const share = (elapsedMs() - this.#roundAtMs) / ROUND_MS;
    const upTo = Math.min(this.#round.length, Math.ceil(this.#round.length * share));
    while (this.#looked < upTo) this.#look(this.#round[this.#looked++]!);
    // Without an entry, a second message could not be told from the first by its number.
    if (share < 1 || state.seq === this.#seq) return NO_CHANGES;
    this.#seq = state.seq;
    this.#findGone();
    this.#beginRound();
    return [...this.#headChanges(), ...this.#show()];
  }

  #beginRound(): void {
    const { instrument, elapsedMs } = this.#options;
    this.#round = instrument.series.slice();
    this.#roundAtMs = elapsedMs();
    this.#looked = 0;
  }

  #look(series: Series): void {
    const json = this.#options.tickers.jsonOf(series);
    if (json === (this.#shown.get(series) ?? null)) this.#found.delete(series);
    else this.#found.set(series, json);
  }

  /** Series that have left the listings. */
  #findGone(): void {
    const listed = new Set(this.#options.instrument.series);
    for (const series of this.#shown.keys()) if (!listed.has(series)) this.#found.set(series, null);
  }

  #show(): Change[] {
    const changes: Change[] = [];
    for (const [series, json] of this.#found) {
      const { seriesId } = series;
      if (json === null) this.#shown.delete(series);
      else this.#shown.set(series, json);
      const shown = json ?? JSON.stringify({ seriesId, gone: true });
      changes.push({ member: 'tickers', key: seriesId, json: shown });
    }
    this.#found.clear();
    return changes;
  }

  #headChanges(): Change[] {
    const { state, instrument } = this.#options;
    const before = this.#head;
    this.#head = headOf(state, instrument);
    const changes: Change[] = [];
    if (this.#head.spot !== before.spot) changes.push(valueChange('spot', this.#head.spot));
    // Outside the window it is null, too, as a member of a delta cannot be taken back.
    const soFar = this.#head.settlementSoFar ?? null;
    if (soFar !== (before.settlementSoFar ?? null)) changes.push(valueChange('settlementSoFar', soFar));
    return changes;
  }
}
