/** The second half of a sign-in: checks and spends the signed challenge, and opens the account. */

import { type Account, checkSession } from '@venue/engine';
import { type Address, parseSignature } from '@venue/protocol';
import type { Attempt } from '../auth/challenges.ts';
import { refuse } from './errors.ts';
import type { Shown } from './route.ts';
import { type Services, submit } from './services.ts';

export interface SignedChallenge {
  readonly address: Address;
  readonly signature: string;
}

/** Resolves with what `render` makes of the account. The challenge is spent whether or not the signature is valid. */
export async function signIn<T>(
  services: Services,
  signed: SignedChallenge,
  render: (account: Account) => T,
): Promise<Shown<T>> {
  const { challenges } = services;
  const { address } = signed;
  const attempt = challenges.take(address);
  if ('refusal' in attempt) refuse(attempt.refusal);
  const isSigned = await fits(services, signed, attempt);
  if (!isSigned && attempt.otherwise === 'noChallenge') refuse('noChallenge');
  if (!isSigned && !challenges.countFailure()) refuse('badSignature');
  const command = { kind: 'sign-in', address, after: attempt.after, signed: isSigned } as const;
  return submit(services, command, ({ account }) =>
    account === null ? refuse('badSignature') : render(account),
  );
}

/**
 * Returns whether the wallet signed one of the messages. It is usually the first; to have the others tried, a request
 * queues. For a contract wallet, which signs nothing at once, a live key that it approved signs (CUS-19).
 */
export async function fits(
  services: Pick<Services, 'verifier' | 'wideSignIns' | 'state' | 'now'>,
  { address, signature }: SignedChallenge,
  { messages: [likeliest, ...others] }: Pick<Attempt, 'messages'>,
): Promise<boolean> {
  const { verifier, wideSignIns } = services;
  const isSigned = async (message: string) => {
    const signer = await verifier.recover(message, signature);
    return signer === address || (signer !== null && signsForContract(services, address, signer));
  };
  // A malformed signature (SIG-1) takes no place in the queue.
  if (likeliest === undefined || parseSignature(signature) === undefined) return false;
  if (await isSigned(likeliest)) return true;
  if (others.length === 0) return false;
  const isOneOfOthers = await wideSignIns.run(address, async () => {
    for (const message of others) if (await isSigned(message)) return true;
    return false;
  });
  return isOneOfOthers ?? refuse('tooManyInFlight');
}

/** True for a live session key that a contract wallet approved. */
function signsForContract(
  { state, now }: Pick<Services, 'state' | 'now'>,
  address: Address,
  sessionKey: Address,
): boolean {
  const account = state.accountByAddress.get(address);
  if (!account?.sessions.get(sessionKey)?.attestation) return false;
  return checkSession({ account, sessionKey, ts: now() }) === null;
}
