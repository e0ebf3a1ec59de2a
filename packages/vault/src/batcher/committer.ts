/** How payouts become commitments: straight by the operator's key, or through the gate that is the operator (CUS-15). */

import type { Address, Hex } from '@venue/protocol';
import type { RpcRefusal } from '../chain/errors.ts';
import type { Block, Hash } from '../chain/parse.ts';
import type { VaultPayout, VaultRefusal } from '../events/vault.ts';

/** One transaction of the batcher. */
export interface Step<P extends VaultPayout = VaultPayout> {
  readonly kind: 'commit' | 'propose' | 'execute';
  /** The batch's id in the vault. */
  readonly batchId: Hash;
  /** The id in the call: at a gate another one, from which the vault's follows. */
  readonly name: Hash;
  readonly payouts: readonly P[];
}

export interface Committer {
  /** The contract that takes the transactions. */
  readonly to: Address;
  /** Payouts that were proposed and are still open: they are not offered again, and their money is spoken for. */
  proposed(head: Block): Promise<readonly VaultPayout[]>;
  /** Steps that were proposed and are due by now; oldest first. */
  overdue(head: Block): Promise<readonly Step[]>;
  /** The due payouts for the next step. */
  select<P extends VaultPayout>(due: readonly P[], head: Block): Promise<readonly P[]>;
  /** The step that brings these payouts on their way. */
  step<P extends VaultPayout>(payouts: readonly P[]): Promise<Step<P>>;
  call(step: Step): Hex;
  refusalOf(refusal: RpcRefusal): VaultRefusal | null;
}
