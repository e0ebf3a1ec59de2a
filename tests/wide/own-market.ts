/** A venue whose prices and counterparties are controlled by the test, so that marks stay where it puts them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '@venue/protocol';
import { FeedWrites, randomPrivateKey, Transport, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalTerminal, startTerminal } from './browser.ts';
import { type Stage, sharedStage } from './stage.ts';

const FEED_TOKEN = 'feed-token-of-the-test';
const SPOT = 100_000;
const PRINT_EVERY_MS = 1_000;
/** Series are listed, and accounts liquidated, on a tick. */
const FIRST_TICK_MS = '200';
/**
 * Between two liquidation ticks: an account is liquidated when called in two of them, which leaves a test enough time to
 * look at a margin call, on a busy machine too.
 */
const TICK_MS = 20_000;
/** Longer than any test: in its last half hour the page treats an expiry in a way of its own. */
const LEFT_MS = 60 * 60_000;

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
  /** The counterparties: one account per series. */
  #makers = new Map<string, VenueClient>();
  /** At-the-money calls of the next three expiries that are at least an hour away. */
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

  /** Starts it with everything listed, and the first tick a whole `maintenanceMs` away. */
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
    await listing.launched.exits();
    listing.end();
    const standing = { ...common, VENUE_MAINTENANCE_MS: String(maintenanceMs) };
    const terminal = await startTerminal('exchange', standing);
    await printSpot(terminal.url);
    return new OwnMarket(terminal, standing, { folder, calls });
  }

  /** Restarts the venue on its log with additional environment variables; nobody prints a price from then on. */
  async restartWithoutFeed(env: Readonly<Record<string, string>>): Promise<void> {
    clearInterval(this.#feed);
    const { launched } = this.#terminal;
    launched.process.kill();
    await launched.exits();
    this.#terminal.end();
    this.#terminal = await startTerminal('exchange', { ...this.#env, ...env });
  }

  get url(): string {
    return this.#terminal.url;
  }

  /** Address of the page with the chain of a series. */
  chainOf(seriesId: string): string {
    return `${this.url}#${expiryOf(seriesId)}`;
  }

  end(): void {
    clearInterval(this.#feed);
    this.#terminal.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Cancels all orders except the quotes of one series; its quoting account has its whole capital. */
  async clear(butSeriesId: string): Promise<void> {
    const kept = this.#makers.get(butSeriesId);
    for (const trader of this.#traders) if (trader !== kept) await trader.orders.cancel();
    this.#makers = new Map(kept === undefined ? [] : [[butSeriesId, kept]]);
  }

  /** Replaces a series' quotes: dollars, `qty` contracts per side; null leaves a side unquoted. */
  async quote(seriesId: string, bid: number | null, ask: number | null, qty = 1): Promise<void> {
    const maker = this.#makers.get(seriesId) ?? (await this.trader()).client;
    this.#makers.set(seriesId, maker);
    await maker.orders.cancel();
    const { positions } = await maker.account.me();
    if (positions.length === 0) await maker.orders.setMargin(true);
    if (ask !== null) await placed(maker, { seriesId, side: 'sell', price: ask, qty });
    if (bid !== null) await placed(maker, { seriesId, side: 'buy', price: bid, qty });
  }

  /** A new account with a key that a page can use too. */
  async trader(): Promise<Trader> {
    const key = randomPrivateKey();
    const client = new VenueClient({ url: this.url });
    await client.auth.approveSession(walletFromPrivateKey(key));
    this.#traders.push(client);
    return { client, key };
  }
}

const starts = new Map<number, () => Promise<OwnMarket>>();

/**
 * A market of so much paper cash an account, for files that name one process. Each begins without quotes; what others
 * traded stays.
 */
export function sharedMarket(paperCash = 100_000): Readonly<Stage<OwnMarket>> {
  const start =
    starts.get(paperCash) ?? (() => OwnMarket.start(TICK_MS, { VENUE_PAPER_CASH: `${paperCash}` }));
  starts.set(paperCash, start);
  const stage = sharedStage(start);
  before(() => stage.venue.clear(''));
  return stage;
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

/** Underlying and expiry of a series, as an address of the page names them. */
export function expiryOf(seriesId: string): string {
  return seriesId.split('-', 2).join('-');
}

async function callsAtTheMoney(url: string): Promise<Calls> {
  const client = new VenueClient({ url });
  for (;;) {
    const series = await client.market.series('BTC');
    const [first, second, third] = series
      .filter(({ strike, right }) => strike === SPOT && right === 'C')
      .filter(({ expiryCutoffMs }) => expiryCutoffMs - Date.now() > LEFT_MS)
      .sort((a, b) => a.expiryTs - b.expiryTs);
    if (first !== undefined && second !== undefined && third !== undefined)
      return [first.seriesId, second.seriesId, third.seriesId];
    await sleep(100);
  }
}
