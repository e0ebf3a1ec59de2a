/**
 * Commits payouts batch by batch. One batch is open at a time. It is stored before the chain can see it, and closed
 * only when it is confirmed on chain and recorded at the exchange.
 */

import { AlarmError } from '../chain/alarm.ts';
import { usdText } from '../chain/amounts.ts';
import { RpcRefusal } from '../chain/errors.ts';
import { bumpedFees, feeMarket } from '../chain/fees.ts';
import type { Finality } from '../chain/finality.ts';
import type { Block, Receipt } from '../chain/parse.ts';
import { statusLog } from '../chain/servers.ts';
import { anchorOf } from '../daemon/anchor.ts';
import type { BatcherConfig } from '../daemon/config.ts';
import { Reminder } from '../daemon/reminder.ts';
import type { StateFile, StepHook } from '../daemon/state-file.ts';
import type { Vault } from '../events/vault.ts';
import type { VaultFlows } from '../events/vault-flows.ts';
import { ClosedBatches } from './closed.ts';
import type { Committer } from './committer.ts';
import type { BatcherMetrics } from './metrics.ts';
import type { Noting } from './noting.ts';
import type { Opener } from './opener.ts';
import type { Reports } from './reports.ts';
import type { Signer } from './signer.ts';
import type { Batch, BatcherState, BatchPayout, PaidPayout, SignedForm } from './state.ts';
import { Tally } from './tally.ts';
import type { Tracker } from './tracker.ts';
import { WORDS_MS_MAX } from './words.ts';

export interface BatcherParts {
  readonly vault: Vault;
  readonly signer: Signer;
  readonly committer: Committer;
  readonly opener: Opener;
  readonly tracker: Tracker;
  readonly noting: Noting;
  readonly reports: Reports;
  readonly flows: VaultFlows;
  readonly file: StateFile;
  readonly state: BatcherState;
  readonly config: Pick<
    BatcherConfig,
    'fromBlock' | 'pollMs' | 'intervalMs' | 'feeBumpAfterMs' | 'feeMaxWei'
  >;
  readonly finality: Finality;
  readonly log: (line: string) => void;
  readonly metrics: Pick<BatcherMetrics, 'committed' | 'openIs'>;
  readonly onStep: StepHook;
}

/** A revert that the estimate of its gas did not show may be bad luck; this many in a row are somebody's doing. */
const REVERTED_MAX = 3;
/** The act of a step, for a line of the log. */
const ACTS = { commit: '', propose: 'proposes ', execute: 'executes ' } as const;
/** Longer than a withdrawal is taken without an approver, so that one which is forgotten is not paid again (CUS-5). */
const PAID_MS_MAX = WORDS_MS_MAX + 86_400_000;
/** A server may lag behind itself, so an answer counts only after this many repeats. */
const CHECKS_MIN = 3;

export class Batcher {
  readonly #parts: BatcherParts;
  readonly #closed: ClosedBatches;
  readonly #tally: Tally;
  readonly #waiting: Reminder;
  readonly #sending: Reminder;
  #state: BatcherState;
  #isFirstRound = true;
  #strangeChecks = 0;
  #reverted = 0;
  /** The newest form of the open batch, and when this process first sent it, by the clock that is never set. */
  #newest = { hash: '', sinceMs: 0 };

  constructor(parts: BatcherParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#closed = new ClosedBatches(parts.vault, parts.signer.address, parts.log);
    this.#tally = new Tally(statusLog(parts.vault.chain, parts.log));
    this.#waiting = new Reminder(parts.log);
    this.#sending = new Reminder(parts.log);
  }

  /** Takes one step; returns the time until the next is due. Throws `AlarmError` if it must not continue. */
  async round(): Promise<number> {
    const { vault, config } = this.#parts;
    const head = await vault.chain.head();
    if (this.#isFirstRound) await this.#recognize();
    this.#isFirstRound = false;
    await this.#closed.watch(this.#state.closed);
    if (this.#state.open === null) await this.#open(head);
    else await this.#follow(this.#state.open, head);
    this.#tally.report(head.number, this.#state.open);
    this.#parts.metrics.openIs(this.#state.open);
    return this.#state.open === null ? config.intervalMs : config.pollMs;
  }

  /** Checks the anchor, so that the file of another chain is not taken for this one's. */
  async #recognize(): Promise<void> {
    const { vault, file, config } = this.#parts;
    const { anchor } = this.#state;
    this.#state = {
      ...this.#state,
      anchor: await anchorOf(vault.chain, { file, anchor, recent: [] }, config.fromBlock),
    };
  }

