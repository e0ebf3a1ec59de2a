/** Tells of fills that nobody at this page asked for at that moment: resting orders that were met, liquidations, settlements. */

import type { FillRecord } from '@venue/protocol';
import type { Notices } from '../notices.ts';
import type { Holdings } from '../stores.ts';
import { awayCard, cardOf, type FillCard, isNews, orderCard } from './fill-words.ts';
import type { SeenFills } from './seen-fills.ts';

export interface FillNewsOptions {
  readonly seen: SeenFills;
  readonly notices: Pick<Notices, 'add'>;
  /** The contract as people call it. */
  readonly labelOf: (seriesId: string) => string;
  readonly unit: () => '$' | 'paper $';
  /** Older fills than this id, newest first. */
  readonly readOlder: (beforeId: number) => Promise<readonly FillRecord[]>;
  readonly isShown: () => boolean;
  /** Whether another page of the venue is looked at, which then is the one to tell. */
  readonly isOtherShown: () => boolean;
  /** Told of each card about fills of orders. */
  readonly onTold: (card: FillCard & { readonly key: string }) => void;
}

/** A page that is looked at has so long to tell before one that is not. */
const HAND_OVER_MS = 700;
/** Pages of older fills that are read after an absence: more than the venue keeps to hand. */
const PAGES_MAX = 5;
const SIZES_KEPT = 2_000;

export class FillNews {
  readonly #options: FillNewsOptions;
  /** Accounts whose fills this page has looked at: what is new at the first look happened before it was opened. */
  readonly #looked = new Set<string>();
  /** Contracts of orders that rested, by their ids. */
  readonly #sizes = new Map<number, number>();

  constructor(options: FillNewsOptions) {
    this.#options = options;
  }

  /** Remembers how large the orders are that rest: of one that is gone the venue's account says nothing any more. */
  takeOrders({ account }: Pick<Holdings, 'account'>): void {
    for (const { id, qty } of account?.openOrders ?? []) this.#sizes.set(id, qty);
    for (const id of this.#sizes.keys()) {
      if (this.#sizes.size <= SIZES_KEPT) break;
      this.#sizes.delete(id);
    }
  }

  /** Takes the newest fills of an account as they were read, newest first, and tells of what no page has told. */
  async takeFills(account: string, fills: readonly FillRecord[]): Promise<void> {
    const { seen, isShown, isOtherShown } = this.#options;
    if (!isShown() && isOtherShown()) await new Promise((resolve) => setTimeout(resolve, HAND_OVER_MS));
    const isReturn = !this.#looked.has(account);
    this.#looked.add(account);
    const before = await seen.claim(account, fills[0]?.id ?? 0);
    if (before === null) return;
    const known = await this.#since(before, fills);
    const news = known.filter((fill) => fill.id > before && isNews(fill)).reverse();
    if (news.length === 0) return;
    if (isReturn) this.#tellAfterAbsence(news);
    else this.#tell(news, known);
  }

  async #since(before: number, fills: readonly FillRecord[]): Promise<readonly FillRecord[]> {
    const known = [...fills];
    for (let page = 0; page < PAGES_MAX && (known.at(-1)?.id ?? 0) > before + 1; page++) {
      const older = await this.#options.readOlder(known.at(-1)!.id).catch(() => []);
      if (older.length === 0) break;
      known.push(...older);
    }
    return known;
  }

  #tellAfterAbsence(news: readonly FillRecord[]): void {
    const { notices, labelOf, unit } = this.#options;
    notices.add({ ...awayCard(news, { labelOf, unit: unit() }), isSticky: true });
  }

  /** One card an order, which a later fill of it replaces; a card for each other event, which stays. */
  #tell(news: readonly FillRecord[], known: readonly FillRecord[]): void {
    const { notices, labelOf, unit, isShown, onTold } = this.#options;
    for (const fill of news) {
      const card = cardOf(fill, labelOf(fill.seriesId), unit());
      if (card !== null) notices.add({ ...card, isSticky: true });
    }
    const orders = new Set(news.filter(({ kind }) => kind === 'trade').map(({ orderId }) => orderId));
    for (const orderId of orders) {
      const parts = known.filter((fill) => fill.orderId === orderId);
      const words = orderCard(parts, {
        label: labelOf(parts[0]!.seriesId),
        unit: unit(),
        qty: this.#sizes.get(orderId) ?? null,
      });
      const card = { ...words, key: `order ${orderId}` };
      notices.add({ ...card, isSticky: !isShown() });
      onTold(card);
    }
  }
}
