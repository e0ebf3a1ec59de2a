/** Names a batch and signs it. The hash of a signed transaction is known before anybody sees it. */

import type { Address } from '@venue/protocol';
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem';
import type { Fees } from '../chain/fees.ts';
import type { Hash } from '../chain/parse.ts';
import type { VaultPayout } from '../events/vault.ts';
import type { TransactionKey } from '../keys/transaction-key.ts';
import type { Committer } from './committer.ts';
import type { Batch, SignedForm } from './state.ts';

export interface SignerOptions {
  readonly key: TransactionKey;
  readonly chainId: number;
}

const BATCH = parseAbiParameters('uint256, address, (uint256 id, address account, uint256 amount)[]');

/** The name of a batch: a hash of its payouts, the vault and the chain. */
export function batchIdOf(
  { chainId, vault }: { chainId: number; vault: Address },
  payouts: readonly VaultPayout[],
): Hash {
  const rows = payouts.map(({ id, account, amount }) => ({
    id: BigInt(id),
    account,
    amount: BigInt(amount),
  }));
  return keccak256(encodeAbiParameters(BATCH, [BigInt(chainId), vault, rows])) as Hash;
}

export class Signer {
  readonly #options: SignerOptions;

  constructor(options: SignerOptions) {
    this.#options = options;
  }

  get address(): Address {
    return this.#options.key.address;
  }

  async sign(batch: Omit<Batch, 'forms'>, fees: Fees, committer: Committer): Promise<SignedForm> {
    const { chainId, key } = this.#options;
    const { nonce, gas } = batch;
    const signed = await key.sign({
      chainId,
      to: committer.to,
      nonce,
      gas: BigInt(gas),
      data: committer.call(batch),
      maxFeePerGas: fees.feeWei,
      maxPriorityFeePerGas: fees.tipWei,
    });
    const { feeWei, tipWei } = { feeWei: String(fees.feeWei), tipWei: String(fees.tipWei) };
    return { hash: keccak256(signed) as Hash, signed, feeWei, tipWei, signedAtMs: Date.now() };
  }
}
