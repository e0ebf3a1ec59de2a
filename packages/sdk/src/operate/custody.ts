/** Money in and out of a venue that holds real money, as reported by watcher, batcher and operators. */

import type {
  AdoptRequest,
  AttestRequest,
  BindAnswer,
  BindRequest,
  DepositAnswer,
  DepositDoubtAnswer,
  DepositDoubtRequest,
  DepositRequest,
  EpochRequest,
  FreezeRequest,
  Held,
  HeldList,
  HeldReleaseAnswer,
  LedgerDeposit,
  LedgerDepositList,
  OperatorPayout,
  ParkedList,
  ParkedRow,
  ParkedSession,
  Payout,
  PayoutAnswer,
  PayoutApproveRequest,
  PayoutCommitAnswer,
  PayoutCommitRequest,
  PayoutList,
  PayoutWaitRequest,
  VoidRequest,
} from '@venue/protocol';
import { RefusedError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';
import type { SettleTokens } from './operator.ts';

/** Selects payouts: of one state or of all, from the start or after an id. */
export interface PayoutScope {
  readonly state?: Payout['state'];
  readonly after?: number;
}

/** Reports of operators and their daemons to the ledger about the chain, with the secret of any of them (CUS-9). */
export class CustodyCalls {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, token: string) {
    this.#transport = transport;
    this.#headers = { 'x-operator-token': token };
  }

  /**
   * Reports one deposit of the vault, with its amount in micros of a US dollar. Repeating it is harmless;
   * contradicting it throws `ConflictError` (DEP-1).
   *
   * @example
   * const hash = `0x${'ab'.repeat(32)}`;
   * const log = { chainId: 1, vault, txHash: hash, logIndex: 0, blockNumber: 1, blockHash: hash };
   * (await custody.deposit({ address: wallet.address, amount: 1_000_000, ...log })).status;
   */
  deposit(request: DepositRequest): Promise<DepositAnswer> {
    return this.#post('/v1/deposit', request);
  }

  /**
   * Throws `ForbiddenError` if the secret may not report deposits. Reports none: the exchange looks at the secret first
   * and then refuses the empty report (CUS-9).
   *
   * @example await custody.checkDeposits()
   */
  async checkDeposits(): Promise<void> {
    await this.#post('/v1/deposit', {}).catch((error) => {
      if (!(error instanceof RefusedError)) throw error;
    });
  }

  /**
   * Approvals by contract wallets that wait for the chain's word, oldest first (CUS-19).
   *
   * @example for (const { id, address } of await custody.parked()) console.log(id, address)
   */
  async parked(): Promise<ParkedRow[]> {
    const { parked } = await this.#transport.get<ParkedList>('/v1/operator/parked', {
      headers: this.#headers,
    });
    return parked;
  }

  /**
   * Answers a parked approval with what the chain says of it at a block (CUS-19). Throws `NotFoundError` for one that
   * was answered before, or has lapsed.
   *
   * @example
   * const block = { chainId: 1, blockNumber: 7, blockHash: `0x${'ab'.repeat(32)}` };
   * await custody.attest({ id: parkedId, verdict: 'invalid', ...block });
   */
  attest(request: AttestRequest): Promise<ParkedSession> {
    return this.#post('/v1/operator/parked/attest', request);
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
  async *payouts({ state, after = 0 }: PayoutScope = {}): AsyncGenerator<OperatorPayout, void> {
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

  /**
   * Binds the ledger to a vault (CUS-1), with both settlement secrets, or with one of them or the `own` secret of a named
   * operator: `bound` is then false until another person asks for the same. Throws `ForbiddenError` for a wrong secret, `ConflictError` where the amounts before
   * are not those of the ledger; every attempt is audited.
   *
   * @example
   * const past = { paidBeforeUsd: 0, depositedBeforeUsd: 0 };
   * await custody.bind({ chainId: 1, vault, ...past, funder: null }, settleTokens);
   */
  bind(
    request: BindRequest,
    { token1, token2, own }: Partial<SettleTokens & { readonly own: string }>,
  ): Promise<BindAnswer> {
    const headers = {
      ...(token1 !== undefined && { 'x-settle-token-1': token1 }),
      ...(token2 !== undefined && { 'x-settle-token-2': token2 }),
      ...(own !== undefined && { 'x-operator-token': own }),
    };
    return this.#transport.post('/v1/operator/vault', request, { headers });
  }

  /**
   * Raises the ledger's epoch after it was restored from an old copy (CUS-3). Throws `ConflictError` unless it is the
   * next one.
   *
   * @example await custody.raiseEpoch({ epoch: 1, reason: 'restored from the backup of Monday' })
   */
  raiseEpoch(request: EpochRequest): Promise<{ ok: true; epoch: number }> {
    return this.#post('/v1/operator/epoch', request);
  }

  /**
   * Records a payout that the chain shows as committed and the ledger has lost (CUS-4); repeating it changes nothing.
   *
   * @example await custody.adopt({ payoutId, address, amountUsd: 60, txHash, reason: 'lost with the newer copy' })
   */
  adopt(request: AdoptRequest): Promise<PayoutAnswer> {
    return this.#post('/v1/operator/payouts/adopt', request);
  }

  /**
   * Gives the cash of a requested payout back (CUS-4). The caller has made sure that no transaction can commit it.
   *
   * @example await custody.void({ id: withdrawalId, reason: 'its number was taken on chain' })
   */
  void(request: VoidRequest): Promise<PayoutAnswer> {
    return this.#post('/v1/operator/payouts/void', request);
  }

  /**
   * Adds an approver's signature to a payout that waits for one (CUS-16).
   *
   * @example await custody.approve({ id: withdrawalId, approver, signature })
   */
  approve(request: PayoutApproveRequest): Promise<PayoutAnswer> {
    return this.#post('/v1/operator/payouts/approve', request);
  }

  /**
   * Notes why a payout waits, or with null that it waits no more (CUS-16).
   *
   * @example await custody.noteWait({ id: withdrawalId, reason: 'more than a payout may be at once' })
   */
  noteWait(request: PayoutWaitRequest): Promise<PayoutAnswer> {
    return this.#post('/v1/operator/payouts/wait', request);
  }

  /**
   * Notes why no payout can be made at present, or with null that they are made (CUS-7).
   *
   * @example await custody.halt('the vault is short of 12.50')
   */
  async halt(reason: string | null): Promise<void> {
    await this.#post('/v1/operator/payouts/halt', { reason });
  }

  /**
   * Refuses an account's withdrawals, or lets them again (CUS-4).
   *
   * @example await custody.freezeWithdrawals({ address, frozen: true, reason: 'the owner reports a stolen key' })
   */
  async freezeWithdrawals(request: FreezeRequest): Promise<void> {
    await this.#post('/v1/operator/withdrawals/freeze', request);
  }

  /**
   * Takes a doubtful deposit out of its owner's reach (CUS-4). Throws `RefusedError` where the account can no longer
   * spare it.
   *
   * @example await custody.holdDeposit({ txHash, logIndex: 0, reason: 'no server shows this log' })
   */
  holdDeposit(request: DepositDoubtRequest): Promise<DepositDoubtAnswer> {
    return this.#post('/v1/operator/deposits/hold', request);
  }

  /**
   * Takes back a deposit that is held in doubt; the chain's own can then be credited (CUS-4).
   *
   * @example await custody.reverseDeposit({ txHash: heldTxHash, logIndex: 0, reason: 'it was reorganised away' })
   */
  reverseDeposit(request: DepositDoubtRequest): Promise<DepositDoubtAnswer> {
    return this.#post('/v1/operator/deposits/reverse', request);
  }

  /**
   * The deposits as the ledger has them, in the order in which they were credited, requested page by page.
   *
   * @example
   * for await (const { txHash, amount } of custody.deposits()) console.log(txHash, amount);
   */
  async *deposits(): AsyncGenerator<LedgerDeposit, void> {
    for (let after = 0; ; ) {
      const request = { query: { after }, headers: this.#headers };
      const { deposits } = await this.#transport.get<LedgerDepositList>('/v1/operator/deposits', request);
      if (deposits.length === 0) return;
      yield* deposits;
      after += deposits.length;
    }
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.post(path, body, { headers: this.#headers });
  }
}
