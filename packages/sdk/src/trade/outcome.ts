/** Finds out what became of a write that got no answer. */

import type { Account, FillRecord } from '@venue/protocol';
import { Backoff, pause } from '../net/backoff.ts';
import {
  type ErrorCode,
  isRefusedAs,
  KIND,
  mayBeCarriedOut,
  type UnauthorizedError,
  VenueClientError,
} from '../net/errors.ts';
import { checked, type Raw, type Transport, waitAsked } from '../net/transport.ts';
import type { Credentials } from '../sign/credentials.ts';
import { signCancelOrder } from '../sign/signed-bodies.ts';
import type { Session } from '../sign/wallet.ts';
import type { ActionResult } from './actions.ts';
import { Lookup, type LookupParts } from './lookup.ts';
import type { Trace } from './traces.ts';

/**
 * The verdict on the write:
 * - `carried out`: the venue shows its effect: an order with its client id, or an account that is as it leaves it.
 * - `not carried out`: its nonce has now been spent on nothing, so it never will be. Or the nonce is used or too old, and
 *   the venue shows nothing of it; it may have declined it. It is safe to send it again.
 * - `unknown`: neither, as the write and something after it may have led to what the venue shows; or it had no nonce, or
 *   the venue could not be asked. It may still be carried out.
 */
export type WriteVerdict = 'carried out' | 'not carried out' | 'unknown';

export interface Findings {
  readonly verdict: WriteVerdict;
  /** The account afterwards, or null if it could not be read. */
  readonly account: Account | null;
  /**
   * Its fills since a minute before the write was sent, newest first, 500 at most; two clocks may differ by that
   * minute.
   */
  readonly fillsSince: readonly FillRecord[];
  /** Ids of those orders of a batch that were placed, found by their client ids. */
  readonly orderIds: readonly number[];
}

/** The result of a batch; see `BatchAnswer`. */
export interface Retried {
  readonly results: readonly ActionResult[];
  readonly account?: Account;
  /** The log entry that the answer with the account showed; absent where the venue was asked for it later. */
  readonly seq?: number;
  readonly isRecovered: boolean;
}

const NOTHING: Findings = { verdict: 'unknown', account: null, fillsSince: [], orderIds: [] };

/**
 * A write was sent and the venue gave no answer, or one that says its nonce was already spent. `cause` is what came
 * instead. A batch was sent again for a while, without an answer to that either; `clientIds` name its orders.
 */
export class OutcomeUnknownError extends VenueClientError implements Findings {
  static override readonly [KIND]: string = 'OutcomeUnknownError';
  override name = 'OutcomeUnknownError';
  override readonly code: ErrorCode = 'sdk:outcome-unknown';
  declare readonly verdict: WriteVerdict;
  declare readonly account: Account | null;
  declare readonly fillsSince: readonly FillRecord[];
  declare readonly orderIds: readonly number[];
  /** Client ids of the orders that may have been placed; none for a write that is no batch. */
  readonly clientIds: readonly string[];
  readonly #lookAgain: () => Promise<OutcomeUnknownError>;
  readonly #retry: () => Promise<Retried>;

  constructor(message?: string, findings: Findings = NOTHING, options: LostOptions = {}) {
    super(message, options);
    Object.assign(this, findings);
    this.clientIds = options.clientIds ?? [];
    this.#lookAgain = options.lookAgain ?? (async () => this);
    this.#retry = options.retry ?? (() => Promise.reject(this));
  }

  /**
   * Reads the account once more, and checks the verdict again if it is still unknown; a known one stays. Never
   * rejects.
   */
  lookAgain(): Promise<OutcomeUnknownError> {
    return this.#lookAgain();
  }

  /**
   * Goes on delivering a batch by the rule of CID-1, under which nothing trades twice: resolves with its results, or
   * throws as the call did. Rejects with this error for any other write.
   */
  retry(): Promise<Retried> {
    return this.#retry();
  }
}

interface LostOptions {
  readonly cause?: unknown;
  readonly clientIds?: readonly string[];
  readonly lookAgain?: () => Promise<OutcomeUnknownError>;
  readonly retry?: () => Promise<Retried>;
}

/** Tells what the venue shows of a write that may have been carried out at this time of the client's clock or later. */
export type TraceOf = (lookup: Lookup, sentAtMs: number) => Promise<Trace>;

/** A write without an answer. */
export interface LostWrite {
  readonly path: string;
  /** Absent for a write of which the venue shows too little. */
  readonly trace?: TraceOf;
  /** Null for an unsigned write, which has no nonce. */
  readonly signed: { readonly session: Session; readonly nonce: number } | null;
  readonly sentAtMs: number;
  readonly cause: Error;
}

