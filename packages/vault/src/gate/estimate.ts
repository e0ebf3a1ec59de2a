/** The gas of a call to a gate (CUS-15). */

import type { Address, Hex } from '@venue/protocol';
import { ChainError, RpcRefusal } from '../chain/errors.ts';
import { type Gate, gateRefusalOf } from './gate.ts';

/** A vote that turns out to be the last one needed writes the veto as well, and cancels at the failsafe. */
const LAST_VOTE_GAS = 100_000n;

/** With room for what happens before it is mined. Throws `ChainError` with the gate's reason if it refuses the call. */
export async function estimatedGas({ chain, address: to }: Gate, data: Hex, from: Address): Promise<bigint> {
  try {
    return ((await chain.estimateGas({ from, to, data })) * 5n) / 4n + LAST_VOTE_GAS;
  } catch (error) {
    const refused = error instanceof RpcRefusal ? gateRefusalOf(error) : null;
    if (refused === null) throw error;
    throw new ChainError(`the gate refuses: ${refused.text}; nothing was sent`);
  }
}
