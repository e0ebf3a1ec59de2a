/** An approver's signature over a payout, by which the batcher makes it although the limits hold it back (CUS-16). */

import {
  type Address,
  decimalToMicros,
  type Hex,
  type OperatorPayout,
  payoutApprovalMessage,
} from '@venue/protocol';
import type { ApproverConfig } from '../daemon/config.ts';
import { openKey } from '../keys/open.ts';

export interface SignedPayoutApproval {
  readonly approver: Address;
  readonly signature: Hex;
}

/**
 * Signs for a payout of the exchange's list. Chain and vault are the approver's own, so that the signature is good for
 * no other vault. Throws `ConfigError` for a key that cannot be opened.
 */
export async function approvePayout(
  { chainId, vault, approverKey }: ApproverConfig,
  { payoutId, address, amountUsd }: Pick<OperatorPayout, 'payoutId' | 'address' | 'amountUsd'>,
): Promise<SignedPayoutApproval> {
  const amountMicros = decimalToMicros(amountUsd);
  if (amountMicros === undefined) throw new TypeError(`the payout ${payoutId} has the amount ${amountUsd}`);
  const key = await openKey(approverKey);
  const account = address as Address;
  const text = payoutApprovalMessage({ chainId, vault, payoutId, account, amountMicros });
  return { approver: key.address, signature: await key.signText(text) };
}