/** Largest difference between the venue's clock and the one a nonce was taken from (SIG-5). */
const WINDOW_MS = 60_000;
/** Time for which to keep trying a venue that does not answer. */
const PATIENCE_MS = 10_000;

/**
 * The result of an attempt to spend the nonce; `spoilt` if the attempt may have spent it without an answer, `used` or `too
 * old` if the venue takes it no more, so that a write which has not reached it never will.
 */
export type Attempted = 'not carried out' | 'unknown' | 'spoilt' | 'used' | 'too old';

export class Outcomes {
  readonly #parts: LookupParts;
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(parts: LookupParts) {
    this.#parts = parts;
    this.#transport = parts.transport.toNodes();
    this.#credentials = parts.credentials;
  }

  /** Finds out what it can, and returns the error that reports it. */
  async of(write: LostWrite): Promise<OutcomeUnknownError> {
    let verdict: WriteVerdict = 'unknown';
    const check = async (): Promise<OutcomeUnknownError> => {
      // A known verdict stays: what the venue shows later may be of something else.
      if (verdict === 'unknown') verdict = await this.#verdictOf(write);
      const message = `no answer to POST ${write.path}, ${verdict}: ${write.cause.message}`;
      const findings = { ...(await this.evidence(write)), verdict };
      return new OutcomeUnknownError(message, findings, { cause: write.cause, lookAgain: check });
    };
    return check();
  }

  async #verdictOf(write: LostWrite): Promise<WriteVerdict> {
    const { signed, trace, sentAtMs } = write;
    const found = await this.spendNonce(signed);
    if (found === 'not carried out' || found === 'unknown') return found;
    if (trace === undefined || signed === null) return 'unknown';
    try {
      const { seq } = checked(await this.mark(signed.session));
      const shown = await trace(new Lookup(this.#parts, seq), sentAtMs);
      if (shown === 'done') return 'carried out';
      // The attempt that spoilt it may still be under way, and so may the write.
      return shown === 'undone' && found !== 'spoilt' ? 'not carried out' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  /** A write without effect, whose answer shows an entry after all that came before it. */
  async mark(session: Session): Promise<Raw> {
    const nonce = await this.#credentials.nonceOf(session.sessionKey);
    const body = JSON.stringify(signCancelOrder(session, { orderId: 0 }, nonce));
    return this.#transport.send('/v1/order/cancel', { method: 'POST', body });
  }

  /**
   * One set of nonces serves every kind of write of a key (SIG-4), and each counts once. So a write without effect, the
   * cancel of no order, is sent with the very same nonce. If it is accepted, the lost write can never be carried out. If
   * it is refused as used, the lost write came first, or one of another program with the same key.
   */
  async spendNonce(signed: LostWrite['signed']): Promise<Attempted> {
    if (signed === null) return 'unknown';
    const body = signCancelOrder(signed.session, { orderId: 0 }, signed.nonce);
    const untilMs = performance.now() + PATIENCE_MS;
    for (const backoff = new Backoff(); ; ) {
      try {
        await this.#transport.post('/v1/order/cancel', body);
        return 'not carried out';
      } catch (error) {
        if (isSpent(error)) return 'used';
        if (isOutsideWindow(error)) return 'too old';
        if (mayBeCarriedOut(error)) return 'spoilt';
        const waitMs = Math.max(backoff.next(), waitAsked(error));
        if (performance.now() + waitMs > untilMs) return 'unknown';
        await pause(waitMs);
      }
    }
  }

  /** The account's evidence; none if it cannot be read. */
  async evidence({ sentAtMs }: Pick<LostWrite, 'sentAtMs'>): Promise<Omit<Findings, 'verdict'>> {
    const request = { headers: this.#credentials.headers() };
    try {
      const [account, { fills }] = await Promise.all([
        this.#transport.get<Account>('/v1/me', request),
        this.#transport.get<{ fills: FillRecord[] }>('/v1/fills', request),
      ]);
      return { account, fillsSince: fills.filter(({ ts }) => ts >= sentAtMs - WINDOW_MS), orderIds: [] };
    } catch {
      return NOTHING;
    }
  }
}

/** Returns whether the venue refused a write because its nonce is spent. */
export function isSpent(error: unknown): error is UnauthorizedError {
  return isRefusedAs(error, 'nonce-used');
}

/** The SDK takes nonces from the venue's time, so one that was in the window and no longer is lies behind it. */
function isOutsideWindow(error: unknown): boolean {
  return isRefusedAs(error, 'nonce-outside-window');
}