  async #open(head: Block): Promise<void> {
    const { opener, committer, log, onStep } = this.#parts;
    const { due, onChain } = await opener.look(head, this.#state.paid);
    if (onChain.length > 0) this.#state = { ...this.#state, paid: this.#paidWith(onChain, head) };
    const overdue = await committer.overdue(head);
    if (due.length === 0 && overdue.length === 0) return;
    const nonce = await this.#freeNonce();
    if (nonce === null) return;
    const executed = await opener.signOverdue(overdue, nonce, head);
    const batch = executed ?? (due.length === 0 ? null : await opener.sign(due, nonce, head));
    if (batch === null) return;
    await this.#save({ ...this.#state, open: batch });
    onStep('batch-written');
    const total = batch.payouts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    log(
      `batch ${batch.batchId}: ${ACTS[batch.kind]}${batch.payouts.length} payouts, ${usdText(total)}, nonce ${nonce}`,
    );
    await this.#send(batch.forms.at(-1)!);
    onStep('batch-sent');
  }

  /** The nonce of the next batch; null while a transaction unknown to this batcher is pending. */
  async #freeNonce(): Promise<number | null> {
    const { vault, signer } = this.#parts;
    const { nextNonce } = this.#state;
    const sent = await vault.chain.sentCount(signer.address);
    const withWaiting = await vault.chain.sentOrPendingCount(signer.address);
    if (nextNonce !== null && sent > nextNonce) {
      this.#strange(
        `the operator's key sent ${sent - nextNonce} transactions, from nonce ${nextNonce} on, that are not of this ` +
          `batcher: is there a second one? Find out, then move the state file away`,
      );
      return null;
    }
    this.#strangeChecks = 0;
    if (withWaiting > sent || sent < (nextNonce ?? 0)) {
      this.#waiting.say(
        `ALARM: waiting: the operator's key has transactions that are not mined, at nonce ${sent}`,
      );
      return null;
    }
    this.#waiting.over();
    return sent;
  }

  async #follow(batch: Batch, head: Block): Promise<void> {
    const found = await this.#parts.tracker.find(batch, head);
    if (found.kind !== 'nonce-taken') this.#strangeChecks = 0;
    if (found.kind === 'waiting') return this.#sendAgain(batch, head);
    if (found.kind === 'nonce-taken')
      return this.#strange(
        `nonce ${batch.nonce} of batch ${batch.batchId} was used by a transaction that is not of this batcher: is there ` +
          `a second one? None of the batch is committed. Find out, then move the state file away`,
      );
    if (found.kind === 'mined') this.#parts.onStep('batch-mined');
    if (!found.isConfirmed) return;
    if (found.kind === 'mined') return this.#settle(batch, found.receipt, head);
    this.#parts.log(
      `WARNING: batch ${batch.batchId} was committed by a transaction that is not in the state file`,
    );
    const paid = this.#paidWith(batch.payouts, head);
    await this.#save({ ...this.#state, open: null, nextNonce: null, paid });
  }

  /** The paid withdrawals with these payouts; without those of which no withdrawal can be brought again (CUS-5). */
  #paidWith(payouts: readonly BatchPayout[], { timestampSeconds: atSec }: Block): readonly PaidPayout[] {
    const known = new Map(this.#state.paid.map((payout) => [payout.id, payout]));
    for (const payout of payouts) if (!known.has(payout.id)) known.set(payout.id, { ...payout, atSec });
    return [...known.values()].filter((payout) => payout.atSec * 1_000 > atSec * 1_000 - PAID_MS_MAX);
  }

  async #settle(batch: Batch, { txHash, blockNumber, succeeded }: Receipt, head: Block): Promise<void> {
    const { vault, noting, finality, reports, log, metrics, onStep } = this.#parts;
    const { kind, batchId, nonce, payouts } = batch;
    const closed = this.#closed.kept(this.#state.closed, blockNumber - 4 * finality.depth);
    // A signed withdrawal that is proposed is spent, too: nothing else may be proposed by it.
    const paid = succeeded ? this.#paidWith(payouts, head) : this.#state.paid;
    const isCommitted = kind === 'commit' ? succeeded : await vault.isBatchCommitted(batchId, head.number);
    if (succeeded && !isCommitted) {
      this.#reverted = 0;
      log(
        `proposed: ${payouts.length} payouts in ${txHash}, block ${blockNumber}; the gate lets them through later`,
      );
    } else if (succeeded) {
      this.#reverted = 0;
      await noting.noteBatch(payouts, txHash);
      const { signed } = batch.forms.find(({ hash }) => hash === txHash)!;
      this.#tally.committed(batch);
      metrics.committed(batch);
      closed.push({ batchId, nonce, signed, blockNumber });
      log(`committed: ${payouts.length} payouts in ${txHash}, block ${blockNumber}`);
    } else if (isCommitted) {
      log(`batch ${batchId} was executed by somebody else before ${txHash}`);
    } else {
      this.#reverted += 1;
      log(`ALARM: batch ${batchId} reverted in ${txHash}; none of its payouts is committed`);
    }
    await this.#save({ ...this.#state, open: null, nextNonce: nonce + 1, closed, paid });
    onStep('batch-closed');
    if (this.#reverted < REVERTED_MAX) return;
    await reports.halt('batches of payouts revert on the chain');
    throw new AlarmError(
      `${this.#reverted} batches in a row reverted, each of which costs gas: find out why before it is started again`,
    );
  }

  /** Sends the newest form again, because it may have been lost; after a while with a higher fee and the same nonce. */
  async #sendAgain(batch: Batch, head: Block): Promise<void> {
    const newest = batch.forms.at(-1)!;
    if (this.#newest.hash !== newest.hash) this.#newest = { hash: newest.hash, sinceMs: performance.now() };
    const isLate = performance.now() - this.#newest.sinceMs >= this.#parts.config.feeBumpAfterMs;
    const higher = isLate ? await this.#signHigher(batch, newest, head) : null;
    if (higher === null) return this.#send(newest);
    const { log, onStep } = this.#parts;
    await this.#save({ ...this.#state, open: { ...batch, forms: [...batch.forms, higher] } });
    onStep('replacement-written');
    log(
      `batch ${batch.batchId}: replaced with a higher fee, ${higher.feeWei} wei per gas, nonce ${batch.nonce}`,
    );
    await this.#send(higher);
    onStep('replacement-sent');
  }

  async #signHigher(batch: Batch, newest: SignedForm, head: Block): Promise<SignedForm | null> {
    const { vault, signer, committer, config, onStep } = this.#parts;
    const before = { feeWei: BigInt(newest.feeWei), tipWei: BigInt(newest.tipWei) };
    const fees = bumpedFees(before, await feeMarket(vault.chain, head), config.feeMaxWei);
    if (fees === null) {
      this.#sending.say(`batch ${batch.batchId} waits: VENUE_MAX_FEE_GWEI leaves no room for a higher fee`);
      return null;
    }
    const form = await signer.sign(batch, fees, committer);
    onStep('replacement-signed');
    return form;
  }

  // Whether it was accepted is read from the chain, never from the answer: most refusals only say that it is already
  // known.
  async #send({ signed }: SignedForm): Promise<void> {
    try {
      await this.#parts.vault.chain.send(signed);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      if (/insufficient funds/i.test(error.message)) this.#sending.say(`ALARM: ${error.message}`);
      else if (!/already known|already imported|nonce too low/i.test(error.message))
        this.#sending.say(error.message);
    }
  }

  #strange(message: string): void {
    this.#strangeChecks += 1;
    if (this.#strangeChecks >= CHECKS_MIN) throw new AlarmError(message);
  }

  async #save(state: BatcherState): Promise<void> {
    const kept = { ...state, flows: this.#parts.flows.checkpoint };
    await this.#parts.file.write(kept);
    this.#state = kept;
  }
}
