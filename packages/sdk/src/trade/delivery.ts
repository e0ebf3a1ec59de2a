/**
 * Delivers one batch: never twice, and never given up while it may still be found out what became of it (CID-1).
 *
 * After a lost answer the same bytes are sent again. Their nonce counts once, so they cannot be carried out twice. Once
 * the nonce is used or too old they never will be, and what the venue shows tells whether they were: orders by their
 * client ids, everything else by its effect. `nonce already used` alone proves nothing, as another program with the same
 * key may have used it. What was not carried out is signed again.
 */

import type { Account, ActionWire, BatchAnswer as Answered } from '@venue/protocol';
import { Backoff, pause } from '../net/backoff.ts';
import {
  AbortedError,
  mayBeCarriedOut,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  VenueUnreachableError,
} from '../net/errors.ts';
import { checked, jsonOf, type Raw, waitAsked } from '../net/transport.ts';
import { namingTheClock } from '../net/venue-clock.ts';
import type { ActionResult, PreparedBatch } from './actions.ts';
import { Lookup, type LookupParts } from './lookup.ts';
import type { Attempted, WriteVerdict } from './outcome.ts';
import { type Trace, traceOf } from './traces.ts';

/** The bytes of one attempt. */
export interface Attempt {
  readonly body: string;
  /** Null for an unsigned batch, whose bytes may be carried out more than once. */
  readonly nonce: number | null;
  readonly sentAtMs: number;
}

export interface DeliveryParts extends LookupParts {
  readonly headers: () => Record<string, string>;
  /** Posts a body another way than by HTTP; resolves with null where that way is not open. */
  readonly post: (body: string) => Promise<Raw | null>;
  /** Signs the batch with a new nonce. */
  readonly sign: () => Promise<Attempt>;
  /** A write without effect, signed as the batch is; its answer shows an entry after all that came before it. */
  readonly mark: () => Promise<Raw>;
  /** True if recovered results come with the account. */
  readonly wantsAccount: boolean;
  /** Called for a signature that the venue refuses: throws if another venue answers. */
  readonly verify: () => Promise<unknown>;
}

/** The result of a batch. */
export interface Delivered {
  readonly results: readonly ActionResult[];
  /** Absent if it was not asked for. */
  readonly account?: Account;
  /** The log entry that the answer showed, where it was not lost. */
  readonly seq?: number;
  /** True if the answer was lost, so that results were looked up. */
  readonly isRecovered: boolean;
}

/** Thrown once the time for delivery is over; `isProven` if the batch was carried out, whatever its results. */
export class Undelivered extends Error {
  override name = 'Undelivered';
  readonly isProven: boolean;
  readonly sentAtMs: number;

  constructor(cause: unknown, found: { readonly isProven: boolean; readonly sentAtMs: number }) {
    super((cause as Error).message, { cause });
    this.isProven = found.isProven;
    this.sentAtMs = found.sentAtMs;
  }
}

/** The batch is in the venue's log. */
interface Proof {
  readonly seq: number | null;
  readonly answered: Answered | null;
}

const UNAUTHORIZED = 401;
/** Actions that give a set another allowance each time. */
const GRANTS: ReadonlySet<ActionWire['type']> = new Set(['protect', 'unfreeze']);

export class Delivery {
  readonly #batch: PreparedBatch;
  #parts: DeliveryParts;
  /** The bytes that may have been sent; null if none were, or if they can no longer be carried out. */
  #attempt: Attempt | null = null;
  /** When the first bytes were sent that may have been carried out. */
  #lostAtMs: number | null = null;
  #proof: Proof | null = null;
  /** These are not the first bytes of the batch. */
  #isAnew = false;

  constructor(batch: PreparedBatch, parts: DeliveryParts) {
    this.#batch = batch;
    this.#parts = parts;
  }

