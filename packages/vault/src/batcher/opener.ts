/** Prepares the next batch, if there is one, and checks everything that must hold before it is signed. */

import { decimalToMicros, type OperatorPayout, type Reserves } from '@venue/protocol';
import { formatEther } from 'viem';
import { microsOf, usdText } from '../chain/amounts.ts';
import { ChainError, RpcRefusal } from '../chain/errors.ts';
import { feeMarket, firstFees } from '../chain/fees.ts';
import type { Block } from '../chain/parse.ts';
import type { BatcherConfig } from '../daemon/config.ts';
import { Reminder } from '../daemon/reminder.ts';
import type { StepHook } from '../daemon/state-file.ts';
import type { Vault, VaultPayout, VaultRefusal } from '../events/vault.ts';
import type { VaultFlows } from '../events/vault-flows.ts';
import { checkReserves, reserveLine } from '../reserves/reserves.ts';
import { Admission } from './admission.ts';
import type { CommitHistory } from './commit-history.ts';
import type { Committer, Step } from './committer.ts';
import { ContractApprovals } from './contract-approvals.ts';
import { DueFinder, type HeldPayout, type PayoutSource } from './due.ts';
import { Allowance, isLimited } from './limits.ts';
import type { Noting } from './noting.ts';
import type { Reports } from './reports.ts';
import type { Signer } from './signer.ts';
import type { Batch, BatchPayout, PaidPayout } from './state.ts';
import { Words } from './words.ts';

/** The batcher's reads of the exchange. */
export interface VenueReads extends PayoutSource {
  reserves(): Promise<Reserves>;
}

export interface OpenerParts {
  readonly venue: VenueReads;
  readonly vault: Vault;
  readonly noting: Noting;
  readonly reports: Reports;
  readonly history: CommitHistory;
  readonly flows: VaultFlows;
  readonly signer: Signer;
  readonly committer: Committer;
  readonly config: Pick<
    BatcherConfig,
    'chainId' | 'vault' | 'batchMax' | 'feeMaxWei' | 'limits' | 'approvers' | 'takesUnproven'
  >;
  readonly log: (line: string) => void;
  readonly onStep: StepHook;
}

/** The result of a look at the exchange's list. */
export interface Look {
  /** To be committed. */
  readonly due: readonly BatchPayout[];
  /** On the chain already, and recorded at the exchange once that is final. */
  readonly onChain: readonly BatchPayout[];
}

type Unsigned = Omit<Batch, 'forms'>;

/** Why no payout can be made, as the exchange shows it; without figures, so that a report is made once (CUS-7). */
const HALTS = {
  money: 'the vault has too little money for any payout that waits',
  gas: "the vault's operator has too little ether for the gas",
  vault: 'the ledger is bound to another vault than the one that pays',
  invented: 'more was credited than the deposits of the vault are',
  unasked: 'the vault has committed payouts that nobody asked for',
} as const;
/** A server may lag behind the watcher's, so a difference is an alarm only after this many rounds. */
const CHECKS_MIN = 3;
/** Payouts named in one line. */
const NAMED_MAX = 10;
const LINE_LENGTH_MAX = 300;
const UNDERWAY = 'it is proposed at the gate, where guardians may veto it';
/** Gas limit of a transaction, on chains with EIP-7825. */
const TRANSACTION_GAS_MAX = 2n ** 24n;
/** Servers' messages for a call that needs more gas than a block or a transaction may use. */
const OUT_OF_GAS = /gas required exceeds|out of gas|gas limit|gas too high|intrinsic gas/i;

