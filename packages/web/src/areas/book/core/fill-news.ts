/** Announces fills that this page did not just request: fills of resting orders, liquidations, settlements. */

import type { FillRecord } from '@venue/protocol';
import type { Holdings } from '../../../session/state.ts';
import type { Notices } from '../../notices/core/notices.ts';
import { awayCard, cardOf, type FillCard, isNews, orderCard } from '../../order/core/fill-words.ts';
import type { SeenFills } from './seen-fills.ts';

export interface FillNewsOptions {
  readonly seen: SeenFills;
  readonly notices: Pick<Notices, 'add'>;
  /** Human-readable name of the contract. */
  readonly labelOf: (seriesId: string) => string;
  /** Fills older than this id, newest first. */
  readonly readOlder: (beforeId: number) => Promise<readonly FillRecord[]>;
  readonly isShown: () => boolean;
  /** True when another page of the venue is visible; that page then announces. */
  readonly isOtherShown: () => boolean;
  /** Called with each card about fills of orders. */
  readonly onTold: (card: FillCard & { readonly key: string }) => void;
}

/** A hidden page waits this long, so that a visible one announces first. */
const HAND_OVER_MS = 700;
/** Pages of older fills read after an absence: more than the venue keeps in memory. */
const PAGES_MAX = 5;
const SIZES_KEPT = 2_000;

export class FillNews {
  readonly #options: FillNewsOptions;
  /** Accounts whose fills this page has read: fills new at the first read happened before it was opened. */
  readonly #looked = new Set<string>();
  /** Quantities of resting orders by order id. */
  readonly #sizes = new Map<number, number>();

  constructor(options: FillNewsOptions) {
    this.#options = options;
  }

  /** Remembers the quantities of resting orders: the account no longer lists an order that is gone. */
  takeOrders({ account }: Pick<Holdings, 'account'>): void {
    for (const { id, qty } of account?.openOrders ?? []) this.#sizes.set(id, qty);
    for (const id of this.#sizes.keys()) {
      if (this.#sizes.size <= SIZES_KEPT) break;
      this.#sizes.delete(id);
    }
  }

  /** Takes the newest fills of an account, newest first, and announces those that no page has announced. */
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
    const { notices, labelOf } = this.#options;
    notices.add({ ...awayCard(news, { labelOf }), isSticky: true });
  }

  /** One card per order, replaced by its next fill; one lasting card for each other event. */
  #tell(news: readonly FillRecord[], known: readonly FillRecord[]): void {
    const { notices, labelOf, isShown, onTold } = this.#options;
    for (const fill of news) {
      const card = cardOf(fill, labelOf(fill.seriesId));
      if (card !== null) notices.add({ ...card, isSticky: true });
    }
    const orders = new Set(news.filter(({ kind }) => kind === 'trade').map(({ orderId }) => orderId));
    for (const orderId of orders) {
      const parts = known.filter((fill) => fill.orderId === orderId);
      const words = orderCard(parts, {
        label: labelOf(parts[0]!.seriesId),
        qty: this.#sizes.get(orderId) ?? null,
      });
      const card = { ...words, key: `order ${orderId}` };
      notices.add({ ...card, isSticky: !isShown() });
      onTold(card);
    }
  }
}
