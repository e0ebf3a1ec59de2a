/** Makes the next batch, if there is one to make, and checks everything that must be true before it is signed. */

import type { Reserves } from '@venue/protocol';
import type { Chain } from '../chain/chain.ts';
import { ChainError } from '../chain/errors.ts';
import type { Block } from '../chain/parse.ts';
import { commitCall, type Vault, type VaultPayout } from '../chain/vault.ts';
import type { BatcherConfig } from '../config.ts';
import { Reminder } from '../reminder.ts';
import { checkReserves, reserveLine } from '../reserves.ts';
import type { StepHook } from '../state-file.ts';
import { findDue, type PayoutSource } from './due.ts';
import { type FeeMarket, firstFees } from './fees.ts';
import type { Noting } from './noting.ts';
import { batchIdOf, type Signer } from './signer.ts';
import type { Batch } from './state.ts';

/** What the batcher reads of the exchange. */
export interface VenueReads extends PayoutSource {
  reserves(): Promise<Reserves>;
}

export interface OpenerParts {
  readonly venue: VenueReads;
  readonly vault: Vault;
  readonly noting: Noting;
  readonly signer: Signer;
  readonly config: Pick<BatcherConfig, 'chainId' | 'vault' | 'batchMax' | 'feeMaxWei'>;
  readonly log: (line: string) => void;
  readonly onStep: StepHook;
}

export class Opener {
  readonly #parts: OpenerParts;
  readonly #faults: Reminder;
  readonly #reserves: Reminder;
  readonly #fees: Reminder;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
    this.#faults = new Reminder(parts.log);
    this.#reserves = new Reminder(parts.log);
    this.#fees = new Reminder(parts.log);
  }

  /** Payouts that are to be committed; those found on chain are noted at the exchange on the way. */
  async due(head: Block): Promise<readonly VaultPayout[]> {
    const { venue, vault, noting, config, onStep } = this.#parts;
    const scope = { batchMax: config.batchMax, blockNumber: head.number };
    const { due, onChain, faults } = await findDue(venue, vault, scope);
    onStep('payouts-read');
    if (faults.length > 0) this.#faults.say(`ALARM: left out: ${faults.join('; ')}`);
    if (onChain.length > 0) await noting.noteFound(onChain, head.number);
    return due;
  }

  /** The batch of these payouts, signed; null while the vault does not cover what is owed or the fees are too high. */
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
    const batchId = batchIdOf(config, payouts);
    const call = { from: signer.address, to: vault.address, data: commitCall(batchId, payouts) };
    const batch = { batchId, payouts, nonce, gas: String(withRoom(await vault.chain.estimateGas(call))) };
    const signed = { ...batch, forms: [await signer.sign(batch, fees)] };
    onStep('batch-signed');
    return signed;
  }

  // The exchange is read before the chain, so that what moves meanwhile is already on the vault's side.
  async #isCovered(head: Block): Promise<boolean> {
    const { venue, vault } = this.#parts;
    const check = checkReserves(await venue.reserves(), await vault.figures(head.number));
    if (check.holds) this.#reserves.over('the reserves hold again');
    else this.#reserves.say(`ALARM: nothing is signed, the reserves do not hold: ${reserveLine(check)}`);
    return check.holds;
  }
}

/** What the chain asks for a transaction; throws `ChainError` on a chain without EIP-1559. */
export async function feeMarket(chain: Chain, { baseFeeWei }: Block): Promise<FeeMarket> {
  if (baseFeeWei === null) throw new ChainError('this chain has no base fee (EIP-1559)');
  return { baseFeeWei, tipWei: await chain.tipWei() };
}

/** Room for payouts that cost more by the time they are mined, as the first to a new account do. */
function withRoom(gas: bigint): bigint {
  return (gas * 5n) / 4n;
}
