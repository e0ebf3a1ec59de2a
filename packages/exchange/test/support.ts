/** A venue in this process, and clients that talk to it over real sockets. */

import { createHash } from 'node:crypto';
import type { Environment } from '@venue/config';
import { MemoryStore, openMemoryLog } from '@venue/log';
import {
  type Account,
  type Address,
  batchEnvelope,
  cancelEnvelope,
  cancelOrderEnvelope,
  marginEnvelope,
  type OrderRequest,
  orderEnvelope,
  type PushForm,
  quotesEnvelope,
  readActions,
  sessionApprovalMessage,
  toMicros,
  withdrawEnvelope,
} from '@venue/protocol';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { WebSocket } from 'ws';
import { loadConfig } from '../src/config.ts';
import { type Exchange, type ExchangeDeps, startExchange } from '../src/node.ts';
import { createLogger } from '../src/observe/logger.ts';
import { ask, type Sent } from './ask.ts';
import { sharedVerifier } from './shared-verifier.ts';

export const FEED_TOKEN = 'feed-secret-feed-secret-feed-secret';
export const MAKER_TOKEN = 'maker-secret-maker-secret-maker-secret';
export const OPERATOR_TOKEN = 'operator-secret-operator-secret-operator';
const DAY_MS = 86_400_000;

/** Variables of a venue with real money, to add to another environment. */
export const DEPOSITS: Environment = {
  VENUE_FUNDING_MODE: 'deposits',
  VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  VENUE_SETTLE_TOKEN_1: 'settle-secret-one-settle-secret-one',
  VENUE_SETTLE_TOKEN_2: 'settle-secret-two-settle-secret-two',
};

