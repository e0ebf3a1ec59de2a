/** The market behind the streams benchmark: quoted series on ten symbols, and a hundred accounts that take from them. */

import assert from 'node:assert/strict';
import type { Series } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { eventually } from '../../tests/e2e/launched.ts';
import { postOf, RawConnection } from '../shared/connection.ts';
import { SECRETS } from '../shared/exchange.ts';
import type { WatchedExchange } from '../shared/exchange-process.ts';
import { ACCOUNTS, accountOf, FILLS_A_TICK, fillOf, qtyMicrosOf, SYMBOLS, sharedMs, spotOf } from './plan.ts';

const LISTING_LIMIT_MS = 20_000;
const BID = 4;
const ASK = 5;
const QUOTED_QTY = 100;
/** Of the account of those who do not read: an `orders` frame of so many is what fills their connections soon. */
const OWN_ORDERS = 3_000;
const OWN_PRICE = 1;
const OWN_QTY = 0.01;
/** At a time, when they are placed. */
const PLACING = 8;

export class StreamsMarket {
  readonly tokens: readonly string[];
  /** From the planned moment of an order to its answer. */
  orderMs: number[] = [];
  /** Of an account whose orders change every tick, for those who do not read. */
  slowToken: string | null = null;
  readonly #url: string;
  readonly #seriesIds: readonly string[];
  /** One for each fill of a tick, one for prices, and one for that account. */
  readonly #lanes: readonly Lane[];

  private constructor(parts: {
    url: string;
    tokens: readonly string[];
    seriesIds: readonly string[];
    lanes: readonly Lane[];
  }) {
    this.#url = parts.url;
    this.tokens = parts.tokens;
    this.#seriesIds = parts.seriesIds;
    this.#lanes = parts.lanes;
  }

  static async open(exchange: WatchedExchange): Promise<StreamsMarket> {
    await exchange.print(new Map(SYMBOLS.map((symbol, i) => [symbol, spotOf(i, -1)])));
    const lists = await Promise.all(SYMBOLS.map((symbol) => seriesOf(exchange, symbol)));
    const series = Array.from({ length: FILLS_A_TICK }, (_, lane) => {
      const list = lists[lane % SYMBOLS.length]!;
      // Of the second half, as the first expiry may end meanwhile.
      return list[Math.floor(list.length / 2) + Math.floor(lane / SYMBOLS.length)]!;
    });
    await quote(exchange, series);
    const lanes = Array.from({ length: FILLS_A_TICK + 2 }, () => RawConnection.open(exchange.url));
    return new StreamsMarket({
      url: exchange.url,
      tokens: await Promise.all(Array.from({ length: ACCOUNTS }, () => signIn(exchange.url))),
      seriesIds: series.map(({ seriesId }) => seriesId),
      lanes: (await Promise.all(lanes)).map((connection) => new Lane(connection)),
    });
  }

  /** Sends what belongs to a tick at once, and resolves when all of it is answered, which a next tick need not wait for. */
  async send(tick: number, plannedMs: number): Promise<void> {
    const orders = this.#seriesIds.map(async (seriesId, lane) => {
      const fill = fillOf(tick, lane);
      const terms = { seriesId, side: 'buy', qty: qtyMicrosOf(fill) / 1e6 };
      const token = this.tokens[accountOf(fill)]!;
      const answer = await this.#lanes[lane]!.send(postOf('/v1/order', terms, { 'x-paper-token': token }));
      assert.match(answer, /^\{"status":"filled"/);
      this.orderMs.push(sharedMs() - plannedMs);
    });
    const prints = SYMBOLS.map((symbol, i) => ({ symbol, source: 'a', price: spotOf(i, tick) }));
    const headers = { 'x-feed-token': SECRETS.VENUE_FEED_TOKEN };
    const moves = this.#lanes[FILLS_A_TICK]!.send(postOf('/v1/feed/prints', { prints }, headers));
    await Promise.all([...orders, moves, this.slowToken && this.#rest(this.#lanes.at(-1)!, this.slowToken)]);
  }

  /** Gives those who do not read an account of their own, with many resting orders, to which each tick adds one. */
  async openSlow(): Promise<void> {
    const token = await signIn(this.#url);
    const lanes = this.#lanes.slice(0, PLACING);
    const each = Array.from({ length: OWN_ORDERS / PLACING });
    await Promise.all(lanes.flatMap((lane) => each.map(() => this.#rest(lane, token))));
    this.slowToken = token;
  }

  async #rest(lane: Lane, token: string): Promise<void> {
    const terms = { seriesId: this.#seriesIds[0]!, side: 'buy', qty: OWN_QTY, price: OWN_PRICE };
    assert.match(
      await lane.send(postOf('/v1/order', terms, { 'x-paper-token': token })),
      /^\{"status":"rested"/,
    );
  }

  close(): void {
    for (const lane of this.#lanes) lane.close();
  }
}

/** A connection on which requests wait for the answer to the one before. */
class Lane {
  readonly #connection: RawConnection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** The beginning of the answer; rejects for any but a 200. */
  send(request: Buffer): Promise<string> {
    const answered = this.#last.then(async () => {
      const { status, body } = await this.#connection.send(request);
      assert.equal(status, 200, `${body}`);
      return body.toString('latin1', 0, 100);
    });
    this.#last = answered;
    return answered;
  }

  close(): void {
    this.#connection.close();
  }
}

function seriesOf(exchange: WatchedExchange, symbol: string): Promise<Series[]> {
  return eventually(
    `a listing of ${symbol}`,
    async () => {
      const found = await exchange.client.market.series(symbol);
      return found.length > 0 && found;
    },
    LISTING_LIMIT_MS,
  );
}

async function quote({ client }: WatchedExchange, series: readonly Series[]): Promise<void> {
  const maker = client.maker(SECRETS.VENUE_MAKER_TOKEN);
  const { session } = await maker.session('streams');
  const { applied } = await maker.quotes(
    session,
    series.map(({ sid }) => [sid, [[BID, QUOTED_QTY]], [[ASK, QUOTED_QTY]]]),
  );
  assert.equal(applied, series.length);
}

async function signIn(url: string): Promise<string> {
  const client = new VenueClient({ url });
  await client.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  return client.token!;
}
