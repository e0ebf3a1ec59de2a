import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';
import { isStanding } from './quote-row.ts';

describe('MM-3 ladders', () => {
  test('a ladder rests as pushed; the same ladder again is kept', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7 3.50x8
      book AAPL-C-190      bid maker 3.30x5 maker 3.20x6 ask maker 3.40x7 maker 3.50x8
      quote AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7 3.50x8         kept
      account maker        orders 4
    `);
  });

  test('HOUSE-1 the maker reserves nothing for its bids', () => {
    const venue = scenario('quote AAPL-C-190 bid 3.30x5');
    assert.equal(venue.account('maker').reservedMicros, 0);
  });

  test('FINE-15 an unnamed side stays, an empty one is pulled, a row without sides is kept', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-190                                             kept
      quote AAPL-C-190 bid 3.20x5
      book AAPL-C-190      bid maker 3.20x5 ask maker 3.40x5
      quote AAPL-C-190 ask -
      book AAPL-C-190      bid maker 3.20x5
      quote AAPL-C-190 ask -                                       kept
      quote AAPL-C-190 bid -
      book AAPL-C-190      empty
      quote AAPL-P-190                                             kept
    `);
  });

  test('a level repeated as it rests keeps its queue position; a changed one joins the end', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 3.20x5
      buy alice AAPL-C-190 1 @ 3.30                                rested
      buy alice AAPL-C-190 1 @ 3.20                                rested
      quote AAPL-C-190 bid 3.30x5 3.20x6 3.10x1
      book AAPL-C-190      bid maker 3.30x5 alice 3.30x1 alice 3.20x1 maker 3.20x6 maker 3.10x1
      quote AAPL-C-190 bid 3.30x4
      book AAPL-C-190      bid alice 3.30x1 maker 3.30x4 alice 3.20x1
    `);
  });

  test('a partly filled level is unchanged only at its remaining quantity', () => {
    scenario(`
      margin bob on
      quote AAPL-C-190 bid 3.30x5
      buy alice AAPL-C-190 1 @ 3.30                                rested
      sell bob AAPL-C-190 2 @ 3.30                                 filled 2@3.30
      quote AAPL-C-190 bid 3.30x3                                  kept
      book AAPL-C-190      bid maker 3.30x3 alice 3.30x1
      quote AAPL-C-190 bid 3.30x5
      book AAPL-C-190      bid alice 3.30x1 maker 3.30x5
    `);
  });

  test('a ladder moves through its own old prices without trading with itself', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-190 bid 3.50x5 ask 3.60x5
      quote AAPL-C-190 bid 3.10x5 ask 3.20x5
      book AAPL-C-190      bid maker 3.10x5 ask maker 3.20x5
      fills maker          none
    `);
  });

  test('FINE-15 annotations stay until they are named again, even on a kept row', () => {
    const venue = Venue.listed();
    const annotations = () => {
      const { iv, delta } = venue.series('AAPL-C-190');
      return [iv, delta];
    };
    assert.deepEqual(annotations(), [0, 0]);
    scenario('quote AAPL-C-190 bid 3.30x5 iv 0.25 delta 0.6', venue);
    scenario('quote AAPL-C-190 bid 3.20x5', venue);
    assert.deepEqual(annotations(), [0.25, 0.6]);
    scenario('quote AAPL-C-190 delta -0.4   kept', venue);
    assert.deepEqual(annotations(), [0.25, -0.4]);
  });
});

describe('FINE-15 a quote that meets a trader', () => {
  test('trades as taker at the resting price, pays the fee, and rests the remainder', () => {
    // 1 x 3.40 with a fee of 0.017; of the five, four rest at their own price.
    scenario(`
      quote AAPL-C-190 ask 3.30x1
      buy alice AAPL-C-190 1 @ 3.30                                filled 1@3.30
      sell alice AAPL-C-190 1 @ 3.40                               rested
      fills maker          sell 1@3.30 fee 0 realized 0 maker
      quote AAPL-C-190 bid 3.50x5
      fills maker          buy 1@3.40 fee 0.017 realized -0.10 taker
      fills alice          buy 1@3.30 fee 0.0165 realized 0 taker, sell 1@3.40 fee 0 realized 0.10 maker
      book AAPL-C-190      bid maker 3.50x4
      account maker        cash -0.117
    `);
  });

  test('a completely filled quote does not rest, and the same push again is a new order', () => {
    scenario(`
      buy alice AAPL-C-190 2 @ 3.40                                rested
      quote AAPL-C-190 ask 3.30x1
      book AAPL-C-190      bid alice 3.40x1
      quote AAPL-C-190 ask 3.30x1
      book AAPL-C-190      empty
      position alice AAPL-C-190   qty 2
    `);
  });
});

