/** Traders with session keys on an exchange, and the writes they sign in advance. */

import { hash } from 'node:crypto';
import { type Address, batchEnvelope, cancelEnvelope, orderEnvelope, toMicros } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import secp256k1 from 'secp256k1';
import { Random } from '../../packages/engine/sim/random.ts';
import { postOf } from './http.ts';

/** Each trader trades in this many series, shared with others. */
const SERIES_EACH = 4;
const TRADERS_A_SERIES = 16;
/** A trader cancels his resting orders every so many actions, so that they do not accumulate. */
const CANCEL_EVERY = 16;
export const WRITES_PER_ORDER = CANCEL_EVERY / (CANCEL_EVERY - 1);
/** Orders are within this many ticks of one price, buys and sells alike: about half of them trade. */
const PRICE_CENTS = 50_000;
const TICK_CENTS = 50;
const TICKS = 5;
const QTY_STEPS = 10;

export interface Session {
  readonly account: Address;
  readonly sessionKey: Address;
}

/** A signed write in wire format. */
export interface Write {
  readonly bytes: Buffer;
  readonly path: '/v1/order' | '/v1/cancel' | '/v1/batch';
  /** Orders and cancels. */
  readonly actions: number;
  readonly orders: number;
  readonly sessionKey: Address;
  /** Unique per key. */
  readonly nonce: number;
}

interface Trader extends Session {
  readonly secret: Uint8Array;
  readonly series: readonly string[];
  lastNonce: number;
  actions: number;
}

interface Order {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  readonly qty: number;
  readonly price: number;
}

/** A trader's next action; null cancels all resting orders. */
type Action = Order | null;

export class Traders {
  readonly #traders: readonly Trader[];
  readonly #random = new Random(1);
  #turn = 0;

  private constructor(traders: readonly Trader[]) {
    this.#traders = traders;
  }

  /** Opens accounts that may sell short, each with a session key. */
  static async open(url: string, options: { count: number; seriesIds: readonly string[] }): Promise<Traders> {
    const { count, seriesIds } = options;
    const books = Math.max(SERIES_EACH, (count * SERIES_EACH) / TRADERS_A_SERIES);
    const traders: Trader[] = [];
    for (let i = 0; i < count; i++) {
      const series = Array.from({ length: SERIES_EACH }, (_, k) => seriesIds[(i * SERIES_EACH + k) % books]!);
      // Staggered, so that they do not all cancel together.
      traders.push(await openTrader(url, series, i % CANCEL_EVERY));
    }
    return new Traders(traders);
  }

  get sessions(): Session[] {
    return this.#traders.map(({ account, sessionKey }) => ({ account, sessionKey }));
  }

  /** The next writes, trader by trader, of one action each. They must be sent within a minute (SIG-5). */
  sign(count: number): Write[] {
    return this.#writes(count, (trader) => {
      const action = this.#next(trader);
      return action === null ? cancelOf(trader) : orderOf(trader, action);
    });
  }

  /** The same actions as those of `sign`, but with this many under each signature for one venue. */
  signBatches(count: number, { each, venue }: { each: number; venue: string }): Write[] {
    return this.#writes(count, (trader) => {
      const actions = Array.from({ length: each }, () => this.#next(trader));
      return batchOf(trader, venue, actions);
    });
  }

  #writes(count: number, writeOf: (trader: Trader) => Write): Write[] {
    return Array.from({ length: count }, () => {
      const trader = this.#traders[this.#turn]!;
      this.#turn = (this.#turn + 1) % this.#traders.length;
      trader.lastNonce = Math.max(trader.lastNonce + 1, Date.now());
      return writeOf(trader);
    });
  }

  #next(trader: Trader): Action {
    trader.actions += 1;
    if (trader.actions % CANCEL_EVERY === 0) return null;
    const cents = PRICE_CENTS + TICK_CENTS * this.#random.between(-TICKS, TICKS);
    return {
      seriesId: this.#random.pick(trader.series),
      side: this.#random.chance(0.5) ? 'buy' : 'sell',
      qty: this.#random.between(1, QTY_STEPS) / 1_000,
      price: cents / 100,
    };
  }
}

function orderOf(trader: Trader, order: Order): Write {
  const { account, lastNonce: nonce } = trader;
  const { seriesId, side } = order;
  const text = orderEnvelope({ account, seriesId, side, nonce, ...microsOf(order) });
  return { ...writeOf(trader, '/v1/order', { ...order, ...signed(trader, text) }), actions: 1, orders: 1 };
}

function cancelOf(trader: Trader): Write {
  const { account, lastNonce: nonce } = trader;
  const text = cancelEnvelope({ account, symbols: 'all', nonce });
  return { ...writeOf(trader, '/v1/cancel', signed(trader, text)), actions: 1, orders: 0 };
}

function batchOf(trader: Trader, venue: string, actions: readonly Action[]): Write {
  const { account, lastNonce: nonce } = trader;
  const terms = { type: 'place', tif: 'gtc', stp: 'none' } as const;
  const text = batchEnvelope({
    ...{ account, venue, nonce },
    actions: actions.map((action) =>
      action === null ? { type: 'cancel-all', scope: 'all' } : { ...terms, ...action, ...microsOf(action) },
    ),
  });
  const posted = actions.map((action) =>
    action === null ? { type: 'cancel-all' } : { type: 'place', stp: 'none', ...action },
  );
  const orders = actions.filter((action) => action !== null).length;
  const body = { actions: posted, ...signed(trader, text) };
  return { ...writeOf(trader, '/v1/batch', body), actions: actions.length, orders };
}

function microsOf({ qty, price }: Order) {
  return { qtyMicros: toMicros(Math.round(qty * 1e6)), priceMicros: toMicros(Math.round(price * 1e6)) };
}

function signed({ secret, sessionKey, lastNonce: nonce }: Trader, text: string): object {
  return { sessionKey, nonce, signature: signatureOf(secret, text) };
}

/** Like `personal_sign`, but native, as there are tens of thousands to sign. */
export function signatureOf(secret: Uint8Array, text: string): string {
  const digest = hash('keccak-256', `\x19Ethereum Signed Message:\n${text.length}${text}`, 'buffer');
  const { signature, recid } = secp256k1.ecdsaSign(digest, secret);
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
}

function writeOf({ sessionKey, lastNonce: nonce }: Trader, path: Write['path'], body: object) {
  return { bytes: postOf(path, JSON.stringify(body)), path, sessionKey, nonce };
}

async function openTrader(url: string, series: readonly string[], actions: number): Promise<Trader> {
  const client = new VenueClient({ url });
  const { account, sessionKey, privateKey } = await client.auth.approveSession(
    walletFromPrivateKey(randomPrivateKey()),
  );
  await client.orders.setMargin(true);
  const secret = Buffer.from(privateKey.slice(2), 'hex');
  // The approval used a nonce of this millisecond at the latest.
  return { account, sessionKey, secret, series, lastNonce: Date.now(), actions };
}
