/** Commits straight to the vault: the batcher's key is its operator. */

import type { Address, Hex } from '@venue/protocol';
import type { RpcRefusal } from '../chain/errors.ts';
import { commitCall, type VaultPayout, type VaultRefusal, vaultRefusalOf } from '../events/vault.ts';
import type { Committer, Step } from './committer.ts';
import { batchIdOf } from './signer.ts';

export class DirectCommitter implements Committer {
  readonly to: Address;
  readonly #chainId: number;

  constructor({ chainId, vault }: { readonly chainId: number; readonly vault: Address }) {
    this.#chainId = chainId;
    this.to = vault;
  }

  async proposed(): Promise<readonly VaultPayout[]> {
    return [];
  }

  async overdue(): Promise<readonly Step[]> {
    return [];
  }

  async select<P extends VaultPayout>(due: readonly P[]): Promise<readonly P[]> {
    return due;
  }

  async step<P extends VaultPayout>(payouts: readonly P[]): Promise<Step<P>> {
    const batchId = batchIdOf({ chainId: this.#chainId, vault: this.to }, payouts);
    return { kind: 'commit', batchId, name: batchId, payouts };
  }

  call({ batchId, payouts }: Step): Hex {
    return commitCall(batchId, payouts);
  }

  refusalOf(refusal: RpcRefusal): VaultRefusal | null {
    return vaultRefusalOf(refusal);
  }
}
