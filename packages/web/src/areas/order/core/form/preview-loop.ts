/** Keeps the preview of an order that is being written fresh, while the page's allowance of reads lasts. */

import { messageOf } from '../../../../basics/failure-words.ts';

/** Time since the last key press. */
const WAIT_MS = 150;
/** A preview goes out of date as the books move. */
const EVERY_MS = 2_000;

export interface PreviewLoopOptions<Terms, Answer> {
  /** False once the order cannot be sent any more: no further preview is asked for. */
  readonly isOpen: () => boolean;
  /** The order as it is written now; null while it is incomplete. */
  readonly terms: () => Terms | null;
  /** False while the venue would not know whose order it is. */
  readonly isSignedIn: () => boolean;
  /** Takes one read from the page's allowance. */
  readonly take: () => boolean;
  readonly ask: (terms: Terms) => Promise<Answer>;
  /** Called with the answer for the terms as they still are. */
  readonly onAnswer: (answer: Answer) => void;
  /** Called where there is no preview: with why it failed, or null without an order. */
  readonly onNone: (fault: string | null) => void;
}

export class PreviewLoop<Terms, Answer> {
  readonly #options: PreviewLoopOptions<Terms, Answer>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Number of the newest request: answers to older ones are dropped. */
  #asked = 0;

  constructor(options: PreviewLoopOptions<Terms, Answer>) {
    this.#options = options;
  }

  /** Asks at once. */
  now(): void {
    this.#askIn(0);
  }

  /** Asks once the person pauses. */
  soon(): void {
    this.#askIn(WAIT_MS);
  }

  /** Ends the loop, and drops the answer that is on its way. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#asked += 1;
  }

  #askIn(waitMs: number): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#ask(), waitMs);
  }

  async #ask(): Promise<void> {
    const { isOpen, terms, isSignedIn, take, onNone } = this.#options;
    if (!isOpen()) return;
    const order = terms();
    const asked = this.#asked;
    const isWanted = order !== null && isSignedIn();
    const mayAsk = isWanted && take();
    if (mayAsk) await this.#answer(order, asked);
    else if (order === null) onNone(null);
    if (asked === this.#asked) this.#askIn(isWanted && !mayAsk ? WAIT_MS : EVERY_MS);
  }

  async #answer(order: Terms, asked: number): Promise<void> {
    const { ask, onAnswer, onNone } = this.#options;
    const answer = await ask(order).then(
      (value) => () => onAnswer(value),
      (error: unknown) => () => onNone(messageOf(error)),
    );
    if (asked === this.#asked) answer();
  }
}
