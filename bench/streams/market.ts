/**
 * The market behind the streams benchmark: quoted series on ten symbols, and a hundred accounts that take from them.
 */

import assert from 'node:assert/strict';
import type { Series } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { postOf, RawConnection } from '../shared/connection.ts';
import { SECRETS } from '../shared/exchange.ts';
import type { WatchedExchange } from '../shared/exchange-process.ts';
import { ACCOUNTS, accountOf, FILLS_A_TICK, fillOf, qtyMicrosOf, SYMBOLS, sharedMs, spotOf } from './plan.ts';

const BID = 4;
const ASK = 5;
const QUOTED_QTY = 100;
/** Resting orders of the non-reading clients' account: an `orders` frame this large soon fills their connections. */
const OWN_ORDERS = 3_000;
const OWN_PRICE = 1;
const OWN_QTY = 0.01;
/** Orders in flight while they are placed. */
const PLACING = 8;

export class StreamsMarket {
  readonly tokens: readonly string[];
  /** From an order's planned time to its answer. */
  orderMs: number[] = [];
  /** Token of an account whose orders change every tick, for the clients that do not read. */
  slowToken: string | null = null;
  readonly #url: string;
  readonly #seriesIds: readonly string[];
  /** One for each fill of a tick, one for prices, and one for that account. */
  #lanes: readonly Lane[] = [];

  private constructor(parts: {
    url: string;
    tokens: readonly string[];
    seriesIds: readonly string[];
  }) {
    this.#url = parts.url;
    this.tokens = parts.tokens;
    this.#seriesIds = parts.seriesIds;
  }

  static async open(exchange: WatchedExchange): Promise<StreamsMarket> {
    await exchange.print(new Map(SYMBOLS.map((symbol, i) => [symbol, spotOf(i, -1)])));
    const lists = await Promise.all(SYMBOLS.map((symbol) => exchange.listed(symbol)));
    const series = Array.from({ length: FILLS_A_TICK }, (_, lane) => {
      const list = lists[lane % SYMBOLS.length]!;
      // From the second half, as the first expiry may end during the run.
      return list[Math.floor(list.length / 2) + Math.floor(lane / SYMBOLS.length)]!;
    });
    await quote(exchange, series);
    return new StreamsMarket({
      url: exchange.url,
      tokens: await Promise.all(Array.from({ length: ACCOUNTS }, () => signIn(exchange.url))),
      seriesIds: series.map(({ seriesId }) => seriesId),
    });
  }

  /** Opens the connections of the ticks, just before the first: the exchange ends one that sends nothing for 20 s. */
  async connect(): Promise<void> {
    this.#lanes = await lanesTo(this.#url, FILLS_A_TICK + 2);
  }

  /**
   * Sends everything of a tick together, and resolves once all of it is answered; the next tick need not wait for that.
   */
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

  /** Opens an account for the non-reading clients, with many resting orders and one more each tick. */
  async openSlow(): Promise<void> {
    const token = await signIn(this.#url);
    const lanes = await lanesTo(this.#url, PLACING);
    const each = Array.from({ length: OWN_ORDERS / PLACING });
    await Promise.all(lanes.flatMap((lane) => each.map(() => this.#rest(lane, token))));
    for (const lane of lanes) lane.close();
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

/** A connection whose requests each wait for the previous answer. */
class Lane {
  readonly #connection: RawConnection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** The beginning of the answer; rejects unless it is a 200. */
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

async function lanesTo(url: string, count: number): Promise<Lane[]> {
  const opening = Array.from({ length: count }, () => RawConnection.open(url));
  return (await Promise.all(opening)).map((connection) => new Lane(connection));
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
