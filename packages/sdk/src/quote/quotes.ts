/** Quotes of an account as a market maker: ladders in sets, each with a protection (QTS-1 to QTS-5). */

import {
  bytesToHex,
  QUOTE_SETS_MAX,
  type QuoteSet,
  type QuoteSets as QuoteSetsAnswer,
  quotesEnvelope,
  type SetPushAnswer,
  sha256,
} from '@venue/protocol';
import { checkInteger } from '../net/checks.ts';
import { isRefusedAs, mayBeCarriedOut, StalePushError } from '../net/errors.ts';
import { type CallOptions, checked, jsonOf, type Transport } from '../net/transport.ts';
import { namingTheClock } from '../net/venue-clock.ts';
import { signature } from '../sign/signed-bodies.ts';
import type { ProtectAction, ProtectTerms, SetResult, UnfreezeAction } from '../trade/actions.ts';
import { Batches, type BatchParts, type WriteOptions } from '../trade/batches.ts';
import type { Answered } from '../trade/orders.ts';
import { Outcomes, OutcomeUnknownError } from '../trade/outcome.ts';
import { type PushBody, pushBodyOf } from './quote-rows.ts';
import type { BytesForm, Quote, SidQuote } from './quote-terms.ts';
import type { SetTurns } from './set-turns.ts';

export interface PushOptions extends CallOptions {
  /** Named rows as JSON; the other forms take rows by sid. */
  readonly form?: 'verbose';
}

export interface SidPushOptions extends CallOptions {
  /** JSON, or bytes, which are the shortest; the door for browsers has no bytes. */
  readonly form: 'compact' | 'binary';
}

/** Parts that quotes need besides those of a batch. */
export interface QuoteParts extends BatchParts {
  readonly turns: SetTurns;
  readonly bytesForm?: BytesForm | undefined;
}

export class Quotes {
  readonly #parts: QuoteParts;
  readonly #batches: Batches;

  constructor(parts: QuoteParts) {
    this.#parts = parts;
    this.#batches = new Batches(parts);
  }

  /**
   * Sets where the ladders of a set stand in the series that the rows name, all in one entry of the log. The answer counts
   * rows and has the first 20 that were declined: look at `rowErrors`. Needs a protected set.
   *
   * Pushes to one set leave one after another, in the order of the calls; combining those that wait is the caller's. None is
   * repeated: after a lost answer, which throws `OutcomeUnknownError`, push what is right now. That one comes after the lost
   * one or makes it stale, so old prices never come back. After a `StalePushError`, too: the next nonce is above the
   * `lastNonce` that stood in the way, unless the client was given nonces of its own. Throws `UnknownSetError`, `SetFrozenError` and `StalePushError`,
   * `RefusedError` with the reason if buying power does not cover the set's reserve, and `TypeError` or `RangeError` for an
   * amount that is no number or not exact in micros.
   *
   * @example
   * await venue.quotes.protect({ set: 1, symbol: 'BTC', windowMs: 1_000, qty: 10, frozenMs: 5_000 });
   * const { applied, rowErrors } = await venue.quotes.push(1, [{ seriesId, bids: [['0.25', 1]], asks: [] }]);
   * console.log(applied, rowErrors);
   */
  async push(set: number, rows: readonly Quote[], options?: PushOptions): Promise<SetPushAnswer>;
  async push(set: number, rows: readonly SidQuote[], options: SidPushOptions): Promise<SetPushAnswer>;
  async push(
    set: number,
    rows: readonly Quote[] | readonly SidQuote[],
    options: PushOptions | SidPushOptions = {},
  ): Promise<SetPushAnswer> {
    checkSet(set);
    const body = pushBodyOf(rows, options.form ?? 'verbose', this.#parts.bytesForm);
    const transport = this.#parts.transport.with(options);
    return this.#parts.turns.take(set, transport.signal, () => this.#send(transport, set, body));
  }

  /**
   * The sets of the account, with what is used of each protection. Needs a token.
   *
   * @example (await venue.quotes.sets()).map(({ set, used, frozen }) => [set, used, frozen])
   */
  async sets(options: CallOptions = {}): Promise<QuoteSet[]> {
    const { transport, credentials } = this.#parts;
    const request = { headers: credentials.headers() };
    return (await transport.with(options).get<QuoteSetsAnswer>('/v1/quote-sets', request)).sets;
  }

  /**
   * Makes a set, or changes its protection; it is then not frozen, and its allowance is whole (QTS-3). A declined one is a
   * value: `ok` is false, with a `reason`. Throws as `orders.batch` does.
   *
   * @example (await venue.quotes.protect({ set: 2, symbol: 'BTC', windowMs: 500, qty: 5, delta: 2, frozenMs: 0 })).ok
   */
  async protect(terms: ProtectTerms, options: WriteOptions = {}): Promise<Answered<SetResult>> {
    return this.#act({ ...terms, type: 'protect' }, options);
  }

  /**
   * Lets a frozen set quote again, with a whole allowance. Declined and thrown as `protect`.
   *
   * @example (await venue.quotes.unfreeze(1)).reason // 'unknown set'
   */
  async unfreeze(set: number, options: WriteOptions = {}): Promise<Answered<SetResult>> {
    return this.#act({ type: 'unfreeze', set: checkSet(set) }, options);
  }

  /**
   * Ends a set: all its quotes leave, and pushes that are still on their way find no set. The surest way to pull them, as it
   * takes no list of what stands; `protect` makes a new set. A set that does not exist is no error.
   *
   * @example (await venue.quotes.end(1)).ok // true
   */
  async end(set: number, options: WriteOptions = {}): Promise<Answered<SetResult>> {
    const nothing = { symbol: '-', windowMs: 100, qty: 0, frozenMs: 0 };
    return this.#act({ type: 'protect', set: checkSet(set), ...nothing }, options);
  }

  async #act(action: ProtectAction | UnfreezeAction, options: WriteOptions): Promise<Answered<SetResult>> {
    const { results, account, isRecovered } = await this.#batches.send([action], options);
    return { ...results[0], account: account!, isRecovered };
  }

