/** Counts orders, fills and money in the venue's entries since this node started, whichever node took them. */

import {
  type CommandKind,
  type FillRecord,
  isRefused,
  type OutcomeOf,
  type Outcomes,
  type TapePrint,
} from '@venue/engine';
import { MICROS_PER_UNIT } from '@venue/protocol';
import { Counter, type Registry } from 'prom-client';

/** Removed, because amounts would make every reason unique: `insufficient margin for short (need ~1.00, have 0.50)`. */
const AMOUNTS = / \(need ~.*$/;

export class TradingMetrics {
  readonly #orders: Counter;
  readonly #rejections: Counter;
  readonly #refusals: Counter;
  readonly #cancelled: Counter;
  readonly #pushes: Counter;
  readonly #rows: Counter;
  readonly #fills: Counter;
  readonly #contracts: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `venue_${name}_total`, help, labelNames, registers });
    this.#orders = counter('orders', 'Orders, by what became of them', 'status');
    this.#rejections = counter(
      'orders_rejected',
      'Rejected orders, by reason, without its amounts',
      'reason',
    );
    this.#refusals = counter(
      'entries_refused',
      'Entries that changed nothing, by kind and refusal',
      'kind',
      'refusal',
    );
    this.#cancelled = counter('orders_cancelled', 'Resting orders that their owners took off the book');
    this.#pushes = counter('set_pushes', 'Pushes to quote sets, by what became of them', 'result');
    this.#rows = counter(
      'set_rows',
      'Rows of those that crossed the log, by what became of them; an error may leave out only a part of its row',
      'result',
    );
    this.#fills = counter('fills', 'Trades, and positions closed by liquidation or settlement', 'kind');
    this.#contracts = counter(
      'traded_contracts',
      'Contracts traded between two accounts, by symbol',
      'symbol',
    );
    for (const kind of ['trade', 'liquidation', 'settlement']) this.#fills.inc({ kind }, 0);
    this.#cancelled.inc(0);
    for (const result of ['carried out', 'declined']) this.#pushes.inc({ result }, 0);
    for (const result of ['applied', 'kept', 'error']) this.#rows.inc({ result }, 0);
  }

  /** Counts the outcome of an entry. */
  decided<K extends CommandKind>(kind: K, outcome: OutcomeOf<K>): void {
    if (isRefused(outcome)) this.#refusals.inc({ kind, refusal: outcome.refusal });
    else if (kind === 'order') this.#ordered(outcome as Outcomes['order']);
    else if (kind === 'quote-set') this.#pushed(outcome as Outcomes['quote-set']);
    else if (kind === 'cancel') this.#cancelled.inc((outcome as Outcomes['cancel']).pulled);
    else if (kind === 'cancel-order') this.#cancelled.inc(Number((outcome as Outcomes['cancel-order']).ok));
  }

  /** Counts a row of an account's fills. Of a trade's two rows only the taker's counts. */
  filled({ kind, taker }: Pick<FillRecord, 'kind' | 'taker'>): void {
    if (kind !== 'trade' || taker) this.#fills.inc({ kind });
  }

  /** A trade of an account with itself is no turnover (HIS-1). */
  printed({ series, qtyMicros, isSelf }: TapePrint): void {
    if (!isSelf) this.#contracts.inc({ symbol: series.instrument.symbol }, qtyMicros / MICROS_PER_UNIT);
  }

  #pushed(outcome: Outcomes['quote-set']): void {
    const isDeclined = 'status' in outcome;
    this.#pushes.inc({ result: isDeclined ? 'declined' : 'carried out' });
    if (isDeclined) return;
    this.#rows.inc({ result: 'applied' }, outcome.applied);
    this.#rows.inc({ result: 'kept' }, outcome.kept);
    this.#rows.inc({ result: 'error' }, outcome.rowErrors.length);
  }

  #ordered(outcome: Outcomes['order']): void {
    this.#orders.inc({ status: outcome.status });
    if (outcome.status === 'rejected') this.#rejections.inc({ reason: outcome.reason.replace(AMOUNTS, '') });
  }
}
