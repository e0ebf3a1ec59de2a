/** The market of a log on a day, read off entry by entry without the history, as lines of CSV. */

import { apply, createState, decodeEntry, NO_EFFECTS } from '@venue/engine';
import type { Log } from '@venue/log';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Candle {
  readonly kind: 'spot' | 'trade';
  readonly name: string;
  readonly minute: number;
  readonly prices: number[];
  volume: number | null;
}

type Table = 'trades' | 'candles-1m' | 'settlements';
type Tables = Readonly<Record<Table, string>>;

/** The files of the days that are over, by name. A day without a row has none. */
export async function naiveDays(log: Log): Promise<Map<string, Tables>> {
  const days = new Map<string, NaiveDay>();
  const state = createState();
  const dayNow = () => {
    const name = iso(state.ts).slice(0, 10);
    const day = days.get(name) ?? new NaiveDay();
    days.set(name, day);
    return day;
  };
  /** The accounts of the last two rows of fills, which are the two sides of what is printed next. */
  let sides: number[] = [];
  const { seq: head } = await log.head();
  const follower = log.follow(1, (entries) => {
    for (const entry of entries)
      apply(state, decodeEntry(entry), {
        ...NO_EFFECTS,
        filled: ({ index }) => {
          sides = [...sides.slice(-1), index];
        },
        printed: ({ series: { seriesId, instrument }, priceMicros, qtyMicros, side }) => {
          const day = dayNow();
          const { ts, lastFillId } = state;
          const isSelf = sides[0] === sides[1];
          const amounts = `${plain(qtyMicros)},${plain(priceMicros)}`;
          day.trades.push(
            `${lastFillId},${iso(ts)},${seriesId},${instrument.symbol},${side},${amounts},${Number(isSelf)}`,
          );
          if (!isSelf) day.add({ kind: 'trade', name: seriesId }, ts, priceMicros, qtyMicros);
        },
        spotMoved: (symbol) =>
          dayNow().add(
            { kind: 'spot', name: symbol },
            state.ts,
            state.instruments.get(symbol)!.spotMicros,
            null,
          ),
        settled: ({ instrument, expiryTs, priceMicros, by, dispersionMicroBps }) => {
          const decided = `${iso(expiryTs * 1_000)},${iso(state.ts)},${plain(priceMicros!)},${by}`;
          const dispersion = dispersionMicroBps === null ? '' : plain(dispersionMicroBps);
          dayNow().settlements.push(`${instrument.symbol},${decided},${dispersion}`);
        },
      });
  });
  await follower.caughtUp;
  follower.stop();
  if (state.seq !== head) throw new Error(`read up to ${state.seq} of ${head}`);
  days.delete(iso(state.ts).slice(0, 10));
  return new Map([...days].sort().map(([name, day]) => [name, day.tables()]));
}

class NaiveDay {
  readonly trades: string[] = [];
  readonly settlements: string[] = [];
  readonly #candles: Candle[] = [];

  add({ kind, name }: Pick<Candle, 'kind' | 'name'>, ts: number, price: number, qty: number | null): void {
    const minute = Math.floor((ts % DAY_MS) / MINUTE_MS);
    const at = ts - (ts % DAY_MS) + minute * MINUTE_MS;
    let candle = this.#candles.find((one) => one.kind === kind && one.name === name && one.minute === at);
    if (candle === undefined) {
      candle = { kind, name, minute: at, prices: [], volume: qty === null ? null : 0 };
      this.#candles.push(candle);
    }
    candle.prices.push(price);
    if (qty !== null) candle.volume! += qty;
  }

  tables(): Tables {
    const candles = this.#candles
      .map((one) => ({ ...one, order: `${one.kind} ${one.name} ${iso(one.minute)}` }))
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .map(({ kind, name, minute, prices, volume }) => {
        const sorted = prices.toSorted((a, b) => a - b);
        const [o, h, l, c] = [prices[0]!, sorted.at(-1)!, sorted[0]!, prices.at(-1)!];
        const shown = [o, h, l, c].map(plain).join();
        return `${kind},${name},${iso(minute)},${shown},${volume === null ? '' : plain(volume)}`;
      });
    return {
      trades: file('id,time,seriesId,symbol,side,qty,price,self', this.trades),
      'candles-1m': file('kind,name,time,open,high,low,close,volume', candles),
      settlements: file('symbol,expiry,time,price,by,dispersionBps', this.settlements.sort()),
    };
  }
}

function file(header: string, lines: readonly string[]): string {
  return [header, ...lines].map((line) => `${line}\n`).join('');
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A decimal without an exponent. */
export function plain(micros: number): string {
  const text = String(BigInt(micros)).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, '');
}
