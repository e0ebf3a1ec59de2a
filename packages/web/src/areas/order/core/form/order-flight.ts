/** An order of the ticket or the tray on its way, from the press until its outcome is known, even if the answer is lost. */

import { OutcomeUnknownError } from '@venue/sdk/browser';
import type { BatchDone } from '../../../../session/batches.ts';
import type { Notices } from '../../../notices/core/notices.ts';
import { adviceOnFailure } from './advice-on-failure.ts';
import { lookUntilKnown } from './lost-order.ts';
import type { Message, Order } from './order.ts';

/** From here on it is said that an answer is late. */
const LATE_MS = 3_000;
/** Meanwhile the client sends the same bytes again, which the venue carries out at most once. */
const NO_ANSWER_YET = 'No answer yet. The page sends the same signed order again; it can trade only once.';
/** The message once the page has stopped searching a venue that answers. */
export const GAVE_UP =
  'The venue has not seen the order so far. A minute after it was sent, looking again settles it.';

/** An order that was sent and not answered yet. */
export interface Flown {
  /** The order in words, for a notice. */
  readonly title: string;
  /** The order that was sent: the person may have begun another. */
  readonly no: number;
}

export interface OrderFlightOptions<Sent> {
  readonly notices: Notices;
  /** The page's clock. */
  readonly now: () => number;
  /** True while ticket or tray still has the order that was sent. */
  readonly isAtWork: (sent: Sent) => boolean;
  readonly show: (shown: Pick<Order, 'advice'> & Partial<Pick<Order, 'sending'>>) => void;
  readonly onAnswer: (done: BatchDone, sent: Sent) => void;
  /** Tells of an order whose answer was lost once its fate is known, or will not be. */
  readonly tell: (found: OutcomeUnknownError, sent: Sent) => void | Promise<void>;
  /** Closes ticket or tray, as the order was carried out. */
  readonly close: () => void;
}

export class OrderFlight<Sent extends Flown> {
  readonly #options: OrderFlightOptions<Sent>;
  #again: (() => Promise<void>) | null = null;
  #sending: AbortController | null = null;

  constructor(options: OrderFlightOptions<Sent>) {
    this.#options = options;
  }

  /** Sends once, and resolves when the outcome is known, or only the person can have it looked for again. */
  async begin(sent: Sent, send: (until: AbortSignal) => Promise<BatchDone>): Promise<void> {
    const late = setTimeout(() => this.#sayLate(sent), LATE_MS);
    const sending = new AbortController();
    this.#sending = sending;
    try {
      this.#options.onAnswer(await send(sending.signal), sent);
    } catch (error) {
      if (error instanceof OutcomeUnknownError) await this.#lookFor(error, sent);
      else this.decline(sent, adviceOnFailure(error));
    } finally {
      clearTimeout(late);
    }
  }

  /** Sends it no more: what of it has left is looked for, and what has not never will. */
  callOff(): void {
    this.#sending?.abort();
  }

  /** Searches again for an order without an answer, after the page has given up. */
  async lookAgain(): Promise<void> {
    await this.#again?.();
  }

  /** Says why it was not placed: beside the order where it still stands, else in a notice. */
  decline(sent: Sent, answer: Message): void {
    const { notices, isAtWork } = this.#options;
    if (isAtWork(sent)) {
      this.advise(answer);
      return;
    }
    const verdict = answer.advice.kind === 'unknown-outcome' ? 'Not known' : 'Not placed';
    notices.add({ tone: 'warning', title: `${verdict}: ${sent.title}`, text: answer.text });
  }

  /** Shows advice beside the order, which can be sent again. */
  advise(answer: Message): void {
    this.#options.show({ sending: 'no', advice: { ...answer, atMs: this.#options.now() } });
  }

  #sayLate(sent: Sent): void {
    const { isAtWork, show, now } = this.#options;
    if (!isAtWork(sent)) return;
    const advice = { kind: 'explain', text: 'It is known within a minute what became of it.' } as const;
    show({ advice: { text: NO_ANSWER_YET, advice, of: 'attempt', atMs: now() } });
  }

  async #lookFor(lost: OutcomeUnknownError, sent: Sent): Promise<void> {
    const { isAtWork, now, tell, close, show } = this.#options;
    const onLook = () => {
      if (isAtWork(sent)) this.#showUnknown(null);
    };
    const found = await lookUntilKnown(lost, { now, onLook });
    if (found.verdict === 'unknown' && isAtWork(sent)) {
      this.#showUnknown(() => this.#lookFor(found, sent));
      return;
    }
    await tell(found, sent);
    if (!isAtWork(sent)) return;
    this.#again = null;
    if (found.verdict === 'carried out') close();
    else show({ sending: 'no', advice: null });
  }

  #showUnknown(again: (() => Promise<void>) | null): void {
    this.#again = again;
    const text = again === null ? 'No answer came. Looking for the order…' : GAVE_UP;
    const advice = { text, advice: { kind: 'unknown-outcome' }, of: 'attempt' } as const;
    this.#options.show({ sending: 'unknown', advice: { ...advice, atMs: this.#options.now() } });
  }
}
