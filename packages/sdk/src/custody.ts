/** Money in and out of a venue that holds real money, as reported by watcher, batcher and operators. */

import type {
  DepositAnswer,
  DepositRequest,
  Held,
  HeldList,
  HeldReleaseAnswer,
  Payout,
  PayoutCommitAnswer,
  PayoutCommitRequest,
  PayoutList,
} from '@venue/protocol';
import type { Transport } from './transport.ts';

/** Selects payouts: of one state or of all, from the start or after an id. */
export interface PayoutScope {
  readonly state?: Payout['state'];
  readonly after?: number;
}

/** Reports of operators and their daemons to the ledger about the chain, with the operators' secret. */
export class CustodyCalls {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, operatorToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-operator-token': operatorToken };
  }

  /**
   * Reports one deposit of the vault, with its amount in micros of a US dollar. Repeating it is harmless;
   * contradicting it throws `ConflictError` (DEP-1).
   *
   * @example
   * const hash = `0x${'ab'.repeat(32)}`;
   * const log = { txHash: hash, logIndex: 0, blockNumber: 1, blockHash: hash };
   * (await custody.deposit({ address: wallet.address, amount: 1_000_000, ...log })).status;
   */
  deposit(request: DepositRequest): Promise<DepositAnswer> {
    return this.#post('/v1/deposit', request);
  }

  /**
   * Addresses whose deposits wait for an operator (DEP-2), amounts in US dollars.
   *
   * @example (await custody.held()).map(({ address, amountUsd }) => [address, amountUsd])
   */
  async held(): Promise<Held[]> {
    const { held } = await this.#transport.get<HeldList>('/v1/operator/held', { headers: this.#headers });
    return held;
  }

  /**
   * Releases the deposits held for an address; throws `RefusedError` if there are none.
   *
   * @example await custody.release(heldAddress)
   */
  release(address: string): Promise<HeldReleaseAnswer> {
    return this.#post('/v1/operator/held/release', { address });
  }

  /**
   * Payouts in order of their ids, requested page by page, in one state or in all.
   *
   * @example
   * for await (const { id, amountUsd } of custody.payouts({ state: 'requested' })) console.log(id, amountUsd);
   */
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

  /**
   * Records the transaction that committed payouts on chain; repeating it changes nothing (PAY-3). Throws
   * `RefusedError` for a payout that was committed in another transaction.
   *
   * @example await custody.commitPayouts({ ids: [withdrawalId], txHash: `0x${'cd'.repeat(32)}` })
   */
  commitPayouts(request: PayoutCommitRequest): Promise<PayoutCommitAnswer> {
    return this.#post('/v1/operator/payouts/commit', request);
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.post(path, body, { headers: this.#headers });
  }
}
