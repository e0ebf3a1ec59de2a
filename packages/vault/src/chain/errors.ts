/** How reading a chain fails. Every one of these may be gone the next time. */

/** No usable answer: the RPC is down, slow, cut off, or contradicts itself. Its address is in no message. */
export class ChainError extends Error {
  override name = 'ChainError';
}

/** The RPC answered, and with an error: a range of logs too wide, a call that reverts, a transaction it does not take. */
export class RpcRefusal extends ChainError {
  override name = 'RpcRefusal';
}
