/** Prepares the next batch, if there is one, and checks everything that must hold before it is signed. */

import type { Reserves } from '@venue/protocol';
import { formatEther } from 'viem';
import { usdText } from '../amounts.ts';
import type { Chain } from '../chain/chain.ts';
import { ChainError, RpcRefusal } from '../chain/errors.ts';
import type { Block } from '../chain/parse.ts';
import {
  commitCall,
  type Vault,
  type VaultPayout,
  type VaultRefusal,
  vaultRefusalOf,
} from '../chain/vault.ts';
import type { BatcherConfig } from '../config.ts';
import { Reminder } from '../reminder.ts';
import { checkReserves, reserveLine } from '../reserves.ts';
import type { StepHook } from '../state-file.ts';
import { findDue, type PayoutSource } from './due.ts';
import { type FeeMarket, firstFees } from './fees.ts';
import type { Noting } from './noting.ts';
import { batchIdOf, type Signer } from './signer.ts';
import type { Batch } from './state.ts';

/** The batcher's reads of the exchange. */
export interface VenueReads extends PayoutSource {
  reserves(): Promise<Reserves>;
}

export interface OpenerParts {
  readonly venue: VenueReads;
  readonly vault: Vault;
  readonly noting: Noting;
  readonly signer: Signer;
  readonly config: Pick<BatcherConfig, 'chainId' | 'vault' | 'batchMax' | 'payoutMinMicros' | 'feeMaxWei'>;
  readonly log: (line: string) => void;
  readonly onStep: StepHook;
}

type Unsigned = Omit<Batch, 'forms'>;

/** Gas limit of a transaction, on chains with EIP-7825. */
const TRANSACTION_GAS_MAX = 2n ** 24n;
/** Servers' messages for a call that needs more gas than a block or a transaction may use. */
const OUT_OF_GAS = /gas required exceeds|out of gas|gas limit|gas too high|intrinsic gas/i;

export class Opener {
  readonly #parts: OpenerParts;
  readonly #faults: Reminder;
  readonly #reserves: Reminder;
  readonly #fees: Reminder;
  readonly #dust: Reminder;
  readonly #refused: Reminder;
  readonly #purse: Reminder;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
    this.#faults = new Reminder(parts.log);
    this.#reserves = new Reminder(parts.log);
    this.#fees = new Reminder(parts.log);
    this.#dust = new Reminder(parts.log);
    this.#refused = new Reminder(parts.log);
    this.#purse = new Reminder(parts.log);
  }

  /** Payouts to commit. Those found on chain are recorded at the exchange along the way. */
  async due(head: Block): Promise<readonly VaultPayout[]> {
    const { venue, vault, noting, config, onStep } = this.#parts;
    const { due, onChain, dust, faults } = await findDue(venue, vault, {
      ...config,
      blockNumber: head.number,
    });
    onStep('payouts-read');
    if (faults.length > 0) this.#faults.say(`ALARM: left out: ${faults.join('; ')}`);
    if (dust.length > 0)
      this.#dust.say(`wait for VENUE_PAYOUT_MIN_USD: ${dust.length} payouts, ${totalText(dust)}`);
    if (onChain.length > 0) await noting.noteFound(onChain, head);
    return due;
  }

  /**
   * Signs a batch of these payouts, or of the first of them if not all fit into a block. Null while the vault does
   * not cover what is owed, or the fees are too high or cannot be paid.
   */
  async sign(payouts: readonly VaultPayout[], nonce: number, head: Block): Promise<Batch | null> {
    const { vault, signer, config, onStep } = this.#parts;
    if (!(await this.#isCovered(head))) return null;
    onStep('reserves-checked');
    const fees = firstFees(await feeMarket(vault.chain, head), config.feeMaxWei);
    if (fees === null) {
      this.#fees.say(`the base fee is above VENUE_MAX_FEE_GWEI; ${payouts.length} payouts wait`);
      return null;
    }
    this.#fees.over();
    const batch = await this.#fitting(payouts, nonce, head);
    if (batch === null || !(await this.#canPay(BigInt(batch.gas) * fees.feeWei))) return null;
    const signed = { ...batch, forms: [await signer.sign(batch, fees)] };
    onStep('batch-signed');
    return signed;
  }

  /** Halves the batch until a block has room for it; null if the vault itself refuses. */
  async #fitting(payouts: readonly VaultPayout[], nonce: number, head: Block): Promise<Unsigned | null> {
    const { vault, signer, config } = this.#parts;
    const batchId = batchIdOf(config, payouts);
    const call = { from: signer.address, to: vault.address, data: commitCall(batchId, payouts) };
    const gasMax = head.gasLimit < TRANSACTION_GAS_MAX ? head.gasLimit : TRANSACTION_GAS_MAX;
    try {
      const estimate = await vault.chain.estimateGas(call);
      this.#refused.over();
      const gas = withRoom(estimate);
      if (gas <= gasMax) return { batchId, payouts, nonce, gas: String(gas) };
      if (payouts.length === 1) throw new ChainError(`one payout needs ${gas} gas, a block has ${gasMax}`);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      const refusal = vaultRefusalOf(error);
      if (refusal !== null) return this.#refusedBy(refusal);
      if (payouts.length === 1 || !OUT_OF_GAS.test(error.message)) throw error;
    }
    return this.#fitting(payouts.slice(0, Math.ceil(payouts.length / 2)), nonce, head);
  }

  #refusedBy({ name, text }: VaultRefusal): null {
    // The head may have moved on since the payouts were read: then the next round finds them.
    if (name === 'PayoutAlreadyCommitted' || name === 'BatchAlreadyCommitted')
      throw new ChainError(`the vault refuses the batch: ${text}`);
    this.#refused.say(`ALARM: nothing is signed, the vault refuses the batch: ${text}`);
    return null;
  }

  async #canPay(costWei: bigint): Promise<boolean> {
    const { vault, signer } = this.#parts;
    const balanceWei = await vault.chain.balanceWei(signer.address);
    if (balanceWei >= costWei) {
      this.#purse.over();
      return true;
    }
    this.#purse.say(
      `ALARM: nothing is signed, the operator ${signer.address} has ${formatEther(balanceWei)} ether and the batch may ` +
        `cost ${formatEther(costWei)}: send it more`,
    );
    return false;
  }

  // The block is older than the exchange's figures, so everything committed in it had been requested from the
  // exchange.
  async #isCovered(head: Block): Promise<boolean> {
    const { venue, vault } = this.#parts;
    const check = checkReserves(await venue.reserves(), await vault.figures(head.number));
    if (check.holds) this.#reserves.over('the reserves hold again');
    else this.#reserves.say(`ALARM: nothing is signed, the reserves do not hold: ${reserveLine(check)}`);
    return check.holds;
  }
}

function totalText(payouts: readonly VaultPayout[]): string {
  return usdText(payouts.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
}

/** The chain's current fees; throws `ChainError` on a chain without EIP-1559. */
export async function feeMarket(chain: Chain, { baseFeeWei }: Block): Promise<FeeMarket> {
  if (baseFeeWei === null) throw new ChainError('this chain has no base fee (EIP-1559)');
  return { baseFeeWei, tipWei: await chain.tipWei() };
}

/** Adds room for payouts that cost more by the time they are mined, such as the first to a new account. */
function withRoom(gas: bigint): bigint {
  return (gas * 5n) / 4n;
}
