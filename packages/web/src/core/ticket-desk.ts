/** The ticket at work: what was typed is previewed as it stands, and sent once. */

import {
  type Account,
  decimalToMicros,
  type Micros,
  microsToDecimal,
  type OrderAnswer,
} from '@venue/protocol';
import {
  type OrderTerms,
  OutcomeUnknownError,
  RateLimitedError,
  type VenueClient,
  VenueError,
  VenueUnreachableError,
} from '@venue/sdk/browser';
import { touchOfBook } from './books.ts';
import { cautionsOf } from './caution.ts';
import type { Notices } from './notices.ts';
import { formatExact, parseAmount, type TypedAmount } from './numbers.ts';
import { type Advice, adviseFailure, adviseRejection, resultOf } from './order-errors.ts';
import { lostOrderWords } from './outcome-words.ts';
import type { Send } from './sending.ts';
import { qtyText } from './step.ts';
import { EMPTY_TICKET, type Side, type Stores, type Ticket, type Touch } from './stores.ts';

/** From the last key that was pressed. */
const PREVIEW_WAIT_MS = 150;
/** A preview ages with the book. */
const PREVIEW_EVERY_MS = 2_000;
/** For so long the page looks for an order that no answer came to; after that the person asks it to. */
const LOOK_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** What the ticket says once the person has to ask for another look. */
export const GAVE_UP = 'The venue does not answer.';

export interface TicketDeskOptions {
  readonly client: VenueClient;
  readonly stores: Stores;
  readonly notices: Notices;
  /** Takes one read out of what the edge allows. */
  readonly take: () => boolean;
  readonly send: Send;
  /** An answer brought a newer account. */
  readonly onAccount: (account: Account) => void;
  /** Of a contract on the chain; null of another. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** The contract as people call it. */
  readonly labelOf: (seriesId: string) => string;
  readonly now?: () => number;
}

/** What a ticket is opened with. */
export interface Opening {
  readonly seriesId: string;
  readonly side: Side;
  /** Contracts; as last time where it is left out. */
  readonly qty?: number;
  /** Dollars; the touch where it is left out. */
  readonly price?: number;
}

export class TicketDesk {
  readonly #options: TicketDeskOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Of the newest preview that was asked for: answers to older ones are dropped. */
  #asked = 0;
  #lastQty = '1';

  constructor(options: TicketDeskOptions) {
    this.#options = options;
  }

  /** A press on a price: it becomes the limit and stays, however the market moves. */
  pick({ seriesId }: { readonly seriesId: string }, side: Side, price: number): void {
    this.open({ seriesId, side, price });
  }

  /** As a press on a price does, for any contract that is listed, with a quantity where one is meant. */
  open({ seriesId, side, qty, price }: Opening): void {
    const { stores, touchOf } = this.#options;
    const { ticket } = stores;
    const before = ticket.getState();
    const touch = touchOf(seriesId);
    const limit = price ?? limitOf(touch, side);
    const typed = before.seriesId === seriesId && before.qty !== '' ? before.qty : this.#lastQty;
    const isUnknown = Number.isNaN(limit) && touch === null;
    ticket.setState({
      ...EMPTY_TICKET,
      seriesId,
      side,
      // Nobody quotes it on the chain; of one that is elsewhere the book has yet to be read.
      kind: Number.isNaN(limit) && !isUnknown ? 'market' : 'limit',
      price: Number.isNaN(limit) ? '' : formatExact(limit),
      qty: qty === undefined ? typed : qtyText(qty),
    });
    this.#previewSoon(0);
  }

  edit(patch: Partial<Pick<Ticket, 'side' | 'kind' | 'qty' | 'price'>>): void {
    const { ticket } = this.#options.stores;
    ticket.setState({ ...patch, advice: null, cautions: [] });
    this.#previewSoon(PREVIEW_WAIT_MS);
  }

