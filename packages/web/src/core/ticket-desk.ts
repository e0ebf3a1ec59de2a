/** The ticket at work: what was typed is previewed as it stands, and sent once. */

import { type Micros, microsToDecimal } from '@venue/protocol';
import {
  type OrderTerms,
  OutcomeUnknownError,
  RateLimitedError,
  type VenueClient,
  VenueError,
  VenueUnreachableError,
} from '@venue/sdk/browser';
import type { Leg } from './market.ts';
import type { Notices } from './notices.ts';
import { formatExact, parseAmount, type TypedAmount } from './numbers.ts';
import { type Advice, adviseFailure, adviseRejection, resultOf } from './order-errors.ts';
import { EMPTY_TICKET, type Side, type Stores, type Ticket } from './stores.ts';

/** From the last key that was pressed. */
const PREVIEW_WAIT_MS = 150;
/** A preview ages with the book. */
const PREVIEW_EVERY_MS = 2_000;

export interface TicketDeskOptions {
  readonly client: VenueClient;
  readonly stores: Stores;
  readonly notices: Notices;
  /** Takes one read out of what the edge allows. */
  readonly take: () => boolean;
  /** An answer brought a newer account. */
  readonly onAccount: (account: NonNullable<ReturnType<Stores['holdings']['getState']>['account']>) => void;
  readonly markMicrosOf: (seriesId: string) => Micros | null;
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
  pick(leg: Leg, side: Side, price: number): void {
    const { ticket } = this.#options.stores;
    const { qty, seriesId } = ticket.getState();
    ticket.setState({
      ...EMPTY_TICKET,
      seriesId: leg.seriesId,
      side,
      kind: Number.isNaN(price) ? 'market' : 'limit',
      price: Number.isNaN(price) ? '' : formatExact(price),
      qty: seriesId === leg.seriesId && qty !== '' ? qty : this.#lastQty,
    });
    this.#previewSoon(0);
  }

  edit(patch: Partial<Pick<Ticket, 'side' | 'kind' | 'qty' | 'price'>>): void {
    const { ticket } = this.#options.stores;
    ticket.setState({ ...patch, advice: null });
    this.#previewSoon(PREVIEW_WAIT_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#asked += 1;
    this.#options.stores.ticket.setState(EMPTY_TICKET);
  }

  /** Sends what the ticket says, once. What came of it stands in the notices, and what to do about it in the ticket. */
  async send(): Promise<void> {
    const { client, stores, notices, onAccount, markMicrosOf } = this.#options;
    const { ticket } = stores;
    const state = ticket.getState();
    const order = termsOf(state);
    if (order === null || state.sending !== 'no') return;
    ticket.setState({ sending: 'sending', advice: null });
    try {
      const answer = await client.orders.place(order.terms);
      onAccount(answer.account);
      if (answer.status === 'rejected') {
        const mark = { qtyMicros: order.qtyMicros, markMicros: markMicrosOf(order.terms.seriesId) };
        ticket.setState({
          sending: 'no',
          advice: { text: answer.reason, advice: adviseRejection(answer.reason, mark) },
        });
        return;
      }
      this.#lastQty = state.qty;
      const result = resultOf(answer, order.qtyMicros);
      const isWhole = result.kind === 'filled' || result.kind === 'rested';
      notices.add({ tone: isWhole ? 'good' : 'plain', title: titleOf(order.terms), text: result.text });
      this.close();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #onFailure(error: unknown): void {
    const { ticket } = this.#options.stores;
    if (error instanceof OutcomeUnknownError) {
      this.#onUnknown(error);
      return;
    }
    ticket.setState({ sending: 'no', advice: adviceOf(error) });
  }

  /** The client has asked the venue already, and can often tell. */
  #onUnknown(error: OutcomeUnknownError): void {
    const { stores, notices, onAccount } = this.#options;
    if (error.account !== null) onAccount(error.account);
    if (error.verdict === 'unknown') {
      stores.ticket.setState({
        sending: 'unknown',
        advice: { text: error.message, advice: { kind: 'unknown-outcome' } },
      });
      void error.lookAgain().then((again) => this.#onUnknown(again));
      return;
    }
    const isDone = error.verdict === 'carried out';
    notices.add({
      tone: 'warning',
      title: isDone ? 'The order was carried out' : 'The order was not placed',
      text: isDone
        ? 'The answer got lost on the way. Your account and fills show what came of it.'
        : 'The answer got lost, and the venue never took the order. You can send it again.',
    });
    if (isDone) this.close();
    else stores.ticket.setState({ sending: 'no', advice: null });
  }

  #previewSoon(waitMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#preview(), waitMs);
  }

  async #preview(): Promise<void> {
    const { client, stores, take } = this.#options;
    const { ticket, session } = stores;
    const order = termsOf(ticket.getState());
    this.#asked += 1;
    const asked = this.#asked;
    if (order !== null && session.getState().state === 'ready' && take()) {
      try {
        const preview = await client.orders.preview(order.terms);
        if (asked === this.#asked) ticket.setState({ preview, previewFault: null });
      } catch (error) {
        if (asked === this.#asked) ticket.setState({ preview: null, previewFault: messageOf(error) });
      }
    } else if (order === null) {
      ticket.setState({ preview: null, previewFault: null });
    }
    if (asked === this.#asked && ticket.getState().seriesId !== null) this.#previewSoon(PREVIEW_EVERY_MS);
  }
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

function titleOf({ side, qty, seriesId }: OrderTerms): string {
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${qty} ${seriesId}`;
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
