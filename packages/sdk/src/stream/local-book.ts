/** A copy of a book, kept by the messages of its channel: it is right, or says that it is not (STR-2). */

import type { BookMembers, BookRow, Level } from '@venue/protocol';
import { AbortedError } from '../net/errors.ts';
import type { Handlers } from '../net/handlers.ts';
import type { ChannelMessage } from './channel-link.ts';

const SIDES = ['bids', 'asks'] as const;
type SideName = (typeof SIDES)[number];

export class LocalBook {
  readonly seriesId: string;
  readonly #levels: Record<SideName, Level[]> = { bids: [], asks: [] };
  readonly #onClose: () => void;
  readonly #handlers: Handlers;
  readonly #listeners = new Set<() => void>();
  #seq: number | null = null;
  #isRight = false;
  #error: Error | null = null;

  constructor(seriesId: string, parts: { readonly onClose: () => void; readonly handlers: Handlers }) {
    this.seriesId = seriesId;
    this.#onClose = parts.onClose;
    this.#handlers = parts.handlers;
  }

  /**
   * True if it is the venue's book as of entry `seq` or later. False before the first message, while the connection is
   * lost or a message is missing, once the series has ended, and after `close`; levels are then those last known.
   */
  get isRight(): boolean {
    return this.#isRight;
  }

  /** The log entry after which the book was so; null before the first message. */
  get seq(): number | null {
    return this.#seq;
  }

  /** All levels, best first. */
  get bids(): readonly Level[] {
    return this.#levels.bids;
  }

  /** All levels, best first. */
  get asks(): readonly Level[] {
    return this.#levels.asks;
  }

  /**
   * Why it will not be right any more: the series has ended (`ChannelEndedError`), the venue does not know it, or it was
   * closed; else null.
   */
  get error(): Error | null {
    return this.#error;
  }

  /** Calls a listener after each change of levels or of `isRight`. Returns what ends that. */
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
    this.refuse(new AbortedError('the book was closed', { neverSent: true }));
    this.#listeners.clear();
    this.#onClose();
  }

  /** For the channel's messages only. */
  take({ type, seq, ...members }: ChannelMessage & BookMembers): void {
    for (const side of SIDES) {
      if (type === 'snapshot') this.#levels[side] = (members[side] ?? []).map(levelOf);
      else for (const row of members[side] ?? []) this.#set(side, row);
    }
    this.#seq = seq;
    this.#tell();
  }

  /** For the channel's connection only. */
  turn(isRight: boolean): void {
    if (isRight === this.#isRight) return;
    this.#isRight = isRight;
    this.#tell();
  }

  /** For the channel's connection only. */
  refuse(error: Error): void {
    this.#error ??= error;
    this.#isRight = false;
    this.#tell();
  }

  #set(side: SideName, row: BookRow): void {
    const levels = this.#levels[side];
    const [price, qty] = row;
    const at = placeOf(levels, side === 'bids' ? -price : price, side);
    const isThere = levels[at]?.price === price;
    if (qty === 0) levels.splice(at, isThere ? 1 : 0);
    else levels.splice(at, isThere ? 1 : 0, levelOf(row));
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) this.#handlers.call(listener);
  }
}

function levelOf([price, qty]: BookRow): Level {
  return { price, qty };
}

/** Returns the index at which a level with this key is, or would be inserted, among levels of ascending keys. */
function placeOf(levels: readonly Level[], key: number, side: SideName): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { price } = levels[middle]!;
    if ((side === 'bids' ? -price : price) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
