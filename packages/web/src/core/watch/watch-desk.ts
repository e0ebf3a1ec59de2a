/** Follows what is watched: prices of the list, and alerts, which fire once over all tabs of the browser (TERM-18). */

import { parseSeriesId, type Ticker } from '@venue/protocol';
import type { Channels } from '@venue/sdk/browser';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DayFeed } from '../chain/day-figures.ts';
import type { Notices } from '../notices.ts';
import type { Stores } from '../stores.ts';
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
import { alertWords, firedWords } from './words.ts';

/** A tab that nobody sees leaves an alert to one that is seen for so long. */
const LEAVE_MS = 1_500;
const LOOK_EVERY_MS = 1_000;

export type WatchedTicker = Omit<Ticker, 'seriesId'>;

export interface WatchDeskOptions {
  readonly kept: KeptWatched;
  readonly stores: Pick<Stores, 'listing' | 'link'>;
  readonly channels: Pick<Channels, 'listen'>;
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

export class WatchDesk {
  readonly #options: WatchDeskOptions;
  /** By contract; without those whose channel has not all that the venue has sent. */
  readonly tickers: StoreApi<ReadonlyMap<string, WatchedTicker>> = createStore(
    (): ReadonlyMap<string, WatchedTicker> => new Map(),
  );
  /** What the form of the next alert is about, where a ticket has asked for it. */
  readonly asked = createStore<{ readonly name: string | null }>(() => ({ name: null }));
  readonly #followed = new Map<string, () => void>();
  readonly #firing = new Set<string>();
  /** True while the list is on the screen. */
  #isListShown = false;

  constructor(options: WatchDeskOptions) {
    this.#options = options;
    const { kept, stores } = options;
    kept.store.subscribe(() => this.#follow());
    stores.listing.subscribe(({ instruments }, before) => {
      if (instruments !== before.instruments) this.#judge();
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
    this.#isListShown = true;
    this.#follow();
    return () => {
      this.#isListShown = false;
      this.#follow();
    };
  }

  #contractsShown(): readonly string[] {
    if (!this.#isListShown) return [];
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
    const ticker = this.tickers.getState().get(name);
    // Bid and ask are what the book has; mark and volatility also depend on the spot.
    if (measure === 'bid' || measure === 'ask')
      return (this.#isLive() ? ticker?.[measure] : null) ?? Number.NaN;
    if (!isFresh) return Number.NaN;
    return measure === 'mark' ? (ticker?.mark ?? Number.NaN) : (ticker?.iv ?? Number.NaN) * 100;
  }

  words(alert: PriceAlert): string {
    return alertWords(alert, this.#options.labelOf);
  }

  /** A tab in the background follows no chain, so that its link counts as live as long as the venue is heard. */
  #isLive(): boolean {
    const { state } = this.#options.stores.link.getState();
    return state === 'live' || state === 'late';
  }

  /** Follows the channels of the underlyings whose contracts have alerts, or are on the screen. */
  #follow(): void {
    const { kept, channels } = this.#options;
    const { names, alerts } = kept.store.getState();
    const of = [...alerts.map((alert) => alert.of), ...(this.#isListShown ? names : [])];
    const wanted = new Set(of.filter((name) => parseSeriesId(name) !== undefined).map(symbolOf));
    for (const [symbol, end] of this.#followed) {
      if (wanted.has(symbol)) continue;
      end();
      this.#followed.delete(symbol);
      this.#forget(symbol);
    }
    for (const symbol of wanted) {
      if (this.#followed.has(symbol)) continue;
      const end = channels.listen(`ticker:${symbol}`, {
        onMessage: ({ type, tickers = [] }) => this.#take(symbol, { isAll: type === 'snapshot', tickers }),
        onRight: (isRight) => {
          if (!isRight) this.#forget(symbol);
        },
      });
      this.#followed.set(symbol, end);
    }
  }

  #take(
    symbol: string,
    { isAll, tickers }: { isAll: boolean; tickers: readonly (Ticker | { seriesId: string; gone: true })[] },
  ): void {
    const next = new Map(this.tickers.getState());
    if (isAll) for (const name of next.keys()) if (symbolOf(name) === symbol) next.delete(name);
    for (const ticker of tickers) {
      if ('gone' in ticker) next.delete(ticker.seriesId);
      else next.set(ticker.seriesId, ticker);
    }
    this.tickers.setState(next, true);
    this.#judge();
  }

  /** What may be old is not known. */
  #forget(symbol: string): void {
    const kept = [...this.tickers.getState()].filter(([name]) => symbolOf(name) !== symbol);
    this.tickers.setState(new Map(kept), true);
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
