/** The clients: traders, a feed, the maker and the deposit watcher, each acting at random times. */

import { isTradable, type State } from '@venue/engine';
import {
  type BatchAction,
  batchEnvelope,
  cancelEnvelope,
  cancelOrderEnvelope,
  type EnvelopeFields,
  GUARD_MS_MIN,
  marginEnvelope,
  orderEnvelope,
  readActions,
  sessionApprovalMessage,
  sessionRevokeMessage,
  toMicros,
  withdrawEnvelope,
} from '@venue/protocol';
import type { Machine } from './machine.ts';
import { CLIENTS, type Network } from './network.ts';
import type { Reply } from './node.ts';
import { FEED_TOKEN, MAKER_TOKEN, OPERATOR_TOKEN } from './venue.ts';
import { newKey, type Trader } from './wallets.ts';
import type { World } from './world.ts';

export interface TrafficOptions {
  readonly world: World;
  readonly network: Network;
  readonly machines: readonly Machine[];
  /** Unix ms when virtual time starts. */
  readonly baseMs: number;
  readonly custody: boolean;
  /** Virtual ms at which all clients stop. */
  readonly untilMs: number;
}

const TRADERS = 4;
const HOUR_MS = 3_600_000;
const SPOT = 100_000;
const GUARD_MS_MAX = 12_000;

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #traders: Trader[];
  #serial = 0;
  #lastNonce = 0;
  #quoteSession: number | null = null;
  #lastPush: Push | null = null;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const { world, baseMs } = options;
    this.#traders = Array.from({ length: TRADERS }, () => ({
      wallet: newKey(world),
      session: newKey(world),
      expiresAt: baseMs + HOUR_MS,
      token: null,
    }));
  }

  begin(): void {
    const { custody } = this.#options;
    this.#repeat(900, () => this.#print());
    this.#repeat(1_200, () => this.#quote());
    for (const trader of this.#traders) {
      this.#approve(trader);
      this.#repeat(700, () => this.#trade(trader));
      this.#repeat(1_500, () => this.#look(trader));
      if (custody) this.#repeat(2_500, () => this.#deposit(trader));
    }
  }

  #repeat(meanMs: number, act: () => void): void {
    const { world, untilMs } = this.#options;
    const delayMs = -meanMs * Math.log(1 - world.random.unit());
    if (world.nowMs + delayMs > untilMs) return;
    const step = () => {
      act();
      this.#repeat(meanMs, act);
    };
    world.after(delayMs, step, CLIENTS);
  }

  #nextNonce(): number {
    const { world, baseMs } = this.#options;
    this.#lastNonce = Math.max(Math.floor(baseMs + world.nowMs), this.#lastNonce + 1);
    return this.#lastNonce;
  }

  #post(
    what: { kind: string; path: string; key: string | null; headers?: Record<string, string>; body: unknown },
    onReply?: (reply: Reply) => void,
  ): void {
    const { kind, path, key, headers = {}, body } = what;
    this.#options.network.send({ kind, key, call: { method: 'POST', path, headers, body } }, onReply);
  }

  #approve(trader: Trader): void {
    const { wallet, session, expiresAt } = trader;
    const terms = { account: wallet.address, sessionKey: session.address, expiresAtMs: expiresAt };
    const signature = wallet.sign(sessionApprovalMessage(terms));
    const body = { address: wallet.address, sessionKey: session.address, expiresAt, signature };
    this.#post({ kind: 'approve', path: '/v1/auth/session', key: `approve ${signature}`, body }, (reply) => {
      if (reply.status === 200) trader.token = (reply.body as { token: string }).token;
    });
  }

  /** Revokes the session key and approves a new one. */
  #renew(trader: Trader): void {
    const { wallet, session, expiresAt } = trader;
    const terms = { account: wallet.address, sessionKey: session.address, expiresAtMs: expiresAt };
    const signature = wallet.sign(sessionRevokeMessage(terms));
    const body = { address: wallet.address, sessionKey: session.address, signature };
    this.#post({ kind: 'revoke', path: '/v1/auth/session/revoke', key: `revoke ${signature}`, body });
    trader.session = newKey(this.#options.world);
    this.#approve(trader);
  }

  #trade(trader: Trader): void {
    const { random } = this.#options.world;
    const act = random.weighted<() => void>([
      [10, () => this.#order(trader)],
      [1.5, () => this.#signed(trader, 'margin', '/v1/margin', { enabled: random.chance(0.8) })],
      [1, () => this.#signed(trader, 'cancel', '/v1/cancel', {})],
      [2, () => this.#cancelOrder(trader)],
      [4, () => this.#batch(trader)],
      [0.3, () => this.#renew(trader)],
      [0.3, () => this.#approve(trader)],
      [this.#options.custody ? 2 : 0, () => this.#withdraw(trader)],
    ]);
    act();
  }

  #order(trader: Trader): void {
    const { random } = this.#options.world;
    const state = this.#seenState();
    const live = state?.series.filter((series) => isTradable(series, state.ts)).slice(0, 8) ?? [];
    if (live.length === 0) return;
    const { seriesId } = random.pick(live);
    const side = random.pick(['buy', 'sell'] as const);
    const qty = random.between(1, 8) / 10;
    const price = random.chance(0.15) ? undefined : 10 * random.between(20, 40);
    this.#signed(trader, 'order', '/v1/order', {
      seriesId,
      side,
      qty,
      ...(price !== undefined && { price }),
    });
  }

  #cancelOrder(trader: Trader): void {
    const state = this.#seenState();
    if (state === null || state.lastOrderId === 0) return;
    const { random } = this.#options.world;
    const orderId = random.between(Math.max(1, state.lastOrderId - 15), state.lastOrderId);
    this.#signed(trader, 'cancel-order', '/v1/order/cancel', { orderId });
  }

  /** Places some orders that cross each other and others, changes two by their client ids, and often sets a guard. */
  #batch(trader: Trader): void {
    const { random } = this.#options.world;
    const state = this.#seenState();
    const live = state?.series.filter((series) => isTradable(series, state.ts)).slice(0, 8) ?? [];
    if (live.length === 0 || state?.venue == null) return;
    this.#serial += 1;
    const places = Array.from({ length: random.between(2, 6) }, (_, i) => ({
      ...{ type: 'place', seriesId: random.pick(live).seriesId, side: random.pick(['buy', 'sell']) },
      ...{ qty: random.between(1, 8) / 10, price: 10 * random.between(20, 40) },
      ...{ clientId: `batch-${this.#serial}-${i}`, ...this.#lifetime() },
    }));
    const [first, second] = places as [(typeof places)[0], (typeof places)[0]];
    const actions = [
      ...places,
      { type: 'cancel', clientId: first.clientId },
      { type: 'amend', clientId: second.clientId, qty: random.between(1, 8) / 10 },
      ...(random.chance(0.6) ? [{ type: 'guard', ms: random.between(GUARD_MS_MIN, GUARD_MS_MAX) }] : []),
    ];
    this.#signed(trader, 'batch', '/v1/batch', { actions }, state.venue);
  }

  /** Half of the orders end by themselves, by the client's clock. */
  #lifetime(): { readonly tif?: string; readonly expiresAt?: number } {
    const { world, baseMs } = this.#options;
    if (world.random.chance(0.5)) return {};
    return { tif: 'gtd', expiresAt: Math.floor(baseMs + world.nowMs) + world.random.between(300, 9_000) };
  }

  #withdraw(trader: Trader): void {
    const { random } = this.#options.world;
    this.#signed(trader, 'withdraw', '/v1/withdraw', { amountUsd: random.between(1, 9_000) });
  }

  #signed(trader: Trader, kind: SignedKind, path: string, body: SignedBody, venue = ''): void {
    const { wallet, session } = trader;
    const fields = { account: wallet.address, nonce: this.#nextNonce(), venue };
    const signature = session.sign(envelopeOf(kind, fields, body));
    const { nonce } = fields;
    const key = signedKey(wallet.address, session.address, nonce);
    this.#post({ kind, path, key, body: { ...body, sessionKey: session.address, nonce, signature } });
  }

  /** The state of some node, as a client would learn it by reading. */
  #seenState(): State | null {
    const { world, machines } = this.#options;
    return world.random.pick(machines).node?.state ?? null;
  }

  #look({ token }: Trader): void {
    if (token === null) return;
    const call = {
      method: 'GET',
      path: '/v1/me',
      headers: { 'x-paper-token': token },
      body: undefined,
    } as const;
    this.#options.network.send({ kind: 'me', key: null, call });
  }

  /** Two sources, each with a price that was never printed before. */
  #print(): void {
    const { random } = this.#options.world;
    this.#serial += 1;
    const prints = ['a', 'b'].map((source) => ({
      symbol: 'BTC',
      source,
      price: SPOT + random.between(-30, 30) + this.#serial / 10_000,
    }));
    const headers = { 'x-feed-token': FEED_TOKEN };
    const key = printsKey(prints[0]!.price);
    this.#post({ kind: 'prints', path: '/v1/feed/prints', key, headers, body: { prints } });
  }

  #deposit({ wallet }: Trader): void {
    const { random } = this.#options.world;
    this.#serial += 1;
    const txHash = `0x${this.#serial.toString(16).padStart(64, '0')}`;
    const deposit = {
      address: wallet.address,
      amount: random.between(20_000, 60_000) * 1_000_000,
      txHash,
      logIndex: 0,
      blockNumber: this.#serial,
      blockHash: txHash,
    };
    const headers = { 'x-operator-token': OPERATOR_TOKEN };
    this.#post({ kind: 'deposit', path: '/v1/deposit', key: `deposit ${txHash}`, headers, body: deposit });
  }

  #quote(): void {
    const { random } = this.#options.world;
    if (this.#quoteSession === null || random.chance(0.03)) {
      this.#registerMaker();
      return;
    }
    const headers = { 'x-maker-token': MAKER_TOKEN, 'x-quote-session': String(this.#quoteSession) };
    const push = this.#lastPush !== null && random.chance(0.5) ? this.#lastPush : this.#newPush();
    if (push === null) return;
    this.#lastPush = push;
    const key = quotesKey(push.rows[0]![3]);
    this.#post({ kind: 'quotes', path: '/v1/maker/quotes', key, headers, body: push });
  }

  #newPush(): Push | null {
    const { random } = this.#options.world;
    const state = this.#seenState();
    const live = state?.series.filter((series) => isTradable(series, state.ts)).slice(0, PUSH_ROWS) ?? [];
    if (live.length < PUSH_ROWS) return null;
    this.#serial += 1;
    // A new annotation in every row makes every row a change.
    const iv = this.#serial / 1_000;
    const rows = live.map(({ sid }): PushRow => {
      const bid = 10 * random.between(20, 28);
      const ask = bid + 10 * random.between(1, 8);
      return [sid, [[bid, 0.5]], [[ask, 0.5]], iv];
    });
    return { rows };
  }

  #registerMaker(): void {
    this.#serial += 1;
    const attemptId = `attempt-${this.#serial}`;
    const headers = { 'x-maker-token': MAKER_TOKEN };
    const what = { kind: 'quote-session', path: '/v1/maker/session', key: `attempt ${attemptId}`, headers };
    this.#post({ ...what, body: { attemptId } }, ({ status, body }) => {
      if (status !== 200) return;
      const { session } = body as { session: number };
      this.#quoteSession = Math.max(this.#quoteSession ?? 0, session);
    });
  }
}

