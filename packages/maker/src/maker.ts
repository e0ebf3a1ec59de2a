/** Keeps the venue's books in line with the quoter's ladders. */

import type { Instrument } from '@venue/protocol';
import { VenueClient, VenueUnreachableError } from '@venue/sdk';
import type { Registry } from 'prom-client';
import type { Annotator } from './annotator.ts';
import type { MakerConfig } from './config.ts';
import { Inventory } from './inventory.ts';
import { makerRegistry } from './metrics.ts';
import type { Listening, News, Pushed, QuoteLine } from './quote-line.ts';
import { type Change, Quoter } from './quoter.ts';
import { Stats } from './stats.ts';
import { type Figures, spreadsOf, statusLine } from './status.ts';
import { Waker } from './waker.ts';

export interface MakerOptions {
  readonly config: MakerConfig;
  /** The way its quotes go. */
  readonly line: QuoteLine;
  /** Keeps the chain's annotations, where the maker is also the venue's own. */
  readonly annotator: Annotator | null;
  readonly signal: AbortSignal;
  /** Takes one human-readable line. */
  readonly log: (line: string) => void;
}

const REQUEST_TIMEOUT_MS = 4_000;
/** Prices come over the stream, but going stale does not. */
const META_EVERY_MS = 1_000;
const RELOAD_EVERY_MS = 30_000;
/** Interval at which a symbol without listings is checked for its first ones. */
const LISTING_EVERY_MS = 1_000;
/** Catches trades that the stream missed. */
const FILLS_EVERY_MS = 5_000;
/** Exposure moves with the marks, without a trade. */
const ACCOUNT_EVERY_MS = 15_000;
const FILLS_PAGE = 500;

