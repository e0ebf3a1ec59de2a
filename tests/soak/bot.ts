/** A random trader: signed orders near the touch, and an occasional read of its account. */

import type { Account, ChainLeg } from '@venue/protocol';
import { Random } from '@venue/protocol/simulation';
import {
  type Answered,
  type OrderTerms,
  type PlaceResult,
  pause,
  randomPrivateKey,
  type Stream,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';

export interface BotOptions {
  readonly url: string;
  readonly seed: number;
  /** True if it sells short; without margin it sells only what it holds. */
  readonly usesMargin: boolean;
}

/** Counts of requests by result. */
export interface Tally {
  /** Orders by status, the rejected ones by reason. */
  readonly orders: Record<string, number>;
  readonly cancels: number;
  readonly reads: number;
  readonly frames: number;
  /** Results no trader should get: refusals, server errors, lost connections. */
  readonly faults: readonly string[];
}

const MEAN_PAUSE_MS = 2_000;
const CHAIN_EVERY_MS = 5_000;
/** Share of spot within which strikes are traded. */
const STRIKES_WITHIN = 0.06;
/** Maximum premium and value of an order, so that an account lasts for the whole soak. */
const PREMIUM_USD_MAX = 400;
const UNDERLYING_USD_MAX = 2_500;
const FAULTS_KEPT = 20;

const ACTS = [
  ...Array<'passive'>(35).fill('passive'),
  ...Array<'crossing'>(15).fill('crossing'),
  ...Array<'market'>(15).fill('market'),
  ...Array<'cancel'>(20).fill('cancel'),
  ...Array<'cancelAll'>(5).fill('cancelAll'),
  ...Array<'read'>(10).fill('read'),
];
type Act = (typeof ACTS)[number];
type Leg = ChainLeg & { readonly bid: object; readonly ask: object };

export class Bot {
  readonly #client: VenueClient;
  readonly #random: Random;
  readonly #usesMargin: boolean;
  readonly #resting: number[] = [];
  readonly #orders = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly #counts = { cancels: 0, reads: 0, frames: 0 };
  #account: Account | null = null;
  #stream: Stream | null = null;
  #legs: readonly Leg[] = [];
  #spot = 0;
  #symbol = '';
  #chainAtMs = 0;

  constructor({ url, seed, usesMargin }: BotOptions) {
    this.#client = new VenueClient({ url });
    this.#random = new Random(seed);
    this.#usesMargin = usesMargin;
  }

  get tally(): Tally {
    return { orders: Object.fromEntries(this.#orders), ...this.#counts, faults: this.#faults };
  }

  /** Signs in, approves a session key, and listens. */
  async open(): Promise<void> {
    const wallet = walletFromPrivateKey(randomPrivateKey());
    await this.#client.auth.signIn(wallet);
    await this.#client.auth.approveSession(wallet);
    if (this.#usesMargin) await this.#client.orders.setMargin(true);
    this.#stream = await this.#client.stream({
      onFrame: () => {
        this.#counts.frames += 1;
      },
    });
  }

  /** Trades until the signal stops it; pending requests are still answered. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.#random.exponential(MEAN_PAUSE_MS), signal);
      if (!signal.aborted) await this.#act().catch((error: unknown) => this.#fault(error));
    }
    if (this.#stream?.isOpen !== true) this.#fault('the stream ended');
    this.#stream?.close();
  }

  async #act(): Promise<void> {
    await this.#look();
    const act = this.#pick(ACTS);
    if (act === 'cancel') return this.#cancelOne();
    if (act === 'cancelAll') return this.#cancelAll();
    if (act === 'read') return this.#read();
    const terms = this.#terms(act);
    if (terms !== null) this.#note(await this.#client.orders.place(terms));
  }

  /** Switches to another expiry of another symbol every few seconds. */
  async #look(): Promise<void> {
    const nowMs = Date.now();
    if (nowMs - this.#chainAtMs < CHAIN_EVERY_MS && this.#legs.length > 0) return;
    const { market } = this.#client;
    const { instruments } = await market.meta();
    this.#symbol = this.#pick(instruments).symbol;
    const series = await market.series(this.#symbol);
    const expiries = [...new Set(series.map(({ expiryTs }) => expiryTs))];
    const { spot, rows } = await market.chain(this.#symbol, this.#pick(expiries));
    const near = rows.filter(({ strike }) => Math.abs(strike / spot - 1) < STRIKES_WITHIN);
    this.#legs = near.flatMap(({ call, put }) => [call, put].filter(isQuoted));
    this.#spot = spot;
    this.#chainAtMs = nowMs;
  }

  #terms(act: Act): OrderTerms | null {
    if (this.#legs.length === 0) return null;
    const held = this.#account?.positions.find(({ symbol, qty }) => symbol === this.#symbol && qty > 0);
    const closes = held !== undefined && this.#random.uniform() < 0.4;
    const leg = (closes && this.#legs.find(({ seriesId }) => seriesId === held.seriesId)) || null;
    if (leg !== null && held !== undefined) {
      return this.#order(act, leg, { side: 'sell', qty: Math.min(held.qty, this.#quantity(leg)) });
    }
    const side = this.#usesMargin && this.#random.uniform() < 0.5 ? 'sell' : 'buy';
    const opened = this.#pick(this.#legs);
    return this.#order(act, opened, { side, qty: this.#quantity(opened) });
  }

  #order(act: Act, { seriesId, bid, ask }: Leg, order: Pick<OrderTerms, 'side' | 'qty'>): OrderTerms | null {
    const terms = { seriesId, ...order };
    if (bid === null || ask === null) return null;
    if (act === 'market') return terms;
    const [own, other] = order.side === 'buy' ? [bid.price, ask.price] : [ask.price, bid.price];
    // Behind the touch, at it, or inside the spread; or else through the other side.
    const share = act === 'passive' ? this.#random.uniform() * 1.3 - 0.4 : 1.2;
    const price = Math.round((own + (other - own) * share) * 100) / 100;
    return price > 0 ? { ...terms, price } : null;
  }

  #quantity({ ask }: Leg): number {
    const most = Math.min(PREMIUM_USD_MAX / (ask?.price ?? 1), UNDERLYING_USD_MAX / this.#spot);
    return Math.max(1, Math.round(most * this.#random.uniform() * 1_000)) / 1_000;
  }

  #note(answer: Answered<PlaceResult>): void {
    const what = answer.status === 'rejected' ? reasonOf(answer.reason) : answer.status;
    this.#orders.set(what, (this.#orders.get(what) ?? 0) + 1);
    this.#account = answer.account;
    if (answer.status !== 'rejected' && answer.restedQty > 0) this.#resting.push(answer.orderId);
  }

  async #cancelOne(): Promise<void> {
    const [id] = this.#resting.splice(Math.floor(this.#random.uniform() * this.#resting.length), 1);
    if (id === undefined) return;
    // It may have traded meanwhile: then `ok` is false.
    await this.#client.orders.cancelOrder(id);
    this.#counts.cancels += 1;
  }

  async #cancelAll(): Promise<void> {
    await this.#client.orders.cancel(this.#random.uniform() < 0.5 ? [this.#symbol] : undefined);
    this.#counts.cancels += 1;
  }

  async #read(): Promise<void> {
    this.#account = await this.#client.account.me();
    await this.#client.account.fills();
    this.#counts.reads += 1;
  }

  #fault(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (this.#faults.length < FAULTS_KEPT) this.#faults.push(text);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random.uniform() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }
}

function isQuoted(leg: ChainLeg | null): leg is Leg {
  return leg !== null && leg.bid !== null && leg.ask !== null;
}

/** The reason without its amounts. */
function reasonOf(reason: string): string {
  return `rejected: ${reason.replace(/ \(.*/, '')}`;
}
