/** Parses approvals and revocations of session keys. */

import { accountsOfSessionKey, type State } from '@venue/engine';
import { type Address, malformed, parseAddress, type SessionTerms } from '@venue/protocol';
import { HttpError, refuse } from './errors.ts';
import { exactInteger } from './texts.ts';

/** Parses an approval, with addresses lowercased and amounts exact. Throws if its shape is wrong. */
export function approvalTerms(body: {
  address: string;
  sessionKey: string;
  expiresAt: number;
}): SessionTerms {
  return {
    account: addressField('address', body.address),
    sessionKey: addressField('sessionKey', body.sessionKey),
    expiresAtMs: exactInteger('expiresAt', body.expiresAt),
  };
}

/** The terms of the approval in force, or of the last one; a revocation takes the expiry from there (KEY-3). */
export function termsInForce(state: State, account: Address, sessionKey: Address): SessionTerms {
  const session = state.accountByAddress.get(account)?.sessions.get(sessionKey);
  if (session !== undefined) return { account, sessionKey, expiresAtMs: session.expiresAt };
  return refuse(
    accountsOfSessionKey(state, sessionKey).length > 0 ? 'notYourSessionKey' : 'unknownSessionKey',
  );
}

export function addressField(field: string, text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new HttpError(malformed(field));
  return address;
}