  /** The price becomes that of the market now. */
  takeTouch(): void {
    const { seriesId, side, touch } = this.#options.stores.ticket.getState();
    if (seriesId === null) return;
    const limit = limitOf(this.#options.touchOf(seriesId) ?? touch, side);
    if (!Number.isNaN(limit)) this.edit({ kind: 'limit', price: formatExact(limit) });
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#asked += 1;
    this.#options.stores.ticket.setState(EMPTY_TICKET);
  }

  /** Sends what the ticket says, once. What came of it stands in the notices, and what to do about it in the ticket. */
  async send(): Promise<void> {
    const { client, stores, send } = this.#options;
    const { ticket } = stores;
    const state = ticket.getState();
    const order = termsOf(state);
    if (order === null || state.sending !== 'no') return;
    if (this.#mustWait(state) || this.#mustAsk(state, order.terms)) return;
    ticket.setState({ sending: 'sending', advice: null, cautions: [] });
    try {
      this.#onAnswer(await send(() => client.orders.place(order.terms)), { ...order, typed: state.qty });
    } catch (error) {
      if (error instanceof OutcomeUnknownError) await this.#lookFor(error, order.terms);
      else this.#advise(adviceOf(error));
    }
  }

  /** Looks again for an order that no answer came to, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#again?.();
  }

  #again: (() => Promise<void>) | null = null;

  #onAnswer(
    answer: OrderAnswer,
    { terms, qtyMicros, typed }: { terms: OrderTerms; qtyMicros: Micros; typed: string },
  ): void {
    const { notices, onAccount, labelOf } = this.#options;
    onAccount(answer.account);
    if (answer.status === 'rejected') {
      const markMicros = this.#markMicrosOf(terms.seriesId);
      const advice = adviseRejection(answer.reason, { qtyMicros, markMicros });
      this.#advise({ text: answer.reason, advice });
      return;
    }
    this.#lastQty = typed;
    const result = resultOf(answer, qtyMicros);
    const isWhole = result.kind === 'filled' || result.kind === 'rested';
    notices.add({ tone: isWhole ? 'good' : 'plain', title: titleOf(terms, labelOf), text: result.text });
    this.close();
  }

  /** A market order would trade at prices that nobody here can see. */
  #mustWait({ kind, seriesId }: Ticket): boolean {
    const { state } = this.#options.stores.link.getState();
    if (kind !== 'market' || (state !== 'stale' && state !== 'offline')) return false;
    const priceMicros = this.#markMicrosOf(seriesId!);
    const text = 'Prices are old: a market order would be sent blind.';
    this.#advise({ text, advice: { kind: 'make-limit', priceMicros } });
    return true;
  }

  /** The first press asks, the second one sends. */
  #mustAsk({ cautions: asked, preview }: Ticket, terms: OrderTerms): boolean {
    if (asked.length > 0) return false;
    const { ticket, holdings } = this.#options.stores;
    const held = holdings.getState().positions.get(terms.seriesId)?.qty ?? 0;
    const mark = this.#touch(terms.seriesId)?.mark ?? Number.NaN;
    const cautions = cautionsOf({ terms, preview, mark, held });
    ticket.setState({ cautions });
    return cautions.length > 0;
  }

