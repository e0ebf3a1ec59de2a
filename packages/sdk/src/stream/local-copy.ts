/** Something of the venue that messages of channels keep right, or that says that it is not (STR-2). */

import { AbortedError } from '../net/errors.ts';
import type { Handlers } from '../net/handlers.ts';

export interface CopyParts {
  readonly onClose: () => void;
  readonly handlers: Handlers;
}

export abstract class LocalCopy {
  readonly #name: string;
  readonly #parts: CopyParts;
  readonly #listeners = new Set<() => void>();
  #isRight = false;
  #error: Error | null = null;

  /** The name stands in the error of one that was closed, such as `the book`. */
  constructor(name: string, parts: CopyParts) {
    this.#name = name;
    this.#parts = parts;
  }

  /**
   * True if it is as at the venue, as of entry `seq` or later. False before the first message, while the connection is
   * lost or a message is missing, and once it has an `error`; it is then as it was last known.
   */
  get isRight(): boolean {
    return this.#isRight;
  }

  /**
   * Why it will not be right any more: its channel has ended (`ChannelEndedError`), the venue refuses it, or it was closed;
   * else null.
   */
  get error(): Error | null {
    return this.#error;
  }

  /** Calls a listener after each change of the copy or of `isRight`. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once it is right; rejects with its `error`, and with the signal's reason. */
  right(signal?: AbortSignal): Promise<this> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!this.#isRight && this.#error === null && !signal?.aborted) return;
        stop();
        signal?.removeEventListener('abort', look);
        if (this.#isRight) resolve(this);
        else reject(this.#error ?? signal!.reason);
      };
      const stop = this.onChange(look);
      signal?.addEventListener('abort', look);
      look();
    });
  }

  /** Ends it. */
  close(): void {
    this.refuse(new AbortedError(`${this.#name} was closed`, { neverSent: true }));
    this.#listeners.clear();
    this.#parts.onClose();
  }

  /** For the channel's connection only. */
  turn(isRight: boolean): void {
    if (isRight === this.#isRight) return;
    this.#isRight = isRight;
    this.tell();
  }

  /** For the channel's connection only. */
  refuse(error: Error): void {
    this.#error ??= error;
    this.#isRight = false;
    this.tell();
  }

  protected tell(): void {
    for (const listener of [...this.#listeners]) this.#parts.handlers.call(listener);
  }
}
