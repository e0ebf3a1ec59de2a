/** The second half of a sign-in: the signed challenge is checked, spent, and opens the account. */

import type { Account } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { refuse } from '../http/errors.ts';
import { type Services, submit } from '../services.ts';
import type { Attempt } from './challenges.ts';

export interface SignedChallenge {
  readonly address: Address;
  readonly signature: string;
}

/** Resolves with what `render` makes of the account. The challenge is consumed whether or not its signature is valid. */
export async function signIn<T>(
  services: Services,
  signed: SignedChallenge,
  render: (account: Account) => T,
): Promise<T> {
  const { challenges } = services;
  const { address } = signed;
  const { areLogged } = challenges;
  const attempt = challenges.take(address);
  if ('refusal' in attempt) refuse(attempt.refusal);
  const isSigned = await fits(services, signed, attempt);
  if (!isSigned && attempt.otherwise === 'noChallenge') refuse('noChallenge');
  if (!areLogged) {
    if (!isSigned) refuse('badSignature');
    return submit(services, { kind: 'open', address }, ({ account }) => render(account));
  }
  if (!isSigned && !challenges.countFailure()) refuse('badSignature');
  const command = { kind: 'sign-in', address, after: attempt.after, signed: isSigned } as const;
  return submit(services, command, ({ account }) =>
    account === null ? refuse('badSignature') : render(account),
  );
}

/** Whether the wallet signed one of the messages. They are tried one after the other: mostly it is the first. */
async function fits(
  { verifier }: Pick<Services, 'verifier'>,
  { address, signature }: SignedChallenge,
  { messages }: Attempt,
): Promise<boolean> {
  for (const message of messages) {
    if (await verifier.verify(message, signature, address)) return true;
  }
  return false;
}