export class Opener {
  readonly #parts: OpenerParts;
  readonly #faults: Reminder;
  readonly #reserves: Reminder;
  readonly #fees: Reminder;
  readonly #held: Reminder;
  readonly #words: Words;
  readonly #finder: DueFinder;
  readonly #refused: Reminder;
  readonly #purse: Reminder;
  /** For each batch that is due and stays at the gate. */
  readonly #stuck = new Map<string, Reminder>();
  #inventedChecks = 0;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
    this.#faults = new Reminder(parts.log);
    this.#reserves = new Reminder(parts.log);
    this.#fees = new Reminder(parts.log);
    this.#held = new Reminder(parts.log);
    const contracts = new ContractApprovals(parts.venue, parts.vault.chain);
    this.#words = new Words((row) => contracts.accepts(row));
    this.#finder = new DueFinder(contracts, parts.vault);
    this.#refused = new Reminder(parts.log);
    this.#purse = new Reminder(parts.log);
  }

  /** Payouts to commit. Those found on chain are recorded at the exchange along the way. */
  async look(head: Block, paid: readonly PaidPayout[]): Promise<Look> {
    const { noting, committer, config, onStep } = this.#parts;
    const proposed = await committer.proposed(head);
    let admission: Promise<Admission> | undefined;
    const { due, onChain, held } = await this.#finder.find({
      ...config,
      blockNumber: head.number,
      underway: { ids: new Set(proposed.map(({ id }) => id)), why: UNDERWAY },
      admission: () => {
        admission ??= this.#admission(head, paid, proposed);
        return admission;
      },
    });
    onStep('payouts-read');
    await this.#sayHeld(held, due.length > 0);
    if (onChain.length > 0) await noting.noteFound(onChain, head);
    return { due, onChain };
  }

  /** The admission, which counts proposals as if they were committed now. */
  async #admission(
    head: Block,
    paid: readonly PaidPayout[],
    proposed: readonly VaultPayout[],
  ): Promise<Admission> {
    const { vault, history, config } = this.#parts;
    const { balance, totalCommitted } = await vault.figures(head.number);
    const commits = isLimited(config.limits) ? await history.before(head) : [];
    const soon = proposed.map(({ account, amount }) => ({
      account,
      amount: BigInt(amount),
      atSec: head.timestampSeconds,
    }));
    return new Admission({
      freeMicros: balance - totalCommitted - soon.reduce((sum, { amount }) => sum + amount, 0n),
      allowance: new Allowance(config.limits, [...commits, ...soon], head.timestampSeconds),
      approval: config,
      takesUnproven: config.takesUnproven,
      paid,
      standingOf: (row) => this.#words.standingOf(row, head.timestampSeconds * 1_000),
    });
  }

  async #sayHeld(held: readonly HeldPayout[], isAnyDue: boolean): Promise<void> {
    const { reports } = this.#parts;
    const of = (kind: HeldPayout['kind']) => held.filter((one) => one.kind === kind);
    const faulty = of('faulty').map(({ row, why }) => shortened(`payout ${row.id}: ${why}`));
    if (faulty.length > 0)
      this.#faults.say(`ALARM: left out: ${faulty.slice(0, NAMED_MAX).join('; ')}${more(faulty.length)}`);
    else this.#faults.over();
    const waiting = of('waits').map(
      ({ row, why }) => `payout ${row.id} of ${usdText(microsOf(row.amountUsd))}: ${why}`,
    );
    if (waiting.length > 0)
      this.#held.say(`wait: ${waiting.slice(0, NAMED_MAX).join('; ')}${more(waiting.length)}`);
    else this.#held.over();
    await reports.waits(held);
    const unfunded = of('unfunded').length;
    if (isAnyDue) return;
    if (unfunded === 0) return reports.over(HALTS.money);
    this.#refused.say(`ALARM: nothing is signed, the vault has too little for any of ${unfunded} payouts`);
    await reports.halt(HALTS.money);
  }

  /**
   * Signs a step for these payouts, or for those of them that go first. Null while the ledger and the vault contradict
   * each other, or the fees are too high or cannot be paid.
   */
  async sign(payouts: readonly BatchPayout[], nonce: number, head: Block): Promise<Batch | null> {
    const { committer } = this.#parts;
    const first = await committer.select(payouts, head);
    return first.length === 0
      ? null
      : this.#signed(first.length, head, () => this.#fitting(first, nonce, head));
  }

  /**
   * Signs the first of these steps that the contract takes. What the exchange asks for no longer is not executed: its
   * payout was voided, or the ledger was restored from an old copy and has another one under its id (CUS-3, CUS-4).
   */
  async signOverdue(steps: readonly Step[], nonce: number, head: Block): Promise<Batch | null> {
    const asked = steps.length === 0 ? new Map<number, OperatorPayout>() : await this.#asked();
    for (const step of steps) {
      const payouts = step.payouts.flatMap((payout) => knownPayout(payout, asked.get(payout.id)) ?? []);
      const batch =
        payouts.length === step.payouts.length
          ? await this.#signStep({ ...step, payouts }, nonce, head)
          : this.#notAsked(step, asked);
      if (batch !== null) return batch;
    }
    return null;
  }

  /** The payouts that the exchange asks for now, by their numbers in the vault. */
  async #asked(): Promise<Map<number, OperatorPayout>> {
    const rows = await Array.fromAsync(this.#parts.venue.payouts({ state: 'requested' }));
    return new Map(rows.map((row) => [row.payoutId, row]));
  }

  #notAsked({ batchId, payouts }: Step, asked: ReadonlyMap<number, OperatorPayout>): null {
    const lost = payouts.find((payout) => knownPayout(payout, asked.get(payout.id)) === null)!;
    this.#stuckOf(batchId).say(
      `ALARM: batch ${batchId} is due and is not executed: payout ${lost.id} of ${usdText(BigInt(lost.amount))} to ` +
        `${lost.account} is one that the exchange does not ask for`,
    );
    return null;
  }

  /** Signs the step as it is; null also where the contract refuses it. */
  #signStep(step: Step<BatchPayout>, nonce: number, head: Block): Promise<Batch | null> {
    return this.#signed(step.payouts.length, head, async () => {
      const gas = await this.#gasOf(step, head);
      if (gas === 'too-much') return this.#refusedBy(step, { name: '', text: 'a block has too little gas' });
      return gas === null ? null : { ...step, nonce, gas: String(gas) };
    });
  }

  async #signed(count: number, head: Block, made: () => Promise<Unsigned | null>): Promise<Batch | null> {
    const { vault, signer, committer, reports, config, onStep } = this.#parts;
    if (!(await this.#agrees(head))) return null;
    onStep('reserves-checked');
    const fees = firstFees(await feeMarket(vault.chain, head), config.feeMaxWei);
    if (fees === null) {
      this.#fees.say(`the base fee is above VENUE_MAX_FEE_GWEI; ${count} payouts wait`);
      return null;
    }
    this.#fees.over();
    const batch = await made();
    if (batch === null || !(await this.#canPay(BigInt(batch.gas) * fees.feeWei))) return null;
    const signed = { ...batch, forms: [await signer.sign(batch, fees, committer)] };
    onStep('batch-signed');
    await reports.halt(null);
    return signed;
  }

  /** Halves the batch until a block has room for it; null if the contract itself refuses. */
  async #fitting(payouts: readonly BatchPayout[], nonce: number, head: Block): Promise<Unsigned | null> {
    const step = await this.#parts.committer.step(payouts);
    const gas = await this.#gasOf(step, head);
    if (gas === null) return null;
    if (gas !== 'too-much') return { ...step, nonce, gas: String(gas) };
    return this.#fitting(payouts.slice(0, Math.ceil(payouts.length / 2)), nonce, head);
  }

  /** The gas of a step, or that it is more than a block has; null if the contract refuses it. */
  async #gasOf(step: Step, head: Block): Promise<bigint | 'too-much' | null> {
    const { vault, signer, committer } = this.#parts;
    const isAlone = step.payouts.length === 1;
    const gasMax = head.gasLimit < TRANSACTION_GAS_MAX ? head.gasLimit : TRANSACTION_GAS_MAX;
    try {
      const call = { from: signer.address, to: committer.to, data: committer.call(step) };
      const gas = withRoom(await vault.chain.estimateGas(call));
      this.#refused.over();
      if (gas <= gasMax) return gas;
      if (isAlone) throw new ChainError(`one payout needs ${gas} gas, a block has ${gasMax}`);
      return 'too-much';
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      const refusal = committer.refusalOf(error);
      if (refusal !== null) return this.#refusedBy(step, refusal);
      if (isAlone || !OUT_OF_GAS.test(error.message)) throw error;
      return 'too-much';
    }
  }

  async #refusedBy({ kind, batchId }: Step, { name, text }: VaultRefusal): Promise<null> {
    if (kind === 'execute') {
      this.#stuckOf(batchId).say(`ALARM: batch ${batchId} is due and cannot be executed: ${text}`);
      return null;
    }
    // The head may have moved on since the payouts were read: then the next round finds them.
    if (name === 'PayoutAlreadyCommitted' || name === 'BatchAlreadyCommitted')
      throw new ChainError(`the vault refuses the batch: ${text}`);
    this.#refused.say(`ALARM: nothing is signed, the vault refuses the batch: ${text}`);
    if (name === 'InsufficientReserves') await this.#parts.reports.halt(HALTS.money);
    return null;
  }

  #stuckOf(batchId: string): Reminder {
    const reminder = this.#stuck.get(batchId) ?? new Reminder(this.#parts.log);
    this.#stuck.set(batchId, reminder);
    return reminder;
  }

  async #canPay(costWei: bigint): Promise<boolean> {
    const { vault, signer, reports } = this.#parts;
    const balanceWei = await vault.chain.balanceWei(signer.address);
    if (balanceWei >= costWei) {
      this.#purse.over();
      return true;
    }
    this.#purse.say(
      `ALARM: nothing is signed, the operator ${signer.address} has ${formatEther(balanceWei)} ether and the batch may ` +
        `cost ${formatEther(costWei)}: send it more`,
    );
    await reports.halt(HALTS.gas);
    return false;
  }

  // The block is older than the exchange's figures, so everything committed in it had been requested from the
  // exchange. A vault that covers less than all that is owed still pays what it can (CUS-7).
  async #agrees(head: Block): Promise<boolean> {
    const { venue, vault, reports, flows } = this.#parts;
    const reserves = await venue.reserves();
    const figures = await vault.figures(head.number);
    reports.haltedIs(reserves.payoutsHalted);
    const fault = this.#bindingFault(reserves);
    if (fault !== null) return this.#refuse(fault, HALTS.vault);
    // What was deposited after the head may be credited already, so the newest block decides (CUS-14).
    const inventedAt = async () =>
      microsOf(reserves.depositedUsd) - (await flows.upTo(await vault.chain.head())).atHead.depositedMicros;
    let invented = await inventedAt();
    // An index of logs that lagged may have hidden deposits from the sums, so they are made again before that is said.
    if (invented > 0n && flows.forget()) invented = await inventedAt();
    if (invented > 0n) return this.#refuseInvented(invented);
    this.#inventedChecks = 0;
    const check = checkReserves(reserves, figures);
    if (check.unasked > 0n)
      return this.#refuse(`the reserves do not hold: ${reserveLine(check)}`, HALTS.unasked);
    if (check.holds) this.#reserves.over('the reserves hold again');
    else
      this.#reserves.say(
        `ALARM: the reserves do not hold: ${reserveLine(check)}; payouts are made as far as the money goes`,
      );
    return true;
  }

  async #refuseInvented(micros: bigint): Promise<false> {
    this.#inventedChecks += 1;
    if (this.#inventedChecks < CHECKS_MIN) return false;
    return this.#refuse(
      `the exchange has credited ${usdText(micros)} more than the vault's deposits are`,
      HALTS.invented,
    );
  }

  async #refuse(why: string, reason: string): Promise<false> {
    this.#reserves.say(`ALARM: nothing is signed, ${why}`);
    await this.#parts.reports.halt(reason);
    return false;
  }

  #bindingFault({ chainId, vault }: Reserves): string | null {
    const { config } = this.#parts;
    if (vault === null || (vault === config.vault && chainId === config.chainId)) return null;
    return `the ledger is bound to the vault ${vault} on chain ${chainId}, and this is ${config.vault} on ${config.chainId}`;
  }
}

/** A payout of the gate with its number in the ledger, or null unless the exchange's row asks for the same. */
function knownPayout(payout: VaultPayout, row: OperatorPayout | undefined): BatchPayout | null {
  if (row === undefined || !Number.isSafeInteger(row.id)) return null;
  if (row.address !== payout.account || decimalToMicros(row.amountUsd) !== payout.amount) return null;
  return { ...payout, ledgerId: row.id, withdrawal: null };
}

/** A row may hold anything, and stands in one line of the log. */
function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, LINE_LENGTH_MAX);
}

function more(count: number): string {
  return count > NAMED_MAX ? `; and ${count - NAMED_MAX} more` : '';
}

/** Adds room for payouts that cost more by the time they are mined, such as the first to a new account. */
function withRoom(gas: bigint): bigint {
  return (gas * 5n) / 4n;
}
