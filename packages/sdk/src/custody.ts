/** Money in and out, of a venue that holds real money: withdrawals of traders, and what watcher and batcher report. */

import {
  type DepositAnswer,
  type DepositRequest,
  decimalToMicros,
  type Held,
  type HeldList,
  type HeldReleaseAnswer,
  type Payout,
  type PayoutCommitAnswer,
  type PayoutCommitRequest,
  type PayoutList,
  type WithdrawAnswer,
  type WithdrawalList,
  type WithdrawRequest,
  withdrawEnvelope,
} from '@venue/protocol';
import type { Credentials } from './credentials.ts';
import { signature } from './orders.ts';
import type { Transport } from './transport.ts';
import type { Session } from './wallet.ts';

/** Withdrawals of the account; a session key has to be approved first. */
export class Withdrawals {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /**
   * Asks for cash to be paid out to the account's own wallet (PAY-1). It leaves the account at once; once the venue has
   * committed it on chain, `claim()` on the vault pays it. Throws `VenueError` when the venue refuses, `RangeError` for an
   * amount that is not exact in micros, and `TypeError` without a session key.
   *
   * @example const { id } = await venue.withdrawals.request(250.5)
   */
  request(amountUsd: number): Promise<WithdrawAnswer> {
    const { session } = this.#credentials;
    if (session === null) throw new TypeError('a withdrawal is signed: approve a session key first');
    const body = signWithdraw(session, { amountUsd }, this.#credentials.nextNonce());
    return this.#transport.post('/v1/withdraw', body);
  }

  /** One withdrawal of the account; 404 for an id that is not the account's. Needs a token. */
  find(id: number): Promise<Payout> {
    return this.#transport.get(`/v1/withdraw/${id}`, { headers: this.#credentials.headers() });
  }

  /** Up to 500 withdrawals, newest first. Needs a token. */
  async list(): Promise<Payout[]> {
    const request = { headers: this.#credentials.headers() };
    return (await this.#transport.get<WithdrawalList>('/v1/withdrawals', request)).withdrawals;
  }
}

/** The body of a signed withdrawal. Throws `RangeError` for an amount that is not exact in micros. */
export function signWithdraw(
  session: Session,
  { amountUsd }: { amountUsd: number },
  nonce: number,
): WithdrawRequest {
  const amountMicros = decimalToMicros(amountUsd);
  if (amountMicros === undefined)
    throw new RangeError(`amountUsd ${amountUsd} is not a whole number of millionths`);
  const text = withdrawEnvelope({ account: session.account, amountMicros, nonce });
  return { amountUsd, ...signature(session, text, nonce) };
}

/** Which payouts: of one state or of all, from the start or after an id. */
export interface PayoutScope {
  readonly state?: Payout['state'];
  readonly after?: number;
}

/** What operators and their daemons tell the ledger of the chain, with the secret of operators. */
export class CustodyCalls {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, operatorToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-operator-token': operatorToken };
  }

  /** Reports one deposit of the vault; repeating it is harmless, contradicting it is a `VenueError` of 409 (DEP-1). */
  deposit(request: DepositRequest): Promise<DepositAnswer> {
    return this.#post('/v1/deposit', request);
  }

  /** Addresses whose deposits wait for an operator (DEP-2). */
  async held(): Promise<Held[]> {
    const { held } = await this.#transport.get<HeldList>('/v1/operator/held', { headers: this.#headers });
    return held;
  }

  /** Gives an address what is held for it. */
  release(address: string): Promise<HeldReleaseAnswer> {
    return this.#post('/v1/operator/held/release', { address });
  }

  /** Payouts in order of their ids, asked for page by page; those of one state, or all. */
  async *payouts({ state, after = 0 }: PayoutScope = {}): AsyncGenerator<Payout, void> {
    for (let last = after; ; ) {
      const query = { after: last, ...(state !== undefined && { state }) };
      const request = { query, headers: this.#headers };
      const { payouts } = await this.#transport.get<PayoutList>('/v1/operator/payouts', request);
      yield* payouts;
      const next = payouts.at(-1)?.id ?? last;
      // A page that leads nowhere is the last.
      if (next <= last) return;
      last = next;
    }
  }

  /** Notes the transaction that committed payouts on chain; repeating it changes nothing (PAY-3). */
  commitPayouts(request: PayoutCommitRequest): Promise<PayoutCommitAnswer> {
    return this.#post('/v1/operator/payouts/commit', request);
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.post(path, body, { headers: this.#headers });
  }
}