  #advise(said: { readonly text: string; readonly advice: Advice }): void {
    const { stores, now = Date.now } = this.#options;
    stores.ticket.setState({ sending: 'no', advice: { ...said, atMs: now() } });
  }

  /** The client has asked the venue already, and can often tell; else it is asked again for a while. */
  async #lookFor(lost: OutcomeUnknownError, terms: OrderTerms): Promise<void> {
    const { stores, now = Date.now } = this.#options;
    const untilMs = now() + LOOK_MS;
    let found = lost;
    if (stores.ticket.getState().sending === 'no') return this.#tell(found, terms);
    while (found.verdict === 'unknown' && now() < untilMs) {
      this.#showUnknown(null);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      found = await found.lookAgain();
    }
    if (found.verdict === 'unknown') {
      this.#showUnknown(() => this.#lookFor(found, terms));
      return;
    }
    this.#again = null;
    this.#tell(found, terms);
    // Meanwhile the person may have opened another ticket.
    if (stores.ticket.getState().sending === 'no') return;
    if (found.verdict === 'carried out') this.close();
    else stores.ticket.setState({ sending: 'no', advice: null });
  }

  #showUnknown(again: (() => Promise<void>) | null): void {
    const { stores, now = Date.now } = this.#options;
    this.#again = again;
    const text = again === null ? 'No answer came. Looking for the order…' : GAVE_UP;
    stores.ticket.setState({
      sending: 'unknown',
      advice: { text, advice: { kind: 'unknown-outcome' }, atMs: now() },
    });
  }

  #tell(found: OutcomeUnknownError, terms: OrderTerms): void {
    const { notices, onAccount, labelOf } = this.#options;
    if (found.account !== null) onAccount(found.account);
    notices.add({ ...lostOrderWords(found, titleOf(terms, labelOf)), isSticky: true });
  }

  #touch(seriesId: string): Touch | null {
    return this.#options.touchOf(seriesId) ?? this.#options.stores.ticket.getState().touch;
  }

  #markMicrosOf(seriesId: string): Micros | null {
    const mark = this.#touch(seriesId)?.mark ?? Number.NaN;
    return Number.isNaN(mark) ? null : (decimalToMicros(mark) ?? null);
  }

  #previewSoon(waitMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#preview(), waitMs);
  }

  async #preview(): Promise<void> {
    const { client, stores, take, send } = this.#options;
    const { ticket, session } = stores;
    this.#asked += 1;
    const asked = this.#asked;
    await this.#readTouch(asked);
    const order = termsOf(ticket.getState());
    if (asked !== this.#asked) return;
    if (order !== null && session.getState().state === 'ready' && take()) {
      try {
        const preview = await send(() => client.orders.preview(order.terms));
        if (asked === this.#asked) ticket.setState({ preview, previewFault: null });
      } catch (error) {
        if (asked === this.#asked) ticket.setState({ preview: null, previewFault: messageOf(error) });
      }
    } else if (order === null) {
      ticket.setState({ preview: null, previewFault: null });
    }
    if (asked === this.#asked && ticket.getState().seriesId !== null) this.#previewSoon(PREVIEW_EVERY_MS);
  }

  /** The book of a contract that is not on the chain; its touch becomes the limit where the person meant no other. */
  async #readTouch(asked: number): Promise<void> {
    const { client, stores, take, touchOf } = this.#options;
    const { seriesId } = stores.ticket.getState();
    if (seriesId === null || touchOf(seriesId) !== null || !take()) return;
    const book = await client.market.book(seriesId).catch(() => null);
    if (book === null || asked !== this.#asked) return;
    const touch = touchOfBook(book);
    const { touch: before, price, side } = stores.ticket.getState();
    const limit = limitOf(touch, side);
    const isFirst = before === null && price === '' && !Number.isNaN(limit);
    stores.ticket.setState({ touch, ...(isFirst && { price: formatExact(limit) }) });
  }
}

/** What the side of an order meets: a buy the ask, a sell the bid. NaN where nobody quotes. */
function limitOf(touch: Touch | null, side: Side): number {
  if (touch === null) return Number.NaN;
  return side === 'buy' ? touch.ask : touch.bid;
}

/** What the ticket asks for, or null while it is not whole. */
export function termsOf(ticket: Ticket): { terms: OrderTerms; qtyMicros: Micros } | null {
  const { seriesId, side, kind } = ticket;
  const qty = positive(parseAmount(ticket.qty));
  if (seriesId === null || qty === null) return null;
  const base = { seriesId, side, qty: microsToDecimal(qty) };
  if (kind === 'market') return { terms: base, qtyMicros: qty };
  const price = positive(parseAmount(ticket.price));
  return price === null ? null : { terms: { ...base, price: microsToDecimal(price) }, qtyMicros: qty };
}

function positive(amount: TypedAmount): Micros | null {
  return amount.ok && amount.micros > 0 ? amount.micros : null;
}

function titleOf({ side, qty, seriesId }: OrderTerms, labelOf: (seriesId: string) => string): string {
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${qty} ${labelOf(seriesId)}`;
}

function adviceOf(error: unknown): { text: string; advice: Advice } {
  const text = messageOf(error);
  if (error instanceof VenueUnreachableError) {
    return { text, advice: error.neverSent ? { kind: 'other' } : { kind: 'unknown-outcome' } };
  }
  if (!(error instanceof VenueError)) return { text, advice: { kind: 'other' } };
  const retryAfterMs = error instanceof RateLimitedError ? error.retryAfterMs : null;
  const failure = { status: error.status, message: error.message };
  return { text, advice: adviseFailure(retryAfterMs === null ? failure : { ...failure, retryAfterMs }) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
