/** Errors from reading a chain. All of them may be temporary. */

import type { Hex } from '@venue/protocol';

/** No usable answer: the RPC is down, slow, cut off, or contradicts itself. No message holds its address. */
export class ChainError extends Error {
  override name = 'ChainError';
}

/** Servers of the chain answer differently (CUS-11): one lags, is on a fork that will not last, or lies. */
export class DisagreementError extends ChainError {
  override name = 'DisagreementError';

  /** Names the servers and what they disagree on. */
  constructor(servers: string, what: string) {
    super(`${servers} disagree on ${what}`);
  }
}

/** The RPC answered with an error: a range of logs too wide, a call that reverts, a transaction it does not accept. */
export class RpcRefusal extends ChainError {
  override name = 'RpcRefusal';
  /** The revert data of a call, if the answer has it. */
  readonly data: Hex | null;
  /** The code of the error in the answer, where it has one. */
  readonly code: number | null;

  constructor(message: string, data: Hex | null = null, code: number | null = null) {
    super(message);
    this.data = data;
    this.code = code;
  }

  /** True if the call was made and the contract failed; false if the server would not or could not make it. */
  get isExecutionFailure(): boolean {
    return this.code === REVERTED || this.data !== null || EXECUTION_FAILURE.test(this.message);
  }
}

/** The error code that servers agree on for a call that reverts. */
const REVERTED = 3;
/** For what else ends a call every server has words of its own. */
const EXECUTION_FAILURE =
  /revert|out of ?gas|EVM error|VM (execution|exception)|(invalid|undefined) (opcode|instruction)|invalid jump|stack (under|over)flow|bad instruction|write protection/i;
