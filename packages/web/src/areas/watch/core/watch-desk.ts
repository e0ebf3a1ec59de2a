/** Follows what is watched: prices of the list, and alerts, which fire once over all tabs of the browser (TERM-18). */

import { parseSeriesId } from '@venue/protocol';
import type { Channels, LocalBook } from '@venue/sdk/browser';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isFarDrop } from '../../../basics/far-drop.ts';
import { touchOfBook } from '../../../market/books.ts';
import type { DayFeed } from '../../../market/day-figures.ts';
import { greeksAt } from '../../../market/greeks.ts';
import type { MarketStores } from '../../../market/state.ts';
import type { Touch } from '../../../market/touch.ts';
import type { Notices } from '../../notices/core/notices.ts';
import type { KeptWatched } from './kept-watched.ts';
import {
  expired,
  isMet,
  type Measure,
  type PriceAlert,
  symbolOf,
  type Watched,
  withAlert,
  withoutAlert,
  withoutNames,
  withoutStar,
  withStar,
} from './watched.ts';
import { alertWords, firedWords, valueText } from './words.ts';

/** A tab that nobody sees leaves an alert to one that is seen for so long. */
const LEAVE_MS = 1_500;
const LOOK_EVERY_MS = 1_000;
/** A quote that has not followed a move of the spot for so long stands. */
const STILL_MS = 1_000;

/** The figures of a contract, by its book; NaN where unknown. Volatility and delta are those that the mark implies. */
export interface WatchedFigures extends Touch {
  readonly iv: number;
  readonly delta: number;
}

export interface WatchDeskOptions {
  readonly kept: KeptWatched;
  readonly stores: Pick<MarketStores, 'listing' | 'link'>;
  readonly channels: Pick<Channels, 'book'>;
  readonly notices: Pick<Notices, 'add'>;
  /** Sound and desktop notification, by the person's choice. */
  readonly alert: (card: { readonly title: string; readonly text: string; readonly key: string }) => void;
  readonly venueNow: () => number;
  readonly isShown: () => boolean;
  readonly isOtherShown: () => boolean;
  readonly labelOf: (seriesId: string) => string;
  /** A feed of the last day of these names. */
  readonly daysOf: (names: () => readonly string[]) => Pick<DayFeed, 'step'>;
}

export interface AskedAlert {
  readonly name: string | null;
  /** True from the press on a button elsewhere until the form has come into sight for it. */
  readonly isFresh: boolean;
}

export class WatchDesk {
  readonly #options: WatchDeskOptions;
  /** By contract; without those whose book has not all that the venue has sent. */
  readonly figures: StoreApi<ReadonlyMap<string, WatchedFigures>> = createStore(
    (): ReadonlyMap<string, WatchedFigures> => new Map(),
  );
  /** The subject of the form for the next alert, where somebody chose it. */
  readonly asked = createStore<AskedAlert>(() => ({ name: null, isFresh: false }));
  readonly #books = new Map<string, LocalBook>();
  /** Contracts whose books have changed since a spot moved, and what will look at the others. */
  readonly #moved = new Set<string>();
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** Those whose change is not shown yet, and what will show it. */
  readonly #due = new Set<string>();
  #showing: ReturnType<typeof setTimeout> | undefined;
  readonly #firing = new Set<string>();
  /** Places on the screen that show the list now. */
  #lists = 0;

