/** Orders as a client would write them down from what the engine says, to compare the history with. */

import type { Account, Effects, FillRecord, OpenedCombo, OpenedOrder, State } from '@venue/engine';
import {
  type ComboRecord,
  microsToDecimal,
  type OrderRecord,
  type PlainOrderRecord,
  toMicros,
} from '@venue/protocol';

interface Noted {
  readonly order: OpenedOrder | OpenedCombo;
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
      comboOpened: (combo) => {
        const { ts } = this.#state;
        const { netMicros: price, qtyMicros: qty } = combo;
        this.#noted.set(combo.id, { order: combo, ts, price, qty, fills: [], closed: null });
        effects.comboOpened(combo);
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

const STATUS: Readonly<Record<string, PlainOrderRecord['status']>> = { filled: 'filled', gtd: 'expired' };

function recordOf(noted: Noted): OrderRecord {
  const { order } = noted;
  return 'legs' in order ? comboRecordOf(noted, order) : plainRecordOf(noted, order);
}

/** A unit is filled with the ratio of each leg. */
function comboRecordOf({ ts, price, qty, fills, closed }: Noted, combo: OpenedCombo): ComboRecord {
  const [first] = combo.legs;
  const ofFirst = fills.filter(({ series }) => series === first!.series);
  const units = ofFirst.reduce((sum, fill) => sum + fill.qtyMicros, 0) / first!.ratio;
  const cost = fills.reduce((sum, { side, priceMicros, qtyMicros }) => {
    const value = BigInt(priceMicros) * BigInt(qtyMicros);
    return side === 'buy' ? sum + value : sum - value;
  }, 0n);
  const { clientId, tif } = combo.terms;
  const decimal = (micros: number) => microsToDecimal(toMicros(micros));
  // The remainder of a negative cost is negative, and the average is rounded down.
  const each = units === 0 ? null : Number(cost / BigInt(units)) - (cost % BigInt(units) < 0n ? 1 : 0);
  return {
    id: combo.id,
    ...(clientId !== undefined && { clientId }),
    legs: combo.legs.map(({ series, side, ratio }) => ({ seriesId: series.seriesId, side, ratio })),
    symbol: first!.series.instrument.symbol,
    net: price === null ? null : decimal(price),
    ...{ qty: decimal(qty), remaining: 0, filledQty: decimal(units) },
    avgPrice: each === null ? null : decimal(each),
    tif: tif as 'ioc',
    flag: null,
    status: closed!.cause === 'filled' ? 'filled' : 'cancelled',
    cause: closed!.cause,
    ts,
    closedAt: closed!.ts,
  };
}

function plainRecordOf({ ts, price, qty, fills, closed }: Noted, order: OpenedOrder): PlainOrderRecord {
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
