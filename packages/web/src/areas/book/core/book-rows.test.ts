import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Position } from '@venue/protocol';
import { type BookOrder, type BookRow, bookRows, withLegs } from './book-rows.ts';
import type { EachGreeks } from './position-row.ts';
import { strategiesOf } from './strategies.ts';

const NEAR = 1_767_916_800;
const FAR = NEAR + 7 * 86_400;

function held(text: string, figures: Partial<Position> = {}): Position {
  const [symbol, expiry, right, strike, qty] = text.split(' ') as [string, string, string, string, string];
  return {
    ...{ symbol, strike: Number(strike), qty: Number(qty), optType: right === 'C' ? 'call' : 'put' },
    ...{ expiryTs: expiry === 'near' ? NEAR : FAR, seriesId: text, avgPrice: 1, mark: 10 },
    ...{ realized: 1, unrealized: 5 },
    ...figures,
  };
}

const each: EachGreeks = () => ({ delta: 0.5, gamma: 0.01, theta: -2, vega: 3, iv: 0.6 });
const ORDER: BookOrder = { sort: 'contract', isDescending: false, symbol: null, grouping: 'expiry' };
const namesOf = (rows: readonly BookRow[]) =>
  rows.map((row) => {
    if (row.kind === 'total') return `${row.symbol} ${row.expiryTs}`;
    return row.kind === 'strategy' ? `${row.qty} ${row.name}` : `${row.kind} ${row.position.seriesId}`;
  });

const positionOf = (name: string) => `position ${name}`;

describe('the rows of the positions', () => {
  const book = [held('Y near C 50 1'), held('X far C 110 -3'), held('X near P 90 2'), held('X near C 100 1')];

  it('are grouped by expiry, each group of several with its total, and all with theirs', () => {
    assert.deepEqual(namesOf(bookRows(book, each, ORDER)), [
      ...['position X near P 90 2', 'position X near C 100 1', `X ${NEAR}`],
      ...['position X far C 110 -3', 'position Y near C 50 1', 'null null'],
    ]);
    assert.equal(bookRows([book[0]!], each, ORDER).length, 1, 'one needs no total');
  });

  it('have net greeks: contracts times greeks, summed for one underlying', () => {
    const rows = bookRows(book, each, { ...ORDER, symbol: 'X' });
    const total = rows.at(-1)!;
    assert.ok(total.kind === 'total');
    assert.deepEqual(total.greeks, { delta: 0, gamma: 0, theta: 0, vega: 0, iv: Number.NaN });
    const [near] = rows.filter((row) => row.kind === 'total');
    assert.deepEqual(near!.greeks, { delta: 1.5, gamma: 0.03, theta: -6, vega: 9, iv: Number.NaN });
    const all = bookRows(book, each, ORDER).at(-1)!;
    assert.deepEqual([all.greeks.delta, all.greeks.theta], [Number.NaN, -2]);
  });

  it('leave out of sums what is unknown, and count it', () => {
    const unquoted = held('X near C 120 4', { mark: Number.NaN, unrealized: Number.NaN });
    const someGreeks: EachGreeks = (id) => (id === unquoted.seriesId ? null : each(id));
    const total = bookRows([held('X near C 100 2'), unquoted], someGreeks, ORDER).at(-1)!;
    assert.ok(total.kind === 'total');
    assert.deepEqual([total.value, total.unrealized, total.greeks.delta], [20, 5, 1]);
    assert.deepEqual([total.unmarked, total.unmodelled, total.count], [1, 1, 2]);
    const none = bookRows([unquoted, { ...unquoted, strike: 130 }], () => null, ORDER).at(-1)!;
    assert.ok(none.kind === 'total' && Number.isNaN(none.value) && Number.isNaN(none.greeks.delta));
  });

  it('are sorted by a figure in both directions, with unknown ones last', () => {
    const list = [
      held('X near C 100 1', { unrealized: 3 }),
      held('X near C 110 1', { unrealized: Number.NaN }),
      held('X far C 100 1', { unrealized: -7 }),
    ];
    const sorted = (isDescending: boolean) =>
      namesOf(bookRows(list, each, { ...ORDER, sort: 'unrealized', isDescending, grouping: 'none' })).slice(
        0,
        3,
      );
    assert.deepEqual(sorted(true), ['X near C 100 1', 'X far C 100 1', 'X near C 110 1'].map(positionOf));
    assert.deepEqual(sorted(false), ['X far C 100 1', 'X near C 100 1', 'X near C 110 1'].map(positionOf));
  });

  it('TERM-20: strategies are sorted and filtered as lines, with their legs under them once opened', () => {
    const series = (name: string, figures: Partial<Position> & Pick<Position, 'qty'>): Position => {
      const [symbol, right, strike] = name.split(' ') as [string, 'C' | 'P', string];
      const [seriesId, optType] = [
        `${symbol}-${NEAR}-${right}-${strike}`,
        right === 'C' ? 'call' : 'put',
      ] as const;
      return { ...held('X near C 1 1'), seriesId, symbol, optType, strike: Number(strike), ...figures };
    };
    const list = [
      series('X C 90', { qty: 3, unrealized: 9 }),
      series('X C 95', { qty: -2, unrealized: -4 }),
      series('Y P 50', { qty: 1, unrealized: 4 }),
    ];
    const grouping = strategiesOf(list, NEAR * 1_000);
    const rows = (order: Partial<BookOrder>) => bookRows(list, each, { ...ORDER, grouping, ...order });
    const [spread, rest] = ['2 X 8 Jan 90/95 call spread', `position X-${NEAR}-C-90`];
    const [single, all] = [`position Y-${NEAR}-P-50`, 'null null'];
    assert.deepEqual(namesOf(rows({})), [spread, rest, single, all]);
    const byProfit = rows({ sort: 'unrealized', isDescending: true });
    assert.deepEqual(namesOf(byProfit), [single, rest, spread, all], 'of 4, 3 and 6 − 4');
    assert.deepEqual(namesOf(rows({ symbol: 'Y' })), [single]);
    const ofX = rows({ symbol: 'X' });
    assert.deepEqual(namesOf(ofX), [spread, rest, `X ${NEAR}`]);
    assert.ok(ofX[0]?.kind === 'strategy');
    const legs = [`leg X-${NEAR}-C-90`, `leg X-${NEAR}-C-95`];
    assert.deepEqual(namesOf(withLegs(ofX, new Set([ofX[0].key]))), [spread, ...legs, rest, `X ${NEAR}`]);
    assert.deepEqual(
      ofX[0].legs.map(({ position, heldQty }) => [position.qty, heldQty]),
      [
        [2, 3],
        [-2, -2],
      ],
    );
  });
});
