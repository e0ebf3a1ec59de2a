/**
 * A real exchange that serves the terminal, and a maker that requotes every series of one underlying four times a second.
 * A second underlying stands still, to turn to.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Series } from '@venue/protocol';
import { buildTerminal } from '@venue/web/build';
import { type Connection, pushOf, type Row, rowsOf } from '../shared/exchange.ts';
import { WatchedExchange } from '../shared/exchange-process.ts';

const SYMBOL = 'BTC';
const SPOT = 60_000;
export const OTHER_SYMBOL = 'ETH';
const OTHER_SPOT = 3_000;
const PUSH_EVERY_MS = 250;
/** About half a spread, so that some moves flash and some do not. */
const MOVE_MICROS = 400_000;

export class TerminalMarket {
  readonly exchange: WatchedExchange;
  readonly #maker: Connection;
  /** Those of the first underlying. */
  readonly series: readonly Series[];
  #isEnded = false;
  #pushing: Promise<void> | null = null;

  private constructor(exchange: WatchedExchange, series: readonly Series[], maker: Connection) {
    this.exchange = exchange;
    this.series = series;
    this.#maker = maker;
  }

  /** Starts it, with quotes that move until `end`. */
  static async start(folder: string): Promise<TerminalMarket> {
    const { folder: pages } = await buildTerminal();
    const exchange = await WatchedExchange.start({
      logPath: `${folder}/venue.db`,
      symbols: `${SYMBOL}:crypto,${OTHER_SYMBOL}:crypto`,
      env: { VENUE_TERMINAL: pages },
    });
    try {
      await exchange.print(spots(0));
      const series = await exchange.listed(SYMBOL);
      const market = new TerminalMarket(exchange, series, await exchange.maker('terminal'));
      await market.#push(await exchange.listed(OTHER_SYMBOL), 0);
      await market.#push(series, 0);
      market.#pushing = market.#pushAll();
      return market;
    } catch (error) {
      exchange.end();
      throw error;
    }
  }

  get url(): string {
    return this.exchange.url;
  }

  /** Throws when a push was refused. */
  async end(): Promise<void> {
    this.#isEnded = true;
    try {
      await this.#pushing;
    } finally {
      this.#maker.close();
      this.exchange.end();
    }
  }

  async #pushAll(): Promise<void> {
    const startMs = performance.now();
    for (let n = 1; !this.#isEnded; n++) {
      await this.#push(this.series, n);
      // Keeps the price fresh for the whole benchmark.
      if (n % 20 === 0) await this.exchange.print(spots(n));
      await sleep(Math.max(0, startMs + n * PUSH_EVERY_MS - performance.now()));
    }
  }

  async #push(series: readonly Series[], n: number): Promise<void> {
    const rows = rowsOf(series, n % 100).map((row, i) => moved(row, n, i));
    const { errors } = await this.#maker.push(pushOf('binary', rows));
    if (errors !== 0) throw new Error(`${errors} quotes were refused`);
  }
}

function spots(n: number): ReadonlyMap<string, number> {
  return new Map([
    [SYMBOL, SPOT + (n % 7)],
    [OTHER_SYMBOL, OTHER_SPOT],
  ]);
}

/** Changes every number of the contract since the last push: prices, sizes, volatility, delta. */
function moved(row: Row, n: number, i: number): Row {
  const move = Math.round((Math.sin(n * 1.7 + i) * MOVE_MICROS) / 10_000) * 10_000;
  const qty = 10_000 * (1 + ((n + i) % 40));
  const levels = (side: Row['bids']) =>
    side.map(([price, size], k) => [price + move, k === 0 ? qty : size] as const);
  return {
    ...row,
    bids: levels(row.bids) as Row['bids'],
    asks: levels(row.asks) as Row['asks'],
    iv: 0.4 + ((n * 3 + i) % 200) / 1_000,
    delta: (((n * 3 + i) % 90) + 5) / 100,
  };
}
