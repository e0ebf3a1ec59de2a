import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { coloured, colourless } from './style.ts';
import { type Column, pairs, shortened, table } from './table.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly price: number | null;
}

const ROWS: readonly Row[] = [
  { id: 7, name: '0x52908400098527886e0f7030069857d2e4169ee7', price: 12.5 },
  { id: 10, name: 'short', price: null },
  { id: 11, name: 'other', price: 3.000001 },
];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 0 },
  { title: 'name', cell: ({ name }) => name, rank: 1, shortest: 9 },
  { title: 'price USD', cell: ({ price }) => price, rank: 2 },
];

const text = (width: number) => table(COLUMNS, ROWS, { width, paint: colourless });

test('numbers are right-aligned with equal places, words left-aligned', () => {
  assert.deepEqual(text(Infinity), [
    'id  name                                        price USD',
    ' 7  0x52908400098527886e0f7030069857d2e4169ee7  12.500000',
    '10  short                                               -',
    '11  other                                        3.000001',
  ]);
});

test('a narrow page shortens texts that may be shortened, in the middle', () => {
  assert.deepEqual(text(30), [
    'id  name             price USD',
    ' 7  0x52908…4169ee7  12.500000',
    '10  short                    -',
    '11  other             3.000001',
  ]);
});

test('a narrower one leaves out the least important column, and says so', () => {
  assert.deepEqual(text(20), [
    'id  name',
    ' 7  0x529084…4169ee7',
    '10  short',
    '11  other',
    '(not shown for want',
  ]);
});

test('no line is wider than the page as long as the columns that stay fit', () => {
  for (let width = 9; width < 70; width++) {
    for (const line of text(width)) assert.ok(line.length <= width, `${width}: ${line}`);
  }
});

test('columns of one rank are left out together', () => {
  const pairOf = [...COLUMNS, { title: 'again', cell: ({ id }: Row) => id, rank: 2 }];
  const [header] = table(pairOf, ROWS, { width: 25, paint: colourless });
  assert.match(header!, /^id {2}name$/);
});

test('colours surround cells and change no width', () => {
  const columns = COLUMNS.map((column) => ({ ...column, style: () => 'red' as const }));
  const lines = table(columns, ROWS, { width: 30, paint: coloured });
  const bare = lines.map((line) => stripVTControlCharacters(line).trimEnd());
  assert.deepEqual(bare, text(30));
  assert.ok(lines[1]!.includes('\x1b[31m 7\x1b[0m'));
});

test('a name set by a stranger cannot control the terminal', () => {
  const rows = [{ id: 1, name: 'a\x1b[2J\u202eb', price: 1 }];
  const [, line] = table(COLUMNS, rows, { width: Infinity, paint: colourless });
  assert.equal(line, ' 1  a\\u001b[2J\\u202eb       1.00');
});

test('a text is shortened to its width', () => {
  assert.deepEqual(
    [4, 5, 6, 20].map((width) => shortened('abcdefgh', width)),
    ['ab…h', 'ab…gh', 'abc…gh', 'abcdefgh'],
  );
});

test('pairs line up, and leave out absent values', () => {
  const rows = [
    ['cash', '1.00 USD'],
    ['held', null],
    ['buying power', '2.00 USD'],
  ] as const;
  assert.deepEqual(pairs(rows, { width: 80, paint: colourless }), [
    'cash          1.00 USD',
    'buying power  2.00 USD',
  ]);
});
