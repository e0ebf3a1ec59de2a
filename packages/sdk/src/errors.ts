/**
 * Errors of calls to the venue. A declined order is not an error but an answer with a reason.
 *
 *     Error
 *     ├── VenueError                the venue answered, and refused: status, and its own text as the message
 *     │   ├── RefusedError          400  malformed, or against a rule
 *     │   ├── UnauthorizedError     401  token, signature, session key or nonce
 *     │   ├── ForbiddenError        403  another's session key, or a wrong credential
 *     │   ├── NotFoundError         404
 *     │   ├── ConflictError         409
 *     │   ├── TooLargeError         413
 *     │   ├── RateLimitedError      429  retryAfterMs
 *     │   └── UnavailableError      5xx
 *     ├── VenueUnreachableError     no answer came: neverSent
 *     │   └── VenueTimeoutError     … within the time limit
 *     └── OutcomeUnknownError       a write was sent and no answer came: verdict, account, fillsSince
 */

/** The venue answered with a status other than 2xx. `message` is the venue's own text. */
export class VenueError extends Error {
  override name = 'VenueError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** 400: the request was malformed or against a rule of the venue. Sending it again changes nothing. */
export class RefusedError extends VenueError {
  override name = 'RefusedError';
}

/** 401: the venue does not accept the token, signature, session key or nonce. Sign in or approve anew. */
export class UnauthorizedError extends VenueError {
  override name = 'UnauthorizedError';
}

/** 403: the session key is another's, or the credential of an operator's route is wrong. */
export class ForbiddenError extends VenueError {
  override name = 'ForbiddenError';
}

/** 404: no such series, symbol, withdrawal or route; some routes exist in only one funding mode. */
export class NotFoundError extends VenueError {
  override name = 'NotFoundError';
}

/** 409: another maker has taken over, or a deposit contradicts one reported before. */
export class ConflictError extends VenueError {
  override name = 'ConflictError';
}

/** 413: the body is larger than the route accepts. */
export class TooLargeError extends VenueError {
  override name = 'TooLargeError';
}

/** 429: too many requests; nothing was carried out. */
export class RateLimitedError extends VenueError {
  override name = 'RateLimitedError';
  /** The wait that the venue asks for, or null if it names none. */
  readonly retryAfterMs: number | null;

  constructor(status: number, message: string, retryAfterMs: number | null = null) {
    super(status, message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 5xx: the venue, or a server in front of it, is failing. */
export class UnavailableError extends VenueError {
  override name = 'UnavailableError';
}

const BY_STATUS = new Map<number, new (status: number, message: string) => VenueError>([
  [400, RefusedError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, TooLargeError],
]);

/** The error for a status other than 2xx. */
export function venueErrorOf(status: number, message: string, retryAfterMs?: number | null): VenueError {
  if (status === 429) return new RateLimitedError(status, message, retryAfterMs);
  return new (BY_STATUS.get(status) ?? (status >= 500 ? UnavailableError : VenueError))(status, message);
}

/** No answer came: the connection was refused or lost, or the time limit passed. */
export class VenueUnreachableError extends Error {
  override name = 'VenueUnreachableError';
  /** True if the request certainly never left, because no connection was made. False if that is unknown. */
  readonly neverSent: boolean;

  constructor(message?: string, options: { readonly cause?: unknown; readonly neverSent?: boolean } = {}) {
    super(message, options);
    this.neverSent = options.neverSent ?? false;
  }
}

/** No answer came within the time limit. */
export class VenueTimeoutError extends VenueUnreachableError {
  override name = 'VenueTimeoutError';
}

/**
 * Returns whether a write that failed with this error may have been carried out after all: it may have arrived, and
 * after a 5xx it may be in the log.
 *
 * @example mayBeCarriedOut(new VenueTimeoutError()) // true
 */
export function mayBeCarriedOut(error: unknown): error is Error {
  if (error instanceof VenueUnreachableError) return !error.neverSent;
  return error instanceof UnavailableError;
}
