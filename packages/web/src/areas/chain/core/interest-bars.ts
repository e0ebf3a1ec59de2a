/** Draws open interest and volume behind the strikes in the rows rendered by React, changing only what differs. */

import type { RowInterest } from './interest.ts';

export interface InterestWords {
  readonly share: RowInterest;
  /** The amounts in words. */
  readonly title: string;
}

export class InterestBars {
  readonly #cells: ReadonlyMap<number, HTMLElement>;
  readonly #shown = new Map<number, string>();

  /** The rows of a table's body. */
  constructor(body: HTMLElement) {
    this.#cells = new Map(
      [...body.querySelectorAll<HTMLElement>('tr > .strike')].map((cell) => [
        Number(cell.parentElement!.dataset.strike),
        cell,
      ]),
    );
  }

  show(strike: number, { share: { oi, volume }, title }: InterestWords): void {
    const cell = this.#cells.get(strike);
    const next = [...oi, ...volume, title].join(' ');
    if (cell === undefined || this.#shown.get(strike) === next) return;
    this.#shown.set(strike, next);
    // A cell has a picture only where there is something to draw.
    cell.toggleAttribute(
      'data-interest',
      [...oi, ...volume].some((one) => one > 0),
    );
    cell.title = title;
    for (const [name, one] of [
      ['--oi-call', oi[0]],
      ['--oi-put', oi[1]],
      ['--volume-call', volume[0]],
      ['--volume-put', volume[1]],
    ] as const)
      cell.style.setProperty(name, `${one * 50}%`);
  }
}
