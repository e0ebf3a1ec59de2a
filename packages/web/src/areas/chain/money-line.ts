/**
 * Marks the spot, and what the expiry settles near, among the strikes in the rows rendered by React, changing only the
 * rows that differ.
 */

interface Row {
  readonly element: HTMLElement;
  readonly strike: number;
}

export class MoneyLine {
  readonly #rows: readonly Row[];
  #shown = new Map<HTMLElement, string>();

  /** The rows of a table's body, whose strikes ascend. */
  constructor(body: HTMLElement) {
    this.#rows = [...body.children].map((row) => {
      const element = row as HTMLElement;
      return { element, strike: Number(element.dataset.strike) };
    });
  }

  /**
   * Without a fresh price (NaN) no row is marked: a mark at the wrong strike is worse than none. What is in and at the
   * money goes by the price that decides it: in the last half hour that is the estimate, and the spot is a line (TERM-22).
   *
   * @param estimate what the expiry settles near, NaN but in its last half hour
   */
  show(spot: number, estimate = Number.NaN): void {
    const decisive = Number.isNaN(spot) || Number.isNaN(estimate) ? spot : estimate;
    const nearest = this.#nearest(decisive);
    const above = this.#rows.find(({ strike }) => strike > spot);
    const aboveEstimate = this.#rows.find(({ strike }) => strike > estimate);
    for (const row of this.#rows) {
      const moneyness = Number.isNaN(decisive) ? 'unknown' : row.strike < decisive ? 'call-in' : 'put-in';
      const next = `${moneyness} ${row === nearest} ${row === above} ${row === aboveEstimate}`;
      if (this.#shown.get(row.element) === next) continue;
      this.#shown.set(row.element, next);
      row.element.dataset.moneyness = moneyness;
      row.element.toggleAttribute('data-at-the-money', row === nearest);
      row.element.toggleAttribute('data-money-line', row === above);
      row.element.toggleAttribute('data-estimate-line', row === aboveEstimate);
    }
  }

  #nearest(spot: number): Row | undefined {
    if (Number.isNaN(spot)) return undefined;
    const distance = ({ strike }: Row) => Math.abs(strike - spot);
    return this.#rows.reduce<Row | undefined>(
      (best, row) => (best === undefined || distance(row) < distance(best) ? row : best),
      undefined,
    );
  }
}

/** Scrolls the row at the money, or else the middle one, to the centre of the view and returns it. */
export function centreOnMoney(table: HTMLTableElement): HTMLElement | null {
  const rows = table.tBodies[0]?.rows ?? [];
  const row = table.querySelector<HTMLElement>('tr[data-at-the-money]') ?? rows[rows.length >> 1] ?? null;
  row?.scrollIntoView({ block: 'center' });
  return row;
}
