/** Quotes by the secret of the venue's own maker: one session, which a newer maker ends (MM-1). */

import type { FillRecord, MakerAccount } from '@venue/protocol';
import { type MakerWrites, VenueClient } from '@venue/sdk';
import type { Listening, News, Pushed, QuoteLine } from './quote-line.ts';
import type { Change } from './quoter.ts';
import { QuoteSession } from './session.ts';

export interface MakerLineOptions {
  readonly url: string;
  readonly makerToken: string;
}

const REQUEST_TIMEOUT_MS = 4_000;
/** Together with the wait for a push in flight this is less than a stop may take. */
export const PULL_TIMEOUT_MS = 1_200;
/** Rows per push, because the venue applies a push as one entry of its log. */
export const ROWS_PER_PUSH = 500;
/** Well within the time after which the venue pulls the quotes of a silent maker (MM-4). */
const HEARTBEAT_MS = 10_000;
/** After such a silence the venue may have pulled them. */
const SILENCE_MS = 25_000;
const FILLS_PAGE = 500;

export class MakerLine implements QuoteLine {
  readonly #client: VenueClient;
  readonly #writes: MakerWrites;
  readonly #lastWrites: MakerWrites;
  readonly #session: QuoteSession;
  /** The symbols with quotes on the book. */
  readonly #symbols = new Set<string>();
  #pushedAtMs = 0;
  #isFenced = false;

  constructor({ url, makerToken }: MakerLineOptions) {
    this.#client = new VenueClient({ url, timeoutMs: REQUEST_TIMEOUT_MS });
    this.#writes = this.#client.maker(makerToken);
    this.#lastWrites = new VenueClient({ url, timeoutMs: PULL_TIMEOUT_MS }).maker(makerToken);
    this.#session = new QuoteSession(this.#writes);
  }

  levelsMaxOf(): number {
    return Number.POSITIVE_INFINITY;
  }

  async open(): Promise<void> {
    await this.#session.open();
    this.#pushedAtMs = Date.now();
  }

  /** The tape says that a series traded, and not with whom. */
  listen({ spots, traded }: News): Promise<Listening> {
    return this.#client.stream({
      onFrame: (frame) => {
        if (frame.type === 'spots') spots(frame.spots);
        if (frame.type === 'tape') traded(frame.print.seriesId);
      },
    });
  }

  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
    return slicesOf(changes);
  }

  async push(changes: readonly Change[]): Promise<Pushed> {
    const { errors, rowErrors, unknownSids } = await this.#session.push(changes.map(({ row }) => row));
    this.#pushedAtMs = Date.now();
    for (const { series } of changes) this.#symbols.add(series.symbol);
    const refused = new Set(rowErrors.map(({ i }) => i));
    // Only the first refusals are named. With more, any unnamed row may be refused too, and is sent again.
    const accepted = errors === refused.size ? changes.filter((_, i) => !refused.has(i)) : [];
    const reason = rowErrors[0]?.error;
    return { accepted, refused: errors, reason, isListOld: unknownSids !== undefined };
  }

  async keepAlive(nowMs: number): Promise<readonly string[]> {
    const silentMs = nowMs - this.#pushedAtMs;
    if (silentMs <= HEARTBEAT_MS) return [];
    await this.push([]);
    return silentMs > SILENCE_MS ? [...this.#symbols] : [];
  }

  async holdings(): Promise<readonly MakerAccount[]> {
    return [await this.#writes.account()];
  }

  fills(after: number): Promise<readonly FillRecord[]> {
    return this.#writes.fills(after);
  }

  async lastFill(): Promise<number> {
    let last = 0;
    for (;;) {
      const page = await this.#writes.fills(last);
      last = page.at(-1)?.id ?? last;
      if (page.length < FILLS_PAGE) return last;
    }
  }

  async pull(): Promise<void> {
    const session = this.#session.number;
    if (session !== null && !this.#isFenced) await this.#lastWrites.pull(session);
  }

  giveUp(): void {
    this.#isFenced = true;
  }
}

/** Slices of what one push may carry. */
export function slicesOf(changes: readonly Change[]): (readonly Change[])[] {
  const slices: (readonly Change[])[] = [];
  for (let from = 0; from < changes.length; from += ROWS_PER_PUSH)
    slices.push(changes.slice(from, from + ROWS_PER_PUSH));
  return slices;
}
