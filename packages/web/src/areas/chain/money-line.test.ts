import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MoneyLine } from './money-line.ts';

/** A row as far as the line writes to it. */
class Row {
  readonly dataset: Record<string, string>;
  readonly marks = new Set<string>();

  constructor(strike: number) {
    this.dataset = { strike: String(strike) };
  }

  toggleAttribute(name: string, isOn: boolean): void {
    if (isOn) this.marks.add(name);
    else this.marks.delete(name);
  }
}

/** The look of each row: in the money for calls or puts, and its marks. */
function shown(spot: number, estimate?: number): string[] {
  const rows = [95_000, 96_000, 97_000, 98_000].map((strike) => new Row(strike));
  new MoneyLine({ children: rows } as unknown as HTMLElement).show(spot, estimate);
  return rows.map(({ dataset, marks }) =>
    [dataset.moneyness, ...[...marks].map((mark) => mark.replace('data-', ''))].join(' '),
  );
}

test('TERM-22: before the last half hour the spot says what is in and at the money', () => {
  assert.deepEqual(shown(97_100), ['call-in', 'call-in', 'call-in at-the-money', 'put-in money-line']);
});

test('TERM-22: in the last half hour the estimate says it, and the spot stays a line', () => {
  assert.deepEqual(shown(97_100, 95_200), [
    'call-in at-the-money',
    'put-in estimate-line',
    'put-in',
    'put-in money-line',
  ]);
});

test('TERM-22: without a fresh price nothing is marked as in or at the money', () => {
  assert.deepEqual(shown(Number.NaN, 95_200), ['unknown', 'unknown estimate-line', 'unknown', 'unknown']);
});
