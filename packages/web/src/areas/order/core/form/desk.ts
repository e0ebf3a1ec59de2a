/**
 * Runs an order of the ticket or the tray: previews what was typed, and sends it once. It holds no rule of its own: the
 * reducer says what an event makes of the order, its form what the order comes to.
 */

import type { OutcomeUnknownError, VenueClient } from '@venue/sdk/browser';
import type { StoreApi } from 'zustand/vanilla';
import type { MarketStores } from '../../../../market/state.ts';
import type { AnsweredAccount, BatchDone, SendBatch } from '../../../../session/batches.ts';
import type { Send } from '../../../../session/sending.ts';
import type { SessionStores } from '../../../../session/state.ts';
import type { Notices } from '../../../notices/core/notices.ts';
import type { OrderStores } from '../state.ts';
import type { Advice } from './advice.ts';
import { knownOrderIds } from './lost-words.ts';
import { cutoffMs, type Order, type Preview } from './order.ts';
import { OrderFlight } from './order-flight.ts';
import type { OrderForm, Sent } from './order-form.ts';
import { PreviewLoop } from './preview-loop.ts';
import { type OrderEvent, type OrderPatch, reduce } from './reduce.ts';

export interface DeskOptions {
  readonly client: VenueClient;
  readonly stores: MarketStores & SessionStores & OrderStores;
  readonly notices: Notices;
  /** Takes one read from the page's allowance. */
  readonly take: () => boolean;
  readonly send: Send;
  readonly sendBatch: SendBatch;
  /** Called when an answer brought a newer account. */
  readonly onAccount: (answered: AnsweredAccount) => void;
  /** The venue's time in unix ms, by which cutoffs are judged. */
  readonly venueNow: () => number;
  /** The page's clock. */
  readonly now?: () => number;
}

export interface SendHow {
  /** Cancels in the same batch, before it, the own orders that rest to close what it would. */
  readonly cancelsFirst?: boolean;
}

export abstract class OrderDesk<Terms, P extends Preview, Market> {
  readonly #options: DeskOptions;
  readonly #store: StoreApi<Order<P>>;
  readonly #form: OrderForm<Terms, P, Market>;
  readonly #flight: OrderFlight<Sent<Terms>>;
  /** Orders that were answered, which therefore cannot be the one whose answer was lost. */
  readonly #answeredIds = new Set<number>();
  protected readonly previews: PreviewLoop<Terms, P>;

