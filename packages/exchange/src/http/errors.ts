/** How a handler refuses: by throwing a message of the catalogue. */

import { type ErrorName, MESSAGES, type PublicError } from '@venue/protocol';

/** A refusal that the client is shown. Anything else that is thrown is an internal fault, of which it sees nothing. */
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
