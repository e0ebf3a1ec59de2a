/** An account nobody else trades on: the state a node shows of it tells how current that node is. */

import { Agent, get } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  randomPrivateKey,
  type Session,
  signOrder,
  UnavailableError,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { eventually } from '../e2e/launched.ts';
import { SYMBOL } from './crowd.ts';
import type { Heard, Write } from './write.ts';

/** A status other than 200, or the number of resting orders shown. */
export type Shown = number | { readonly orders: number };

/** Connections that a node has accepted, for later requests. */
export interface Asking {
  ask(): Promise<Shown[]>;
  close(): void;
}

const CONNECTIONS = 8;
/** Nobody sells this cheaply, so it rests. */
const CHEAP = { side: 'buy', qty: 0.001, price: 0.01 } as const;

export class Witness {
  readonly #session: Session;
  readonly #token: string;
  readonly #seriesId: string;
  #orders = 0;

  private constructor(session: Session, token: string, seriesId: string) {
    this.#session = session;
    this.#token = token;
    this.#seriesId = seriesId;
  }

  static async open(url: string): Promise<Witness> {
    const client = new VenueClient({ url });
    // On a busy machine a node may be out of touch with its log for a moment, and answers 500.
    const session = await eventually('an account', () =>
      client.auth.approveSession(walletFromPrivateKey(randomPrivateKey())).catch((error) => {
        if (error instanceof UnavailableError) return null;
        throw error;
      }),
    );
    const series = await client.market.series(SYMBOL);
    return new Witness(session, client.token!, series.at(-1)!.seriesId);
  }

  /** Its number of resting orders. */
  get orders(): number {
    return this.#orders;
  }

  /** Places one more resting order through a node. */
  async rest(url: string): Promise<Write> {
    const { account, sessionKey } = this.#session;
    const nonce = Date.now();
    const askedMs = performance.now();
    const order = signOrder(this.#session, { seriesId: this.#seriesId, ...CHEAP }, nonce);
    const body = JSON.stringify(order);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/order`, { method: 'POST', body, headers });
    const heard = { status: response.status, body: (await response.json()) as Heard['body'] };
    if (heard.body.status !== 'rested') throw new Error(`the order of the witness is ${heard.body.status}`);
    this.#orders += 1;
    const key = `${account} ${sessionKey} ${nonce}`;
    return { kind: 'order', key, body, heard, askedMs, heardMs: performance.now(), isKnownToBeIn: false };
  }

  async connect(url: string): Promise<Asking> {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const ask = () => Promise.all(Array.from({ length: CONNECTIONS }, () => this.#ask(url, agent)));
    await ask();
    return { ask, close: () => agent.destroy() };
  }

  #ask(url: string, agent: Agent): Promise<Shown> {
    const { promise, resolve, reject } = Promise.withResolvers<Shown>();
    get(`${url}/v1/me`, { agent, headers: { 'x-paper-token': this.#token } }, async (response) => {
      const body = (await json(response)) as { openOrderCount?: number };
      const { statusCode = 0 } = response;
      resolve(statusCode === 200 ? { orders: body.openOrderCount! } : statusCode);
    }).on('error', reject);
    return promise;
  }
}
