/** Quotes in the sets of several accounts, one for each underlying, as an account has room for the levels of one (QTS-2). */

import type { FillRecord } from '@venue/protocol';
import type { Holdings } from './inventory.ts';
import type { Listening, News, Pushed, QuoteLine } from './quote-line.ts';
import type { Change } from './quoter.ts';

/** An account's way to the venue, and the underlying that it is for. */
export interface AccountLine {
  /** Null for an account that no underlying is named for. */
  readonly symbol: string | null;
  readonly line: QuoteLine;
}

export class AccountLines implements QuoteLine {
  readonly #lines: readonly QuoteLine[];
  readonly #bySymbol: ReadonlyMap<string | null, QuoteLine>;
  /** Ids of the last fills that were read. Those of one account may come before earlier ones of another. */
  #cursors = new Map<QuoteLine, number>();

  /** The first account also quotes the underlyings that are no account's own. */
  constructor(accounts: readonly AccountLine[]) {
    this.#lines = accounts.map(({ line }) => line);
    this.#bySymbol = new Map(accounts.map(({ symbol, line }) => [symbol, line]));
  }

  levelsMaxOf(symbol: string, symbols: readonly string[]): number {
    const line = this.#lineOf(symbol);
    return line.levelsMaxOf(
      symbol,
      symbols.filter((other) => this.#lineOf(other) === line),
    );
  }

  async open(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.open()));
  }

  /** Prices are the same for all accounts, so one listens for them. */
  async listen(news: News, after: number): Promise<Listening> {
    const ofOthers: News = { ...news, spots: () => {} };
    const streams = await Promise.all(
      this.#lines.map((line, i) => line.listen(i === 0 ? news : ofOthers, this.#cursors.get(line) ?? after)),
    );
    return {
      get isOpen() {
        return streams.every(({ isOpen }) => isOpen);
      },
      close: () => {
        for (const stream of streams) stream.close();
      },
    };
  }

  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
    const byLine = Map.groupBy(changes, ({ series }) => this.#lineOf(series.symbol));
    return [...byLine].flatMap(([line, rows]) => line.pushesOf(rows));
  }

  push(changes: readonly Change[]): Promise<Pushed> {
    return this.#lineOf(changes[0]!.series.symbol).push(changes);
  }

  async keepAlive(nowMs: number): Promise<readonly string[]> {
    return (await Promise.all(this.#lines.map((line) => line.keepAlive(nowMs)))).flat();
  }

  async holdings(): Promise<readonly Holdings[]> {
    const found = this.#lines.map(async (line) => {
      const own = await line.holdings();
      return own.map((holdings) => ({
        ...holdings,
        quotes: (symbol: string) => this.#lineOf(symbol) === line,
      }));
    });
    return (await Promise.all(found)).flat();
  }

  async fills(after: number): Promise<readonly FillRecord[]> {
    const pages = this.#lines.map(async (line) => {
      const fills = await line.fills(this.#cursors.get(line) ?? after);
      if (fills.length > 0) this.#cursors.set(line, fills.at(-1)!.id);
      return fills;
    });
    return (await Promise.all(pages)).flat().sort((a, b) => a.id - b.id);
  }

  async lastFill(): Promise<number> {
    const ids = await Promise.all(this.#lines.map((line) => line.lastFill()));
    this.#cursors = new Map(this.#lines.map((line, i) => [line, ids[i]!]));
    return Math.max(...ids);
  }

  async pull(): Promise<void> {
    const pulled = await Promise.allSettled(this.#lines.map((line) => line.pull()));
    for (const one of pulled) if (one.status === 'rejected') throw one.reason;
  }

  giveUp(): void {
    for (const line of this.#lines) line.giveUp();
  }

  #lineOf(symbol: string): QuoteLine {
    return this.#bySymbol.get(symbol) ?? this.#lines[0]!;
  }
}
