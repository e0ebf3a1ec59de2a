/**
 * Follows the vault block by block: reads deposits, judges them, reports them to the exchange, and only then moves
 * on.
 */

import type { DepositAnswer, DepositRequest } from '@venue/protocol';
import { isRefusedAs } from '@venue/sdk';
import { AlarmError } from '../chain/alarm.ts';
import type { Chain } from '../chain/chain.ts';
import type { Finality } from '../chain/finality.ts';
import { logKey } from '../chain/parse.ts';
import { statusLog } from '../chain/servers.ts';
import { anchorOf } from '../daemon/anchor.ts';
import type { WatcherConfig } from '../daemon/config.ts';
import { Reminder } from '../daemon/reminder.ts';
import { orAlarm } from '../daemon/rounds.ts';
import type { StateFile, StepHook } from '../daemon/state-file.ts';
import type { VaultFlows } from '../events/vault-flows.ts';
import type { VaultDeposit } from '../events/vault-logs.ts';
import { describe, judge } from './judge.ts';
import type { WatcherMetrics } from './metrics.ts';
import { Progress } from './progress.ts';
import type { Reconciliation } from './reconciliation.ts';
import { HEADERS_MAX, type Reading, type Scanner } from './scanner.ts';
import {
  advanced,
  type Deposit,
  isCut,
  type UntakenDeposit,
  type WatcherState,
  walkedBack,
} from './state.ts';

/** The operators' calls of the exchange to which deposits are reported. */
export interface DepositSink {
  deposit(request: DepositRequest): Promise<DepositAnswer>;
}

