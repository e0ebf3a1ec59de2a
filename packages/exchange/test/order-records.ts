/** Orders as a client would write them down from what the engine says, to compare the history with. */

import type { Account, Effects, FillRecord, OpenedOrder, State } from '@venue/engine';
import { microsToDecimal, type OrderRecord, toMicros } from '@venue/protocol';

interface Noted {
  readonly order: OpenedOrder;
  readonly ts: number;
  price: number | null;
  qty: number;
  readonly fills: FillRecord[];
  closed: { readonly cause: NonNullable<OrderRecord['cause']>; readonly ts: number } | null;
}

export class OrderNotes {
  readonly #state: State;
  readonly #noted = new Map<number, Noted>();

  constructor(state: State) {
    this.#state = state;
  }

  get size(): number {
    return this.#noted.size;
  }

  /** Takes notes of what passes. */
  noting(effects: Effects): Effects {
    return {
      ...effects,
      filled: (account, fill, cashMicros) => {
        if (fill.kind === 'trade') this.#of(account, fill.orderId)?.fills.push(fill);
        effects.filled(account, fill, cashMicros);
      },
      orderOpened: (order) => {
        const { ts } = this.#state;
        const { priceMicros: price, qtyMicros: qty } = order;
        this.#noted.set(order.id, { order, ts, price, qty, fills: [], closed: null });
        effects.orderOpened(order);
      },
      orderAmended: (amended) => {
        const noted = this.#of(amended.account, amended.id)!;
        noted.price = amended.priceMicros;
        noted.qty = amended.qtyMicros;
        effects.orderAmended(amended);
      },
      orderClosed: (account, orderId, cause) => {
        this.#of(account, orderId)!.closed = { cause, ts: this.#state.ts };
        effects.orderClosed(account, orderId, cause);
      },
    };
  }

  /** An account's orders, newest first. */
  recordsOf(account: number): OrderRecord[] {
    return [...this.#noted.values()]
      .filter(({ order }) => order.account.index === account)
      .map(recordOf)
      .sort((a, b) => b.id - a.id);
  }

  #of(account: Account, id: number): Noted | undefined {
    const noted = this.#noted.get(id);
    return noted?.order.account === account ? noted : undefined;
  }
}

const STATUS: Readonly<Record<string, OrderRecord['status']>> = { filled: 'filled', gtd: 'expired' };

function recordOf({ order, ts, price, qty, fills, closed }: Noted): OrderRecord {
  const filled = fills.reduce((sum, { qtyMicros }) => sum + qtyMicros, 0);
  const value = fills.reduce((sum, fill) => sum + BigInt(fill.priceMicros) * BigInt(fill.qtyMicros), 0n);
  const { clientId, expiresAt, tif, flag } = order.terms;
  const decimal = (micros: number) => microsToDecimal(toMicros(micros));
  return {
    id: order.id,
    ...(clientId !== undefined && { clientId }),
    seriesId: order.series.seriesId,
    symbol: order.series.instrument.symbol,
    side: order.side,
    price: price === null ? null : decimal(price),
    qty: decimal(qty),
    remaining: closed === null ? decimal(qty - filled) : 0,
    filledQty: decimal(filled),
    avgPrice: filled === 0 ? null : decimal(Number(value / BigInt(filled))),
    tif,
    ...(expiresAt !== undefined && { expiresAt }),
    flag: flag ?? null,
    status: closed === null ? 'open' : (STATUS[closed.cause] ?? 'cancelled'),
    cause: closed?.cause ?? null,
    ts,
    closedAt: closed?.ts ?? null,
  };
}
