/** A venue whose prices and only other trader are the test's own, so that marks stand where they are put. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '@venue/protocol';
import { FeedWrites, randomPrivateKey, Transport, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalTerminal, startTerminal } from './browser.ts';

const FEED_TOKEN = 'feed-token-of-the-test';
const SPOT = 100_000;
const PRINT_EVERY_MS = 1_000;
/** Series are listed, and accounts swept, on a tick. */
const FIRST_TICK_MS = '200';

export type Calls = readonly [string, string, string];

export interface Trader {
  readonly client: VenueClient;
  readonly key: Hex;
}

export class OwnMarket {
  #terminal: LocalTerminal;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #feed: NodeJS.Timeout;
  readonly #traders: VenueClient[] = [];
  /** The other side of every trade: an account a series. */
  #makers = new Map<string, VenueClient>();
  /** Calls at the money of the first three expiries. */
  readonly calls: Calls;

  private constructor(
    terminal: LocalTerminal,
    env: Readonly<Record<string, string>>,
    { folder, calls }: { folder: string; calls: Calls },
  ) {
    this.#terminal = terminal;
    this.#env = env;
    this.#folder = folder;
    this.calls = calls;
    const print = () => printSpot(terminal.url).catch(() => {});
    this.#feed = setInterval(() => void print(), PRINT_EVERY_MS);
  }

  /** With everything listed already, and the first tick a whole `maintenanceMs` away. */
  static async start(maintenanceMs: number, env: Readonly<Record<string, string>>): Promise<OwnMarket> {
    const folder = mkdtempSync(join(tmpdir(), 'venue-market-'));
    const common = {
      VENUE_SYMBOLS: 'BTC:crypto',
      VENUE_FEED_TOKEN: FEED_TOKEN,
      VENUE_LOG: `sqlite:${folder}/venue.db`,
      ...env,
    };
    const listing = await startTerminal('exchange', { ...common, VENUE_MAINTENANCE_MS: FIRST_TICK_MS });
    await printSpot(listing.url);
    const calls = await callsAtTheMoney(listing.url);
    listing.launched.process.kill();
    await listing.launched.exits(10_000);
    listing.end();
    const standing = { ...common, VENUE_MAINTENANCE_MS: String(maintenanceMs) };
    const terminal = await startTerminal('exchange', standing);
    await printSpot(terminal.url);
    return new OwnMarket(terminal, standing, { folder, calls });
  }

  /** Starts the venue again, on its log and with more in its environment; nobody prints a price from then on. */
  async restartWithoutFeed(env: Readonly<Record<string, string>>): Promise<void> {
    clearInterval(this.#feed);
    const { launched } = this.#terminal;
    launched.process.kill();
    await launched.exits(10_000);
    this.#terminal.end();
    this.#terminal = await startTerminal('exchange', { ...this.#env, ...env });
  }

  get url(): string {
    return this.#terminal.url;
  }

  end(): void {
    clearInterval(this.#feed);
    this.#terminal.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Nobody has an order in a book any more, but for what is quoted of one series; who will quote has all their capital. */
  async clear(butSeriesId: string): Promise<void> {
    const kept = this.#makers.get(butSeriesId);
    for (const trader of this.#traders) if (trader !== kept) await trader.orders.cancel();
    this.#makers = new Map(kept === undefined ? [] : [[butSeriesId, kept]]);
  }

  /** Replaces what is quoted of a series: dollars, `qty` contracts a side; null quotes no such side. */
  async quote(seriesId: string, bid: number | null, ask: number | null, qty = 1): Promise<void> {
    const maker = this.#makers.get(seriesId) ?? (await this.trader()).client;
    this.#makers.set(seriesId, maker);
    await maker.orders.cancel();
    const { positions } = await maker.account.me();
    if (positions.length === 0) await maker.orders.setMargin(true);
    if (ask !== null) await placed(maker, { seriesId, side: 'sell', price: ask, qty });
    if (bid !== null) await placed(maker, { seriesId, side: 'buy', price: bid, qty });
  }

  /** A new account with a key that a page can be given, too. */
  async trader(): Promise<Trader> {
    const key = randomPrivateKey();
    const client = new VenueClient({ url: this.url });
    await client.auth.approveSession(walletFromPrivateKey(key));
    this.#traders.push(client);
    return { client, key };
  }
}

/** Throws the venue's reason where an order is declined. */
export async function placed(
  client: VenueClient,
  terms: Parameters<VenueClient['orders']['place']>[0],
): Promise<void> {
  const answer = await client.orders.place(terms);
  if (answer.status === 'rejected') throw new Error(answer.reason);
}

async function printSpot(url: string): Promise<void> {
  const sources = ['a', 'b', 'c'];
  const feed = new FeedWrites(new Transport({ url }), FEED_TOKEN);
  await feed.prints(sources.map((source) => ({ symbol: 'BTC', source, price: SPOT })));
}

async function callsAtTheMoney(url: string): Promise<Calls> {
  const client = new VenueClient({ url });
  for (;;) {
    const series = await client.market.series('BTC');
    const [first, second, third] = series
      .filter(({ seriesId, strike }) => strike === SPOT && seriesId.includes('-C-'))
      .sort((a, b) => a.expiryTs - b.expiryTs);
    if (first !== undefined && second !== undefined && third !== undefined)
      return [first.seriesId, second.seriesId, third.seriesId];
    await sleep(100);
  }
}
