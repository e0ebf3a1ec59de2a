/**
 * All sources print 100 times too high for three ticks, and then the right price again (RSK-5): what each account loses
 * with the shipped jump stop and without one, by the marks of the book and those of the model.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { Venue } from '../../test/venue.ts';
import type { RiskMark } from '../state/parameters.ts';

const SERIES = 'AAPL-C-100';
/** The middle of the book while the price is right, in micros: what a contract counts before and after. */
const FAIR = 2_050_000;
/** Alice is as short as she may be; bob is not, and carol is long. */
const OPENED = `
  margin alice on
  margin bob on
  quote ${SERIES} bid 2x121 ask 2.1x6 iv 0.3
  sell alice ${SERIES} 100 @ 2               filled 100@2
  sell bob ${SERIES} 20 @ 2                  filled 20@2
  buy carol ${SERIES} 5 @ 2.1                filled 5@2.1
  account alice                              cash 100199
  ${TICK}
`;
const NAMES = ['alice', 'bob', 'carol', 'maker', 'house', 'fees'] as const;

/** In dollars; negative for a gain. */
type Losses = Readonly<Record<(typeof NAMES)[number], number>>;

interface Case {
  readonly title: string;
  readonly riskMark: RiskMark;
  /** The maker's asks while the price is wrong. */
  readonly asks: string;
  readonly losses: Losses;
}

const CASES: readonly Case[] = [
  {
    title: 'marks of the book, and a maker that has left it',
    riskMark: 'book',
    asks: '-',
    losses: { alice: 989_795, bob: 0, carol: 0, maker: 0, house: -989_795, fees: 0 },
  },
  {
    title: 'marks of the book, and a maker that believes the price',
    riskMark: 'book',
    asks: '9900x200',
    losses: { alice: 994_745, bob: 198_949, carol: 0, maker: -1_187_754, house: 0, fees: -5_940 },
  },
  {
    // Two of the four quarters.
    title: 'marks of the model, and a maker that believes the price',
    riskMark: 'model',
    asks: '9900x200',
    losses: { alice: 497_372.5, bob: 99_474.5, carol: 0, maker: -593_877, house: 0, fees: -2_970 },
  },
];

function play({ riskMark, asks }: Case, jumpStopBps: number): { venue: Venue; losses: Losses } {
  const venue = new Venue({ riskMark, jumpStopBps });
  venue.print('AAPL', 'feed', '100');
  venue.maintain([1, 2, 3]);
  scenario(OPENED, venue);
  const before = NAMES.map((name) => wealth(venue, name));
  scenario(
    `
    spot AAPL 10000
    quote ${SERIES} bid - ask ${asks}
    ${TICK.repeat(3)}
    spot AAPL 100
    quote ${SERIES} bid 2x200 ask 2.1x200
    `,
    venue,
  );
  const losses = NAMES.map((name, i) => [name, (before[i]! - wealth(venue, name)) / 1e6]);
  return { venue, losses: Object.fromEntries(losses) };
}

function wealth(venue: Venue, name: string): number {
  const { cashMicros, positions } = venue.account(name);
  let sum: number = cashMicros;
  for (const { qtyMicros } of positions) sum += (qtyMicros / 1e6) * FAIR;
  return sum;
}

describe('RSK-5 prices a hundred times too high for three ticks', () => {
  for (const one of CASES) {
    test(`without a jump stop: ${one.title}`, () => {
      const { losses } = play(one, 0);
      assert.deepEqual(losses, one.losses);
    });

    test(`with one nobody loses anything, and nothing is bought back later: ${one.title}`, () => {
      const { venue, losses } = play(one, 1_500);
      assert.deepEqual(losses, Object.fromEntries(NAMES.map((name) => [name, 0])));
      scenario(
        `
        ${TICK.repeat(3)}
        account alice                        cash 100199 marginCall no
        position alice ${SERIES}             qty -100
        position bob ${SERIES}               qty -20
        `,
        venue,
      );
    });
  }

  test('without a jump stop, the short of a hundred calls ends 889,801 below zero', () => {
    scenario('account alice cash -889801', play(CASES[0]!, 0).venue);
  });
});
