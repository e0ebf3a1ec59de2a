/**
 * Errors of calls to the venue. A declined order is not an error but an answer with a reason.
 *
 *     VenueClientError              code: a word for programs, which stays when the message is reworded
 *     ├── VenueError                the venue answered, and refused: status, its code, amounts and what helps; its text is the message
 *     │   ├── RefusedError          400  malformed, or against a rule
 *     │   │   ├── UnknownSetError        … a push to a quote set that is not protected
 *     │   │   ├── SetFrozenError         … a push to a set whose allowance is used up
 *     │   │   ├── StalePushError         … a push older than what pushed or pulled before it: lastNonce
 *     │   │   └── ChannelEndedError      … a channel in which nothing will change any more: reason
 *     │   ├── UnauthorizedError     401  token, signature, session key or nonce
 *     │   │   └── ClockOffError          … a nonce outside the window: aheadMs
 *     │   ├── ForbiddenError        403  another's session key, or a wrong credential
 *     │   ├── NotFoundError         404
 *     │   ├── ConflictError         409
 *     │   ├── TooLargeError         413
 *     │   ├── RateLimitedError      429  retryAfterMs
 *     │   └── UnavailableError      5xx
 *     ├── VenueUnreachableError     no answer came: neverSent
 *     │   ├── VenueTimeoutError     … within the time limit
 *     │   └── AbortedError          … before the caller's signal ended the call
 *     ├── DamagedFileError          a daily file arrived with other bytes than its hash says
 *     ├── VenueChangedError         another deployment answers at this address: the client has stopped
 *     └── OutcomeUnknownError       a write was sent and no answer came: verdict, account, fillsSince, clientIds
 */

import { type Amounts, amountsIn, fieldIn, HELPS, type StreamEnd, type VenueCode } from '@venue/protocol';

/** The `code` of an error without a refusal of the venue: no answer, another's answer, or this client's own stop. */
export type ClientCode =
  | 'sdk:not-of-the-venue'
  | 'sdk:paced'
  | 'sdk:outdated-node'
  | 'sdk:no-batches'
  | 'sdk:not-approved'
  | 'sdk:unreachable'
  | 'sdk:unlisted-expiry'
  | 'sdk:timeout'
  | 'sdk:aborted'
  | 'sdk:venue-changed'
  | 'sdk:damaged-file'
  | 'sdk:outcome-unknown'
  | 'sdk:reason-lost';

/** The `code` of every error of this client: the venue's own, which `GET /v1/reasons` lists, or one of the client (ERR-1). */
export type ErrorCode = VenueCode | ClientCode;

/** Marks the error classes of every copy of this client. */
export const KIND = Symbol.for('@venue/sdk error');

/**
 * The base of all errors of this client. `instanceof` holds across the package's doors, although the one for browsers
 * is a bundle with classes of its own.
 */
export abstract class VenueClientError extends Error {
  static readonly [KIND]: string = 'VenueClientError';
  override name = 'VenueClientError';
  abstract readonly code: ErrorCode;

  static override readonly [Symbol.hasInstance] = isOfKind;
}

/** True if a value is an instance of the class whose method this is, or of its like in another copy of this module. */
function isOfKind(this: { readonly prototype: object }, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // A subclass of the caller's is known by its prototype, like any other.
  if (!Object.hasOwn(this, KIND)) return Object.prototype.isPrototypeOf.call(this.prototype, value);
  const kind = kindOf(this);
  for (let found = Object.getPrototypeOf(value); found !== null; found = Object.getPrototypeOf(found)) {
    if (kindOf(found.constructor) === kind) return true;
  }
  return false;
}

function kindOf(made: unknown): string | undefined {
  return typeof made === 'function' && Object.hasOwn(made, KIND)
    ? (made as unknown as Marked)[KIND]
    : undefined;
}

interface Marked {
  readonly [KIND]: string;
}

/**
 * The venue answered with a status other than 2xx. `message` is the venue's own text, for people; programs compare `code`.
 * This is the one place that reads a refusal (ERR-1).
 */
export class VenueError extends VenueClientError {
  static override readonly [KIND]: string = 'VenueError';
  override name = 'VenueError';
  override readonly code: ErrorCode;
  readonly status: number;
  /** Amounts that the text names, in US dollars to cents. */
  readonly need: number | undefined;
  readonly have: number | undefined;
  readonly headroom: number | undefined;
  /** The field of the request that is at fault, as `actions[0].qty`. */
  readonly field: string | undefined;

