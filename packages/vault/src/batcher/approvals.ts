/** The second secret for payouts that the limits hold back (CUS-16). */

import {
  type Address,
  type Micros,
  type OperatorPayout,
  payoutApprovalMessage,
  recoverPersonal,
} from '@venue/protocol';
import type { VaultPayout } from '../events/vault.ts';

export interface ApprovalTerms {
  readonly chainId: number;
  readonly vault: Address;
  readonly approvers: readonly Address[];
}

/** True if an approver has signed for this very payout of this vault. */
export function isApproved(
  approvals: OperatorPayout['approvals'],
  { id, account, amount }: VaultPayout,
  { chainId, vault, approvers }: ApprovalTerms,
): boolean {
  if (approvers.length === 0 || !Array.isArray(approvals)) return false;
  const text = payoutApprovalMessage({
    chainId,
    vault,
    payoutId: id,
    account,
    amountMicros: amount as Micros,
  });
  return approvals.some((approval) => {
    const signature: unknown = approval?.signature;
    const signer = typeof signature === 'string' ? recoverPersonal(text, signature) : undefined;
    return signer !== undefined && approvers.includes(signer);
  });
}
