/** Follows prices, fills and positions over `/v1/stream` for an account that makes markets (MM-6). */

import type { FillRecord, Position } from '@venue/protocol';
import { type Channels, openChannels, type TraderClient, VenueUnreachableError } from '@venue/sdk';
import type { Holdings } from './inventory.ts';
import type { Listening, News } from './quote-line.ts';

/** The venue is asked for a sign of life after such a silence, and counts as lost after a longer one. */
const [PING_MS, SILENCE_MS] = [2_000, 5_000];
type Followed = 'spots' | 'account';
/** Longest wait for the first messages of the channels. */
const OPEN_MS = 8_000;
/** The connection is not retried by itself. The listener opens it again, and so learns of the loss. */
const LATER_MS = 60_000;

export interface AccountChannelsOptions {
  /** Signed in. */
  readonly client: TraderClient;
  readonly news: News;
  /** Id of the last fill that is known. */
  readonly after: number;
}

export class AccountChannels implements Listening {
  readonly #news: News;
  readonly #channels: Channels;
  readonly #positions = new Map<string, Position>();
  readonly #opened = Promise.withResolvers<void>();
  /** Channels of which a message is missing: the first, or one that was dropped on the way (STR-5). */
  readonly #awaited = new Set<Followed>(['spots', 'account']);
  #fills: FillRecord[] = [];
  #equity = 0;
  #buyingPower = 0;
  #hasEnded = false;

  private constructor({ client, news, after }: AccountChannelsOptions) {
    this.#news = news;
    const retry = { firstMs: LATER_MS, limitMs: LATER_MS };
    const onLost = ({ reason }: { reason: Error }) => this.#end(reason);
    this.#channels = openChannels(client, { retry, pingMs: PING_MS, onLost });
    this.#followSpots();
    this.#followAccount();
    void this.#followFills(after);
  }

  /** Resolves once prices and account are known. Throws `VenueUnreachableError`, or why a channel is refused. */
  static async open(options: AccountChannelsOptions): Promise<AccountChannels> {
    const opened = new AccountChannels(options);
    const late = setTimeout(() => opened.#end(new VenueUnreachableError('the stream has no news')), OPEN_MS);
    await opened.#opened.promise.finally(() => clearTimeout(late));
    return opened;
  }

  /** Also false once a channel misses a message, or the venue has been silent for too long. */
  get isOpen(): boolean {
    const { heardMs } = this.#channels;
    if (this.#hasEnded || heardMs === null || this.#awaited.size > 0) return false;
    return performance.now() - heardMs < SILENCE_MS;
  }

  close(): void {
    this.#end(new VenueUnreachableError('the stream was closed'));
  }

  get holdings(): Holdings {
    const [equity, exposure] = [this.#equity, Math.max(0, this.#equity - this.#buyingPower)];
    return { positions: [...this.#positions.values()], exposure, houseLine: equity };
  }

  /** The fills after an id, oldest first. Those up to it are forgotten. */
  fillsAfter(id: number): readonly FillRecord[] {
    this.#fills = this.#fills.filter((fill) => fill.id > id);
    return this.#fills;
  }

  #followSpots(): void {
    this.#channels.listen('spots', {
      onMessage: ({ spots }) => {
        this.#news.spots(
          spots.flatMap(({ symbol, spot, feedFresh, gone }) =>
            gone ? [] : [{ symbol, spot: spot!, feedFresh: feedFresh! }],
          ),
        );
      },
      onRight: (isRight) => this.#turn('spots', isRight),
      onRefused: (reason) => this.#end(reason),
    });
  }

  #followAccount(): void {
    this.#channels.listen('account', {
      onMessage: ({ type, equity, buyingPower, positions = [] }) => {
        if (type === 'snapshot') this.#positions.clear();
        const isMoved = positions.map((position) => this.#hold(position)).some(Boolean);
        this.#equity = equity ?? this.#equity;
        this.#buyingPower = buyingPower ?? this.#buyingPower;
        // Marks alone are no news.
        if (isMoved) this.#news.holdings();
      },
      onRight: (isRight) => this.#turn('account', isRight),
      onRefused: (reason) => this.#end(reason),
    });
  }

  /** Returns true if the quantity has changed. */
  #hold(position: Position | { readonly seriesId: string; readonly qty: 0 }): boolean {
    const before = this.#positions.get(position.seriesId)?.qty ?? 0;
    if ('symbol' in position) this.#positions.set(position.seriesId, position);
    else this.#positions.delete(position.seriesId);
    return before !== position.qty;
  }

  async #followFills(after: number): Promise<void> {
    try {
      for await (const fill of this.#channels.fills({ after })) {
        this.#fills.push(fill);
        this.#news.traded(fill.seriesId);
      }
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #turn(channel: Followed, isRight: boolean): void {
    if (!isRight) this.#awaited.add(channel);
    else if (this.#awaited.delete(channel) && this.#awaited.size === 0) this.#opened.resolve();
  }

  #end(reason: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#channels.close();
    this.#opened.reject(reason);
  }
}
