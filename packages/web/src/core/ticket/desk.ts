/** The ticket at work: what was typed is previewed as it stands, and sent once. */

import {
  type Account,
  decimalToMicros,
  type Micros,
  type OrderAnswer,
  type OrderPreviewAnswer,
} from '@venue/protocol';
import { type OrderTerms, OutcomeUnknownError, type VenueClient } from '@venue/sdk/browser';
import { touchOfBook } from '../chain/books.ts';
import { qtyText } from '../chain/step.ts';
import type { Notices } from '../notices.ts';
import { formatExact } from '../numbers.ts';
import type { Send } from '../session/sending.ts';
import {
  EMPTY_TICKET,
  type Side,
  type Stores,
  type Ticket,
  type TicketAdvice,
  type Touch,
} from '../stores.ts';
import { adviceOnFailure, messageOf } from './advice-on-failure.ts';
import { cautionsOf } from './caution.ts';
import { type Advice, adviseRejection, resultOf } from './order-errors.ts';
import { knownOrderIds, lostOrderWords } from './outcome-words.ts';
import { cutoffMs, termsOf } from './terms.ts';

/** From the last key that was pressed. */
const PREVIEW_WAIT_MS = 150;
/** A preview ages with the book. */
const PREVIEW_EVERY_MS = 2_000;
/** For so long the page looks for an order that no answer came to; after that the person asks it to. */
const LOOK_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** What the ticket says once the person has to ask for another look. */
export const GAVE_UP = 'The venue is not responding.';

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
  /** The venue's time in unix ms, which cutoffs go by. */
  readonly venueNow: () => number;
  /** The page's. */
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

/** An order on its way. */
interface Sent {
  readonly terms: OrderTerms;
  readonly qtyMicros: Micros;
  /** The quantity as it was typed. */
  readonly typed: string;
  readonly ticketNo: number;
  /** Orders that the page had heard of before. */
  readonly knownIds: ReadonlySet<number>;
}

export class TicketDesk {
  readonly #options: TicketDeskOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Of the newest preview that was asked for: answers to older ones are dropped. */
  #asked = 0;
  /** Of the ticket at work: an answer to another one is a notice and no more. */
  #ticketNo = 0;
  /** Orders that were answered: none of them is one whose answer got lost. */
  readonly #answeredIds = new Set<number>();
  #lastQty = '1';

