/** Events of orders on their way to the file, one number per cell. Fills travel as movements. */

import type { Account, AmendedOrder, CloseCause, OpenedCombo, OpenedOrder } from '@venue/engine';
import { ORDER_FLAGS, type OrderTerms, TIMES_IN_FORCE } from '@venue/protocol';
import { CellBuffer, NONE, type Rows, type SeriesNames } from './cells.ts';

/** In order of their codes. An order stands if it rested when the history began. */
export const ORDER_EVENTS = ['opened', 'amended', 'closed', 'standing'] as const;
export const CAUSES = [
  'filled',
  'user',
  'ioc',
  'stp',
  'gtd',
  'guard',
  'margin',
  'settlement',
  'liquidation',
] as const satisfies readonly CloseCause[];

/** The terms that orders are recorded and shown with: all but how they meet orders of their own account. */
export type RecordedTerms = {
  readonly [N in Exclude<keyof OrderTerms, 'stp'>]-?: TermValue<N> | NoneOf<N>;
};
type TermValue<N extends keyof OrderTerms> = Exclude<OrderTerms[N], undefined>;
/** Null stands for a term that an order may do without. */
type NoneOf<N extends keyof OrderTerms> = undefined extends OrderTerms[N] ? null : never;

/** The number in the cell of a term, which may be that of a text in the batch. */
const TERM_CELLS: {
  readonly [N in keyof RecordedTerms]: (value: TermValue<N>, rows: CellBuffer) => number;
} = {
  tif: (tif) => TIMES_IN_FORCE.indexOf(tif),
  expiresAt: (ms) => ms,
  flag: (flag) => ORDER_FLAGS.indexOf(flag),
  clientId: (id, rows) => rows.addText(id),
};
export const RECORDED_TERMS = Object.keys(TERM_CELLS) as readonly (keyof RecordedTerms)[];

/** `expires_at` of `expiresAt`. */
export function columnOf(term: keyof RecordedTerms): string {
  return term.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Cells of a row, in order. A cell that a kind of event does not use holds `NONE`. */
export const ORDER_CELL = {
  seq: 0,
  account: 1,
  id: 2,
  event: 3,
  ts: 4,
  sid: 5,
  /** 1 for a buy, 0 for a sell. */
  buy: 6,
  /** `NONE` for a market order. */
  price: 7,
  /** The total, what is filled included. */
  qty: 8,
  tif: 9,
  expiresAt: 10,
  flag: 11,
  /** Index of a text of the batch. */
  clientId: 12,
  cause: 13,
  /** The quantity that a standing order had filled. */
  filled: 14,
  /** Index of a text of the batch: the value of these fills in micros of micros, exact; `NONE` where nobody knows it. */
  value: 15,
  /** Index of a text of the batch: the legs of a combo. Its price is the net, its series and side those of the first. */
  legs: 16,
} as const;
export const ORDER_CELLS = 17;

/** The legs of a combo as the file has them: side, ratio and series each, as in the text that is signed. */
export function legsText({ legs }: OpenedCombo): string {
  return legs.map(({ side, ratio, series }) => `${side}:${ratio}:${series.seriesId}`).join(',');
}

/** The contracts of all legs in one unit of a combo. */
export function contractsPerUnit(legs: string): number {
  return legs.split(',').reduce((sum, leg) => sum + Number(leg.split(':')[1]), 0);
}

/** An order that rests when the history begins, with its fills until then. */
export interface StandingOrder extends OpenedOrder {
  readonly placedAt: number;
  readonly filledMicros: number;
  /** Sum of price times quantity; null where it is no longer known. */
  readonly value: bigint | null;
}

/** Collects the events of applied entries. */
export class OrderBuffer {
  readonly #rows = new CellBuffer(ORDER_CELLS);
  readonly #names: SeriesNames;

  constructor(names: SeriesNames) {
    this.#names = names;
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#rows.count;
  }

  addOpened(seq: number, ts: number, order: OpenedOrder): void {
    this.#addTerms(this.#next(seq, order.account, order.id, 'opened'), ts, order);
  }

  addCombo(seq: number, ts: number, combo: OpenedCombo): void {
    const [first] = combo.legs;
    const at = this.#next(seq, combo.account, combo.id, 'opened');
    this.#addTerms(at, ts, { ...combo, ...first!, priceMicros: combo.netMicros });
    for (const { series } of combo.legs) this.#names.add(series);
    this.#rows.cells[at + ORDER_CELL.legs] = this.#rows.addText(legsText(combo));
  }

  addAmended(seq: number, order: AmendedOrder): void {
    const at = this.#next(seq, order.account, order.id, 'amended');
    const { cells } = this.#rows;
    cells[at + ORDER_CELL.price] = order.priceMicros;
    cells[at + ORDER_CELL.qty] = order.qtyMicros;
  }

  addClosed(seq: number, ts: number, closed: { account: Account; orderId: number; cause: CloseCause }): void {
    const at = this.#next(seq, closed.account, closed.orderId, 'closed');
    const { cells } = this.#rows;
    cells[at + ORDER_CELL.ts] = ts;
    cells[at + ORDER_CELL.cause] = CAUSES.indexOf(closed.cause);
  }

  addStanding(seq: number, order: StandingOrder): void {
    const at = this.#next(seq, order.account, order.id, 'standing');
    this.#addTerms(at, order.placedAt, order);
    const { cells } = this.#rows;
    cells[at + ORDER_CELL.filled] = order.filledMicros;
    if (order.value !== null) cells[at + ORDER_CELL.value] = this.#rows.addText(String(order.value));
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    return this.#rows.take();
  }

  #next(seq: number, { index }: Account, id: number, event: (typeof ORDER_EVENTS)[number]): number {
    const at = this.#rows.add();
    const { cells } = this.#rows;
    cells[at + ORDER_CELL.seq] = seq;
    cells[at + ORDER_CELL.account] = index;
    cells[at + ORDER_CELL.id] = id;
    cells[at + ORDER_CELL.event] = ORDER_EVENTS.indexOf(event);
    cells.fill(NONE, at + ORDER_CELL.ts, at + ORDER_CELLS);
    return at;
  }

  #addTerms(at: number, ts: number, order: OpenedOrder): void {
    const { series, side, priceMicros, qtyMicros, terms } = order;
    this.#names.add(series);
    const { cells } = this.#rows;
    cells[at + ORDER_CELL.ts] = ts;
    cells[at + ORDER_CELL.sid] = series.sid;
    cells[at + ORDER_CELL.buy] = side === 'buy' ? 1 : 0;
    if (priceMicros !== null) cells[at + ORDER_CELL.price] = priceMicros;
    cells[at + ORDER_CELL.qty] = qtyMicros;
    for (const name of RECORDED_TERMS) {
      const value = terms[name];
      if (value !== undefined) cells[at + ORDER_CELL[name]] = TERM_CELLS[name](value as never, this.#rows);
    }
  }
}