/** The body of an answer; each test reads only the fields it is about. */
// biome-ignore lint/suspicious/noExplicitAny: the tests are about the shapes that come back
export type Json = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Call {
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

export class Venue {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  get(path: string, call: Call = {}): Promise<Reply> {
    return this.send(path, { headers: headersOf(call) });
  }

  post(path: string, body: unknown, call: Call = {}): Promise<Reply> {
    const headers = { 'content-type': 'application/json', ...headersOf(call) };
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async send(path: string, sent: Sent): Promise<Reply> {
    const { status, headers, text } = await ask(this.url + path, sent);
    return { status, headers, body: text === '' ? null : JSON.parse(text) };
  }

  feed(prints: unknown[]): Promise<Reply> {
    return this.post('/v1/feed/prints', { prints }, { headers: { 'x-feed-token': FEED_TOKEN } });
  }

  quote(body: unknown): Promise<Reply> {
    return this.post('/v1/quotes', body, { headers: { 'x-maker-token': MAKER_TOKEN } });
  }

  /**
   * Waits until the symbol has listings, and returns the at-the-money call of its second expiry, which is at least a
   * day away because a test may run across an expiry.
   */
  async listed(symbol: string): Promise<{ seriesId: string; sid: number; expiryTs: number; strike: number }> {
    return waitFor(async () => {
      const { body } = await this.get(`/v1/series?symbol=${symbol}`);
      const expiries = new Set<number>(body.series.map(({ expiryTs }: Json) => expiryTs));
      const second = [...expiries].sort((a, b) => a - b)[1];
      const calls = body.series.filter(({ right, expiryTs }: Json) => right === 'C' && expiryTs === second);
      return calls[Math.floor(41 / 2)];
    });
  }
}

/** A venue whose node runs in this process, on a log in memory. */
export class LocalVenue extends Venue {
  readonly exchange: Exchange;
  readonly store: MemoryStore;

  constructor(exchange: Exchange, store = new MemoryStore()) {
    super(exchange.url);
    this.exchange = exchange;
    this.store = store;
  }
}

export interface VenueDeps extends ExchangeDeps {
  /** Entries of an earlier venue, or the store behind `log`. */
  readonly store?: MemoryStore;
}

/** Starts a venue on a log in memory. */
export async function startVenue(
  env: Environment = {},
  { store = new MemoryStore(), ...deps }: VenueDeps = {},
): Promise<LocalVenue> {
  const config = loadConfig({
    VENUE_PORT: '0',
    VENUE_FEED_TOKEN: FEED_TOKEN,
    VENUE_MAKER_TOKEN: MAKER_TOKEN,
    VENUE_MAINTENANCE_MS: '100',
    VENUE_WS_TICK_MS: '10',
    VENUE_STREAM_TICK_MS: '10',
    ...env,
  });
  const log = await openMemoryLog({ store });
  const shared = { log, logger: createLogger('silent'), verifier: await sharedVerifier() };
  const exchange = await startExchange(config, { ...shared, ...deps });
  return new LocalVenue(exchange, store);
}

/** Starts a venue that has a price of 100,000 for BTC, and its listings. */
export async function pricedVenue(env: Environment = {}, deps: VenueDeps = {}): Promise<LocalVenue> {
  const venue = await startVenue(env, deps);
  await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
  await venue.listed('BTC');
  return venue;
}

/** A client's wallet, and what it received by signing in. */
export interface Trader {
  readonly wallet: PrivateKeyAccount;
  readonly address: Address;
  readonly token: string;
  readonly account: Account;
}

export async function signIn(venue: Venue, wallet = newWallet()): Promise<Trader> {
  const { body: challenge } = await venue.get(`/v1/auth/challenge?address=${wallet.address}`);
  const signature = await wallet.signMessage({ message: challenge.message });
  const { body } = await venue.post('/v1/auth/verify', { address: wallet.address, signature });
  return { wallet, address: addressOf(wallet), token: body.token, account: body.account };
}

export function newWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

export function addressOf(wallet: PrivateKeyAccount): Address {
  return wallet.address.toLowerCase() as Address;
}

/** The parts of a push that its signature covers. */
export interface SignedPush {
  readonly venueId: string;
  readonly set: number;
  readonly body: string | Uint8Array;
  readonly form?: PushForm;
}

/** A session key and the requests it signs. */
export class Session {
  readonly account: Address;
  readonly key: PrivateKeyAccount;
  #lastNonce = 0;

  constructor(account: Address, key: PrivateKeyAccount) {
    this.account = account;
    this.key = key;
  }

  async order(body: OrderRequest, nonce = this.nonce()): Promise<OrderRequest> {
    const { seriesId, side, qty, price } = body;
    const priceMicros = price === undefined ? 'market' : micros(price);
    const text = orderEnvelope({
      account: this.account,
      seriesId,
      side,
      qtyMicros: micros(qty),
      priceMicros,
      nonce,
    });
    return { ...body, ...(await this.sign(text, nonce)) };
  }

  async cancel(symbols: string[] | 'all', nonce = this.nonce()): Promise<object> {
    const text = cancelEnvelope({ account: this.account, symbols, nonce });
    return { ...(symbols !== 'all' && { symbols }), ...(await this.sign(text, nonce)) };
  }

  async cancelOrder(orderId: number, nonce = this.nonce()): Promise<object> {
    const text = cancelOrderEnvelope({ account: this.account, orderId, nonce });
    return { orderId, ...(await this.sign(text, nonce)) };
  }

  async margin(enabled: boolean, nonce = this.nonce()): Promise<object> {
    const text = marginEnvelope({ account: this.account, enabled, nonce });
    return { enabled, ...(await this.sign(text, nonce)) };
  }

  /** A batch for the venue with this id. The actions must be readable. */
  async batch(venueId: string, posted: unknown, nonce = this.nonce()) {
    const actions = readActions(posted);
    if ('error' in actions) throw new Error(actions.error);
    const text = batchEnvelope({ venue: venueId, account: this.account, actions, nonce });
    return { actions: posted, ...(await this.sign(text, nonce)) };
  }

  /** The headers that sign a push to a set, over the bytes of its body (QTS-1). */
  async pushHeaders(
    { venueId, set, body, form = 'json' }: SignedPush,
    nonce = this.nonce(),
  ): Promise<Record<string, string>> {
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const text = quotesEnvelope({ venue: venueId, account: this.account, set, form, bodyHash, nonce });
    const { sessionKey, signature } = await this.sign(text, nonce);
    return { 'x-session-key': sessionKey, 'x-nonce': String(nonce), 'x-signature': signature };
  }

  async withdraw(amountUsd: number, nonce = this.nonce()): Promise<object> {
    const text = withdrawEnvelope({ account: this.account, amountMicros: micros(amountUsd), nonce });
    return { amountUsd, ...(await this.sign(text, nonce)) };
  }

  async sign(text: string, nonce: number) {
    const signature = await this.key.signMessage({ message: text });
    return { sessionKey: addressOf(this.key), nonce, signature };
  }

  /** The current time, never the same twice. */
  nonce(): number {
    this.#lastNonce = Math.max(Date.now(), this.#lastNonce + 1);
    return this.#lastNonce;
  }
}

/** The request with which a wallet approves a key. */
export async function approval(
  wallet: PrivateKeyAccount,
  key: PrivateKeyAccount,
  expiresAt = Date.now() + DAY_MS,
) {
  const terms = { account: addressOf(wallet), sessionKey: addressOf(key), expiresAtMs: expiresAt };
  const signature = await wallet.signMessage({ message: sessionApprovalMessage(terms) });
  return { address: wallet.address, sessionKey: key.address, expiresAt, signature };
}

export type OpenSession = Session & {
  readonly token: string;
  readonly wallet: PrivateKeyAccount;
  readonly approval: Awaited<ReturnType<typeof approval>>;
};

export async function openSession(venue: Venue, wallet = newWallet()): Promise<OpenSession> {
  const key = newWallet();
  const posted = await approval(wallet, key);
  const { body } = await venue.post('/v1/auth/session', posted);
  const token: string = body.token;
  return Object.assign(new Session(addressOf(wallet), key), { wallet, token, approval: posted });
}

/** A stream client that keeps every frame it gets. */
export class Stream {
  readonly frames: Json[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(venue: Venue, token?: string, options: object = {}) {
    const query = token === undefined ? '' : `?token=${token}`;
    this.socket = new WebSocket(`${venue.url.replace('http', 'ws')}/ws${query}`, options);
    this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data))));
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }

  async opened(): Promise<this> {
    await new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject));
    return this;
  }

  /** The first matching frame, received already or later. */
  frame(fits: (frame: Json) => boolean): Promise<Json> {
    return waitFor(async () => this.frames.find(fits));
  }
}

/** Polls until there is a result; fails after a minute. */
export async function waitFor<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function micros(decimal: number) {
  return toMicros(Math.round(decimal * 1_000_000));
}

function headersOf({ token, headers }: Call): Record<string, string> {
  return { ...(token !== undefined && { 'x-paper-token': token }), ...headers };
}