  constructor(options: TicketDeskOptions) {
    this.#options = options;
    const { holdings, session, link } = options.stores;
    holdings.subscribe(({ account }, before) => this.#onAccountSeen(account, before.account));
    session.subscribe(({ state }, before) => {
      if (state === 'ready' && before.state !== 'ready') this.#rethink('session');
    });
    link.subscribe(({ state }) => {
      if (state === 'live') this.#dropAdvice('link');
    });
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
    this.#ticketNo += 1;
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

  /** What is on its way stays as it was sent. */
  edit(patch: Partial<Pick<Ticket, 'side' | 'kind' | 'qty' | 'price'>>): void {
    const { ticket } = this.#options.stores;
    if (ticket.getState().sending !== 'no') return;
    ticket.setState({ ...patch, advice: null, cautions: [], preview: null, previewFault: null });
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
    this.#ticketNo += 1;
    this.#options.stores.ticket.setState(EMPTY_TICKET);
  }

  /** Sends what the ticket says, once. What came of it stands in the notices, and what to do about it in the ticket. */
  async send(): Promise<void> {
    const { client, stores, send } = this.#options;
    const { ticket } = stores;
    const state = ticket.getState();
    const order = termsOf(state);
    if (order === null || state.sending !== 'no' || this.#isOver()) return;
    if (this.#mustWait(state) || this.#mustAsk(state, order.terms)) return;
    ticket.setState({ sending: 'sending', advice: null, cautions: [] });
    const sent = { ...order, typed: state.qty, ticketNo: this.#ticketNo, knownIds: this.#knownIds() };
    try {
      this.#onAnswer(await send(() => client.orders.place(order.terms)), sent);
    } catch (error) {
      if (error instanceof OutcomeUnknownError) await this.#lookFor(error, sent);
      else this.#decline(sent, adviceOnFailure(error));
    }
  }

  /** What can be done about the preview's refusal, before the order is sent at all. */
  adviceOnPreview(ticket: Ticket): Advice | null {
    const order = termsOf(ticket);
    const reason = ticket.preview?.reason;
    if (order === null || reason === undefined) return null;
    const markMicros = this.#markMicrosOf(order.terms.seriesId);
    return adviseRejection(reason, { qtyMicros: order.qtyMicros, markMicros });
  }

  /** Looks again for an order that no answer came to, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#again?.();
  }

  #again: (() => Promise<void>) | null = null;

  #onAnswer(answer: OrderAnswer, sent: Sent): void {
    const { terms, qtyMicros, typed } = sent;
    const { notices, onAccount, labelOf } = this.#options;
    onAccount(answer.account);
    if (answer.status === 'rejected') {
      const markMicros = this.#markMicrosOf(terms.seriesId);
      const advice = adviseRejection(answer.reason, { qtyMicros, markMicros });
      this.#decline(sent, { text: answer.reason, advice, of: 'account' });
      return;
    }
    this.#answeredIds.add(answer.orderId);
    this.#lastQty = typed;
    const result = resultOf(answer, qtyMicros);
    const isWhole = result.kind === 'filled' || result.kind === 'rested';
    notices.add({ tone: isWhole ? 'good' : 'plain', title: titleOf(terms, labelOf), text: result.text });
    if (this.#isAtWork(sent)) this.close();
  }

  /** Whether the ticket is still the one that was sent: meanwhile the person may have opened another. */
  #isAtWork({ ticketNo }: Sent): boolean {
    return ticketNo === this.#ticketNo;
  }

  #decline(sent: Sent, said: Omit<TicketAdvice, 'atMs'>): void {
    const { notices, labelOf } = this.#options;
    if (this.#isAtWork(sent)) this.#advise(said);
    else {
      const verdict = said.advice.kind === 'unknown-outcome' ? 'Not known' : 'Not placed';
      const title = `${verdict}: ${titleOf(sent.terms, labelOf)}`;
      notices.add({ tone: 'warning', title, text: said.text });
    }
  }

  /** Every order that the page has heard of. */
  #knownIds(): ReadonlySet<number> {
    return knownOrderIds(this.#options.stores.holdings.getState()).union(this.#answeredIds);
  }

  /** A market order would trade at prices that nobody here can see. */
  #mustWait({ kind, seriesId }: Ticket): boolean {
    const { state } = this.#options.stores.link.getState();
    if (kind !== 'market' || (state !== 'stale' && state !== 'offline')) return false;
    const priceMicros = this.#markMicrosOf(seriesId!);
    const text = 'Prices are stale: a market order would be sent blind.';
    this.#advise({ text, advice: { kind: 'make-limit', priceMicros }, of: 'link' });
    return true;
  }

  /** The first press asks, the second one sends. */
  #mustAsk({ cautions: asked, preview, side }: Ticket, terms: OrderTerms): boolean {
    // What will be refused does no harm.
    if (asked.length > 0 || preview?.status === 'rejected') return false;
    const { ticket, holdings } = this.#options.stores;
    const { positions, account } = holdings.getState();
    const touch = this.#touch(terms.seriesId);
    const cautions = cautionsOf({
      ...{ terms, preview, positions },
      mark: touch?.mark ?? Number.NaN,
      touch: limitOf(touch, side),
      buyingPower: account?.buyingPower ?? 0,
    });
    ticket.setState({ cautions });
    return cautions.length > 0;
  }

  #advise(said: Omit<TicketAdvice, 'atMs'>): void {
    const { stores, now = Date.now } = this.#options;
    stores.ticket.setState({ sending: 'no', advice: { ...said, atMs: now() } });
  }

  #dropAdvice(of: TicketAdvice['of']): void {
    const { ticket } = this.#options.stores;
    if (ticket.getState().advice?.of === of) ticket.setState({ advice: null });
  }

