/**
 * Delivers one batch: never twice, and never given up while it may still be found out what became of it (CID-1).
 *
 * After a lost answer the same bytes are sent again. Their nonce counts once, so they cannot be carried out twice; and
 * `nonce already used` proves that they were carried out, whereupon the orders are looked up by their client ids. Once
 * the nonce is too old, the ids are looked up first, and only what is unknown is placed anew.
 */

import type { Account, BatchAnswer as Answered } from '@venue/protocol';
import type { ActionResult, PreparedBatch } from './actions.ts';
import { Backoff, pause } from './backoff.ts';
import {
  AbortedError,
  mayBeCarriedOut,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  VenueUnreachableError,
} from './errors.ts';
import { Lookup, type LookupParts } from './lookup.ts';
import type { Attempted, WriteVerdict } from './outcome.ts';
import { checked, jsonOf, type Raw, waitAsked } from './transport.ts';

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
  /** Whether recovered results come with the account. */
  readonly wantsAccount: boolean;
  /** Called for a signature that the venue refuses: throws if another venue answers. */
  readonly verify: () => Promise<unknown>;
}

/** What a batch came to. */
export interface Delivered {
  readonly results: readonly ActionResult[];
  /** Absent if it was not asked for. */
  readonly account?: Account;
  /** The log entry that the answer showed, where it was not lost. */
  readonly seq?: number;
  /** Whether the answer was lost, so that results were looked up. */
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

export class Delivery {
  readonly #batch: PreparedBatch;
  #parts: DeliveryParts;
  /** The bytes that may have been sent; null if none were, or if they can no longer be carried out. */
  #attempt: Attempt | null = null;
  /** When the first bytes were sent that may have been carried out. */
  #lostAtMs: number | null = null;
  #proof: Proof | null = null;
  /** A used nonce proves nothing any more: something else may have used it. */
  #isDoubtful = false;
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
   * takes the nonce, or takes it no more, the lost bytes can never be carried out.
   */
  async settle(spend: (nonce: number) => Promise<Attempted>): Promise<WriteVerdict> {
    if (await this.#isKnown(null)) return 'carried out';
    const nonce = this.#attempt?.nonce ?? null;
    if (this.#attempt === null) return 'not carried out';
    if (nonce === null) return 'unknown';
    const found = await spend(nonce);
    if (found === 'too old') return this.#settleByIds();
    if (found === 'not carried out') this.#attempt = null;
    if (found === 'carried out' && !this.#isDoubtful) this.#proof = { seq: null, answered: null };
    this.#isDoubtful ||= found === 'spoilt';
    return found === 'not carried out' || this.#proof !== null ? (found as WriteVerdict) : 'unknown';
  }

  /**
   * For bytes whose nonce is too old: only orders can be recognized, by their client ids. Beside orders that were all
   * declined, another action may have been carried out.
   */
  async #settleByIds(): Promise<WriteVerdict> {
    if (await this.#isPlaced()) return 'carried out';
    const { clientIds, wire } = this.#batch;
    if (clientIds.length < wire.length) return 'unknown';
    this.#forget();
    return 'not carried out';
  }

  /** Whether one of its orders is known, which proves that the batch was carried out. */
  async #isKnown(seq: number | null): Promise<boolean> {
    if (this.#proof === null && (await new Lookup(this.#parts, seq).knowsAny(this.#batch.clientIds)))
      this.#proof = { seq, answered: null };
    return this.#proof !== null;
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

  /** Whether these actions may have been carried out before: bytes with the same nonce cannot have been. */
  #mayBeSecond(): boolean {
    return this.#lostAtMs !== null && (this.#attempt?.nonce === null || this.#isAnew);
  }

  /** Throws what is final, and goes on with what is not. */
  async #refused(error: unknown, { seq }: Raw): Promise<Delivered> {
    const attempt = this.#attempt!;
    if (error instanceof UnavailableError) this.#lostAtMs ??= attempt.sentAtMs;
    if (!(error instanceof UnauthorizedError)) throw error;
    if (error.code === 'bad-signature') await this.#parts.verify();
    if (error.code === 'nonce-used') return this.#spent(error, seq);
    if (this.#lostAtMs === null) throw error;
    if (error.code === 'nonce-outside-window') return this.#startAnew();
    if (await this.#isKnown(seq)) return this.#recover(this.#proof!);
    throw error;
  }

  async #spent(error: Error, seq: number | null): Promise<Delivered> {
    // The first to arrive was refused: either the way doubled it, or another program used its nonce.
    this.#isDoubtful ||= this.#lostAtMs === null;
    this.#lostAtMs ??= this.#attempt!.sentAtMs;
    if (!(await this.#isKnown(seq))) {
      if (this.#isDoubtful && this.#batch.clientIds.length > 0) throw this.#undelivered(error);
      // What places nothing is the same when it is carried out twice.
      if (this.#isDoubtful) {
        this.#forget();
        throw new UnavailableError(UNAUTHORIZED, error.message, 'nonce-used');
      }
      this.#proof = { seq, answered: null };
    }
    return this.#recover(this.#proof!);
  }

  /** The nonce is too old, so these bytes can no longer be carried out; they may have been before. */
  async #startAnew(): Promise<Delivered> {
    if (await this.#isPlaced()) return this.#recover(this.#proof!);
    this.#forget();
    return this.#send();
  }

  /** True if one of its orders is known. Entries that were under way are before the mark in the log: none is missed. */
  async #isPlaced(): Promise<boolean> {
    const { seq } = checked(await this.#parts.mark());
    return this.#isKnown(seq);
  }

  /** Has the next attempt signed with a new nonce. */
  #forget(): void {
    this.#attempt = null;
    this.#isAnew = true;
    this.#isDoubtful = false;
  }

  async #recover({ seq, answered }: Proof): Promise<Delivered> {
    const lookup = new Lookup(this.#parts, seq);
    const sentAtMs = this.#lostAtMs ?? this.#attempt!.sentAtMs;
    const found = {
      wire: this.#batch.wire,
      seq,
      answered: (answered?.results as ActionResult[]) ?? null,
      sentAtMs,
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

/** Whether a result may be that of a repetition, so that the order has to tell what the first one did. */
function isOfSecond(result: ActionResult): boolean {
  if (result.type === 'place' || result.type === 'combo') return result.status === 'duplicate';
  if (result.type === 'amend') return result.status === 'rejected';
  return result.type === 'cancel' && !result.ok;
}

/** The wait before a repeat in ms; infinite for what a repeat does not change. */
function repeatAfter(error: unknown): number {
  if (error instanceof AbortedError || error instanceof Undelivered) return Infinity;
  if (error instanceof RateLimitedError || error instanceof VenueUnreachableError) return waitAsked(error);
  // A token may be forgotten with the venue's restart, and is renewed at the next attempt.
  return error instanceof UnavailableError ? 0 : Infinity;
}
