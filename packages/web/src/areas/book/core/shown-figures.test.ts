import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '@venue/protocol';
import fc from 'fast-check';
import { formatGreek, formatPnl } from '../../../basics/numbers.ts';
import { type BookOrder, type BookRow, bookRows } from './book-rows.ts';
import { SUMMED, type Summed, shownFigures } from './shown-figures.ts';
import { strategiesOf } from './strategies.ts';

const NEAR = 1_767_916_800;
const ORDER: BookOrder = { sort: 'contract', isDescending: false, symbol: null, grouping: 'expiry' };

function held(seriesId: string, expiryTs: number, figures: Partial<Position> = {}): Position {
  const [symbol, strike] = seriesId.split(' ') as [string, string];
  return {
    ...{ symbol, strike: Number(strike), qty: 1, optType: 'call', expiryTs, seriesId },
    ...{ avgPrice: 1, mark: 10, realized: 0, unrealized: 0 },
    ...figures,
  };
}

/** Hundredths of a text such as `−1,234.50`. */
const hundredths = (text: string) => Math.round(Number(text.replace('−', '-').replaceAll(',', '')) * 100);

/** Sums that are written under rows, by what the rows above say: of each total, and of each strategy. */
function assertAddsUp(lines: readonly BookRow[], figure: Summed): void {
  const shown = shownFigures(lines);
  const write = figure === 'delta' || figure === 'theta' || figure === 'vega' ? formatGreek : formatPnl;
  const written = ({ key }: BookRow) => {
    const amount = shown.get(key)![figure];
    return Number.isNaN(amount) ? 0 : hundredths(write(amount));
  };
  const sumOf = (rows: readonly BookRow[]) => rows.reduce((sum, row) => sum + written(row), 0);
  const isKnown = ({ key }: BookRow) => !Number.isNaN(shown.get(key)![figure]);
  for (const [at, row] of lines.entries()) {
    if (row.kind === 'strategy' && isKnown(row))
      assert.equal(sumOf(row.legs), written(row), `${figure} of legs`);
    if (row.kind !== 'total' || !isKnown(row)) continue;
    const above = lines.slice(0, at).filter(({ kind }) => kind !== 'total');
    const own = at === lines.length - 1 ? above : above.slice(-row.count);
    assert.equal(sumOf(own), written(row), `${figure} at ${at}`);
  }
}

test('TERM-23: three thirds of a cent are a cent, in rows and total', () => {
  const third = { qty: 0.001, mark: 3.333333, unrealized: 0.003333 };
  const rows = ['X 90', 'X 100', 'X 110'].map((name) => held(name, NEAR, third));
  const lines = bookRows(rows, () => null, ORDER);
  const shown = shownFigures(lines);
  assert.deepEqual(
    lines.map(({ key }) => shown.get(key)!.value),
    [0.01, 0, 0, 0.01],
  );
  assert.ok(lines.every(({ key }) => Number.isNaN(shown.get(key)!.delta)));
});

test('TERM-23: rows of positions add up to every total as they are written, whatever is unknown', () => {
  const amount = fc.oneof(fc.double({ min: -1e5, max: 1e5, noNaN: true }), fc.constant(Number.NaN));
  const position = fc.record({
    expiry: fc.nat(2),
    symbol: fc.constantFrom('X', 'Y'),
    ...{ mark: amount, unrealized: amount, realized: fc.double({ min: -1e4, max: 1e4, noNaN: true }) },
    qty: fc.integer({ min: -5_000, max: 5_000 }),
    delta: amount,
  });
  fc.assert(
    fc.property(fc.array(position, { minLength: 2, maxLength: 9 }), fc.boolean(), (all, isGrouped) => {
      const greeks = new Map<string, number>();
      const rows = all.map(({ expiry, symbol, qty, delta, ...figures }, i) => {
        const seriesId = `${symbol} ${100 + i}`;
        greeks.set(seriesId, delta);
        return held(seriesId, NEAR + expiry * 86_400, { ...figures, qty: qty / 1_000 });
      });
      const each = (id: string) => {
        const delta = greeks.get(id)! / 1e5;
        return { delta, gamma: 0, theta: delta * 70, vega: delta / 3, iv: 0.5 };
      };
      const lines = bookRows(rows, each, { ...ORDER, grouping: isGrouped ? 'expiry' : 'none' });
      for (const figure of SUMMED) assertAddsUp(lines, figure);
    }),
    { seed: 23, numRuns: 300 },
  );
});

test('TERM-23: legs add up to their strategy, and strategies to the total', () => {
  const id = (strike: number) => `BTC-${NEAR}-C-${strike}`;
  const leg = (strike: number, qty: number, mark: number) => ({
    ...held('BTC 0', NEAR, { qty, mark, unrealized: qty * (mark - 1) }),
    ...{ seriesId: id(strike), symbol: 'BTC', strike },
  });
  const positions = [leg(95, 0.3, 1.11), leg(97, -0.3, 0.55), leg(99, 0.7, 0.335)];
  const strategies = strategiesOf(positions, 0);
  const lines = bookRows(positions, () => null, { ...ORDER, grouping: strategies });
  assert.ok(lines.some(({ kind }) => kind === 'strategy'));
  for (const figure of SUMMED) assertAddsUp(lines, figure);
});