describe('rows', () => {
  test('MM-3 a malformed row is reported by its index, the others apply', () => {
    const venue = Venue.listed();
    const row = (sid: number, bids: MicrosLevel[], asks: MicrosLevel[]): MicrosQuote => ({ sid, bids, asks });
    const good = [micros('3.30'), micros('5')] as const;
    const { sid } = venue.series('AAPL-C-190');
    const rows = [
      row(sid, [good], []),
      row(99_999, [good], []),
      row(venue.series('AAPL-P-190').sid, [good], [good]),
      row(sid, [good], []),
    ];
    assert.deepEqual(venue.apply({ kind: 'quotes', session: null, rows }), {
      applied: 1,
      kept: 1,
      rowErrors: [{ i: 2, error: 'crossed ladder' }],
      unknownSids: [99_999],
    });
    scenario('book AAPL-C-190   bid maker 3.30x5\nbook AAPL-P-190   empty', venue);
  });

  test('FINE-15 levels must be positive, exact, best first, not crossed and not too many', () => {
    const levels = (count: number) => Array.from({ length: count }, (_, i) => `${i + 4}x1`).join(' ');
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      quote AAPL-C-190 bid 0x5                                     rejected bad price
      quote AAPL-C-190 ask 3.50x0                                  rejected bad qty
      quote AAPL-C-190 ask 9007199254x1000                         rejected bad qty
      quote AAPL-C-190 bid 3.20x5 3.30x5                           rejected levels must stand best first
      quote AAPL-C-190 bid 3.20x5 3.20x5                           rejected levels must stand best first
      quote AAPL-C-190 ask 3.50x5 3.40x5                           rejected levels must stand best first
      quote AAPL-C-190 bid 3.50x5 ask 3.50x5                       rejected crossed ladder
      quote AAPL-C-190 ask ${levels(64)}
      quote AAPL-C-190 ask ${levels(65)}                           rejected too many levels
      quote AAPL-C-190 ask 3.40x5
      -- against the side that stays
      quote AAPL-C-190 bid 3.40x5                                  rejected crossed ladder
      quote AAPL-C-190 ask 3.30x5                                  rejected crossed ladder
      book AAPL-C-190      bid maker 3.30x5 ask maker 3.40x5
    `);
  });

  test('an expired series takes no quotes, a settled one says so', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5
      suppose AAPL-C-200 settled
      suppose AAPL-C-210 pending-review
      quote AAPL-C-200 bid 3.30x5                                  rejected series settled
      quote AAPL-C-210 bid 3.30x5                                  rejected series expired
      wait to cutoff -1ms
      quote AAPL-C-190 bid 3.20x5
      wait 1ms
      quote AAPL-C-190 bid 3.10x5                                  rejected series expired
      quote AAPL-C-190/2 bid 3.10x5
    `);
  });
});

describe('HOUSE-1 the house line', () => {
  const LINE_400 = { houseLineMicros: micros('400') };

  test('a row whose worst fill would pass the line is refused whole', () => {
    // Strike 210: 30 per contract short, and the premium.
    scenario(
      `
      quote AAPL-C-210 ask 3x14      rejected house line exceeded (need ~462.00, headroom 400.00)
      book AAPL-C-210                empty
      quote AAPL-C-210 ask 2x4 3x8
      quote AAPL-C-210 ask 2x4 3x9   rejected house line exceeded (need ~416.00, headroom 400.00)
      -- with a bid of 1 the mark would be 1.50, and so it counts; what is sold still counts with the ask
      quote AAPL-C-210 bid 1x267     rejected house line exceeded (need ~400.50, headroom 400.00)
      quote AAPL-C-210 bid 1x266
      quote AAPL-C-210 ask 2x13      rejected house line exceeded (need ~416.00, headroom 400.00)
      quote AAPL-C-210 ask -
    `,
      LINE_400,
    );
  });

  test('FINE-15 the line counts positions over all series, and only the quotes of this row', () => {
    // Ten sold at 3, marked at 3: 10 x 33 leave 70. A put of strike 190 is 30 per contract and the premium.
    scenario(
      `
      quote AAPL-C-210 ask 3x11
      quote AAPL-P-190 ask 3x12
      buy alice AAPL-C-210 10 @ 3    filled 10@3
      quote AAPL-P-190 ask -
      quote AAPL-P-190 ask 2x3       rejected house line exceeded (need ~96.00, headroom 70.00)
      quote AAPL-P-190 ask 2x2
      -- in the same series the position and the row count together: 12 x 33, 13 x 33
      quote AAPL-C-210 ask 3x2
      quote AAPL-C-210 ask 3x3       rejected house line exceeded (need ~429.00, headroom 400.00)
      -- buying back lowers it
      quote AAPL-C-210 bid 2.90x20
      quote AAPL-C-210 bid - ask -
    `,
      LINE_400,
    );
  });

  test('rows of one push count one after the other', () => {
    // Alice bids for ten of each: the first row fills and uses up the line, leaving nothing for the second.
    const venue = scenario(
      `
      buy alice AAPL-C-210 10 @ 3    rested
      buy alice AAPL-P-190 10 @ 3    rested
    `,
      LINE_400,
    );
    const asks: MicrosLevel[] = [[micros('3'), micros('10')]];
    const outcome = venue.apply({
      kind: 'quotes',
      session: null,
      rows: [
        { sid: venue.series('AAPL-C-210').sid, bids: null, asks },
        { sid: venue.series('AAPL-P-190').sid, bids: null, asks },
      ],
    });
    // After the fill the calls' book is empty: 10 x 30 leave 100, and the puts sold at 3 need 10 x 33.
    assert.deepEqual(outcome, {
      applied: 1,
      kept: 0,
      rowErrors: [{ i: 1, error: 'house line exceeded (need ~330.00, headroom 100.00)' }],
      unknownSids: [],
    });
  });
});

