/** Errors from reading a chain. All of them may be temporary. */

import type { Hex } from '@venue/protocol';

/** No usable answer: the RPC is down, slow, cut off, or contradicts itself. No message holds its address. */
export class ChainError extends Error {
  override name = 'ChainError';
}

/** The RPC answered with an error: a range of logs too wide, a call that reverts, a transaction it does not accept. */
export class RpcRefusal extends ChainError {
  override name = 'RpcRefusal';
  /** The revert data of a call, if the answer has it. */
  readonly data: Hex | null;

  constructor(message: string, data: Hex | null = null) {
    super(message);
    this.data = data;
  }
}