  constructor(options: DeskOptions, store: StoreApi<Order<P>>, form: OrderForm<Terms, P, Market>) {
    this.#options = options;
    this.#store = store;
    this.#form = form;
    this.#flight = new OrderFlight({
      notices: options.notices,
      now: options.now ?? Date.now,
      isAtWork: ({ no }) => no === this.order.no,
      show: (shown) => this.dispatch({ type: 'advised', ...shown }),
      onAnswer: (done, sent) => this.#onAnswer(done, sent),
      tell: (found, sent) => this.#tell(found, sent),
      close: () => this.end(),
    });
    const { session, holdings, link } = options.stores;
    this.previews = new PreviewLoop({
      isOpen: () => this.order.isOpen && !this.#isOver(),
      terms: () => this.#followedTerms(),
      isSignedIn: () => session.getState().state === 'ready',
      take: options.take,
      ask: (terms) => options.send(() => form.preview(options.client, terms)),
      onAnswer: (preview) => this.dispatch({ type: 'previewed', preview }),
      onNone: (fault) => this.dispatch({ type: 'unforeseen', fault }),
    });
    session.subscribe(({ state }, before) => {
      // Signed out, too: the answers were of an account that is not here any more.
      if ((state === 'ready') !== (before.state === 'ready')) this.#rethink('session');
    });
    // By this page, another tab, or a program.
    holdings.subscribe(({ account }, { account: before }) => {
      if (account === null || before === null) return;
      const isOther =
        account.marginEnabled !== before.marginEnabled || account.marginCall !== before.marginCall;
      if (isOther) this.#rethink('account');
    });
    link.subscribe(({ state }) => {
      if (state === 'live') this.dispatch({ type: 'relinked' });
    });
  }

  /** Ignored while an order is being sent. */
  edit(patch: OrderPatch): void {
    if (this.dispatch({ type: 'edited', patch, nowMs: this.#options.venueNow() })) this.previews.soon();
  }

  /** Sends the order once. The result goes to the notices, the advice beside the order. */
  async send({ cancelsFirst = false }: SendHow = {}): Promise<void> {
    const { order } = this;
    // The press that answers a question sends what the question was about.
    const isWithCancels = cancelsFirst || order.isWithCancels;
    // What was foreseen is of the order without the cancels.
    const asked = isWithCancels ? { ...order, isWithCancels, preview: null } : order;
    const market = this.market();
    const summary = this.#form.summary(asked, market);
    if (summary === null || order.sending !== 'no' || this.#isOver()) return;
    const { bar, cautions } = this.#form.faults(asked, market);
    if (bar !== null) {
      this.#flight.advise(bar);
      return;
    }
    // The first press asks for confirmation, the second one sends.
    if (order.cautions.length === 0 && cautions.length > 0) {
      this.dispatch({ type: 'asked', cautions, isWithCancels });
      return;
    }
    this.dispatch({ type: 'sent' });
    const knownIds = knownOrderIds(this.#options.stores.holdings.getState()).union(this.#answeredIds);
    const sent = { ...summary, no: order.no, typedQty: order.qty, knownIds };
    const { send, sendBatch } = this.#options;
    await this.#flight.begin(sent, (until) => send(() => sendBatch(summary.actions, until)));
  }

  /** Advice on a preview's refusal, before the order is sent at all. */
  adviceOnPreview(order: Order<P>): Advice | null {
    return this.#form.advice(order, this.market());
  }

  /** Calls an order off that may not have left. */
  callOff(): void {
    this.#flight.callOff();
  }

  /** Searches again for an order without an answer, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#flight.lookAgain();
  }

  /** Empties the form. */
  close(): void {
    this.end();
  }

  protected get order(): Order<P> {
    return this.#store.getState();
  }

  /** Returns whether it changed anything. */
  protected dispatch(event: OrderEvent<P>): boolean {
    const before = this.order;
    const after = reduce(before, event);
    this.#store.setState(after, true);
    return after !== before;
  }

  protected end(): void {
    this.previews.stop();
    this.dispatch({ type: 'begun', with: this.#form.blank });
  }

  /** Lets a price that no person typed follow the market. */
  protected follow(): void {
    const price = this.#form.followed(this.order, this.market());
    if (price !== null) this.dispatch({ type: 'followed', ...price });
  }

  /** The order is judged by this, as it is now. */
  protected abstract market(): Market;

  /** Called when the venue has taken an order. */
  protected onTaken(_sent: Sent<Terms>): void {}

  #onAnswer(done: BatchDone, sent: Sent<Terms>): void {
    const { notices, onAccount } = this.#options;
    const { card, message } = this.#form.settled(done, sent, this.market());
    const isAtWork = sent.no === this.order.no;
    onAccount(done);
    for (const result of done.results) if ('orderId' in result) this.#answeredIds.add(result.orderId);
    if (message === null) this.onTaken(sent);
    if (card !== null) notices.add(card);
    if (message === null && isAtWork) this.end();
    else if (message !== null && card === null) this.#flight.decline(sent, message);
    else if (message !== null && isAtWork) this.#flight.advise(message);
  }

  async #tell(found: OutcomeUnknownError, sent: Sent<Terms>): Promise<void> {
    const { notices, onAccount } = this.#options;
    if (found.account !== null) onAccount({ account: found.account });
    notices.add({ ...(await this.#form.lost(found, sent, this.#options)), isSticky: true });
  }

  /** The last answer depended on the session or the account, which have changed. */
  #rethink(of: 'session' | 'account'): void {
    if (this.dispatch({ type: 'unsettled', of })) this.previews.now();
  }

  /** The order as it is written, at the price that the market gives it now. */
  #followedTerms(): Terms | null {
    this.follow();
    return this.#form.summary(this.order, this.market())?.terms ?? null;
  }

  /** True once a contract is past its cutoff: no more trades or previews. */
  #isOver(): boolean {
    return this.#options.venueNow() >= cutoffMs(this.order.legs);
  }
}