  /**
   * Sends until there is an outcome, or for `retryMs` after the first answer was lost. Throws the venue's refusal;
   * `Undelivered` if the batch may have been carried out.
   */
  async run(retryMs: number): Promise<Delivered> {
    const untilMs = performance.now() + retryMs;
    for (const backoff = new Backoff(); ; ) {
      try {
        return this.#proof === null ? await this.#send() : await this.#recover(this.#proof);
      } catch (error) {
        if (this.#lostAtMs === null && this.#proof === null) throw error;
        const waitMs = Math.max(backoff.next(), repeatAfter(error));
        if (performance.now() + waitMs > untilMs) throw this.#undelivered(error);
        await pause(waitMs, this.#parts.transport.signal);
      }
    }
  }

  /** Goes on with other bounds. */
  use(parts: DeliveryParts): void {
    this.#parts = parts;
  }

  /**
   * Finds out what it can without placing anything: by the orders, then by the nonce, which it spends. If the venue
   * takes it, the lost bytes can never be carried out; if it is used or too old, what the venue shows decides.
   */
  async settle(spend: (nonce: number) => Promise<Attempted>): Promise<WriteVerdict> {
    if (await this.#isKnown(null)) return 'carried out';
    const nonce = this.#attempt?.nonce ?? null;
    if (this.#attempt === null) return 'not carried out';
    if (nonce === null) return 'unknown';
    const found = await spend(nonce);
    if (found === 'not carried out') this.#forget();
    if (found === 'not carried out' || found === 'unknown') return found;
    const traces = await this.#traces(await this.#markedSeq());
    if (this.#proof !== null) return 'carried out';
    // The attempt that spoilt it may still be under way, and so may these bytes.
    if (found === 'spoilt' || traces.some((trace) => trace !== 'undone')) return 'unknown';
    this.#forget();
    return 'not carried out';
  }

  /** True if one of its orders is known, which proves that the batch was carried out. */
  async #isKnown(seq: number | null): Promise<boolean> {
    const lookup = new Lookup(this.#parts, seq);
    if (this.#proof === null && (await lookup.knowsAny(this.#batch.clientIds, this.#sentAtMs)))
      this.#proof = { seq, answered: null };
    return this.#proof !== null;
  }

  /** The trace of each action at that entry or later; sets the proof if the venue shows that they were carried out. */
  async #traces(seq: number | null): Promise<readonly Trace[]> {
    if (await this.#isKnown(seq)) return [];
    const lookup = new Lookup(this.#parts, seq);
    const traces: Trace[] = [];
    for (const action of this.#batch.wire) traces.push(await traceOf(action, lookup, this.#sentAtMs));
    if (traces.every((trace) => trace === 'done')) this.#proof = { seq, answered: null };
    return traces;
  }

  /** When the first bytes were sent that may have been carried out. */
  get #sentAtMs(): number {
    return this.#lostAtMs ?? this.#attempt?.sentAtMs ?? this.#parts.credentials.now();
  }

  async #send(): Promise<Delivered> {
    // Without a nonce nothing but the ids keeps these bytes from being carried out twice.
    if (this.#lostAtMs !== null && this.#attempt?.nonce === null && (await this.#isKnown(null)))
      return this.#recover(this.#proof!);
    this.#attempt ??= await this.#parts.sign();
    const raw = await this.#post(this.#attempt);
    try {
      return await this.#accept(jsonOf(checked(raw)) as Answered, raw);
    } catch (error) {
      return await this.#refused(error, raw);
    }
  }

  async #post({ body, sentAtMs }: Attempt): Promise<Raw> {
    const { transport, headers, post } = this.#parts;
    try {
      const { isUrgent } = this.#batch;
      const request = { headers: headers(), isUrgent };
      const raw =
        (await post(body)) ?? (await transport.send('/v1/batch', { method: 'POST', body }, request));
      if (raw.status >= 500) this.#lostAtMs ??= sentAtMs;
      return raw;
    } catch (error) {
      if (mayBeCarriedOut(error)) this.#lostAtMs ??= sentAtMs;
      throw error;
    }
  }

  async #accept(answer: Answered, { seq }: Raw): Promise<Delivered> {
    const { account } = answer;
    const results = answer.results as ActionResult[];
    if (results?.length !== this.#batch.wire.length)
      throw new UnavailableError(200, 'an answer that is not of the venue');
    if (!this.#mayBeSecond() || !results.some(isOfSecond))
      return {
        results,
        ...(account !== undefined && { account }),
        ...(seq !== null && { seq }),
        isRecovered: false,
      };
    this.#proof = { seq, answered: answer };
    return this.#recover(this.#proof);
  }

  /** True if these actions may have been carried out before: bytes with the same nonce cannot have been. */
  #mayBeSecond(): boolean {
    return this.#lostAtMs !== null && (this.#attempt?.nonce === null || this.#isAnew);
  }

  /** Throws what is final, and goes on with what is not. */
  async #refused(error: unknown, { seq }: Raw): Promise<Delivered> {
    const attempt = this.#attempt!;
    if (error instanceof UnavailableError) this.#lostAtMs ??= attempt.sentAtMs;
    if (!(error instanceof UnauthorizedError)) throw error;
    if (error.code === 'bad-signature') await this.#parts.verify();
    if (error.code === 'nonce-used') {
      this.#lostAtMs ??= attempt.sentAtMs;
      return this.#startAnew(error, seq);
    }
    if (this.#lostAtMs === null) throw await this.#namingTheClock(error);
    if (error.code === 'nonce-outside-window') return this.#startAnew(error, await this.#markedSeq());
    if (await this.#isKnown(seq)) return this.#recover(this.#proof!);
    throw error;
  }

  /**
   * The nonce is used or too old, so these bytes can no longer be carried out; they may have been before. The new ones are
   * the next attempt, in case the nonce of these was used by a program that goes on using them.
   */
  async #startAnew(error: UnauthorizedError, seq: number | null): Promise<Delivered> {
    const traces = await this.#traces(seq);
    if (this.#proof !== null) return this.#recover(this.#proof);
    const isUnclear = ({ type }: ActionWire, at: number) => traces[at] === 'unclear' && GRANTS.has(type);
    if (this.#batch.wire.some(isUnclear)) throw this.#undelivered(error);
    this.#forget();
    throw new UnavailableError(UNAUTHORIZED, error.message, error.code);
  }

  /** Entries that were under way are before this one in the log: none is missed. */
  async #markedSeq(): Promise<number | null> {
    return checked(await this.#parts.mark()).seq;
  }

  #namingTheClock(error: unknown): Promise<unknown> {
    const { transport, credentials } = this.#parts;
    return namingTheClock(error, transport, credentials.now);
  }

  /** Has the next attempt signed with a new nonce. */
  #forget(): void {
    this.#attempt = null;
    this.#isAnew = true;
  }

  async #recover({ seq, answered }: Proof): Promise<Delivered> {
    const lookup = new Lookup(this.#parts, seq);
    const found = {
      wire: this.#batch.wire,
      seq,
      answered: (answered?.results as ActionResult[]) ?? null,
      sentAtMs: this.#sentAtMs,
    };
    const results = await lookup.results(found);
    if (!this.#parts.wantsAccount) return { results, isRecovered: true };
    return { results, account: answered?.account ?? (await lookup.account()), isRecovered: true };
  }

  #undelivered(cause: unknown): unknown {
    if (cause instanceof Undelivered) return cause;
    return new Undelivered(cause, { isProven: this.#proof !== null, sentAtMs: this.#lostAtMs! });
  }
}

/** True if a result may be that of a repetition, so that the order has to tell what the first one did. */
function isOfSecond(result: ActionResult): boolean {
  if (result.type === 'place' || result.type === 'combo') return result.status === 'duplicate';
  if (result.type === 'amend') return result.status === 'rejected';
  return (result.type === 'cancel' || result.type === 'cancel-all') && !result.ok;
}

/** The wait before a repeat in ms; infinite for what a repeat does not change. */
function repeatAfter(error: unknown): number {
  if (error instanceof AbortedError || error instanceof Undelivered) return Infinity;
  if (error instanceof RateLimitedError || error instanceof VenueUnreachableError) return waitAsked(error);
  // A token may be forgotten with the venue's restart, and is renewed at the next attempt.
  return error instanceof UnavailableError ? 0 : Infinity;
}
