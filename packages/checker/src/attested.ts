/** Asks the checker's own nodes what the log says that contract wallets approved (CUS-19). */

import type { AttestedApproval } from '@venue/audit';
import { sessionApprovalMessage } from '@venue/protocol';
import { type Chain, ChainError, judgeSignature } from '@venue/vault/parts';

/** The approvals of the log that no signature proves. */
export class AttestedApprovals {
  readonly #chain: Chain;
  readonly #chainId: number;
  #open: readonly AttestedApproval[] = [];
  #fault: string | null = null;

  constructor(chain: Chain, chainId: number) {
    this.#chain = chain;
    this.#chainId = chainId;
  }

  /** Why nothing can be taken to follow yet: an approval that no contract has confirmed so far; else null. */
  get waiting(): string | null {
    const [first] = this.#open;
    return first === undefined
      ? null
      : `the approval of entry ${first.id} is not confirmed by ${first.address}`;
  }

  /** Asks about new approvals, and again about those still open. Returns the first that is a forgery, which stays. */
  async advance(approvals: readonly AttestedApproval[], headNumber: number): Promise<string | null> {
    const open: AttestedApproval[] = [];
    for (const approval of [...this.#open, ...approvals]) {
      const standing = await this.#standing(approval, headNumber);
      if (standing === 'open') open.push(approval);
      else if (standing === 'forged')
        this.#fault ??= `the log has an approval by ${approval.address} that the contract does not accept`;
    }
    this.#open = open;
    return this.#fault;
  }

  /**
   * What the contract says at the attestor's block decides. Where that block is not to be had, as on a node that keeps no
   * old state, one that holds now will do, and any other stays open.
   */
  async #standing(approval: AttestedApproval, headNumber: number): Promise<'confirmed' | 'forged' | 'open'> {
    const { attestation } = approval;
    if (attestation.chainId !== this.#chainId) return 'forged';
    if (await this.#isThere(attestation, headNumber)) {
      const accepts = await this.#accepts(approval, attestation.blockNumber);
      if (accepts !== null) return accepts ? 'confirmed' : 'forged';
    }
    return (await this.#accepts(approval, headNumber)) ? 'confirmed' : 'open';
  }

  async #isThere(
    { blockNumber, blockHash }: AttestedApproval['attestation'],
    headNumber: number,
  ): Promise<boolean> {
    if (blockNumber > headNumber) return false;
    return (await this.#chain.block(blockNumber)).hash === blockHash;
  }

  /** Null without an answer: a contract is anybody's code, and must not stop the checker. */
  async #accepts(
    { address, sessionKey, expiresAt, signature }: AttestedApproval,
    at: number,
  ): Promise<boolean | null> {
    const text = sessionApprovalMessage({ account: address, sessionKey, expiresAtMs: expiresAt });
    try {
      return (await judgeSignature(this.#chain, { address, text, signature }, at)) === 'valid';
    } catch (error) {
      if (error instanceof ChainError) return null;
      throw error;
    }
  }
}
