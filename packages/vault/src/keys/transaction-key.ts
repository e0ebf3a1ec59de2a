/** A key that signs transactions and texts. */

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
  /** The signature of a text as `personal_sign` makes it; throws like `sign`. */
  signText(text: string): Promise<Hex>;
}
