/** Sends a guardian's calls to a gate one behind the other, without waiting for a block between them (CUS-18). */

import type { Hex } from '@venue/protocol';
import { keccak256 } from 'viem';
import { ChainError, RpcRefusal } from '../chain/errors.ts';
import { bumpedFees, type Fees, feeMarket, firstFees } from '../chain/fees.ts';
import type { Hash } from '../chain/parse.ts';
import { each } from '../chain/rpc.ts';
import type { TransactionKey } from '../keys/transaction-key.ts';
import { estimatedGas } from './estimate.ts';
import type { Gate } from './gate.ts';

export interface GateSenderParts {
  readonly gate: Gate;
  readonly key: TransactionKey;
  /** The most to offer per gas, in wei. */
  readonly feeMaxWei: bigint;
  readonly log: (line: string) => void;
}

/** A call that was sent; all its forms have one nonce. */
interface Sent {
  readonly nonce: number;
  readonly gas: bigint;
  readonly fees: Fees;
  readonly hashes: readonly Hash[];
  readonly sinceMs: number;
}

/** A call that is not in a block by then is sent again with a higher fee. */
const BUMP_AFTER_MS = 60_000;

export class GateSender {
  readonly #parts: GateSenderParts;
  readonly #waiting = new Map<Hex, Sent>();

  constructor(parts: GateSenderParts) {
    this.#parts = parts;
  }

  /** True if a call was sent and is in no block yet. */
  isWaiting(data: Hex): boolean {
    return this.#waiting.has(data);
  }

  /** Looks what became of the calls that wait. */
  async settle(): Promise<void> {
    await each([...this.#waiting], ([data, sent]) => this.#settleOne(data, sent));
  }

  /**
   * Sends the calls in this order, without those that still wait. One that the gate refuses is left out with a line.
   * Throws `ChainError` if the servers take none, or the fees are above the limit.
   */
  async send(calls: readonly Hex[]): Promise<void> {
    const { gate, key, feeMaxWei } = this.#parts;
    const due = calls.filter((data) => !this.isWaiting(data));
    if (due.length === 0) return;
    const gas = await each(due, (data) => this.#gasOf(data));
    const fees = firstFees(await feeMarket(gate.chain, await gate.chain.head()), feeMaxWei);
    if (fees === null) throw new ChainError('the base fee is above VENUE_MAX_FEE_GWEI: nothing was sent');
    let nonce = await gate.chain.sentOrPendingCount(key.address);
    for (const [i, data] of due.entries()) {
      const limit = gas[i]!;
      if (limit === null) continue;
      await this.#submit(data, { nonce, gas: limit, fees, hashes: [] });
      nonce += 1;
    }
  }

  async #submit(data: Hex, { nonce, gas, fees, hashes }: Omit<Sent, 'sinceMs'>): Promise<void> {
    const { gate, key, log } = this.#parts;
    const signed = await key.sign({
      chainId: await gate.chain.chainId(),
      ...{ to: gate.address, nonce, gas, data },
      maxFeePerGas: fees.feeWei,
      maxPriorityFeePerGas: fees.tipWei,
    });
    const hash = keccak256(signed) as Hash;
    await gate.chain.send(signed);
    this.#waiting.set(data, { nonce, gas, fees, hashes: [...hashes, hash], sinceMs: performance.now() });
    log(`sent ${hash}`);
  }

  /** Null if the gate refuses the call. */
  async #gasOf(data: Hex): Promise<bigint | null> {
    const { gate, key, log } = this.#parts;
    try {
      return await estimatedGas(gate, data, key.address);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log(`ALARM: the gate was not told: ${error.message}`);
      return null;
    }
  }

  async #settleOne(data: Hex, sent: Sent): Promise<void> {
    const { gate, key, log } = this.#parts;
    for (const hash of sent.hashes) {
      const receipt = await gate.chain.receipt(hash);
      if (receipt === null) continue;
      this.#waiting.delete(data);
      if (receipt.succeeded) log(`done in ${hash}`);
      else log(`ALARM: the gate was not told: ${hash} reverted in block ${receipt.blockNumber}`);
      return;
    }
    if (performance.now() - sent.sinceMs < BUMP_AFTER_MS) return;
    // Somebody else with this key, or a reorg, has used its nonce: the next round sends it under another.
    if ((await gate.chain.sentCount(key.address)) > sent.nonce) this.#waiting.delete(data);
    else await this.#sendAgain(data, sent);
  }

  async #sendAgain(data: Hex, sent: Sent): Promise<void> {
    const { gate, feeMaxWei, log } = this.#parts;
    const market = await feeMarket(gate.chain, await gate.chain.head());
    const fees = bumpedFees(sent.fees, market, feeMaxWei);
    if (fees === null)
      log(
        `ALARM: the gate was not told: VENUE_MAX_FEE_GWEI leaves no room for a higher fee, nonce ${sent.nonce}`,
      );
    try {
      await this.#submit(data, { ...sent, fees: fees ?? sent.fees });
    } catch (error) {
      // Most refusals only say that it is known already; the chain is asked again next round.
      if (!(error instanceof RpcRefusal)) throw error;
    }
  }
}