describe('HOUSE-1 a row counts at the mark that it leaves', () => {
  const LINE_400 = { houseLineMicros: micros('400') };
  const ABSURD = `
      margin bob on
      quote AAPL-C-210 ask 3x5
      buy alice AAPL-C-210 5 @ 3     filled 5@3
      sell bob AAPL-C-210 0.000001 @ 1000000                       rested
  `;

  test("MARK-1 a stranger's ask with an absurd mark blocks no sane row", () => {
    scenario(
      `
      ${ABSURD}
      -- five short at a mark of a million: no other series is quoted
      quote AAPL-P-190 ask 3x1       rejected house line exceeded (need ~33.00, headroom -4999750.00)
      quote AAPL-C-210 bid 2x1 ask 4x5
      book AAPL-C-210                bid maker 2x1 ask maker 4x5 bob 1000000x0.000001
      quote AAPL-P-190 ask 3x1
    `,
      LINE_400,
    );
  });

  test('OWN-10 two absurd marks do not block each other', () => {
    scenario(
      `
      margin bob on
      quote AAPL-C-210 ask 3x5
      quote AAPL-P-190 ask 3x5
      buy alice AAPL-C-210 5 @ 3     filled 5@3
      buy alice AAPL-P-190 5 @ 3     filled 5@3
      sell bob AAPL-C-210 0.000001 @ 1000000                       rested
      sell bob AAPL-P-190 0.000001 @ 1000000                       rested
      quote AAPL-C-210 bid 2x1 ask 4x1
      quote AAPL-P-190 bid 2x1 ask 4x1
      quote AAPL-P-195 ask 3x1
    `,
      LINE_400,
    );
  });

  test('a ladder that is itself absurd is refused, even if the book was empty and the mark zero', () => {
    const dollars = (amount: string) => ({ houseLineMicros: micros(amount) });
    const need = (amount: string, line: string) =>
      `rejected house line exceeded (need ~${amount}, headroom ${line})`;
    scenario(
      `
      quote AAPL-C-190 bid 15000x100000    ${need('1500000000.00', '10000000.00')}
      quote AAPL-C-190 ask 15000x1000      ${need('15040000.00', '10000000.00')}
    `,
      dollars('10000000'),
    );
    scenario(`quote AAPL-C-190 bid 15000x4   ${need('60000.00', '30000.00')}`, dollars('30000'));
  });

  test('a bid counts with its own price if it trades and leaves a lower mark', () => {
    scenario(
      `
      margin bob on
      sell bob AAPL-C-210 201 @ 0.6                                rested
      quote AAPL-C-210 bid 2x201     rejected house line exceeded (need ~402.00, headroom 400.00)
      quote AAPL-C-210 bid 2x200
      position maker AAPL-C-210      qty 200
      book AAPL-C-210                ask bob 0.6x1
    `,
      LINE_400,
    );
  });

  test('orders it would trade with do not count for the mark: a bid through an ask leaves the next ask', () => {
    scenario(
      `
      margin bob on
      sell bob AAPL-C-210 1 @ 1                                    rested
      sell bob AAPL-C-210 1 @ 9                                    rested
      -- 101 at the middle of 2 and 9
      quote AAPL-C-210 bid 2x101     rejected house line exceeded (need ~555.50, headroom 400.00)
      quote AAPL-C-210 bid 2x72
      -- 71 that rest are marked at 5.50
      quote AAPL-C-210 ask 20x1
      book AAPL-C-210                bid maker 2x71 ask bob 9x1 maker 20x1
    `,
      LINE_400,
    );
  });

  test('OWN-10 past the line, reducing quotes are accepted, and reducing a quote is never refused', () => {
    scenario(
      `
      quote AAPL-C-210 ask 3x12
      buy alice AAPL-C-210 12 @ 3    filled 12@3
      buy alice AAPL-C-210 1 @ 8                                   rested
      -- twelve at 8 and 30 are past it; the ask would make the mark 8.50
      quote AAPL-C-210 ask 9x1       rejected house line exceeded (need ~501.00, headroom 400.00)
      quote AAPL-C-210 bid 8.5x12
      quote AAPL-C-210 bid -
      quote AAPL-C-210 ask -         kept
    `,
      LINE_400,
    );
  });
});