  constructor(status: number, message: string, code: ErrorCode = 'sdk:not-of-the-venue') {
    super(message);
    this.status = status;
    this.code = code;
    const { need, have, headroom }: Amounts = amountsIn(code, message);
    this.need = need;
    this.have = have;
    this.headroom = headroom;
    this.field = fieldIn(code, message);
  }

  /** The remedy, in a sentence for people; null where the venue names none. */
  get helps(): string | null {
    return Object.hasOwn(HELPS, this.code) ? HELPS[this.code as VenueCode] : null;
  }
}

/** 400: the request was malformed or against a rule of the venue. Sending it again changes nothing. */
export class RefusedError extends VenueError {
  static override readonly [KIND]: string = 'RefusedError';
  override name = 'RefusedError';
}

/** The quote set does not exist: `protect` makes it. */
export class UnknownSetError extends RefusedError {
  static override readonly [KIND]: string = 'UnknownSetError';
  override name = 'UnknownSetError';
}

/** The quote set is frozen: until a time that `quotes.sets()` shows, or until it is unfrozen. */
export class SetFrozenError extends RefusedError {
  static override readonly [KIND]: string = 'SetFrozenError';
  override name = 'SetFrozenError';
}

/** A newer push, `protect` or cancel came before this one, perhaps of another program: what that one did stands. */
export class StalePushError extends RefusedError {
  static override readonly [KIND]: string = 'StalePushError';
  override name = 'StalePushError';
  /** The nonce that stood in the way; those that the client makes by itself are above it from now on. */
  readonly lastNonce: number | null;

  constructor(status: number, message: string, lastNonce: number | null = null, code?: ErrorCode) {
    super(status, message, code);
    this.lastNonce = lastNonce;
  }
}

/** A channel has ended: its series or expiry is decided, or its underlying is no longer in force (STR-5). */
export class ChannelEndedError extends RefusedError {
  static override readonly [KIND]: string = 'ChannelEndedError';
  override name = 'ChannelEndedError';
  readonly reason: StreamEnd['reason'] | null;

  constructor(status: number, message: string, reason: StreamEnd['reason'] | null = null, code?: ErrorCode) {
    super(status, message, code);
    this.reason = reason;
  }
}

/** 401: the venue does not accept the token, signature, session key or nonce. Sign in or approve a new session. */
export class UnauthorizedError extends VenueError {
  static override readonly [KIND]: string = 'UnauthorizedError';
  override name = 'UnauthorizedError';
}

/**
 * A nonce was refused as too old or too new, because the clock that it was taken from is wrong. Nothing was carried out.
 * Set the clock, or give the client `now: 'venue'`. An approval is refused in the same way where the clock is off by days.
 */
export class ClockOffError extends UnauthorizedError {
  static override readonly [KIND]: string = 'ClockOffError';
  override name = 'ClockOffError';
  /** By how much the clock is ahead of the venue's; negative where it is behind. */
  readonly aheadMs: number;

  constructor(status: number, message: string, aheadMs: number, code: ErrorCode = 'nonce-outside-window') {
    const seconds = Math.round(Math.abs(aheadMs) / 1_000);
    const side = aheadMs < 0 ? 'behind' : 'ahead of';
    super(status, `${message}: the clock is ${seconds} s ${side} the venue's`, code);
    this.aheadMs = aheadMs;
  }

  override get helps(): string {
    return "set the clock, or give the client the venue's time: { now: 'venue' }";
  }
}

/** 403: the session key is another's, or the credential of an operator's route is wrong. */
export class ForbiddenError extends VenueError {
  static override readonly [KIND]: string = 'ForbiddenError';
  override name = 'ForbiddenError';
}

/** 404: no such series, symbol, withdrawal or route; some routes exist in only one funding mode. */
export class NotFoundError extends VenueError {
  static override readonly [KIND]: string = 'NotFoundError';
  override name = 'NotFoundError';
}

/** 409: another maker has taken over, or a deposit contradicts one reported before. */
export class ConflictError extends VenueError {
  static override readonly [KIND]: string = 'ConflictError';
  override name = 'ConflictError';
}

/** 413: the body is larger than the route accepts. */
export class TooLargeError extends VenueError {
  static override readonly [KIND]: string = 'TooLargeError';
  override name = 'TooLargeError';
}

/** 429: too many requests; nothing was carried out. */
export class RateLimitedError extends VenueError {
  static override readonly [KIND]: string = 'RateLimitedError';
  override name = 'RateLimitedError';
  /** The wait that the venue asks for, or null if it names none. */
  readonly retryAfterMs: number | null;

