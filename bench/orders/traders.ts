/** Traders with session keys on an exchange, and the writes they sign in advance. */

import { hash } from 'node:crypto';
import { type Address, cancelEnvelope, orderEnvelope, toMicros } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import secp256k1 from 'secp256k1';
import { Random } from '../../packages/engine/sim/random.ts';
import { postOf } from './http.ts';

/** Each trader trades in this many series, shared with others. */
const SERIES_EACH = 4;
const TRADERS_A_SERIES = 16;
/** A trader cancels his resting orders every so many writes, so that they do not accumulate. */
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
  readonly isOrder: boolean;
  readonly sessionKey: Address;
  /** Unique per key. */
  readonly nonce: number;
}

interface Trader extends Session {
  readonly secret: Uint8Array;
  readonly series: readonly string[];
  lastNonce: number;
  writes: number;
}

export class Traders {
  readonly #traders: readonly Trader[];
  readonly #random = new Random(1);
  #next = 0;

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

  /** The next writes, trader by trader. They must be sent within a minute (SIG-5). */
  sign(count: number): Write[] {
    return Array.from({ length: count }, () => {
      const trader = this.#traders[this.#next]!;
      this.#next = (this.#next + 1) % this.#traders.length;
      trader.writes += 1;
      trader.lastNonce = Math.max(trader.lastNonce + 1, Date.now());
      return trader.writes % CANCEL_EVERY === 0 ? cancelOf(trader) : this.#orderOf(trader);
    });
  }

  #orderOf(trader: Trader): Write {
    const { account, series, lastNonce: nonce } = trader;
    const cents = PRICE_CENTS + TICK_CENTS * this.#random.between(-TICKS, TICKS);
    const qty = this.#random.between(1, QTY_STEPS) / 1_000;
    const side = this.#random.chance(0.5) ? 'buy' : 'sell';
    const seriesId = this.#random.pick(series);
    const text = orderEnvelope({
      ...{ account, seriesId, side, nonce },
      qtyMicros: toMicros(Math.round(qty * 1e6)),
      priceMicros: toMicros(cents * 10_000),
    });
    const signed = signedOf(trader, text, { seriesId, side, qty, price: cents / 100 });
    return writeOf(trader, '/v1/order', signed);
  }
}

function cancelOf(trader: Trader): Write {
  const { account, lastNonce: nonce } = trader;
  const text = cancelEnvelope({ account, symbols: 'all', nonce });
  return writeOf(trader, '/v1/cancel', signedOf(trader, text, {}));
}

function signedOf({ secret, sessionKey, lastNonce: nonce }: Trader, text: string, terms: object): object {
  // Like `personal_sign`, but native, as there are tens of thousands to sign.
  const digest = hash('keccak-256', `\x19Ethereum Signed Message:\n${text.length}${text}`, 'buffer');
  const { signature, recid } = secp256k1.ecdsaSign(digest, secret);
  const hex = `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
  return { ...terms, sessionKey, nonce, signature: hex };
}

function writeOf({ sessionKey, lastNonce: nonce }: Trader, path: string, body: object): Write {
  const bytes = postOf(path, JSON.stringify(body));
  return { bytes, isOrder: path === '/v1/order', sessionKey, nonce };
}

async function openTrader(url: string, series: readonly string[], writes: number): Promise<Trader> {
  const client = new VenueClient({ url });
  const { account, sessionKey, privateKey } = await client.auth.approveSession(
    walletFromPrivateKey(randomPrivateKey()),
  );
  await client.orders.setMargin(true);
  const secret = Buffer.from(privateKey.slice(2), 'hex');
  // The approval used a nonce of this millisecond at the latest.
  return { account, sessionKey, secret, series, lastNonce: Date.now(), writes };
}
