/** Money out of a venue that holds real money. */

import type { Payout, WithdrawAnswer, WithdrawalList } from '@venue/protocol';
import { checkInteger, positiveMicros, wireNumber } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';
import type { Transport } from '../net/transport.ts';
import type { Credentials } from '../sign/credentials.ts';
import { signWithdraw } from '../sign/signed-bodies.ts';
import { traceOfWithdrawal } from './traces.ts';
import type { Writes } from './writes.ts';

/** Withdrawals of the account; a session key must be approved first. A venue of paper money has none (404). */
export class Withdrawals {
  readonly #transport: Transport;
  readonly #credentials: Credentials;
  readonly #writes: Writes;

  constructor(transport: Transport, credentials: Credentials, writes: Writes) {
    this.#transport = transport;
    this.#credentials = credentials;
    this.#writes = writes;
  }

  /**
   * Requests a payout of cash, in US dollars, to the account's own wallet (PAY-1). It leaves the account immediately;
   * once the venue has committed it on chain, `claim()` on the vault pays it. Throws `RefusedError` if the venue
   * refuses (PAY-2), `RangeError` for an amount that is not positive or not exact in micros, and `TypeError` without
   * a session key. Sent only once: without an answer, throws `OutcomeUnknownError`, which reports what became of it.
   *
   * @example const { id } = await venue.withdrawals.request(250.5);
   */
  async request(amount: Decimal): Promise<WithdrawAnswer> {
    positiveMicros('amountUsd', amount);
    const amountUsd = wireNumber('amountUsd', amount);
    if (this.#credentials.session === null) {
      throw new TypeError('a withdrawal is signed: approve a session key first');
    }
    return this.#writes.post(
      { amountUsd },
      {
        path: '/v1/withdraw',
        sign: signWithdraw,
        trace: (lookup, sentAtMs) => traceOfWithdrawal({ amountUsd }, lookup, sentAtMs),
      },
    );
  }

  /**
   * One withdrawal of the account; throws `NotFoundError` for an id that is not the account's. Needs a token.
   *
   * @example (await venue.withdrawals.find(withdrawalId)).state // 'requested'
   */
  async find(id: number): Promise<Payout> {
    const path = `/v1/withdraw/${checkInteger('id', id)}`;
    return this.#transport.get(path, { headers: this.#credentials.headers() });
  }

  /**
   * Up to 500 withdrawals, newest first. Needs a token.
   *
   * @example (await venue.withdrawals.list()).map(({ amountUsd }) => amountUsd)
   */
  async list(): Promise<Payout[]> {
    const request = { headers: this.#credentials.headers() };
    return (await this.#transport.get<WithdrawalList>('/v1/withdrawals', request)).withdrawals;
  }
}
