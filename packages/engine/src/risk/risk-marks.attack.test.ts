/**
 * Attacks on marks, each played with marks of the book and of the model: what attacker, victim and house had afterwards
 * more or less than before. The victim is short, covered, and does nothing.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MICROS_PER_UNIT } from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, type Venue } from '../../test/venue.ts';
import type { RiskMark } from '../state/parameters.ts';

const SERIES = 'AAPL-C-210';
const PARTIES = { attacker: ['eve', 'frank'], victim: ['alice'], house: ['house'] } as const;
type Party = keyof typeof PARTIES;

/** Each party's gain or loss, in dollars: cash, and positions at the value that the model gives them. */
type Gains = Readonly<Record<Party, number>>;

/** The victim sells ten calls of 210 at 3 to the maker, who annotates its volatility and then leaves the book. */
const VICTIM = `
  quote AAPL-C-210 bid 3x10 iv 2
  margin alice on
  sell alice AAPL-C-210 10 @ 3               filled 10@3
  margin eve on
  margin frank on
`;

interface Attack {
  readonly name: string;
  readonly table: string;
  readonly act?: (venue: Venue) => void;
  /** The gains of the same attack by the book. */
  readonly byBook: Gains;
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'a lone absurd ask around two ticks: 35 dollars in, claims out',
    table: `
      sell eve AAPL-C-210 10 @ 200000        rested
      ${TICK.repeat(6)}
    `,
    byBook: { attacker: 1_999_976.79, victim: -2_009_976.79, house: 0 },
  },
  {
    name: 'a millionth on either side of an empty book',
    table: `
      sell eve AAPL-C-210 0.000001 @ 2400    rested
      buy frank AAPL-C-210 0.000001 @ 2300   rested
      ${TICK.repeat(6)}
    `,
    byBook: { attacker: 0, victim: -23_476.79, house: 23_476.79 },
  },
  {
    name: 'counterexample 8: one contract on either side around the ticks',
    table: `
      sell eve AAPL-C-210 1 @ 80             rested
      buy frank AAPL-C-210 1 @ 78            rested
      ${TICK.repeat(6)}
    `,
    byBook: { attacker: 77.68, victim: -768.19, house: 690.11 },
  },
  {
    name: 'orders of the impact size on either side: they move the mark to the edge of its band, and may be met',
    table: `
      sell eve AAPL-C-210 9 @ 112            rested
      buy frank AAPL-C-210 9 @ 110           rested
      ${TICK.repeat(6)}
    `,
    byBook: { attacker: 18, victim: -1_100.83, house: 1_077.79 },
  },
  {
    name: 'wash trades between two wallets at an absurd price',
    table: `
      sell eve AAPL-C-210 0.01 @ 2500        rested
      buy frank AAPL-C-210 0.01 @ 2500       filled 0.01@2500
      sell eve AAPL-C-210 0.01 @ 2500        rested
      ${TICK.repeat(6)}
    `,
    byBook: { attacker: 24.85, victim: -24_976.92, house: 24_951.82 },
  },
  {
    name: 'counterexample 7: a volatility of 5 from a set that may trade a millionth',
    table: TICK.repeat(6),
    act: annotateAbsurdly,
    byBook: { attacker: 0, victim: 0, house: 0 },
  },
];

function annotateAbsurdly(venue: Venue): void {
  const account = venue.account('eve').address!;
  const limits = { windowMs: 1_000, qtyMicros: 1, frozenMs: 0 };
  venue.apply({ kind: 'batch', account, actions: [{ type: 'protect', set: 1, symbol: 'AAPL', ...limits }] });
  const rows = [{ sid: venue.series('AAPL-C-210').sid, bids: [[1, 1] as const], asks: null, iv: 5 }];
  venue.apply({ kind: 'quote-set', account, set: 1, form: 'json', bodyHash: '0'.repeat(64), rows });
}

function play({ table, act }: Attack, riskMark: RiskMark): { gains: Gains; shortMicros: number } {
  const venue = scenario(VICTIM, { riskMark, paperCashMicros: micros('1000'), impactMicros: micros('900') });
  const before = worthOf(venue);
  act?.(venue);
  scenario(table, venue);
  const after = worthOf(venue);
  const gain = (party: Party) => Math.round((after[party] - before[party]) * 100) / 100;
  const gains = { attacker: gain('attacker'), victim: gain('victim'), house: gain('house') };
  return { gains, shortMicros: -venue.account('alice').positions.get(venue.series(SERIES).sid)!.qtyMicros };
}

/** Dollars of each party; options are worth what they are at the maker's volatility, whatever the books say. */
function worthOf(venue: Venue): Gains {
  const { sid, instrument } = venue.series(SERIES);
  const forward = instrument.spotMicros / MICROS_PER_UNIT;
  const value = priceOption({ right: 'C', forward, strike: 210, years: 0.5 / 365, vol: 2 });
  const sum = (party: Party) =>
    PARTIES[party].reduce((total, name) => {
      const { cashMicros, positions } = venue.account(name);
      return total + (cashMicros + (positions.get(sid)?.qtyMicros ?? 0) * value) / MICROS_PER_UNIT;
    }, 0);
  return { attacker: sum('attacker'), victim: sum('victim'), house: sum('house') };
}

describe('RSK-3 attacks on marks, with marks of the book and of the model', () => {
  for (const attack of ATTACKS) {
    test(attack.name, (t) => {
      const [book, model] = [play(attack, 'book'), play(attack, 'model')];
      t.diagnostic(`by the book  ${JSON.stringify(book.gains)}`);
      t.diagnostic(`by the model ${JSON.stringify(model.gains)}`);
      assert.deepEqual(book.gains, attack.byBook);
      assert.deepEqual({ ...model.gains, attacker: 0 }, { attacker: 0, victim: 0, house: 0 });
      assert.ok(model.gains.attacker <= 0, 'an attack brings nothing, and may cost fees');
      assert.equal(model.shortMicros, micros('10'), 'the victim keeps its position');
    });
  }
});
