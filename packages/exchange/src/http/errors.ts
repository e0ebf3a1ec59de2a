/** Lets a handler refuse by throwing a message of the catalogue. */

import { type ErrorName, MESSAGES, type PublicError } from '@venue/protocol';

/** A refusal shown to the client. Anything else thrown is an internal fault, whose details the client never sees. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;

  constructor({ status, error }: PublicError) {
    super(error);
    this.status = status;
  }
}

/** Ends the request with a message of the catalogue. */
export function refuse(name: ErrorName): never {
  throw new HttpError(MESSAGES[name]);
}