  constructor(status: number, message: string, retryAfterMs: number | null = null, code?: ErrorCode) {
    super(status, message, code);
    this.retryAfterMs = retryAfterMs;
  }
}

/** 5xx: the venue, or a server in front of it, is failing. */
export class UnavailableError extends VenueError {
  static override readonly [KIND]: string = 'UnavailableError';
  override name = 'UnavailableError';
}

type Kind = new (status: number, message: string, code?: ErrorCode) => VenueError;

const BY_STATUS = new Map<number, Kind>([
  [400, RefusedError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, TooLargeError],
]);

/** Refusals of a push that a program acts on. */
const OF_PUSHES = new Map<string, Kind>([
  ['unknown-set', UnknownSetError],
  ['set-frozen', SetFrozenError],
] satisfies readonly [VenueCode, Kind][]);

/** The parts of a refusal in an answer. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** That of the header, or of a message of the stream; none from what stands before the venue. */
  readonly code?: string | null | undefined;
  readonly retryAfterMs?: number | null;
  /** The last nonce, for a stale push. */
  readonly lastNonce?: number | null;
  /** Why a channel has ended. */
  readonly reason?: StreamEnd['reason'] | undefined;
}

/** The error for a status other than 2xx. */
export function venueErrorOf(refusal: Refusal): VenueError {
  const { status, message, code, retryAfterMs, lastNonce, reason } = refusal;
  const known = (code ?? undefined) as ErrorCode | undefined;
  if (status === 429) return new RateLimitedError(status, message, retryAfterMs, known);
  if (known === 'stale-push') return new StalePushError(status, message, lastNonce, known);
  if (known === 'channel-ended') return new ChannelEndedError(status, message, reason, known);
  const ofPush = status === 400 && known !== undefined ? OF_PUSHES.get(known) : undefined;
  const Kind = ofPush ?? BY_STATUS.get(status) ?? (status >= 500 ? UnavailableError : VenueError);
  return new Kind(status, message, known);
}

/** True if the venue refused with this code. */
export function isRefusedAs(error: unknown, code: VenueCode): error is VenueError {
  return error instanceof VenueError && error.code === code;
}

/** No answer came: the connection was refused or lost, or the time limit passed. */
export class VenueUnreachableError extends VenueClientError {
  static override readonly [KIND]: string = 'VenueUnreachableError';
  override name = 'VenueUnreachableError';
  override readonly code: ErrorCode = 'sdk:unreachable';
  /** True if the request certainly never left, because no connection was made. False if that is unknown. */
  readonly neverSent: boolean;

  constructor(message?: string, options: { readonly cause?: unknown; readonly neverSent?: boolean } = {}) {
    super(message, options);
    this.neverSent = options.neverSent ?? false;
  }
}

/** No answer came within the time limit. */
export class VenueTimeoutError extends VenueUnreachableError {
  static override readonly [KIND]: string = 'VenueTimeoutError';
  override name = 'VenueTimeoutError';
  override readonly code: ErrorCode = 'sdk:timeout';
}

/**
 * The caller's signal ended the call, and its reason is the `cause`. With `neverSent` the request had not left; of a
 * write that had, `OutcomeUnknownError` tells instead.
 */
export class AbortedError extends VenueUnreachableError {
  static override readonly [KIND]: string = 'AbortedError';
  override name = 'AbortedError';
  override readonly code: ErrorCode = 'sdk:aborted';
}

/**
 * The address no longer leads to the deployment that this client or its session key was made for (VEN-1). Nothing was
 * signed, and the client signs nothing more.
 */
export class VenueChangedError extends VenueClientError {
  static override readonly [KIND]: string = 'VenueChangedError';
  override name = 'VenueChangedError';
  override readonly code: ErrorCode = 'sdk:venue-changed';
}

/** A file of the venue arrived with other bytes than its hash says (FIL-1). */
export class DamagedFileError extends VenueClientError {
  static override readonly [KIND]: string = 'DamagedFileError';
  override name = 'DamagedFileError';
  override readonly code: ErrorCode = 'sdk:damaged-file';
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

/** Faults of code: what the network and the venue do wrong is a `VenueClientError`. */
const FAULTS_OF_CODE = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * True if another attempt at a connection would end with this again: another deployment answers, or this client or its
 * runtime is at fault.
 */
export function isFinal(error: Error): boolean {
  return error instanceof VenueChangedError || FAULTS_OF_CODE.some((Kind) => error instanceof Kind);
}
