/**
 * Last price and volume of a day of each series, without what an account traded with itself (HIS-1): read once from the
 * history when somebody asks for an underlying, and followed from then on (HIS-3).
 */

import type { Instrument, Sid, State, TapePrint } from '@venue/engine';
import type { History } from '../history/history.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

interface SeriesDay {
  lastMicros: number;
  volumeMicros: number;
  /** Traded by minute, the oldest first. */
  readonly minutes: { readonly minute: number; qtyMicros: number }[];
}

interface SymbolDay {
  /** Null while the history is being read; what is printed meanwhile waits. */
  series: Map<Sid, SeriesDay> | null;
  readonly waiting: { readonly seq: number; readonly print: TapePrint }[];
  readonly ready: Promise<void>;
}

export interface DayTradesOptions {
  readonly state: State;
  readonly history: Pick<History, 'read'> | null;
}

/** The part of a ticker that comes from the trades of a series; null where the node cannot tell. */
export interface DayOfSeries {
  readonly lastMicros: number | null;
  readonly volumeMicros: number | null;
}

const UNKNOWN: DayOfSeries = { lastMicros: null, volumeMicros: null };
const NO_TRADES: DayOfSeries = { lastMicros: null, volumeMicros: 0 };

export class DayTrades {
  readonly #options: DayTradesOptions;
  readonly #symbols = new Map<string, SymbolDay>();

  constructor(options: DayTradesOptions) {
    this.#options = options;
  }

  /** Call with every print, after the replay. */
  printed(print: TapePrint): void {
    const day = this.#symbols.get(print.series.instrument.symbol);
    if (day === undefined || print.isSelf) return;
    if (day.series === null) day.waiting.push({ seq: this.#options.state.seq, print });
    else addPrint(day.series, print);
  }

  /** Resolves once the trades of an underlying are known, or cannot be: they stay unknown then until the next call. */
  ready(instrument: Instrument): Promise<void> {
    const { symbol } = instrument;
    const known = this.#symbols.get(symbol);
    if (known !== undefined) return known.ready;
    const { promise, resolve } = Promise.withResolvers<void>();
    const day: SymbolDay = { series: null, waiting: [], ready: promise };
    this.#symbols.set(symbol, day);
    this.#read(instrument, day)
      .catch(() => this.#symbols.delete(symbol))
      .finally(resolve);
    return promise;
  }

  /** The last 1,440 minutes by the log's time, the one under way included. */
  of({ sid, instrument }: { readonly sid: Sid; readonly instrument: Instrument }): DayOfSeries {
    const series = this.#symbols.get(instrument.symbol)?.series ?? null;
    if (series === null) return UNKNOWN;
    const day = series.get(sid);
    if (day === undefined) return NO_TRADES;
    forgetBefore(day, this.#firstMinute());
    return day;
  }

  #firstMinute(): number {
    return Math.floor(this.#options.state.ts / MINUTE_MS) - DAY_MINUTES + 1;
  }

  async #read({ series: listed }: Instrument, day: SymbolDay): Promise<void> {
    const { history } = this.#options;
    if (history === null) throw new Error('there is no history');
    const sids = listed.map(({ sid }) => sid);
    const { seq, series } = await history.read('dayTrades', { sids, fromMinute: this.#firstMinute() });
    const days = new Map<Sid, SeriesDay>();
    for (const { sid, lastMicros, minutes } of series) {
      const volumeMicros = minutes.reduce((sum, { qtyMicros }) => sum + qtyMicros, 0);
      days.set(sid as Sid, { lastMicros, volumeMicros, minutes: minutes.map((minute) => ({ ...minute })) });
    }
    for (const waited of day.waiting.splice(0)) if (waited.seq > seq) addPrint(days, waited.print);
    day.series = days;
  }
}

function addPrint(days: Map<Sid, SeriesDay>, { series, ts, priceMicros, qtyMicros }: TapePrint): void {
  const day = days.get(series.sid) ?? { lastMicros: priceMicros, volumeMicros: 0, minutes: [] };
  days.set(series.sid, day);
  const minute = Math.floor(ts / MINUTE_MS);
  const newest = day.minutes.at(-1);
  if (newest?.minute === minute) newest.qtyMicros += qtyMicros;
  else day.minutes.push({ minute, qtyMicros });
  day.volumeMicros += qtyMicros;
  day.lastMicros = priceMicros;
}

function forgetBefore(day: SeriesDay, firstMinute: number): void {
  while (day.minutes.length > 0 && day.minutes[0]!.minute < firstMinute)
    day.volumeMicros -= day.minutes.shift()!.qtyMicros;
}