export interface FollowerParts {
  readonly chain: Chain;
  readonly scanner: Scanner;
  readonly sink: DepositSink;
  readonly file: StateFile;
  readonly state: WatcherState;
  readonly config: Pick<
    WatcherConfig,
    'chainId' | 'vault' | 'fromBlock' | 'headStillMinutes' | 'pollMs' | 'skip'
  >;
  readonly finality: Finality;
  readonly reconciliation: Reconciliation;
  readonly flows: VaultFlows;
  /** Number of blocks read together at present. */
  readonly chunkBlocks: () => number;
  readonly log: (line: string) => void;
  readonly metrics: Pick<WatcherMetrics, 'credited' | 'at'>;
  readonly onStep: StepHook;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #progress: Progress;
  readonly #untaken: Reminder;
  readonly #stillness: Reminder;
  #state: WatcherState;
  #headMax = 0;
  #headSinceMs = performance.now();
  #isFirstRound = true;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#progress = new Progress({ log: statusLog(parts.chain, parts.log) });
    this.#untaken = new Reminder(parts.log);
    this.#stillness = new Reminder(parts.log);
  }

  /** Takes one step; returns the time until the next is due. Throws `AlarmError` if it must not continue. */
  async round(): Promise<number> {
    const { chain, config, finality } = this.#parts;
    const newest = await chain.head();
    const head = newest.number;
    this.#noteHead(head);
    const target = await finality.settled(newest);
    if (this.#isFirstRound) await this.#recognize();
    await this.#walkBack(target);
    if (this.#isFirstRound) this.#extendDoubt(target);
    this.#isFirstRound = false;
    const behind = target - this.#state.blockNumber;
    if (behind > HEADERS_MAX) this.#progress.report({ block: this.#state.blockNumber, target, head });
    if (behind > 0) await this.#advance(target);
    this.#checkDoubtful();
    this.#sayUntaken();
    const block = this.#state.blockNumber;
    this.#progress.report({ block, target, head });
    this.#parts.metrics.at({ block, head });
    // A deposit that a reorg took off the chain has a message of its own.
    if (block >= target && this.#state.doubtful.length === 0)
      await this.#parts.reconciliation.check(this.#state.untaken);
    return block < target ? 0 : config.pollMs;
  }

  /** A file of another chain is no reorg, however many of its blocks are gone. */
  async #recognize(): Promise<void> {
    const { chain, file, config } = this.#parts;
    const anchor = await anchorOf(chain, { file, ...this.#state }, config.fromBlock);
    this.#state = { ...this.#state, anchor };
  }

  // A head that falls back undoes nothing: only blocks whose hashes differ are gone. A small step back is not
  // reported, because several servers behind one address do not all have the same head.
  #noteHead(head: number): void {
    if (head < this.#headMax - this.#parts.finality.depth)
      this.#parts.log(`the head went back from block ${this.#headMax} to ${head}`);
    else if (head <= this.#headMax) {
      this.#noteStillness();
      return;
    }
    this.#headMax = head;
    this.#headSinceMs = performance.now();
    this.#stillness.over('the head moves again');
  }

  /** A chain that stands still looks like one on which nothing happens. */
  #noteStillness(): void {
    const minutes = Math.floor((performance.now() - this.#headSinceMs) / 60_000);
    if (minutes < this.#parts.config.headStillMinutes) return;
    this.#stillness.say(`ALARM: the chain has had no block above ${this.#headMax} for ${minutes} minutes`);
  }

  /** Goes back to the last block read that is still on the chain. */
  async #walkBack(target: number): Promise<void> {
    const { file, log, onStep } = this.#parts;
    const { recent, blockNumber } = this.#state;
    let kept = recent.length;
    while (kept > 0 && !(await this.#isOnChain(recent[kept - 1]!))) kept -= 1;
    if (kept === recent.length) return;
    if (kept === 0 && isCut(this.#state))
      throw new AlarmError(
        `none of the last ${recent.length} blocks that were read is on the chain any more: is this RPC of the same chain?`,
      );
    onStep('reorg-found');
    const ancestor = kept === 0 ? this.#parts.config.fromBlock - 1 : recent[kept - 1]!.number;
    // It may be found again in blocks up to the current head, once that is confirmed.
    const doubtfulTo = Math.max(blockNumber, target) + this.#parts.finality.depth;
    this.#state = walkedBack(this.#state, ancestor, doubtfulTo);
    await file.write(this.#state);
    onStep('reorg-written');
    log(this.#reorgLine({ from: ancestor + 1, to: blockNumber }));
  }

  #reorgLine({ from, to }: { from: number; to: number }): string {
    const { doubtful, doubtfulTo } = this.#state;
    const text = `a reorg deeper than the confirmations replaced blocks ${from} to ${to}`;
    if (doubtful.length === 0) return `WARNING: ${text}; no deposit was credited from them`;
    return `ALARM: ${text}; looking again, up to block ${doubtfulTo}, for deposits that are credited: ${namesOf(doubtful)}`;
  }

  async #isOnChain({ number, hash }: { number: number; hash: string }): Promise<boolean> {
    return (await this.#parts.chain.block(number)).hash === hash;
  }

  async #advance(target: number): Promise<void> {
    const { scanner, file, config, finality, flows, onStep } = this.#parts;
    const { blockNumber, recent } = this.#state;
    const to = Math.min(target, blockNumber + this.#parts.chunkBlocks());
    const overlap = Math.min(finality.depth, HEADERS_MAX / 2);
    const from = Math.max(config.fromBlock, blockNumber + 1 - overlap);
    const known = new Map(recent.map(({ number, hash }) => [number, hash]));
    const reading = await scanner.read({ from, to }, known);
    onStep('blocks-read');
    this.#state = { ...(await this.#credit(reading)), flows: flows.checkpoint };
    await file.write(this.#state);
    onStep('cursor-written');
  }

  /** Reports the deposits that the exchange does not know, in order, so that a crash leaves no gap. */
  async #credit({ deposits, blocks }: Reading): Promise<WatcherState> {
    const judgement = judge(deposits, this.#state, this.#parts.config.skip);
    const taken: Deposit[] = [];
    const untaken = judgement.uncountable.map((deposit) =>
      untakenOf(deposit, 'more than the exchange can count'),
    );
    for (const deposit of judgement.fresh) {
      const refusal = await this.#report(deposit);
      if (refusal === null) taken.push(deposit);
      else untaken.push(untakenOf(deposit, refusal));
    }
    for (const deposit of judgement.refound)
      this.#parts.log(`found again after the reorg: ${describe(deposit)}, ${logKey(deposit)}`);
    return advanced(this.#state, blocks, { ...judgement, taken, untaken });
  }

  /** Null once the exchange has it, or why it cannot take it. Any other refusal is an alarm that stops. */
  async #report(deposit: Deposit): Promise<string | null> {
    const { sink, log, onStep, config } = this.#parts;
    const { address, amount, txHash, logIndex, blockNumber, blockHash } = deposit;
    const { chainId, vault } = config;
    const request = { address, amount, txHash, logIndex, blockNumber, blockHash, chainId, vault };
    const name = `${describe(deposit)}, ${logKey(deposit)} in block ${blockNumber}`;
    const status = await orAlarm(`the deposit ${name}`, () => statusOf(sink.deposit(request)));
    onStep('deposit-told');
    if (status === 'too large') return 'the deposit exceeds what the ledger can hold';
    if (status === 'duplicate') return null;
    this.#progress.credited(amount);
    this.#parts.metrics.credited(amount);
    log(`${status}: ${name}`);
    return null;
  }

  /** One deposit that cannot be credited keeps nobody else's waiting. */
  #sayUntaken(): void {
    const { skip } = this.#parts.config;
    const waiting = this.#state.untaken.filter((deposit) => !skip.has(logKey(deposit)));
    if (waiting.length === 0) this.#untaken.over();
    else
      this.#untaken.say(
        `ALARM: not credited, pay them back by hand and name them in VENUE_WATCHER_SKIP: ${waiting.map(({ text }) => text).join('; ')}`,
      );
  }

  // The chain has grown since it stopped, and a lost deposit may be in a newer block.
  #extendDoubt(target: number): void {
    this.#state = { ...this.#state, doubtfulTo: Math.max(this.#state.doubtfulTo, target) };
  }

  #checkDoubtful(): void {
    const { doubtful, doubtfulTo, blockNumber } = this.#state;
    if (doubtful.length === 0 || blockNumber < doubtfulTo) return;
    throw new AlarmError(
      `a reorg deeper than the confirmations took deposits that are credited off the chain: ${namesOf(doubtful)}`,
    );
  }
}

function untakenOf(deposit: VaultDeposit | Deposit, why: string): UntakenDeposit {
  const { txHash, logIndex, blockNumber } = deposit;
  return { txHash, logIndex, blockNumber, text: `${logKey(deposit)} (${describe(deposit)}): ${why}` };
}

async function statusOf(answer: Promise<DepositAnswer>): Promise<DepositAnswer['status'] | 'too large'> {
  try {
    return (await answer).status;
  } catch (error) {
    if (isRefusedAs(error, 'deposit-too-large')) return 'too large';
    throw error;
  }
}

function namesOf(deposits: readonly Deposit[]): string {
  return deposits.map((deposit) => `${logKey(deposit)} (${describe(deposit)})`).join(', ');
}
