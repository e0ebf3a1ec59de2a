/** The open orders of an account, ascending by id, and the cause when one closes. */

import type { Account, CloseCause, OpenedCombo, OpenedOrder, OrderHandle, State } from '@venue/engine';
import { seriesOf, sideOf } from '@venue/engine';
import { microsToDecimal } from '@venue/protocol';
import { handlesOf } from '../../views/account.ts';
import { shownTerms } from '../../views/order-record.ts';
import { type Change, type Content, NO_CHANGES } from './content.ts';

const MEMBER = 'orders';

interface Close {
  readonly cause: CloseCause;
  readonly closedAt: number;
}

/** The events of an order since the last message. */
interface News {
  /** Given for an order that was opened since then. */
  readonly opened: OpenedOrder | OpenedCombo | null;
  readonly openedAt: number;
  /** Null while it is open. */
  close: Close | null;
}

export class OrdersContent implements Content {
  readonly #state: State;
  readonly #account: Account;
  /** By id, in the order in which something happened to them first. */
  #news = new Map<number, News>();
  #version = 0;

  constructor(state: State, account: Account) {
    this.#state = state;
    this.#account = account;
  }

  get version(): number {
    return this.#version;
  }

  opened(order: OpenedOrder | OpenedCombo): void {
    this.#version += 1;
    this.#news.set(order.id, { opened: order, openedAt: this.#state.ts, close: null });
  }

  /** It was filled or amended; an id that is no open order's, as that of a quote, is passed over. */
  touched(orderId: number): void {
    this.#newsOf(orderId);
  }

  closed(orderId: number, cause: CloseCause): void {
    this.#newsOf(orderId).close = { cause, closedAt: this.#state.ts };
  }

  snapshot(): string {
    const rows = handlesOf(this.#state, this.#account).map((h) => openRow(this.#state, h));
    return `"${MEMBER}":[${rows.join(',')}]`;
  }

  changes(): readonly Change[] {
    if (this.#news.size === 0) return NO_CHANGES;
    const news = this.#news;
    this.#news = new Map();
    return [...news].flatMap(([id, of]) => {
      const json = this.#row(id, of);
      return json === null ? [] : [{ member: MEMBER, key: id, json }];
    });
  }

  #newsOf(orderId: number): News {
    this.#version += 1;
    const known = this.#news.get(orderId);
    if (known !== undefined) return known;
    const news = { opened: null, openedAt: 0, close: null };
    this.#news.set(orderId, news);
    return news;
  }

  #row(id: number, news: News): string | null {
    if (news.close !== null) return closedRow(id, news, news.close);
    const { orders } = this.#state;
    const h = orders.find(id);
    return h === null || orders.owner(h) !== this.#account.index ? null : openRow(this.#state, h);
  }
}

function openRow(state: State, h: OrderHandle): string {
  const { orders, terms } = state;
  const id = orders.id(h);
  const own = terms.of(id);
  const series = seriesOf(state, h);
  return JSON.stringify({
    id,
    clientId: own.clientId,
    seriesId: series.seriesId,
    symbol: series.instrument.symbol,
    side: sideOf(state, h),
    price: microsToDecimal(orders.price(h)),
    qty: microsToDecimal(orders.quantity(h)),
    remaining: microsToDecimal(orders.remaining(h)),
    ...shownTerms(own),
    cause: null,
    ts: orders.placedAt(h),
    closedAt: null,
  });
}

/** The row of a closed order; short if it was open at the last message, as its reader then knows the terms. */
function closedRow(id: number, { opened, openedAt }: News, { cause, closedAt }: Close): string {
  if (opened === null) return JSON.stringify({ id, remaining: 0, cause, closedAt });
  return JSON.stringify({
    id,
    clientId: opened.terms.clientId,
    ...('legs' in opened ? ofCombo(opened) : ofOrder(opened)),
    qty: microsToDecimal(opened.qtyMicros),
    remaining: 0,
    ...shownTerms(opened.terms),
    cause,
    ts: openedAt,
    closedAt,
  });
}

function ofOrder({ series, side, priceMicros }: OpenedOrder): object {
  return {
    seriesId: series.seriesId,
    symbol: series.instrument.symbol,
    side,
    price: priceMicros === null ? null : microsToDecimal(priceMicros),
  };
}

function ofCombo({ legs, netMicros }: OpenedCombo): object {
  return {
    legs: legs.map(({ series, side, ratio }) => ({ seriesId: series.seriesId, side, ratio })),
    symbol: legs[0]!.series.instrument.symbol,
    net: netMicros === null ? null : microsToDecimal(netMicros),
  };
}
