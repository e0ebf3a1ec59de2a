/** Keeps the ladders on the venue where the quoter wants them. */

import type { Instrument } from '@venue/protocol';
import { type MakerWrites, type Stream, VenueClient, VenueUnreachableError } from '@venue/sdk';
import type { MakerConfig } from './config.ts';
import { type Change, Quoter } from './quoter.ts';

export interface MakerOptions {
  readonly config: MakerConfig;
  /** Takes one line for a person to read. */
  readonly log: (line: string) => void;
}

/** Nothing may hold up a stop for longer than this. */
const REQUEST_TIMEOUT_MS = 4_000;
/** Rows in one push: a push is one entry of the venue's log and is applied in one go. */
const ROWS_PER_PUSH = 500;
const RELOAD_EVERY_MS = 30_000;
/** How often to look for the first listings of a symbol that has none. */
const LISTING_EVERY_MS = 1_000;
const STATUS_EVERY_MS = 60_000;
/** Well inside the time after which the venue pulls the quotes of a silent maker (MM-4). */
const HEARTBEAT_MS = 10_000;
/** After such a silence the venue may have pulled them. */
const SILENCE_MS = 25_000;

export class Maker {
  readonly #client: VenueClient;
  readonly #writes: MakerWrites;
  readonly #log: (line: string) => void;
  readonly #quoter = new Quoter();
  #stream: Stream | null = null;
  #reloadedAtMs = 0;
  #pushedAtMs = 0;
  #statusAtMs = Date.now();
  #counts = { rows: 0, refused: 0 };

  constructor({ config, log }: MakerOptions) {
    this.#client = new VenueClient({ url: config.url, timeoutMs: REQUEST_TIMEOUT_MS });
    this.#writes = this.#client.maker(config.makerToken);
    this.#log = log;
  }

  /** Starts from nothing. The end of the stream tells of a restart, after which aliases may be others (LIST-5). */
  async connect(): Promise<void> {
    this.#stream?.close();
    this.#quoter.forgetAll();
    this.#reloadedAtMs = 0;
    this.#stream = await this.#client.stream({
      onFrame: (frame) => {
        if (frame.type === 'tape') this.#quoter.forget(frame.print.seriesId);
      },
    });
  }

  /** One look at the market: reloads the series when it must, then pushes the ladders that are due. */
  async round(): Promise<void> {
    if (!this.#stream?.isOpen) throw new VenueUnreachableError('the stream ended');
    const { instruments } = await this.#client.market.meta();
    const nowMs = Date.now();
    if (this.#mustReload(instruments, nowMs)) await this.#reload(instruments, nowMs);
    if (nowMs - this.#pushedAtMs > SILENCE_MS) this.#quoter.forgetAll();
    const changes = this.#quoter.due(instruments, nowMs);
    if (changes.length > 0) await this.#push(changes);
    else if (nowMs - this.#pushedAtMs > HEARTBEAT_MS) await this.#send([]);
    this.#reportStatus(nowMs);
  }

  /** Takes all quotes off the book, if the exchange still answers. */
  async stop(): Promise<void> {
    if (!this.#stream?.isOpen) return;
    await this.#push(this.#quoter.pullAll(Date.now())).catch(({ message }: Error) => {
      this.#log(`quotes not pulled: ${message}`);
    });
    this.#stream.close();
  }

  #mustReload(instruments: readonly Instrument[], nowMs: number): boolean {
    const agoMs = nowMs - this.#reloadedAtMs;
    if (agoMs > RELOAD_EVERY_MS) return true;
    const isWaiting = instruments.some(({ symbol, feedFresh }) => feedFresh && !this.#quoter.knows(symbol));
    return agoMs > LISTING_EVERY_MS && (isWaiting || this.#quoter.isOutdated(nowMs));
  }

  async #reload(instruments: readonly Instrument[], nowMs: number): Promise<void> {
    const lists = await Promise.all(instruments.map(({ symbol }) => this.#client.market.series(symbol)));
    this.#quoter.load(lists.flat());
    this.#reloadedAtMs = nowMs;
  }

  async #push(changes: readonly Change[]): Promise<void> {
    const before = this.#quoter.quotedCount;
    for (let from = 0; from < changes.length; from += ROWS_PER_PUSH) {
      await this.#send(changes.slice(from, from + ROWS_PER_PUSH));
    }
    const after = this.#quoter.quotedCount;
    if (before === 0 && after > 0) this.#log(`quotes stand in ${after} series`);
    if (before > 0 && after === 0) this.#log('no quotes stand');
  }

  async #send(changes: readonly Change[]): Promise<void> {
    const answer = await this.#writes.quotes(changes.map(({ row }) => row));
    const refused = new Set(answer.rowErrors.map(({ i }) => i));
    // Only the first refusals are named; where there are more, a row unnamed may be refused too and is sent again.
    if (answer.errors === refused.size) this.#quoter.confirm(changes.filter((_, i) => !refused.has(i)));
    if (answer.errors > 0 && this.#counts.refused === 0)
      this.#log(`row refused: ${answer.rowErrors[0]?.error}`);
    if (answer.unknownSids !== undefined) this.#reloadedAtMs = 0;
    this.#counts.rows += changes.length;
    this.#counts.refused += answer.errors;
    this.#pushedAtMs = Date.now();
  }

  #reportStatus(nowMs: number): void {
    if (nowMs - this.#statusAtMs < STATUS_EVERY_MS) return;
    const { rows, refused } = this.#counts;
    this.#log(
      `quotes stand in ${this.#quoter.quotedCount} series; last minute: ${rows} rows sent, ${refused} refused`,
    );
    this.#counts = { rows: 0, refused: 0 };
    this.#statusAtMs = nowMs;
  }
}
