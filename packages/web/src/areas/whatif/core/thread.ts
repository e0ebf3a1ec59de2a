/** The what-if's worker as the page sees it: one question at a time, and of those that wait the newest. */

import type { Book } from './book.ts';
import type { Question, Reply } from './messages.ts';
import type { Imagined } from './what-if.ts';

export type WhatIfWorker = Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>;

export interface WhatIfThreadOptions {
  readonly onReply: (reply: Reply) => void;
  /** Called when the worker cannot start, or fails; the next question starts another. */
  readonly onFailed: () => void;
  readonly start?: () => WhatIfWorker;
}

export class WhatIfThread {
  readonly #options: WhatIfThreadOptions;
  #worker: WhatIfWorker | null = null;
  #known: Book | null = null;
  #isBusy = false;
  #waiting: { readonly book: Book; readonly at: Imagined } | null = null;

  constructor(options: WhatIfThreadOptions) {
    this.#options = options;
  }

  ask(book: Book, at: Imagined): void {
    if (this.#isBusy) {
      this.#waiting = { book, at };
      return;
    }
    this.#isBusy = true;
    const question: Question = { at, book: book === this.#known ? null : book };
    this.#worker ??= this.#start();
    this.#known = book;
    this.#worker.postMessage(question);
  }

  end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#known = null;
    this.#isBusy = false;
    this.#waiting = null;
  }

  #start(): WhatIfWorker {
    const worker = (this.#options.start ?? startWorker)();
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.#take(data));
    worker.addEventListener('error', () => {
      this.end();
      this.#options.onFailed();
    });
    return worker;
  }

  #take(reply: Reply): void {
    if ('answer' in reply) {
      this.#isBusy = false;
      const waiting = this.#waiting;
      this.#waiting = null;
      if (waiting !== null) this.ask(waiting.book, waiting.at);
    }
    this.#options.onReply(reply);
  }
}

function startWorker(): WhatIfWorker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}