describe('MM-1 quote sessions', () => {
  test('the same attempt gets the same session, a new one fences it and pulls its quotes', () => {
    scenario(`
      quote-session monday                                         session 1
      quote-session monday                                         session 1
      quote AAPL-C-190 bid 3.30x5 session 1
      quote-session tuesday                                        session 2
      book AAPL-C-190                                              empty
      quote AAPL-C-190 bid 3.30x5 session 1                        refused no live quote session
      pull session 1                                               refused no live quote session
      quote AAPL-C-190 bid 3.20x5 session 2
      quote-session monday                                         session 1
      quote AAPL-C-190 bid 3.10x5 session 1                        refused no live quote session
      book AAPL-C-190                                              bid maker 3.20x5
    `);
  });

  test('one that was never registered is not a session', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 session 1                        refused no live quote session
      pull session 0                                               refused no live quote session
    `);
  });

  test('MM-2 a pull takes every quote and says how many', () => {
    scenario(`
      quote-session monday                                         session 1
      quote AAPL-C-190 bid 3.30x5 3.20x5 ask 3.40x5 session 1
      quote AAPL-C-195 bid 3.30x5 session 1
      pull session 1                                               pulled 4
      pull session 1                                               pulled 0
      account maker                                                orders 0
    `);
  });

  test('MM-4 a session that pushes nothing loses its quotes at the first tick after its time to live', () => {
    scenario(`
      quote-session monday                                         session 1
      quote AAPL-C-190 bid 3.30x5 session 1
      wait 29999ms
      maintain
      book AAPL-C-190                                              bid maker 3.30x5
      wait 5s
      maintain
      book AAPL-C-190                                              empty
      quote AAPL-C-190 bid 3.30x5 session 1
      book AAPL-C-190                                              bid maker 3.30x5
    `);
  });
});

describe('a row that need not be pushed', () => {
  const venue = scenario('quote AAPL-C-190 bid 3.30x5 ask 3.40x5 iv 0.3 delta 0.5');
  const { sid } = venue.series('AAPL-C-190');
  const [bids, asks] = [[[micros('3.30'), micros('5')]], [[micros('3.40'), micros('5')]]] as const;
  const cases: readonly [string, MicrosQuote, boolean][] = [
    ['the same ladder', { sid, bids, asks }, true],
    ['the same ladder and annotations', { sid, bids, asks, iv: 0.3, delta: 0.5 }, true],
    ['nothing at all', { sid, bids: null, asks: null }, true],
    ['another volatility', { sid, bids, asks, iv: 0.31 }, false],
    ['another delta', { sid, bids, asks, delta: 0.4 }, false],
    ['another quantity', { sid, bids: [[micros('3.30'), micros('4')]], asks }, false],
    ['a side less', { sid, bids: [], asks: null }, false],
    ['an unknown series', { sid: 99_999, bids: null, asks: null }, false],
  ];
  for (const [what, row, expected] of cases) {
    test(`MM-3 ${expected ? 'changes nothing' : 'changes something'}: ${what}`, () => {
      assert.equal(isStanding(venue.state, row, venue.state.ts), expected);
    });
  }

  test("is never one past its series' cutoff", () => {
    const { cutoffMs } = venue.series('AAPL-C-190');
    const standsAt = (ts: number) => isStanding(venue.state, { sid, bids: null, asks: null }, ts);
    assert.deepEqual([standsAt(cutoffMs - 1), standsAt(cutoffMs)], [true, false]);
  });
});
