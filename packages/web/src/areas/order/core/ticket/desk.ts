/** Runs the ticket: previews what was typed, and sends it once. */

import {
  type Account,
  BATCH_ACTIONS_MAX,
  decimalToMicros,
  type Micros,
  type OpenOrder,
  type OrderPreviewAnswer,
} from '@venue/protocol';
import type { Channels, OutcomeUnknownError } from '@venue/sdk/browser';
import { priceFieldText, qtyFieldText } from '../../../../basics/numbers.ts';
import type { SettlesNear } from '../../../../market/settles-near.ts';
import type { Side, Touch } from '../../../../market/touch.ts';
import { type BatchDone, cancelledIds, placeResultOf } from '../../../../session/batches.ts';
import { tradedBy } from '../../../../session/realised.ts';
import type { ViewStores } from '../../../../view/state.ts';
import type { DeskOptions } from '../form/desk-options.ts';
import { BookFollower } from './book-follower.ts';
import { cautionsOf } from './cautions.ts';
import { followedBound, limitOf } from './bound.ts';
import { fitted, untilText } from '../form/in-force.ts';
import { inTheWay, restingCount } from '../form/in-the-way.ts';
import type { KeptTicket } from './kept-ticket.ts';
import { type Advice, adviseRejection, resultOf } from '../form/advice.ts';
import { OrderFlight } from '../form/order-flight.ts';
import { knownOrderIds, lostOrderWords, recoveredText } from '../form/lost-words.ts';
import { PreviewLoop } from '../form/preview-loop.ts';
import { EMPTY_TICKET, type Ticket, type TicketAdvice } from './state.ts';
import { cutoffMs, termsOf } from './terms.ts';
import type { TicketTerms } from './ticket-terms.ts';

/** An order with a time rests this long unless the person says otherwise. */
const UNTIL_MS = 60 * 60_000;

export interface TicketDeskOptions extends DeskOptions {
  readonly channels: Pick<Channels, 'book'>;
  readonly stores: DeskOptions['stores'] & Pick<ViewStores, 'view'>;
  /** The touch of a contract on the chain; null for others. */
  readonly touchOf: (seriesId: string) => Touch | null;
  /** Human-readable name of the contract. */
  readonly labelOf: (seriesId: string) => string;
  /** The price that a contract's expiry settles near; null but in its last half hour. */
  readonly settlesNear: (seriesId: string) => SettlesNear | null;
  /** What was typed before a reload. */
  readonly kept?: Pick<KeptTicket, 'keep' | 'find'>;
}

/** Initial values of a ticket. */
export interface Opening {
  readonly seriesId: string;
  readonly side: Side;
  /** Contracts; defaults to the last quantity. */
  readonly qty?: number;
  /** Dollars; defaults to the touch. */
  readonly price?: number;
  /** Reduces a position at once, at a price bounded beyond the touch. */
  readonly isClosing?: boolean;
}

/** An order that was sent and not answered yet. */
interface Sent {
  readonly terms: TicketTerms;
  readonly qtyMicros: Micros;
  /** The quantity as typed. */
  readonly typed: string;
  readonly ticketNo: number;
  /** Orders known to the page before. */
  readonly knownIds: ReadonlySet<number>;
}

const NO_QUESTION = { cautions: [], isWithCancels: false } as const;

export class TicketDesk {
  readonly #options: TicketDeskOptions;
  /** Number of the current ticket: an answer for another one only becomes a notice. */
  #ticketNo = 0;
  /** Orders that were answered, which therefore cannot be the one whose answer was lost. */
  readonly #answeredIds = new Set<number>();
  #lastQty = '1';
  readonly #flight: OrderFlight<Sent>;
  readonly #previews: PreviewLoop<TicketTerms, OrderPreviewAnswer>;
  readonly #books: BookFollower;