/** Rows in each push, so that the answer shows how many of them crossed the log. */
export const PUSH_ROWS = 4;

export type PushRow = [sid: number, bids: [number, number][], asks: [number, number][], iv: number];
export interface Push {
  readonly rows: PushRow[];
}

type SignedKind = 'order' | 'batch' | 'margin' | 'cancel' | 'cancel-order' | 'withdraw';

interface SignedBody {
  readonly seriesId?: string;
  readonly side?: 'buy' | 'sell';
  readonly qty?: number;
  readonly price?: number;
  readonly enabled?: boolean;
  readonly orderId?: number;
  readonly amountUsd?: number;
  readonly actions?: readonly object[];
}

function envelopeOf(
  kind: SignedKind,
  fields: EnvelopeFields & { readonly venue: string },
  body: SignedBody,
): string {
  switch (kind) {
    case 'batch':
      return batchEnvelope({ ...fields, actions: readActions(body.actions) as readonly BatchAction[] });
    case 'order': {
      const { seriesId, side, qty, price } = body;
      const priceMicros = price === undefined ? 'market' : micros(price);
      return orderEnvelope({
        ...fields,
        seriesId: seriesId!,
        side: side!,
        qtyMicros: micros(qty!),
        priceMicros,
      });
    }
    case 'margin':
      return marginEnvelope({ ...fields, enabled: body.enabled! });
    case 'cancel':
      return cancelEnvelope({ ...fields, symbols: 'all' });
    case 'cancel-order':
      return cancelOrderEnvelope({ ...fields, orderId: body.orderId! });
    case 'withdraw':
      return withdrawEnvelope({ ...fields, amountMicros: micros(body.amountUsd!) });
  }
}

function micros(decimal: number) {
  return toMicros(Math.round(decimal * 1_000_000));
}

export function signedKey(account: string, sessionKey: string, nonce: number): string {
  return `signed ${account} ${sessionKey} ${nonce}`;
}

export function printsKey(price: number): string {
  return `prints ${micros(price)}`;
}

export function quotesKey(iv: number): string {
  return `quotes ${iv}`;
}