  async #send(transport: Transport, set: number, { bytes, form }: PushBody): Promise<SetPushAnswer> {
    const { credentials, pin } = this.#parts;
    const signed = await this.#signed(transport, set, { bytes, form });
    const sentAtMs = credentials.now();
    const type = form === 'sqw1' ? { 'content-type': this.#parts.bytesForm!.contentType } : {};
    const headers = { ...credentials.headers(), ...signed?.headers, ...type };
    const path = `/v1/quote-sets/${set}`;
    try {
      const raw = checked(await transport.send(path, { method: 'POST', body: bytes }, { headers }));
      return form === 'sqw1' ? this.#parts.bytesForm!.decode(raw.bytes) : (jsonOf(raw) as SetPushAnswer);
    } catch (cause) {
      if (isBadSignature(cause)) await pin.verify(transport);
      if (cause instanceof StalePushError && cause.lastNonce !== null && signed !== null)
        credentials.raiseNonces(signed.session.sessionKey, cause.lastNonce);
      if (!mayBeCarriedOut(cause)) throw await namingTheClock(cause, transport, credentials.now);
      const outcomes = new Outcomes(this.#parts);
      const lookAgain = () => outcomes.of({ path, signed, sentAtMs, cause });
      const message = `no answer to POST ${path}: ${cause.message}; a newer push makes up for it`;
      throw new OutcomeUnknownError(message, undefined, { cause, lookAgain });
    }
  }

  /** The headers of a signed push; null before a session key is approved. */
  async #signed(transport: Transport, set: number, { bytes, form }: PushBody) {
    const { credentials, pin } = this.#parts;
    const { session } = credentials;
    if (session === null) return null;
    const venue = await pin.id(transport);
    const bodyHash = bytesToHex(sha256(bytes));
    const nonce = await credentials.nonceOf(session.sessionKey);
    const text = quotesEnvelope({ venue, account: session.account, set, form, bodyHash, nonce });
    const { signature: sealed } = signature(session, text, nonce);
    const headers = {
      'x-session-key': session.sessionKey,
      'x-nonce': String(nonce),
      'x-signature': sealed!,
    };
    return { session, nonce, headers };
  }
}

function checkSet(set: number): number {
  if (checkInteger('set', set, 1) > QUOTE_SETS_MAX)
    throw new RangeError(`set ${set} is not from 1 to ${QUOTE_SETS_MAX}`);
  return set;
}

function isBadSignature(error: unknown): boolean {
  return isRefusedAs(error, 'bad-signature');
}
