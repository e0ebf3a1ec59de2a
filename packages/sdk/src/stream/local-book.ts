/** A copy of a book, kept by the messages of its channel (STR-2). */

import type { BookMembers, BookRow, Level } from '@venue/protocol';
import type { ChannelMessage } from './channel-link.ts';
import { type CopyParts, LocalCopy } from './local-copy.ts';

const SIDES = ['bids', 'asks'] as const;
type SideName = (typeof SIDES)[number];

export class LocalBook extends LocalCopy {
  readonly seriesId: string;
  readonly #levels: Record<SideName, Level[]> = { bids: [], asks: [] };
  #seq: number | null = null;

  constructor(seriesId: string, parts: CopyParts) {
    super('the book', parts);
    this.seriesId = seriesId;
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

  /** For the channel's messages only. */
  take({ type, seq, ...members }: ChannelMessage & BookMembers): void {
    for (const side of SIDES) {
      if (type === 'snapshot') this.#levels[side] = (members[side] ?? []).map(levelOf);
      else for (const row of members[side] ?? []) this.#set(side, row);
    }
    this.#seq = seq;
    this.tell();
  }

  #set(side: SideName, row: BookRow): void {
    const levels = this.#levels[side];
    const [price, qty] = row;
    const at = placeOf(levels, side === 'bids' ? -price : price, side);
    const isThere = levels[at]?.price === price;
    if (qty === 0) levels.splice(at, isThere ? 1 : 0);
    else levels.splice(at, isThere ? 1 : 0, levelOf(row));
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