  constructor(options: TicketDeskOptions) {
    this.#options = options;
    this.#flight = new OrderFlight({
      notices: options.notices,
      now: options.now ?? Date.now,
      isAtWork: ({ ticketNo }) => ticketNo === this.#ticketNo,
      show: (shown) => options.stores.ticket.setState(shown),
      wordsOf: ({ terms }) => titleOf(terms, options.labelOf),
      onAnswer: (done, sent) => this.#onAnswer(done, sent),
      tell: (found, sent) => this.#tell(found, sent),
      close: () => this.close(),
    });
    const { holdings, session, link, ticket } = options.stores;
    this.#previews = new PreviewLoop({
      isOpen: () => ticket.getState().seriesId !== null && !this.#isOver(),
      terms: () => this.#quotedTerms(),
      isSignedIn: () => session.getState().state === 'ready',
      take: options.take,
      ask: (terms) => options.send(() => options.client.orders.preview(terms)),
      onAnswer: (preview) => this.#onPreview(preview),
      onNone: (previewFault) => ticket.setState({ preview: null, previewFault }),
    });
    this.#books = new BookFollower({
      stores: options.stores,
      channels: options.channels,
      touchOf: options.touchOf,
      onFirstTouch: () => this.#previews.now(),
    });
    holdings.subscribe(({ account }, before) => this.#onAccountSeen(account, before.account));
    session.subscribe(({ state }, before) => {
      if (state === 'ready' && before.state !== 'ready') this.#rethink('session');
    });
    link.subscribe(({ state }) => {
      if (state === 'live') this.#dropAdvice('link');
    });
    ticket.subscribe((now) => options.kept?.keep(now));
  }

  /** Opens a ticket from a pressed price, which becomes the limit and stays, however the market moves. */
  pick({ seriesId }: { readonly seriesId: string }, side: Side, price: number): void {
    this.open({ seriesId, side, price });
  }

  /** Opens the ticket that an address names, with what was typed there before a reload. */
  reopen(seriesId: string): void {
    const draft = this.#options.kept?.find(seriesId) ?? null;
    this.open({ seriesId, side: draft?.side ?? 'buy' });
    if (draft !== null) this.edit(draft);
  }

  /** Opens a ticket for any listed contract, optionally with a quantity and price. */
  open({ seriesId, side, qty, price, isClosing = false }: Opening): void {
    const { stores, touchOf } = this.#options;
    const { ticket } = stores;
    const before = ticket.getState();
    const touch = touchOf(seriesId);
    const limit = price ?? limitOf(touch, { side, isClosing });
    const typed = before.seriesId === seriesId && before.qty !== '' ? before.qty : this.#lastQty;
    const isUnknown = Number.isNaN(limit) && touch === null;
    this.#ticketNo += 1;
    ticket.setState({
      ...EMPTY_TICKET,
      seriesId,
      side,
      // Without a quote it is a market order; a contract off the chain may have one that is not read yet.
      kind: Number.isNaN(limit) && !isUnknown && !isClosing ? 'market' : 'limit',
      ...(isClosing && { isClosing, tif: 'ioc', flag: 'reduce-only' }),
      price: Number.isNaN(limit) ? '' : priceFieldText(limit),
      qty: qty === undefined ? typed : qtyFieldText(qty),
      opening: this.#ticketNo,
    });
    this.#books.follow();
    this.#previews.now();
  }

  /** Ignored while an order is being sent. */
  edit(patch: Partial<Pick<Ticket, 'side' | 'kind' | 'qty' | 'price' | 'tif' | 'flag' | 'until'>>): void {
    const { stores, venueNow } = this.#options;
    const { ticket } = stores;
    const before = ticket.getState();
    if (before.sending !== 'no') return;
    const next = { ...before, ...patch };
    const isSameKind = (['side', 'kind', 'price', 'tif', 'flag'] as const).every(
      (part) => next[part] === before[part],
    );
    ticket.setState({
      ...patch,
      ...fitted(next),
      ...(patch.tif === 'gtd' && before.until === '' && { until: untilText(venueNow() + UNTIL_MS) }),
      // With other terms, or a price or kind of the person's own, it is an order like any other, whose limit is the touch.
      isClosing: before.isClosing && isSameKind && patch.kind === undefined,
      ...{ ...NO_QUESTION, advice: null, preview: null, previewFault: null },
    });
    this.#previews.soon();
  }

  /** Sets the price to the current touch, or to a close's bound beyond it. */
  takeTouch(): void {
    const ticket = this.#options.stores.ticket.getState();
    if (ticket.seriesId === null) return;
    const limit = limitOf(this.#touch(ticket.seriesId), ticket);
    if (Number.isNaN(limit)) return;
    this.edit({ kind: 'limit', price: priceFieldText(limit) });
    // It is the same bound, beyond another touch.
    this.#options.stores.ticket.setState({ isClosing: ticket.isClosing });
  }

  close(): void {
    this.#previews.stop();
    this.#ticketNo += 1;
    this.#options.stores.ticket.setState(EMPTY_TICKET);
    this.#books.follow();
  }

  /**
   * Sends the ticket's order once. The result goes to the notices, the advice to the ticket.
   *
   * @param how.cancelsFirst cancels in the same batch, before it, the own orders that rest to close what it would
   */
  async send({ cancelsFirst = false }: { readonly cancelsFirst?: boolean } = {}): Promise<void> {
    const { stores, send, sendBatch } = this.#options;
    const { ticket } = stores;
    const state = ticket.getState();
    const order = termsOf(state);
    if (order === null || state.sending !== 'no' || this.#isOver()) return;
    if (this.#mustWait(state)) return;
    // The press that answers a question sends what the question was about.
    const isWithCancels = cancelsFirst || state.isWithCancels;
    // What was foreseen is of the order without the cancels.
    const asked = isWithCancels ? { ...state, preview: null } : state;
    if (this.#mustAsk(asked, order.terms)) {
      ticket.setState({ isWithCancels });
      return;
    }
    ticket.setState({ sending: 'sending', advice: null, ...NO_QUESTION });
    const sent = { ...order, typed: state.qty, ticketNo: this.#ticketNo, knownIds: this.#knownIds() };
    const first = isWithCancels ? this.#inTheWay(order.terms).slice(0, BATCH_ACTIONS_MAX - 1) : [];
    const cancels = first.map(({ id }) => ({ type: 'cancel', orderId: id }) as const);
    const place = { type: 'place', ...order.terms } as const;
    await this.#flight.begin(sent, (until) => send(() => sendBatch([...cancels, place], until)));
  }

  /** Advice on a preview's refusal, before the order is sent at all. */
  adviceOnPreview(ticket: Ticket): Advice | null {
    const order = termsOf(ticket);
    const { reason, qty } = ticket.preview ?? {};
    if (order === null) return null;
    const { terms, qtyMicros } = order;
    const resting = this.#inTheWay(terms).length;
    // The venue says of such an order what it was cut to.
    const isCut = reason === undefined && qty !== undefined && qty < terms.qty;
    if (isCut && resting > 0) return { kind: 'cancel-first', orders: resting };
    if (reason === undefined) return null;
    const markMicros = this.#markMicrosOf(terms.seriesId);
    return adviseRejection(ticket.preview!, { qtyMicros, markMicros, inTheWay: resting });
  }

  /** Calls an order off that may not have left. */
  callOff(): void {
    this.#flight.callOff();
  }

  /** Searches again for an order without an answer, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#flight.lookAgain();
  }

  #onAnswer(done: BatchDone, sent: Sent): void {
    const { terms, qtyMicros, typed } = sent;
    const { stores, notices, onAccount, labelOf } = this.#options;
    const answer = placeResultOf({ results: done.results.slice(-1) });
    const cancelled = cancelledIds(done);
    const withCancelled = (text: string) =>
      cancelled.size === 0 ? text : `${text}, ${restingCount(cancelled.size)} cancelled`;
    const resting = this.#inTheWay(terms).filter(({ id }) => !cancelled.has(id)).length;
    onAccount(done);
    if (answer.status === 'rejected') {
      const { reason } = answer;
      const markMicros = this.#markMicrosOf(terms.seriesId);
      const advice = adviseRejection(answer, { qtyMicros, markMicros, inTheWay: resting });
      this.#flight.decline(sent, { text: withCancelled(reason), advice, of: 'account' });
      return;
    }
    this.#answeredIds.add(answer.orderId);
    this.#lastQty = typed;
    stores.view.setState({ lastTraded: terms.seriesId });
    const result = resultOf(answer, terms);
    const isWhole = result.kind === 'filled' || result.kind === 'rested';
    const told = withCancelled(result.text);
    const text = done.isRecovered ? recoveredText(told) : told;
    const trade = tradedBy(answer.orderId, answer.fills);
    notices.add({ tone: isWhole ? 'good' : 'plain', title: titleOf(terms, labelOf), text, trade });
    if (sent.ticketNo === this.#ticketNo) this.close();
  }

  /** Every order known to the page. */
  #knownIds(): ReadonlySet<number> {
    return knownOrderIds(this.#options.stores.holdings.getState()).union(this.#answeredIds);
  }

  /** True for a market order while its prices are unknown to the page. */
  #mustWait({ kind, seriesId }: Ticket): boolean {
    const { state } = this.#options.stores.link.getState();
    if (kind !== 'market' || (state !== 'stale' && state !== 'offline')) return false;
    const priceMicros = this.#markMicrosOf(seriesId!);
    const text = 'Prices are stale: a market order would be sent blind.';
    this.#flight.advise({ text, advice: { kind: 'make-limit', priceMicros }, of: 'link' });
    return true;
  }

  /** The first press asks for confirmation, the second one sends. */
  #mustAsk({ cautions: asked, preview, side, isClosing }: Ticket, terms: TicketTerms): boolean {
    // An order that will be refused does no harm.
    if (asked.length > 0 || preview?.status === 'rejected') return false;
    const { ticket, holdings } = this.#options.stores;
    const { positions, orders, account } = holdings.getState();
    const touch = this.#touch(terms.seriesId);
    const cautions = cautionsOf({
      ...{ terms, preview, positions, isClosing },
      resting: orders.get(terms.seriesId) ?? [],
      mark: touch?.mark ?? Number.NaN,
      touch: limitOf(touch, { side, isClosing: false }),
      buyingPower: account?.buyingPower ?? 0,
      settles: this.#options.settlesNear(terms.seriesId),
    });
    ticket.setState({ cautions });
    return cautions.length > 0;
  }

  #dropAdvice(of: TicketAdvice['of']): void {
    const { ticket } = this.#options.stores;
    if (ticket.getState().advice?.of === of) ticket.setState({ advice: null });
  }

  /** Drops advice that concerned an earlier state, and asks for a new preview. */
  #rethink(of: TicketAdvice['of']): void {
    const { ticket } = this.#options.stores;
    const { seriesId, sending } = ticket.getState();
    if (seriesId === null || sending !== 'no') return;
    this.#dropAdvice(of);
    ticket.setState({ ...NO_QUESTION, preview: null, previewFault: null });
    this.#previews.now();
  }

  /** Reacts to any change of the account: by this page, another tab, or a program. */
  #onAccountSeen(account: Account | null, before: Account | null): void {
    if (account === null || before === null) return;
    const isOther =
      account.marginEnabled !== before.marginEnabled || account.marginCall !== before.marginCall;
    if (isOther) this.#rethink('account');
  }

  #tell(found: OutcomeUnknownError, { terms, knownIds }: Sent): void {
    const { notices, onAccount, labelOf } = this.#options;
    if (found.account !== null) onAccount({ account: found.account });
    const order = { words: titleOf(terms, labelOf), qty: terms.qty, knownIds };
    notices.add({ ...lostOrderWords(found, order), isSticky: true });
  }

  #inTheWay(terms: TicketTerms): readonly OpenOrder[] {
    return inTheWay(this.#options.stores.holdings.getState().orders, terms);
  }

  #touch(seriesId: string): Touch | null {
    return this.#options.touchOf(seriesId) ?? this.#options.stores.ticket.getState().touch;
  }

  #markMicrosOf(seriesId: string): Micros | null {
    const mark = this.#touch(seriesId)?.mark ?? Number.NaN;
    return Number.isNaN(mark) ? null : (decimalToMicros(mark) ?? null);
  }

  /** True when the ticket's contract is past its cutoff: no more trades or previews. */
  #isOver(): boolean {
    const { stores, venueNow } = this.#options;
    const { seriesId } = stores.ticket.getState();
    return seriesId !== null && venueNow() >= cutoffMs(seriesId);
  }

  /** The order as typed; a contract may have come onto the chain, or left it. */
  #quotedTerms(): TicketTerms | null {
    this.#books.follow();
    this.#followTouch();
    return termsOf(this.#options.stores.ticket.getState())?.terms ?? null;
  }

  /** The bound of a close, which no person chose, follows the touch: a market that moves past it would leave it unfilled. */
  #followTouch(): void {
    const { ticket } = this.#options.stores;
    const state = ticket.getState();
    if (state.seriesId === null) return;
    const price = followedBound(state, this.#touch(state.seriesId));
    if (price !== null) ticket.setState({ price, ...(state.cautions.length > 0 && NO_QUESTION) });
  }

  /** A refusing preview replaces an older refusal with its own reason. */
  #onPreview(preview: OrderPreviewAnswer): void {
    const { ticket } = this.#options.stores;
    // A refusal settles a question about the order, but not one about the order with its cancels, which it leaves out.
    const isSettled = preview.status === 'rejected' && !ticket.getState().isWithCancels;
    this.#dropAdvice('account');
    ticket.setState({ preview, previewFault: null, ...(isSettled && NO_QUESTION) });
  }
}

function titleOf({ side, qty, seriesId }: TicketTerms, labelOf: (seriesId: string) => string): string {
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${qty} ${labelOf(seriesId)}`;
}
