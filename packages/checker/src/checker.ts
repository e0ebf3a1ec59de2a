/** One round of the checker: read the log, look at the gate, veto what does not follow (CUS-18). */

import type { FollowedLog } from '@venue/audit';
import type { Address, Hex } from '@venue/protocol';
import {
  type BatchView,
  type Block,
  ChainError,
  type Finality,
  type Gate,
  type Hash,
  pauseCall,
  recentBatches,
  sendToGate,
  type TransactionKey,
  usdText,
  vetoCall,
  votedFilter,
} from '@venue/vault/parts';
import type { AttestedApprovals } from './attested.ts';
import type { ChainCommitments } from './commitments.ts';
import type { CheckerConfig } from './config.ts';
import type { ChainDeposits } from './deposits.ts';
import { judgeBatch, type Verdict } from './judge.ts';

export interface CheckerParts {
  readonly gate: Gate;
  readonly vault: Address;
  readonly chainId: number;
  /** The block in which the gate was deployed. */
  readonly fromBlock: number;
  readonly copy: Pick<FollowedLog, 'advance' | 'state' | 'bindings' | 'takeAttested'>;
  readonly deposits: ChainDeposits;
  readonly commitments: ChainCommitments;
  readonly attested: AttestedApprovals;
  readonly finality: Finality;
  readonly key: TransactionKey;
  readonly config: Pick<CheckerConfig, 'pollMs' | 'feeMaxWei'>;
  readonly log: (line: string) => void;
  /** For lines about what was found in order. */
  readonly status: (line: string) => void;
}

export class Checker {
  readonly #parts: CheckerParts;
  /**
   * Batches that were found to follow, and those that were vetoed. One that still waits is judged again each round: a
   * deposit may turn out to be invented, and a payout may be voided, after it was found to follow.
   */
  readonly #passed = new Set<Hash>();
  readonly #vetoed = new Set<Hash>();
  /** Wrong commitments that a person was told of. */
  readonly #told = new Set<Hash>();
  #general: string | null = null;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /** Returns the time until the next round. */
  async round(): Promise<number> {
    const { gate, fromBlock, config } = this.#parts;
    const head = await gate.chain.head();
    const general = await this.#generalFault(head);
    if (general !== null && general !== this.#general)
      this.#parts.log(`ALARM: ${general}: nothing follows from it`);
    if (general === null && this.#general !== null)
      this.#parts.log('going on: the log and the deposits agree again');
    this.#general = general;
    const { shortDelay } = await gate.bounds();
    for (const batch of await recentBatches(gate, head, fromBlock)) await this.#look(batch, head, shortDelay);
    return config.pollMs;
  }

  /**
   * Why nothing at all follows: a log that is not proven, approvals that nobody gave, deposits that nobody made, or
   * payouts given back after they were committed.
   */
  async #generalFault(head: Block): Promise<string | null> {
    const { copy, deposits, commitments, attested, finality } = this.#parts;
    const fault = await copy.advance();
    if (fault !== null) return `the copy of the log is not proven: ${fault.message}`;
    const forged = await attested.advance(copy.takeAttested(), head.number);
    if (forged !== null) return forged;
    const settled = await finality.settled(head);
    await deposits.advance(settled);
    await commitments.advance(settled);
    const invented = deposits.inventedMicros(copy.state, this.#depositedBefore(), head.number);
    if (invented > 0n) return `the log credits deposits of ${usdText(invented)} that the chain does not show`;
    const payout = commitments.givenBack(copy.state);
    return payout === null
      ? null
      : `the log gives back payout ${payout.payoutId}, which the vault has committed`;
  }

  /**
   * What earlier vaults took in, in micros, as the first binding to this vault says. No signature proves a binding, and
   * one that comes back to this vault would pass off what was invented meanwhile as deposits of an earlier one.
   */
  #depositedBefore(): bigint {
    const { copy, vault, chainId } = this.#parts;
    const first = copy.bindings.find((one) => one.vault === vault && one.chainId === chainId);
    return BigInt(first?.depositedBeforeMicros ?? 0);
  }

  async #look(batch: BatchView, head: Block, shortDelay: number): Promise<void> {
    const { id, state } = batch;
    if (state === 'vetoed' || state === 'void' || state === 'expired') return;
    if (state === 'committed' && this.#passed.has(id)) return;
    const verdict = this.#judge(batch);
    if (verdict.kind === 'follows') return this.#pass(batch);
    // A copy that lags has half of the shortest delay to catch up.
    if (verdict.kind === 'unknown' && head.timestampSeconds < batch.proposedAt + shortDelay / 2) return;
    if (state === 'committed') await this.#tooLate(batch, verdict.why);
    else await this.#veto(batch, verdict.why, head);
  }

  #judge({ payouts }: BatchView): Verdict {
    const { copy, vault, chainId } = this.#parts;
    if (this.#general !== null) return { kind: 'wrong', why: this.#general };
    const { waiting } = this.#parts.attested;
    if (waiting !== null) return { kind: 'unknown', why: waiting };
    return judgeBatch(copy.state, payouts, { vault, chainId });
  }

  #pass({ id, payouts, total }: BatchView): void {
    if (this.#passed.has(id)) return;
    this.#passed.add(id);
    this.#parts.status(`batch ${id} follows: ${payouts.length} payouts, ${usdText(total)}`);
  }

  async #veto(batch: BatchView, why: string, head: Block): Promise<void> {
    const { id } = batch;
    if (this.#vetoed.has(id)) return;
    if (await this.#hasVoted(batch, head)) {
      this.#vetoed.add(id);
      return;
    }
    this.#parts.log(`ALARM: batch ${id} of ${usdText(batch.total)} does not follow, vetoing it: ${why}`);
    if (await this.#send(vetoCall(id))) this.#vetoed.add(id);
  }

  /** It was within the free allowance, or nobody objected in time: at least nothing more leaves for a while. */
  async #tooLate({ id, total }: BatchView, why: string): Promise<void> {
    if (this.#told.has(id)) return;
    this.#parts.log(
      `ALARM: batch ${id} of ${usdText(total)} is committed and does not follow, pausing: ${why}`,
    );
    this.#told.add(id);
    await this.#send(pauseCall());
  }

  async #hasVoted({ id, blockNumber }: BatchView, head: Block): Promise<boolean> {
    const { gate, key } = this.#parts;
    const logs = await gate.chain.logs(votedFilter(gate.address, id, key.address), blockNumber, head.number);
    return logs.length > 0;
  }

  /** False if the gate refuses it or the chain does not take it; the next round tries again. */
  async #send(data: Hex): Promise<boolean> {
    const { gate, key, config, log } = this.#parts;
    try {
      const { txHash } = await sendToGate(gate, data, {
        ...{ key, feeMaxWei: config.feeMaxWei },
        onSent: (hash) => log(`sent ${hash}`),
      });
      log(`done in ${txHash}`);
      return true;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log(`ALARM: the gate was not told: ${error.message}`);
      return false;
    }
  }
}
