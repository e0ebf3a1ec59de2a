/** One trader of the crowd: a wallet, a session, a style, and a next time. */

import type { Account } from '@venue/protocol';
import { type PlaceResult, UnauthorizedError, VenueClient, type Wallet } from '@venue/sdk';
import { closingOf, POSITIONS_MAX } from './closing.ts';
import type { Market } from './market.ts';
import type { PlaceAction } from './orders.ts';
import type { Random } from './random.ts';
import { openingOf, type Style } from './styles.ts';
import type { View } from './view.ts';

export interface TraderTerms {
  readonly url: string;
  readonly style: Style;
  readonly random: Random;
  readonly market: Market;
  /** The wallet of a generation; the next one comes when one has lost its cash. */
  readonly walletOf: (generation: number) => Wallet;
}

/** The result of one action. */
export interface Done {
  readonly orders: number;
  readonly fills: number;
  readonly resting: number;
  /** Why an order was declined. */
  readonly reason?: string;
}

const NOTHING: Done = { orders: 0, fills: 0, resting: 0 };
const TIMEOUT_MS = 5_000;
const SESSION_MS = 7 * 24 * 3_600_000;
/** With less equity than this, in dollars, there is nothing to trade with. */
const RUINED_USD = 5_000;
const OPEN_ORDERS_MAX = 4;

export class Trader {
  readonly style: Style;
  readonly #terms: TraderTerms;
  #client: VenueClient | null = null;
  #account: Account | null = null;
  #generation = 0;

  constructor(terms: TraderTerms) {
    this.style = terms.style;
    this.#terms = terms;
  }

  /** Closes something or opens something; most often one of the two. */
  async act(nowMs: number): Promise<Done> {
    try {
      const client = this.#client ?? (await this.#open());
      return await this.#trade(client, nowMs);
    } catch (error) {
      // The session has ended, or the venue knows it no more: the next action approves another.
      if (error instanceof UnauthorizedError) this.#client = null;
      throw error;
    }
  }

  /** Takes the resting orders off the books. */
  async leave(): Promise<void> {
    if (this.#client === null || this.#account?.openOrderCount === 0) return;
    await this.#client.with({ timeoutMs: 1_000 }).orders.cancelAll({}, { retryMs: 0 });
  }

  /** Approves a session for the first wallet that is not ruined, and turns margin on where the style writes options. */
  async #open(): Promise<VenueClient> {
    for (; ; this.#generation += 1) {
      const client = new VenueClient({ url: this.#terms.url, timeoutMs: TIMEOUT_MS });
      await client.auth.approveSession(this.#terms.walletOf(this.#generation), { lifetimeMs: SESSION_MS });
      const account = await client.account.me();
      if (account.equity < RUINED_USD && account.positions.length === 0) continue;
      const writes = this.style === 'overwriter' || this.style === 'spreads';
      if (writes && !account.marginEnabled) await client.orders.setMargin(true);
      this.#client = client;
      this.#account = account;
      return client;
    }
  }

  async #trade(client: VenueClient, nowMs: number): Promise<Done> {
    const { random } = this.#terms;
    const account = this.#account ?? (await client.account.me());
    if (account.equity < RUINED_USD && account.positions.length === 0) {
      this.#client = null;
      return NOTHING;
    }
    const closes = account.positions.length > 0 && random.chance(closingChance(account));
    const actions = closes ? await this.#closing(account, nowMs) : await this.#opening(account, nowMs);
    if (actions.length === 0 || account.openOrderCount + actions.length > OPEN_ORDERS_MAX) {
      // Fills and gains of patient orders come without an action of one's own.
      this.#account = random.chance(0.3) ? null : account;
      return NOTHING;
    }
    const answer = await client.orders.batch(actions, { retryMs: TIMEOUT_MS });
    this.#account = answer.account ?? null;
    return doneOf(answer.results);
  }

  async #opening(account: Account, nowMs: number): Promise<PlaceAction[]> {
    const { random, market } = this.#terms;
    const symbol = this.style === 'momentum' ? market.liveliest?.symbol : random.pick(market.symbols);
    if (symbol === undefined) return [];
    const expiryTs = await market.expiry(symbol, random, nowMs);
    if (expiryTs === null) return [];
    const view = await this.#viewOf({ symbol, expiryTs }, account, nowMs);
    return openingOf(this.style, view, random);
  }

  async #closing(account: Account, nowMs: number): Promise<PlaceAction[]> {
    const { random } = this.#terms;
    const position = random.pick(account.positions)!;
    const view = await this.#viewOf(position, account, nowMs);
    const order = closingOf(position, { style: this.style, view, random });
    return order === null ? [] : [order];
  }

  async #viewOf(
    { symbol, expiryTs }: { readonly symbol: string; readonly expiryTs: number },
    account: Account,
    nowMs: number,
  ): Promise<View> {
    const { market } = this.#terms;
    const chain = await market.chain(symbol, expiryTs);
    return { account, chain, move: market.moveOf(symbol), nowMs };
  }
}

/** The fuller the hands, the likelier something is put down. */
function closingChance({ positions, marginCall }: Account): number {
  return marginCall ? 1 : 0.25 + (0.6 * Math.min(positions.length, POSITIONS_MAX)) / POSITIONS_MAX;
}

function doneOf(results: readonly PlaceResult[]): Done {
  const declined = results.find((result) => result.status === 'rejected');
  return {
    orders: results.length,
    fills: results.reduce((sum, { fills }) => sum + fills.length, 0),
    resting: results.filter(({ status }) => status === 'rested').length,
    ...(declined?.reason !== undefined && { reason: declined.reason }),
  };
}
