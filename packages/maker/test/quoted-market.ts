/** The real exchange with a price for BTC, an account that trades there, and makers with quote sets. */

import type { TestContext } from 'node:test';
import type { Environment } from '@venue/config';
import { type Hex, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../exchange/test/support.ts';
import { Parameters } from '../src/parameters.ts';
import { runMaker } from '../src/run.ts';
import { shippedFile } from './market.ts';

export const FROZEN_MS = 400;
/** Contracts at the best price, and of the whole allowance. */
export const [SIZE, ALLOWANCE] = [1, 4];

export class QuotedMarket {
  readonly venue: LocalVenue;
  readonly atTheMoney: string;
  readonly expiryTs: number;
  readonly keys: readonly Hex[];
  /** The account of the first key, beside its maker. */
  readonly maker: VenueClient;
  readonly taker: VenueClient;

  private constructor(parts: Pick<QuotedMarket, 'venue' | 'atTheMoney' | 'expiryTs' | 'keys'>) {
    const { url } = parts.venue;
    this.venue = parts.venue;
    this.atTheMoney = parts.atTheMoney;
    this.expiryTs = parts.expiryTs;
    this.keys = parts.keys;
    this.maker = new VenueClient({ url });
    this.taker = new VenueClient({ url });
  }

  /** A market with wallets for so many makers, none of which quotes yet. */
  static async open(makers = 1, env: Environment = {}): Promise<QuotedMarket> {
    const keys = Array.from({ length: makers }, () => randomPrivateKey());
    const venue = await pricedVenue({
      VENUE_SYMBOLS: 'BTC:crypto',
      VENUE_MARK_MAKERS: keys.map((key) => walletFromPrivateKey(key).address).join(','),
      VENUE_PAPER_MAKER_CASH: '10000000',
      // The taker shorts more than the usual cash carries.
      VENUE_PAPER_CASH: '1000000',
      ...env,
    });
    const { expiryTs, seriesId: atTheMoney } = await venue.listed('BTC');
    const market = new QuotedMarket({ venue, atTheMoney, expiryTs, keys });
    await market.maker.auth.signIn(walletFromPrivateKey(keys[0]!));
    await market.taker.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    await market.taker.orders.setMargin(true);
    return market;
  }

  close(): Promise<void> {
    return this.venue.exchange.stop();
  }

  /** Keeps the price fresh, however long tests take. */
  async print(): Promise<void> {
    await this.venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
  }

  /** Runs the maker of a key until the test ends, or `end` is called. */
  run(
    test: TestContext,
    { makerToken = null as string | null, walletKey = this.keys[0]!, url = this.venue.url } = {},
  ) {
    const stop = new AbortController();
    const lines: string[] = [];
    const config = {
      walletKeys: [{ symbol: null, key: walletKey }],
      ...{ url, makerToken, tickMs: 50, paceMs: 100, metricsPort: null, parameters: parameters() },
    };
    const ended = runMaker({ config, signal: stop.signal, log: (line) => lines.push(line) });
    const end = async () => {
      stop.abort();
      await ended;
    };
    test.after(end);
    return { lines, end };
  }

  async ownSet() {
    return (await this.maker.quotes.sets())[0];
  }

  async ask() {
    return (await this.taker.market.book(this.atTheMoney)).asks[0];
  }

  /**
   * The taker's order beyond the maker's value: it takes what stands there, and is in the way with so many sizes.
   * Resolves with its id.
   */
  async restBeyond(side: 'buy' | 'sell', sizes: number): Promise<number> {
    const { asks, bids } = await this.taker.market.book(this.atTheMoney);
    const met = side === 'buy' ? asks : bids;
    const price = Math.round(met[0]!.price * (side === 'buy' ? 102 : 98)) / 100;
    const quoted = met.reduce((sum, { qty }) => sum + qty, 0);
    const qty = Math.min(quoted, ALLOWANCE) + sizes * SIZE;
    return (await this.taker.orders.place({ seriesId: this.atTheMoney, side, qty, price })).orderId;
  }

  /** True once the taker's orders have left, and quotes of both sides stand. */
  async isClear(): Promise<true | undefined> {
    const { bids, asks } = await this.taker.market.book(this.atTheMoney);
    const { openOrders } = await this.taker.account.me();
    return openOrders.length === 0 && bids.length > 0 && asks.length > 0 ? true : undefined;
  }
}

function parameters(): Parameters {
  const file = shippedFile();
  const crypto = file.classes!.crypto as { protection: object };
  crypto.protection = { sizes: ALLOWANCE / SIZE, windowMs: 100, frozenMs: FROZEN_MS };
  return new Parameters(file, new Map([['BTC', 'crypto']]));
}
