/** Finds out what became of a write that got no answer. */

import type { Account, FillRecord } from '@venue/protocol';
import type { ActionResult } from './actions.ts';
import { Backoff, pause } from './backoff.ts';
import type { Credentials } from './credentials.ts';
import {
  type ErrorCode,
  isRefusedAs,
  KIND,
  mayBeCarriedOut,
  type UnauthorizedError,
  VenueClientError,
} from './errors.ts';
import { signCancelOrder } from './signed-bodies.ts';
import { type Transport, waitAsked } from './transport.ts';
import type { Session } from './wallet.ts';

/**
 * The certain facts about the write:
 * - `carried out`: its nonce is spent, so it is in the venue's log. An order may have been declined there.
 * - `not carried out`: its nonce has now been spent on nothing, so it never will be. Or the nonce is too old, and the
 *   venue has none of its orders; it may have declined them. It is safe to send it anew.
 * - `unknown`: it had no nonce, or the venue could not be asked. It may still be carried out.
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

/** What a batch came to; see `BatchAnswer`. */
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

/** A write without an answer. */
export interface LostWrite {
  readonly path: string;
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
 * The result of an attempt to spend the nonce; `spoilt` if the attempt may have spent it without an answer, `too old` if
 * the venue takes it no more, so that a write which has not reached it never will.
 */
export type Attempted = WriteVerdict | 'spoilt' | 'too old';

export class Outcomes {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport.toNodes();
    this.#credentials = credentials;
  }

  /** Finds out what it can, and returns the error that reports it. */
  async of(write: LostWrite): Promise<OutcomeUnknownError> {
    let verdict: WriteVerdict = 'unknown';
    // Whether a check may have spent the nonce itself, so that a later one proves nothing. A nonce that was unused
    // here but spent there was duplicated on the way, or used by another program; there is no way to tell.
    let isSpoilt = isSpent(write.cause);
    const check = async (): Promise<OutcomeUnknownError> => {
      // A known verdict stays: the nonce is spent now, and the venue does not say by which write.
      if (verdict === 'unknown') {
        const found = await this.spendNonce(write.signed);
        isSpoilt ||= found === 'spoilt';
        if (found === 'not carried out' || (found === 'carried out' && !isSpoilt)) verdict = found;
      }
      const message = `no answer to POST ${write.path}, ${verdict}: ${write.cause.message}`;
      const findings = { ...(await this.evidence(write)), verdict };
      return new OutcomeUnknownError(message, findings, { cause: write.cause, lookAgain: check });
    };
    return check();
  }

  /**
   * The nonce decides: one set of nonces serves every kind of write of a key (SIG-4), and each counts once. So a
   * write without effect, the cancel of no order, is sent with the very same nonce. If it is accepted, the lost write
   * can never be carried out; if it is refused as spent, the lost write came first. The first of the two in the
   * venue's log has the nonce.
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
        if (isSpent(error)) return 'carried out';
        if (isOutsideWindow(error)) return 'too old';
        if (mayBeCarriedOut(error)) return 'spoilt';
        const waitMs = Math.max(backoff.next(), waitAsked(error));
        if (performance.now() + waitMs > untilMs) return 'unknown';
        await pause(waitMs);
      }
    }
  }

  /** What the account shows; nothing if it cannot be read. */
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