export class Maker {
  readonly #client: VenueClient;
  readonly #options: MakerOptions;
  readonly #inventory = new Inventory();
  readonly #quoter: Quoter;
  readonly #stats = new Stats();
  readonly #waker = new Waker();
  #stream: Listening | null = null;
  /** By symbol. */
  #instruments = new Map<string, Instrument>();
  #fillCursor: number | null = null;
  #hasTraded = false;
  #isFenced = false;
  readonly #atMs = { meta: 0, reload: 0, fills: 0, account: 0 };
  readonly #news: News = {
    spots: (changed) => {
      for (const one of changed) this.#instruments.set(one.symbol, one);
      this.#waker.wake();
    },
    traded: (seriesId) => {
      this.#quoter.forget(seriesId);
      this.#hasTraded = true;
      this.#waker.wake();
    },
    holdings: () => {
      this.#atMs.account = 0;
    },
  };

  constructor(options: MakerOptions) {
    const { url, parameters, paceMs } = options.config;
    this.#options = options;
    this.#client = new VenueClient({ url, timeoutMs: REQUEST_TIMEOUT_MS });
    const { line } = options;
    const levelsMaxOf = line.levelsMaxOf.bind(line);
    this.#quoter = new Quoter({ parameters, inventory: this.#inventory, paceMs, levelsMaxOf });
  }

  /** Starts from scratch. The end of the stream shows a restart, after which aliases may have changed (LIST-5). */
  async connect(): Promise<void> {
    const { line, annotator } = this.#options;
    this.#stream?.close();
    await line.open();
    await annotator?.open();
    this.#quoter.forgetAll();
    this.#atMs.meta = this.#atMs.reload = this.#atMs.account = 0;
    this.#fillCursor ??= await line.lastFill();
    this.#stream = await line.listen(this.#news, this.#fillCursor);
  }

  /** One round: reads the market, then pushes the ladders that are due. */
  async round(): Promise<void> {
    if (!this.#stream?.isOpen) throw new VenueUnreachableError('the stream ended');
    const { line, annotator, config } = this.#options;
    const startedMs = Date.now();
    await this.#read(startedMs);
    for (const symbol of await line.keepAlive(startedMs)) this.#quoter.forgetSymbol(symbol);
    const changes = this.#quoter.due([...this.#instruments.values()], Date.now());
    if (changes.length > 0) await this.#push(changes, startedMs);
    await annotator?.annotate(this.#quoter.values(), startedMs);
    const skipped = Math.floor((Date.now() - startedMs) / config.tickMs);
    if (skipped > 0) this.#stats.add({ skipped });
  }

  /** Waits for the next round: soon after a price move or a trade, else a tick later. */
  pause(): Promise<void> {
    const { config, signal } = this.#options;
    return this.#waker.wait({ minMs: config.tickMs / 5, maxMs: config.tickMs, signal });
  }

  /** Call when another maker has taken over. */
  fence(): void {
    this.#isFenced = true;
    this.#options.line.giveUp();
    this.#quoter.forgetAll();
    this.#stream?.close();
  }

  /** Pulls all quotes, if they are this maker's and the exchange still answers. */
  async stop(): Promise<void> {
    await this.#options.line.pull().catch(({ message }: Error) => {
      this.#options.log(`quotes not pulled: ${message}`);
    });
    this.#stream?.close();
  }

  /** The status line of each minute. */
  statusLine(): string {
    return statusLine(this.#figures(), this.#stats.take(), this.#stats);
  }

  /** The metrics that scrapers read. */
  registry(): Registry {
    return makerRegistry({ figures: () => this.#figures(), stats: this.#stats });
  }

  #figures(): Figures {
    return {
      quoted: this.#quoter.quotedCount,
      ...spreadsOf(this.#quoter.standing()),
      exposures: new Map([...this.#quoter.symbols].map(([symbol, { exposure }]) => [symbol, exposure])),
      houseShare: this.#inventory.houseShare,
      ownShare: this.#inventory.ownShare,
      isFenced: this.#isFenced,
    };
  }

  async #read(nowMs: number): Promise<void> {
    if (nowMs - this.#atMs.meta >= META_EVERY_MS) {
      const { instruments } = await this.#client.market.meta();
      this.#instruments = new Map(instruments.map((one) => [one.symbol, one]));
      this.#atMs.meta = nowMs;
    }
    if (this.#mustReload(nowMs)) await this.#reload(nowMs);
    if (this.#hasTraded || nowMs - this.#atMs.fills >= FILLS_EVERY_MS) await this.#readFills(nowMs);
    if (nowMs - this.#atMs.account >= ACCOUNT_EVERY_MS) {
      this.#inventory.replace(...(await this.#options.line.holdings()));
      this.#atMs.account = nowMs;
    }
  }

  #mustReload(nowMs: number): boolean {
    const agoMs = nowMs - this.#atMs.reload;
    if (agoMs > RELOAD_EVERY_MS) return true;
    const isWaiting = [...this.#instruments.values()].some(
      ({ symbol, feedFresh }) => feedFresh && !this.#quoter.knows(symbol),
    );
    return agoMs > LISTING_EVERY_MS && (isWaiting || this.#quoter.isOutdated(nowMs));
  }

  async #reload(nowMs: number): Promise<void> {
    const lists = await Promise.all(
      [...this.#instruments.keys()].map((symbol) => this.#client.market.series(symbol)),
    );
    this.#quoter.load(lists.flat());
    this.#atMs.reload = nowMs;
  }

  async #readFills(nowMs: number): Promise<void> {
    this.#hasTraded = false;
    const fills = await this.#options.line.fills(this.#fillCursor ?? 0);
    this.#atMs.fills = nowMs;
    if (fills.length === 0) return;
    this.#fillCursor = fills.at(-1)!.id;
    this.#hasTraded = fills.length >= FILLS_PAGE;
    // Positions have changed, through a settlement too.
    this.#atMs.account = 0;
    for (const fill of fills) {
      if (fill.kind === 'settlement') continue;
      this.#stats.fill(fill, this.#quoter.fairOf(fill.seriesId));
      this.#quoter.forget(fill.seriesId);
    }
  }

  /** Pushes the changes. Those that a slow venue leaves for later are repriced by then, and come first. */
  async #push(changes: readonly Change[], startedMs: number): Promise<void> {
    const { line, config, signal, log } = this.#options;
    const before = this.#quoter.quotedCount;
    for (const [i, slice] of line.pushesOf(changes).entries()) {
      if (signal.aborted || (i > 0 && Date.now() - startedMs > config.tickMs)) break;
      await this.#send(slice);
    }
    const after = this.#quoter.quotedCount;
    if (before === 0 && after > 0) log(`quotes stand in ${after} series`);
    if (before > 0 && after === 0) log('no quotes stand');
  }

  async #send(changes: readonly Change[]): Promise<void> {
    const sentMs = performance.now();
    const pushed = await this.#options.line.push(changes);
    this.#stats.trip(performance.now() - sentMs);
    this.#take(pushed);
    this.#stats.add({ rows: changes.length, refused: pushed.refused, pushes: 1 });
  }

  #take({ accepted, again = [], hasTraded, refused, reason, isListOld, lostSymbol }: Pushed): void {
    // Also those that go again, which so wait for their pace.
    this.#quoter.confirm([...accepted, ...again]);
    for (const { series } of again) this.#quoter.forget(series.seriesId);
    if (hasTraded) this.#hasTraded = true;
    if (lostSymbol !== undefined) this.#quoter.forgetSymbol(lostSymbol);
    if (refused > 0 && this.#stats.total.refused === 0) this.#options.log(`row refused: ${reason}`);
    if (isListOld) this.#atMs.reload = 0;
  }
}
