/** Keyboard navigation of the chain: one tab stop, and arrow keys through the prices. */

const PAGE_ROWS = 10;

/** The price that a key moves to; null for other keys, or at the end. */
export function neighbourOf(from: HTMLElement, key: string, isFar: boolean): HTMLElement | null {
  const row = from.closest('tr')!;
  const inRow = pricesOf(row);
  const at = inRow.indexOf(from);
  const rows = [...row.parentElement!.children];
  const inColumn = (index: number) =>
    pricesOf(rows[Math.max(0, Math.min(index, rows.length - 1))]!)[at] ?? null;
  const here = rows.indexOf(row);
  switch (key) {
    case 'ArrowLeft':
      return inRow[at - 1] ?? null;
    case 'ArrowRight':
      return inRow[at + 1] ?? null;
    case 'ArrowUp':
      return inColumn(here - 1);
    case 'ArrowDown':
      return inColumn(here + 1);
    case 'PageUp':
      return inColumn(here - PAGE_ROWS);
    case 'PageDown':
      return inColumn(here + PAGE_ROWS);
    case 'Home':
      return isFar ? inColumn(0) : (inRow[0] ?? null);
    case 'End':
      return isFar ? inColumn(rows.length - 1) : (inRow.at(-1) ?? null);
    default:
      return null;
  }
}

/** The price a side takes on the same contract: the ask to buy, the bid to sell. */
export function priceBeside(from: HTMLElement, side: 'buy' | 'sell'): HTMLElement | null {
  const half = from.classList.contains('call') ? 'call' : 'put';
  return from.closest('tr')!.querySelector<HTMLElement>(`.${half}[data-pick="${side}"]`);
}

/** Makes a price the chain's tab stop. */
export function setTabStop(table: HTMLElement, price: HTMLElement): void {
  for (const other of table.querySelectorAll<HTMLElement>('[data-pick][tabindex="0"]')) other.tabIndex = -1;
  price.tabIndex = 0;
}

/** The chain's tab stop; by default the price in the row at the money. */
export function tabStopOf(table: HTMLElement): HTMLElement | null {
  const known = table.querySelector<HTMLElement>('[data-pick][tabindex="0"]');
  if (known !== null) return known;
  const row = table.querySelector('tr[data-at-the-money]') ?? table.querySelector('tbody tr');
  const first = row === null ? undefined : pricesOf(row)[0];
  if (first !== undefined) first.tabIndex = 0;
  return first ?? null;
}

/** Focuses the chain's tab stop; does nothing where no chain is shown. */
export function focusChain(): void {
  const chain = document.querySelector<HTMLTableElement>('table.chain[role="grid"]');
  if (chain !== null) tabStopOf(chain)?.focus({ preventScroll: true });
}

function pricesOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('[data-pick]')];
}
