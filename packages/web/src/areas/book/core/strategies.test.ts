import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Position, parseSeriesId } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import { bookRows } from './book-rows.ts';
import type { EachGreeks } from './position-row.ts';
import { strategiesOf } from './strategies.ts';

const NEAR = Date.UTC(2026, 10, 29, 1) / 1_000;
const FAR = NEAR + 7 * 86_400;
const NOW = Date.UTC(2026, 10, 20);
const each: EachGreeks = () => ({ delta: 0.5, gamma: 0.01, theta: -2, vega: 3, iv: 0.6 });

/** `+1 C 95, -2 P 97.5 later` */
function book(text: string): Position[] {
  return text.split(', ').map((one) => {
    const [, qty, right, strike, later] = /^([+-][\d.]+) ([CP]) ([\d.]+)( later)?$/.exec(one)!;
    return held(`BTC-${later === undefined ? NEAR : FAR}-${right}-${strike}`, { qty: Number(qty) });
  });
}

function held(seriesId: string, figures: Partial<Position> & Pick<Position, 'qty'>): Position {
  const { symbol, expiryTs, right, strikeMicros } = parseSeriesId(seriesId)!;
  return {
    ...{ seriesId, symbol, expiryTs, strike: strikeMicros / 1e6, optType: right === 'C' ? 'call' : 'put' },
    ...{ avgPrice: 1, mark: 10, realized: 0, unrealized: 0 },
    ...figures,
  };
}

/** The lines of a book: `-1 28 Nov 94/97 iron condor`, `+2 C 95`. */
function lines(text: string): string[] {
  return rowsOf(book(text)).flatMap((row) => {
    if (row.kind === 'strategy') return [`${signed(row.qty)} ${row.name.replace('BTC ', '')}`];
    if (row.kind !== 'position') return [];
    const { qty, strike, optType, expiryTs } = row.position;
    const later = expiryTs === FAR ? ' later' : '';
    return [`${signed(qty)} ${optType === 'call' ? 'C' : 'P'} ${strike}${later}`];
  });
}

function rowsOf(positions: readonly Position[]) {
  return bookRows(positions, each, { ...ORDER, grouping: strategiesOf(positions, NOW) });
}

function signed(qty: number): string {
  return qty > 0 ? `+${qty}` : `${qty}`;
}