  constructor(options: WatchDeskOptions) {
    this.#options = options;
    const { kept, stores } = options;
    kept.store.subscribe(() => this.#follow());
    stores.listing.subscribe(({ instruments }, before) => {
      if (instruments === before.instruments) return;
      this.#judge();
      this.#lookAtStillSoon();
    });
    const days = options.daysOf(() => this.#contractsShown());
    setInterval(() => {
      void this.#dropExpired();
      void days.step();
    }, LOOK_EVERY_MS);
    this.#follow();
    this.#judge();
  }

  get watched(): StoreApi<Watched> {
    return this.#options.kept.store;
  }

  /** Follows the prices of the list until the returned function is called. */
  show(): () => void {
    this.#lists += 1;
    this.#follow();
    return () => {
      this.#lists -= 1;
      this.#follow();
    };
  }

  #contractsShown(): readonly string[] {
    if (this.#lists === 0) return [];
    return this.watched.getState().names.filter((name) => parseSeriesId(name) !== undefined);
  }

  /** Stars a contract or an underlying, or takes the star away. */
  async toggle(name: string): Promise<void> {
    const act = (watched: Watched) =>
      watched.names.includes(name) ? withoutStar(watched, name) : withStar(watched, name);
    try {
      await this.#options.kept.change(act);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#options.notices.add({ tone: 'warning', title: 'Watch list is full', text: error.message });
    }
  }

  /** Sets an alert; null once it is set, and else why not, in a sentence for its form. */
  async setAlert(alert: Omit<PriceAlert, 'id'>): Promise<string | null> {
    const value = this.valueOf(alert.of, alert.measure);
    if (isMet(alert, value)) return `Already so: ${firedWords(alert, value, this.#options.labelOf)}`;
    try {
      await this.#options.kept.change((watched) => withAlert(watched, { ...alert, id: crypto.randomUUID() }));
      return null;
    } catch (error) {
      if (error instanceof RangeError) return error.message;
      throw error;
    }
  }

  async removeAlert(id: string): Promise<void> {
    await this.#options.kept.change((watched) => withoutAlert(watched, id));
  }

  /** An alert at another level: dragged past the price as it is known, it waits for the price from the other side. */
  withLevel(alert: PriceAlert, level: number): PriceAlert {
    const moved = { ...alert, level };
    if (!isMet(moved, this.valueOf(alert.of, alert.measure))) return moved;
    return { ...moved, side: alert.side === 'above' ? 'below' : 'above' };
  }

  /** The question about an alert that a pointer dropped far from its level, or null (TERM-12). */
  dropCaution({ measure, level }: PriceAlert, to: number): string | null {
    if (!isFarDrop(level, to)) return null;
    return `It moves from ${valueText(measure, level)} to ${valueText(measure, to)}.`;
  }

  /** Moves an alert; one that has fired meanwhile is gone. */
  async moveAlert(id: string, level: number): Promise<void> {
    const moved = (alert: PriceAlert) => (alert.id === id ? this.withLevel(alert, level) : alert);
    await this.#options.kept.change((watched) => ({ ...watched, alerts: watched.alerts.map(moved) }));
  }

  /** In dollars, of a volatility in percent; NaN where it is unknown or old. */
  valueOf(name: string, measure: Measure): number {
    const instrument = this.#options.stores.listing
      .getState()
      .instruments.find(({ symbol }) => symbol === symbolOf(name));
    const isFresh = instrument?.feedFresh === true && this.#isLive();
    if (measure === 'spot') return isFresh ? instrument.spot : Number.NaN;
    const figures = this.figures.getState().get(name);
    // Bid and ask are what somebody offers; mark and volatility are worth as much as the spot beside them.
    const isKnown = measure === 'bid' || measure === 'ask' ? this.#isLive() : isFresh;
    if (!isKnown || figures === undefined) return Number.NaN;
    return figures[measure] * (measure === 'iv' ? 100 : 1);
  }

  words(alert: Omit<PriceAlert, 'id'>): string {
    return alertWords(alert, this.#options.labelOf);
  }

  /** A tab in the background follows no chain, so that its link counts as live as long as the venue is heard. */
  #isLive(): boolean {
    const { state } = this.#options.stores.link.getState();
    return state === 'live' || state === 'late';
  }

  /** Follows the books of the contracts that have alerts, or are on the screen. */
  #follow(): void {
    const { kept, channels } = this.#options;
    const { names, alerts } = kept.store.getState();
    const of = [...alerts.map((alert) => alert.of), ...(this.#lists > 0 ? names : [])];
    const wanted = new Set(of.filter((name) => parseSeriesId(name) !== undefined));
    for (const [name, book] of this.#books) {
      if (wanted.has(name)) continue;
      this.#books.delete(name);
      // Its end is a change, too, by which its figures go.
      book.close();
    }
    for (const name of wanted) {
      if (this.#books.has(name)) continue;
      const book = channels.book(name);
      this.#books.set(name, book);
      book.onChange(() => this.#showSoon(name));
    }
  }

  /** Changes that come together are shown together. */
  #showSoon(name: string): void {
    this.#moved.add(name);
    this.#due.add(name);
    this.#showing ??= setTimeout(() => {
      this.#showing = undefined;
      const due = [...this.#due];
      this.#due.clear();
      this.#show(due);
    }, 0);
  }

  /**
   * A quote follows the spot with a delay, during which the old one would imply a volatility that nobody meant. So
   * figures are worked out when a book changes, and a while after the spot for those that stand.
   */
  #lookAtStillSoon(): void {
    if (this.#looking !== undefined || this.#books.size === 0) return;
    this.#moved.clear();
    this.#looking = setTimeout(() => {
      this.#looking = undefined;
      this.#show([...this.#books.keys()].filter((name) => !this.#moved.has(name)));
    }, STILL_MS);
  }

  #show(names: readonly string[]): void {
    const next = new Map(this.figures.getState());
    for (const name of names) {
      const book = this.#books.get(name);
      // What may be old is not known.
      if (book?.isRight === true) next.set(name, this.#figuresOf(name, book));
      else next.delete(name);
    }
    this.figures.setState(next, true);
    this.#judge();
  }

  #figuresOf(name: string, book: LocalBook): WatchedFigures {
    const { stores, venueNow } = this.#options;
    const { instruments } = stores.listing.getState();
    const spot = instruments.find(({ symbol }) => symbol === symbolOf(name))?.spot ?? Number.NaN;
    const touch = touchOfBook(book);
    const { iv, delta } = greeksAt(name, touch.mark, { spot, nowMs: venueNow() });
    return { ...touch, iv, delta };
  }

