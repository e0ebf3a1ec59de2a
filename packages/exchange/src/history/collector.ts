/** Collects the rows of applied entries until they go to the file of the history. */

import {
  type Account,
  type CashMovement,
  type Effects,
  type FillRecord,
  NO_EFFECTS,
  type OpenedCombo,
  type Series,
  type State,
  type TapePrint,
} from '@venue/engine';
import { shownMark } from '../analytics/chain.ts';
import type { HistoryBatch } from './batch.ts';
import { HourlySampler } from './hourly-sampler.ts';
import { comboRow, orderRow } from './order-rows.ts';
import { type BatchRows, MINUTE_MS, rowBuffers, takeSealed } from './rows.ts';
import { SeriesNames } from './series-names.ts';
import { settlementRow } from './settlement-table.ts';

export class Collector {
  /** Effects to subscribe to the engine. */
  readonly effects: Effects;
  readonly #state: State;
  readonly #afterSeq: number;
  readonly #rows = rowBuffers();
  readonly #all = Object.values(this.#rows);
  readonly #names = new SeriesNames();
  readonly #hourly: HourlySampler;
  /** The minute of the last entry. */
  #minute: number;
  /** The entry of the last movement, and the movement's index in it. */
  #seq = 0;
  #n = 0;
  #isStopped = false;

  /** Skips entries up to `afterSeq`, which the file has. */
  constructor(state: State, afterSeq: number) {
    this.#state = state;
    this.#afterSeq = afterSeq;
    this.#minute = minuteOf(state.ts);
    this.#hourly = new HourlySampler(state.ts, this.#rows);
    this.effects = this.#effects();
  }

  /** Rows waiting to be taken. */
  get count(): number {
    let sum = 0;
    for (const { count } of this.#all) sum += count;
    return sum;
  }

  /** Call after every entry. */
  sample(): void {
    if (!this.#isLater()) return;
    this.#sampleMarks();
    this.#hourly.sample(this.#state);
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    for (const rows of this.#all) rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): BatchRows & Pick<HistoryBatch, 'series'> {
    return { ...takeSealed(this.#rows), series: this.#names.take() };
  }

  /** Drops all rows, and collects no more. */
  stop(): void {
    this.#isStopped = true;
    this.take();
  }

  #effects(): Effects {
    const state = this.#state;
    const { orderChanges, settlements, spots } = this.#rows;
    return {
      ...NO_EFFECTS,
      filled: (account, fill, cashMicros) => {
        if (this.#isNew(account)) this.#addFill(account, fill, cashMicros);
      },
      cashMoved: (account, movement) => {
        if (this.#isNew(account)) this.#addMovement(account, movement);
      },
      printed: (print) => {
        if (this.#isLater()) this.#addPrint(print);
      },
      spotMoved: (symbol) => {
        if (!this.#isLater()) return;
        const { spotMicros } = state.instruments.get(symbol)!;
        spots.add({ seq: state.seq, ts: state.ts, symbol, price: spotMicros });
      },
      settled: (decision) => {
        if (this.#isLater()) settlements.add(settlementRow(state.seq, decision));
      },
      orderOpened: (order) => {
        if (!this.#isNew(order.account)) return;
        this.#names.add(order.series);
        this.#rows.orders.add(orderRow(state.seq, state.ts, order));
      },
      comboOpened: (combo) => {
        if (this.#isNew(combo.account)) this.#addCombo(combo);
      },
      orderAmended: ({ account, id, priceMicros, qtyMicros }) => {
        if (!this.#isNew(account)) return;
        orderChanges.add({ seq: state.seq, account: account.index, id, price: priceMicros, qty: qtyMicros });
      },
      orderClosed: (account, id, cause) => {
        if (!this.#isNew(account)) return;
        orderChanges.add({ seq: state.seq, account: account.index, id, cause, closedAt: state.ts });
      },
    };
  }

  #addFill({ index }: Account, fill: FillRecord, cashMicros: number): void {
    const { seq } = this.#state;
    this.#names.add(fill.series);
    this.#rows.movements.add({
      seq,
      n: this.#nextOf(seq),
      account: index,
      ts: fill.ts,
      kind: fill.kind,
      cash: cashMicros,
      fee: fill.feeMicros,
      fillId: fill.id,
      reference: fill.orderId,
      sid: fill.series.sid,
      side: fill.side,
      price: fill.priceMicros,
      qty: fill.qtyMicros,
      realized: fill.realizedMicros,
      taker: Number(fill.taker),
      text: fill.signer,
    });
  }

  #addMovement({ index }: Account, movement: CashMovement): void {
    const { seq, ts } = this.#state;
    this.#rows.movements.add({
      seq,
      n: this.#nextOf(seq),
      account: index,
      ts,
      kind: movement.kind,
      cash: movement.cashMicros,
      fee: 0,
      reference: 'payoutId' in movement ? movement.payoutId : null,
      text: 'txHash' in movement ? movement.txHash : null,
    });
  }

  #addPrint({ id, series, ts, priceMicros, qtyMicros, side, isSelf }: TapePrint): void {
    this.#names.add(series);
    this.#rows.prints.add({
      seq: this.#state.seq,
      id,
      ts,
      sid: series.sid,
      price: priceMicros,
      qty: qtyMicros,
      buy: Number(side === 'buy'),
      self: Number(isSelf),
    });
  }

  #addCombo(combo: OpenedCombo): void {
    const { seq, ts } = this.#state;
    for (const { series } of combo.legs) this.#names.add(series);
    this.#rows.orders.add(comboRow(seq, ts, combo));
  }

  /** The first entry in a minute shows the marks of the minute (HIS-2). */
  #sampleMarks(): void {
    const { ts, instruments } = this.#state;
    const minute = minuteOf(ts);
    if (minute === this.#minute) return;
    this.#minute = minute;
    for (const { series } of instruments.values()) for (const one of series) this.#addMark(one);
  }

  /** By the book, a series in which nothing rests has no mark, and no sample. */
  #addMark(series: Series): void {
    const { seq, ts } = this.#state;
    const price = shownMark(this.#state, series);
    if (price === null) return;
    this.#names.add(series);
    this.#rows.marks.add({ seq, ts, sid: series.sid, price });
  }

  #nextOf(seq: number): number {
    this.#n = seq === this.#seq ? this.#n + 1 : 0;
    this.#seq = seq;
    return this.#n;
  }

  /** The venue's own accounts have no history. */
  #isNew({ role }: Account): boolean {
    return role === 'trader' && this.#isLater();
  }

  /** Returns true for an entry that the file may lack. */
  #isLater(): boolean {
    return this.#state.seq > this.#afterSeq && !this.#isStopped;
  }
}

function minuteOf(ts: number): number {
  return Math.floor(ts / MINUTE_MS);
}
