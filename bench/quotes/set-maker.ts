/** An account that quotes through a set, and signs its pushes. */

import { hash } from 'node:crypto';
import {
  type Address,
  encodeQuotes,
  QUOTES_CONTENT_TYPE,
  quotesEnvelope,
  type Series,
} from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { signatureOf } from '../orders/traders.ts';
import type { Push, Row } from '../shared/exchange.ts';

const SET = 1;
export const SET_PATH = `/v1/quote-sets/${SET}`;
/** An allowance that nobody uses up. */
const PROTECTION = { symbol: 'BTC', windowMs: 1_000, qty: 1_000_000, delta: 1_000_000, frozenMs: 0 };

export class SetMaker {
  readonly #client: VenueClient;
  readonly #account: Address;
  readonly #sessionKey: Address;
  readonly #secret: Uint8Array;
  readonly #venue: string;
  #lastNonce = 0;

  private constructor(client: VenueClient, venue: string, session: Session) {
    this.#client = client;
    this.#venue = venue;
    this.#account = session.account;
    this.#sessionKey = session.sessionKey;
    this.#secret = Buffer.from(session.privateKey.slice(2), 'hex');
  }

  /** Opens an account that may sell short, with a session key and a protected set. */
  static async open(url: string, venue: string): Promise<SetMaker> {
    const client = new VenueClient({ url });
    const session = await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    await client.orders.setMargin(true);
    const { ok, reason } = await client.quotes.protect({ set: SET, ...PROTECTION });
    if (!ok) throw new Error(`no protection: ${reason}`);
    return new SetMaker(client, venue, session);
  }

  /** The headers over a push, which must be sent within a minute (SIG-5), and before the next one is signed (QTS-1). */
  sign({ body }: Push): Readonly<Record<string, string>> {
    this.#lastNonce = Math.max(this.#lastNonce + 1, Date.now());
    const bodyHash = hash('sha256', body);
    const fields = { venue: this.#venue, account: this.#account, set: SET, form: 'sqw1' } as const;
    const text = quotesEnvelope({ ...fields, bodyHash, nonce: this.#lastNonce });
    return {
      'x-session-key': this.#sessionKey,
      'x-nonce': `${this.#lastNonce}`,
      'x-signature': signatureOf(this.#secret, text),
    };
  }

  /** True if any of its quotes has traded. */
  async hasTraded(): Promise<boolean> {
    return (await this.#client.account.fills({ limit: 1 })).length > 0;
  }
}

interface Session {
  readonly account: Address;
  readonly sessionKey: Address;
  readonly privateKey: string;
}

const MID = 500_000_000;
/** Traders' prices lie half a dollar apart: the best quotes are beyond two of them, and never at one. */
const NEAR = 1_250_000;
const GAP = 250_000;
const STEP = 10_000;

/** Two bids and an ask a series; variants under 25 share no price. `qtyOf` gives micros by place in the list. */
export function setRowsOf(series: readonly Series[], variant: number, qtyOf: (i: number) => number): Row[] {
  return series.map(({ sid, seriesId }, i) => {
    const shift = variant * STEP;
    const qty = qtyOf(i);
    const bids = [0, 1].map((k) => [MID - NEAR - k * GAP + shift, qty] as const);
    const asks = [[MID + NEAR + shift, qty] as const];
    const moved = (variant + (i % 1_000)) / 10_000;
    return { sid, seriesId, bids, asks, iv: 0.5 + moved, delta: moved };
  });
}

export function binaryPush(rows: readonly Row[]): Push {
  return { contentType: QUOTES_CONTENT_TYPE, body: encodeQuotes(rows) };
}
