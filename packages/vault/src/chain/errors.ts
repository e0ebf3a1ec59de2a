/** How reading a chain fails. Every one of these may be gone the next time. */

import type { Hex } from '@venue/protocol';

/** No usable answer: the RPC is down, slow, cut off, or contradicts itself. Its address is in no message. */
export class ChainError extends Error {
  override name = 'ChainError';
}

/** The RPC answered, and with an error: a range of logs too wide, a call that reverts, a transaction it does not take. */
export class RpcRefusal extends ChainError {
  override name = 'RpcRefusal';
  /** What a call reverted with, where the answer says so. */
  readonly data: Hex | null;

  constructor(message: string, data: Hex | null = null) {
    super(message);
    this.data = data;
  }
}
