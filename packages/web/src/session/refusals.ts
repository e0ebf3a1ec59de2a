/** Refusals of the venue that are about the session itself. */

import { isRefusedAs, type UnauthorizedError } from '@venue/sdk/browser';
export function endOf(error: UnauthorizedError): 'expired' | 'revoked' {
  return error.code === 'unknown-session-key' ? 'revoked' : 'expired';
}

export function isOtherSigner(error: unknown): boolean {
  return isRefusedAs(error, 'approval-not-by-account');
}

export function otherSignerText(first: string, other: string | null): string {
  const by = other === null ? 'another account' : `the account ${other}`;
  return `Your wallet signed with ${by}, and you had chosen ${first}. Select that account in the wallet, or sign in again with the other.`;
}
