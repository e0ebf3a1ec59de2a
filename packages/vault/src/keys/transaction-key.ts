/** A key that signs transactions. */

import type { Address, Hex } from '@venue/protocol';

/** A call with its fees, complete but for the signature. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly nonce: number;
  readonly gas: bigint;
  readonly data: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface TransactionKey {
  readonly address: Address;
  /** The signed transaction as it is sent. Throws `ChainError` while a remote signer does not answer. */
  sign(transaction: UnsignedTransaction): Promise<Hex>;
}