  #judge(): void {
    for (const alert of this.#options.kept.store.getState().alerts)
      if (isMet(alert, this.valueOf(alert.of, alert.measure))) void this.#fire(alert);
  }

  /** The tab that takes the alert out of what all tabs have is the one that fires it. */
  async #fire(alert: PriceAlert): Promise<void> {
    const { kept, notices, isShown, isOtherShown, labelOf } = this.#options;
    if (this.#firing.has(alert.id)) return;
    this.#firing.add(alert.id);
    const value = this.valueOf(alert.of, alert.measure);
    if (!isShown() && isOtherShown()) await new Promise((resolve) => setTimeout(resolve, LEAVE_MS));
    const { before } = await kept.change((watched) => withoutAlert(watched, alert.id));
    this.#firing.delete(alert.id);
    if (!before.alerts.some(({ id }) => id === alert.id)) return;
    const title = 'Price alert';
    const card = { title, text: firedWords(alert, value, labelOf), key: `alert ${alert.id}` };
    notices.add({ ...card, tone: 'plain', isSticky: true });
    this.#options.alert(card);
  }

  async #dropExpired(): Promise<void> {
    const { kept, notices, venueNow, labelOf } = this.#options;
    // Before the venue's time is known, the page's own may be off.
    if (this.#options.stores.link.getState().state !== 'live') return;
    const nowMs = venueNow();
    if (expired(kept.store.getState(), nowMs).length === 0) return;
    let gone: readonly string[] = [];
    await kept.change((watched) => {
      gone = expired(watched, nowMs);
      return gone.length === 0 ? watched : withoutNames(watched, gone);
    });
    if (gone.length === 0) return;
    const text = `${gone.map(labelOf).join(', ')}: off the watch list, with ${gone.length > 1 ? 'their' : 'its'} alerts.`;
    notices.add({ tone: 'plain', title: 'Expired', text });
  }
}