  /** What was said of an account that is another by now is not said any more, and the venue is asked anew. */
  #rethink(of: TicketAdvice['of']): void {
    const { ticket } = this.#options.stores;
    const { seriesId, sending } = ticket.getState();
    if (seriesId === null || sending !== 'no') return;
    this.#dropAdvice(of);
    ticket.setState({ cautions: [], preview: null, previewFault: null });
    this.#previewSoon(0);
  }

  /** However the account came to be another: by this page, by another tab, or by a program. */
  #onAccountSeen(account: Account | null, before: Account | null): void {
    if (account === null || before === null) return;
    const isOther =
      account.marginEnabled !== before.marginEnabled || account.marginCall !== before.marginCall;
    if (isOther) this.#rethink('account');
  }

  /** The client has asked the venue already, and can often tell; else it is asked again for a while. */
  async #lookFor(lost: OutcomeUnknownError, sent: Sent): Promise<void> {
    const { stores, now = Date.now } = this.#options;
    const untilMs = now() + LOOK_MS;
    let found = lost;
    while (found.verdict === 'unknown' && now() < untilMs) {
      if (this.#isAtWork(sent)) this.#showUnknown(null);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      found = await found.lookAgain();
    }
    if (found.verdict === 'unknown' && this.#isAtWork(sent)) {
      this.#showUnknown(() => this.#lookFor(found, sent));
      return;
    }
    this.#tell(found, sent);
    if (!this.#isAtWork(sent)) return;
    this.#again = null;
    if (found.verdict === 'carried out') this.close();
    else stores.ticket.setState({ sending: 'no', advice: null });
  }

  #showUnknown(again: (() => Promise<void>) | null): void {
    const { stores, now = Date.now } = this.#options;
    this.#again = again;
    const text = again === null ? 'No answer came. Looking for the order…' : GAVE_UP;
    stores.ticket.setState({
      sending: 'unknown',
      advice: { text, advice: { kind: 'unknown-outcome' }, of: 'attempt', atMs: now() },
    });
  }

  #tell(found: OutcomeUnknownError, { terms, knownIds }: Sent): void {
    const { notices, onAccount, labelOf } = this.#options;
    if (found.account !== null) onAccount(found.account);
    const order = { words: titleOf(terms, labelOf), qty: terms.qty, knownIds };
    notices.add({ ...lostOrderWords(found, order), isSticky: true });
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
    this.#asked += 1;
    this.#timer = setTimeout(() => void this.#preview(), waitMs);
  }

  /** Whether the ticket's contract is past its cutoff: nothing of it can be traded or previewed. */
  #isOver(): boolean {
    const { stores, venueNow } = this.#options;
    const { seriesId } = stores.ticket.getState();
    return seriesId !== null && venueNow() >= cutoffMs(seriesId);
  }

  async #preview(): Promise<void> {
    if (this.#isOver()) return;
    const { client, stores, take, send } = this.#options;
    const { ticket, session } = stores;
    const asked = this.#asked;
    await this.#readTouch(asked);
    const order = termsOf(ticket.getState());
    if (asked !== this.#asked) return;
    const isWanted = order !== null && session.getState().state === 'ready';
    const mayAsk = isWanted && take();
    if (mayAsk) {
      try {
        const preview = await send(() => client.orders.preview(order.terms));
        if (asked === this.#asked) this.#onPreview(preview);
      } catch (error) {
        if (asked === this.#asked) ticket.setState({ preview: null, previewFault: messageOf(error) });
      }
    } else if (order === null) {
      ticket.setState({ preview: null, previewFault: null });
    }
    if (asked !== this.#asked || ticket.getState().seriesId === null) return;
    this.#previewSoon(isWanted && !mayAsk ? PREVIEW_WAIT_MS : PREVIEW_EVERY_MS);
  }

  /** Of what the venue would refuse, its reason is what there is to say; an older refusal is not. */
  #onPreview(preview: OrderPreviewAnswer): void {
    const { ticket } = this.#options.stores;
    const isRefused = preview.status === 'rejected';
    this.#dropAdvice('account');
    ticket.setState({ preview, previewFault: null, ...(isRefused && { cautions: [] }) });
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

function titleOf({ side, qty, seriesId }: OrderTerms, labelOf: (seriesId: string) => string): string {
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${qty} ${labelOf(seriesId)}`;
}
