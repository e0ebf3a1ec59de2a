/** Lets a handler refuse by throwing a message of the catalogue. */

import { declined, type ErrorName, MESSAGES, type PublicError } from '@venue/protocol';

/** A refusal shown to the client. Anything else thrown is an internal fault, whose details the client never sees. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly refusal: PublicError;

  constructor(refusal: PublicError) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/** The refusal of a request by a reason of the engine; `place` names the part of the request that it is about. */
export function reasonRefusal(reason: string, place?: string): PublicError {
  const error = place === undefined ? reason : `${place}: ${reason}`;
  return { status: 400, error, code: declined(reason).code };
}

/** Ends the request with a message of the catalogue. */
export function refuse(name: ErrorName, lastNonce?: number): never {
  throw new HttpError(lastNonce === undefined ? MESSAGES[name] : { ...MESSAGES[name], lastNonce });
}