describe('TERM-20 strategies in what is held', () => {
  const CASES: readonly (readonly [book: string, ...lines: string[]])[] = [
    ['+1 C 94, -1 C 94.5, -1 C 95.5, +1 C 97', '+1 28 Nov 94/94.5/95.5/97 call condor'],
    ['+2 P 90, -2 P 95, -2 C 105, +2 C 110', '-2 28 Nov 90/95/105/110 iron condor'],
    ['+1 P 90, -1 P 100, -1 C 100, +1 C 110', '-1 28 Nov 90/100/110 iron butterfly'],
    ['-1 C 95, +2 C 97, -1 C 99', '-1 28 Nov 95/97/99 call butterfly'],
    ['+3 C 95, -3 C 97', '+3 28 Nov 95/97 call spread'],
    ['+3 P 95, -3 P 97', '-3 28 Nov 95/97 put spread'],
    ['+1 C 95, +1 P 95', '+1 28 Nov 95 straddle'],
    ['-0.5 P 95, -0.5 C 97', '-0.5 28 Nov 95/97 strangle'],
    ['+1 P 95, -1 C 97', '+1 28 Nov 95/97 collar'],
    ['-1 C 95, +1 C 95 later', '+1 28 Nov/5 Dec 95 call calendar'],
    ['+1 P 97, -1 P 95 later', '-1 28 Nov/5 Dec 97/95 put diagonal'],
    // What has no name stays as it is.
    ['+1 C 95, +1 C 97', '+1 C 95', '+1 C 97'],
    ['-1 P 95, +1 C 97', '-1 P 95', '+1 C 97'],
    ['+1 C 95', '+1 C 95'],
    // Parts: of a ratio spread the short that is left stands alone.
    ['+1 C 95, -2 C 97', '+1 28 Nov 95/97 call spread', '-1 C 97'],
    // Larger strategies first, of which the rest is one too.
    [
      '+1 P 90, -2 P 95, -2 C 105, +1 C 110',
      '-1 28 Nov 90/95/105/110 iron condor',
      '-1 28 Nov 95/105 strangle',
    ],
    // Wings of unequal width are no butterfly.
    ['+1 C 95, -2 C 97, +1 C 100', '+1 28 Nov 95/97 call spread', '-1 28 Nov 97/100 call spread'],
    // Equal sizes before nearer strikes.
    ['+1 C 90, -1 C 94, +2 C 95, -2 C 99', '+1 28 Nov 90/94 call spread', '+2 28 Nov 95/99 call spread'],
    // Two condors, one within the other: the nearest wings belong to the nearest body.
    [
      '+1 P 80, +1 P 85, -1 P 90, -1 P 95, -1 C 105, -1 C 110, +1 C 115, +1 C 120',
      '-1 28 Nov 80/90/110/120 iron condor',
      '-1 28 Nov 85/95/105/115 iron condor',
    ],
    // Only legs of one size make one of two expiries, as the far one covers nothing.
    ['-1 C 95, +2 C 95 later', '-1 C 95', '+2 C 95 later'],
    // A millionth of a contract has no half.
    ['+1 C 95, -0.000001 C 97, +1 C 99', '+0.000001 28 Nov 95/97 call spread', '+0.999999 C 95', '+1 C 99'],
  ];
  for (const [text, ...expected] of CASES)
    it(`${text}: ${expected.join(', ')}`, () => {
      assert.deepEqual(lines(text).sort(), expected.toSorted());
      assert.deepEqual(
        lines(text.split(', ').reverse().join(', ')),
        lines(text),
        'in whatever order they come',
      );
    });

  it('a line has net prices of one unit, and what its legs are worth, have made, and move by', () => {
    const [row] = rowsOf([
      held(`BTC-${NEAR}-C-95`, { qty: -2, avgPrice: 60.1, mark: 70, unrealized: -19.8, realized: 3 }),
      held(`BTC-${NEAR}-C-97`, { qty: 2, avgPrice: 10.2, mark: 30, unrealized: 39.6, realized: -1 }),
    ]);
    assert.ok(row?.kind === 'strategy');
    assert.deepEqual(
      [row.qty, row.avgPrice, row.mark, row.value, row.unrealized, row.realized],
      [-2, 49.9, 40, -80, 39.6 - 19.8, 2],
    );
    assert.deepEqual(row.greeks, { delta: 0, gamma: 0, theta: 0, vega: 0, iv: Number.NaN });
    const [unquoted] = rowsOf([
      held(`BTC-${NEAR}-C-95`, { qty: -2, mark: Number.NaN, unrealized: Number.NaN }),
      held(`BTC-${NEAR}-C-97`, { qty: 2 }),
    ]);
    assert.ok(unquoted?.kind === 'strategy');
    const { avgPrice, mark, value, unrealized } = unquoted;
    assert.deepEqual([avgPrice, mark, value, unrealized], [0, Number.NaN, Number.NaN, Number.NaN]);
  });

  it('of 1,000 random books no contract is lost or counted twice, nor a micro of profit', () => {
    const random = randomOf(20_261_126);
    let cuts = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const positions = randomBook(random);
      const rows = rowsOf(positions);
      const lines = rows.flatMap((row) =>
        row.kind === 'strategy' ? row.legs : row.kind === 'position' ? row : [],
      );
      cuts += lines.length - positions.length;
      for (const position of positions) {
        const parts = lines.filter((line) => line.position.seriesId === position.seriesId);
        for (const name of ['qty', 'unrealized', 'realized'] as const) {
          const sum = parts.reduce((micros, part) => micros + microsOf(part.position[name]), 0);
          assert.equal(sum, microsOf(position[name]), `${name} of ${position.seriesId}, book ${round}`);
        }
        const isOfOneSide = parts.every((part) => part.position.qty * position.qty > 0);
        assert.ok(isOfOneSide, `${position.seriesId}, book ${round}`);
      }
      const strategies = rows.filter((row) => row.kind === 'strategy');
      for (const name of ['unrealized', 'realized'] as const)
        for (const row of strategies) {
          const sum = row.legs.reduce((micros, { position }) => micros + microsOf(position[name]), 0);
          assert.equal(microsOf(row[name]), sum, `${name} of ${row.name}, book ${round}`);
        }
      assert.ok(
        strategies.every(({ name }) => !name.includes(':')),
        'each has a name',
      );
      assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length, 'none is there twice');
      const total = bookRows(positions, each, { ...ORDER, grouping: 'none' }).at(-1)!;
      if (rows.length > 1) assert.deepEqual(rows.at(-1), total, 'the total is of the positions');
    }
    assert.ok(cuts > 100, `${cuts} positions were cut`);
  });
});

const ORDER = { sort: 'contract', isDescending: false, symbol: null } as const;

/** Up to 24 positions of two underlyings and expiries, with small sizes, so that many are equal, and odd profits. */
function randomBook(random: (below: number) => number): Position[] {
  const positions = new Map<string, Position>();
  for (let i = random(24); i >= 0; i -= 1) {
    const seriesId = `${random(4) === 0 ? 'ETH' : 'BTC'}-${random(3) === 0 ? FAR : NEAR}-${'CP'[random(2)]}-${90 + random(8)}`;
    const size = random(5) === 0 ? (1 + random(3_000_000)) / 1e6 : 1 + random(3);
    const qty = random(2) === 0 ? size : -size;
    const [unrealized, realized] = [random(2_000_000_000) / 1e6 - 1_000, random(9) / 1e6];
    positions.set(seriesId, held(seriesId, { qty, unrealized, realized }));
  }
  return [...positions.values()];
}

/** Whole numbers from 0, the same ones every time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
