/**
 * Attacks on marks (RSK-3), each played with marks of the book and with those of the model: an attacker with two wallets,
 * an honest short, and the house. Wealth is cash plus positions at the model's fair price, whatever the marks say.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatDecimal, MICROS_PER_UNIT, type Micros, toMicros } from '@venue/protocol';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';
import type { Account } from '../state/account.ts';
import type { VenueParameters } from '../state/parameters.ts';
import { markParts } from './risk-marks.ts';

const SERIES = 'AAPL-C-210/3';
const CAPITAL = '10000';
const TWO_TICKS = `${TICK}\n${TICK}`;

/** Alice is 270 short, as much as her cash allows; then the maker leaves the book. Its volatility counts on. */
const THIN_BOOK = `
  quote ${SERIES} bid 5x300 ask 6x300 iv 1.5
  margin alice on
  sell alice ${SERIES} 270 @ 5             filled 270@5
  quote ${SERIES} bid - ask -
  margin mallory on
  margin trudy on
`;

interface Attack {
  readonly name: string;
  readonly table: string;
  readonly parameters?: Partial<VenueParameters>;
  /** Gains with marks of the book, in dollars: at least so much for the attacker or from the victim. */
  readonly byBook: { readonly attackerGains?: number; readonly victimLoses?: number };
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'one micro offered for a million calls a stranger',
    table: `
      ${THIN_BOOK}
      sell mallory ${SERIES} 0.000001 @ 1000000      rested
      ${TWO_TICKS}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: 'an offer alone in its book, large enough to be bought by the liquidation',
    table: `
      ${THIN_BOOK}
      sell mallory ${SERIES} 270 @ 100               rested
      ${TWO_TICKS}
    `,
    byBook: { attackerGains: 9_000, victimLoses: 9_000 },
  },
  {
    name: 'dust on both sides of the book',
    table: `
      ${THIN_BOOK}
      buy trudy ${SERIES} 0.000001 @ 199             rested
      sell mallory ${SERIES} 0.000001 @ 200          rested
      ${TWO_TICKS}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: 'a bid of the impact size that stands for the moments of two ticks',
    table: `
      ${THIN_BOOK}
      wait 4999ms
      buy mallory ${SERIES} 50 @ 60                  rested
      wait 1ms
      maintain
      cancel mallory all                             pulled 1
      wait 4999ms
      buy mallory ${SERIES} 50 @ 60                  rested
      wait 1ms
      maintain
      cancel mallory all                             pulled 1
      ${TICK}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: 'two wallets trading with each other at an absurd price, and an offer left at it',
    table: `
      ${THIN_BOOK}
      sell mallory ${SERIES} 1.000001 @ 150          rested
      buy trudy ${SERIES} 1 @ 150                    filled 1@150
      ${TWO_TICKS}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: 'a stranger who annotates a volatility of 500 % on a micro in a set of a micro',
    table: `
      ${THIN_BOOK}
      protect trudy 1 AAPL window 1s qty 0.000001
      push trudy 1 ${SERIES} ask 900000x0.000001 iv 5
      ${TWO_TICKS}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: 'the last fair offer lifted, with an absurd one left behind it',
    table: `
      ${THIN_BOOK}
      quote ${SERIES} ask 6x1
      sell mallory ${SERIES} 1 @ 5000                rested
      buy trudy ${SERIES} 1 @ 6                      filled 1@6
      ${TWO_TICKS}
    `,
    byBook: { victimLoses: 9_000 },
  },
  {
    name: '35 dollars in, 2,000,000 of claims out: one wallet liquidated into the offer of the other',
    table: `
      margin mallory on
      margin trudy on
      sell mallory AAPL-C-190/3 0.7 @ 0.01           rested
      buy trudy AAPL-C-190/3 0.7 @ 0.01              filled 0.7@0.01
      sell trudy AAPL-C-190/3 0.7 @ 3000000          rested
      ${TWO_TICKS}
      ${TWO_TICKS}
      ${TWO_TICKS}
    `,
    parameters: { paperCashMicros: micros('35') },
    byBook: { attackerGains: 1_900_000 },
  },
  {
    name: 'the same in a series with a volatility',
    table: `
      quote AAPL-C-190/3 ask 500x0.000001 iv 1.5
      quote AAPL-C-190/3 ask -
      margin mallory on
      margin trudy on
      sell mallory AAPL-C-190/3 0.6 @ 0.01           rested
      buy trudy AAPL-C-190/3 0.6 @ 0.01              filled 0.6@0.01
      sell trudy AAPL-C-190/3 0.6 @ 3000000          rested
      ${TWO_TICKS}
      ${TWO_TICKS}
      ${TWO_TICKS}
    `,
    parameters: { paperCashMicros: micros('35') },
    byBook: { attackerGains: 1_700_000 },
  },
];

/** Each side's gain by an attack, in dollars. */
interface Gains {
  readonly attacker: number;
  readonly victim: number;
  readonly house: number;
}

function play({ table, parameters }: Attack, riskMark: 'book' | 'model'): Gains {
  const venue = Venue.listed({ paperCashMicros: micros(CAPITAL), ...parameters, riskMark });
  for (const name of ['alice', 'mallory', 'trudy', 'carol']) venue.account(name);
  const capital = Number(parameters?.paperCashMicros ?? micros(CAPITAL));
  scenario(table, venue);
  const gainOf = (name: string) => wealth(venue, venue.account(name)) - capital;
  return {
    attacker: dollars(gainOf('mallory') + gainOf('trudy')),
    // Without the attack the victim holds her short at its fair price.
    victim: dollars(gainOf('alice') - fairGain(venue)),
    house: dollars(houseGain(venue)),
  };
}

/** Alice's gain if nothing had happened to her: the premium less fee and fair price of her short. */
function fairGain(venue: Venue): number {
  const sold = venue.account('alice').fills;
  const first = sold.size === 0 ? undefined : sold.slice(0)[0];
  if (first === undefined) return 0;
  const fair = fairMicros(venue, SERIES);
  return ((first.priceMicros - fair) * first.qtyMicros) / MICROS_PER_UNIT - first.feeMicros;
}

/** The fair value of what the house holds, less debts that nobody will pay. */
function houseGain(venue: Venue): number {
  const { accounts } = venue.state;
  const traders = accounts.filter(({ role }) => role === 'trader');
  const debts = traders.reduce((sum, { cashMicros }) => sum + Math.min(0, cashMicros), 0);
  return wealth(venue, accounts[0]!) + debts;
}

function wealth(venue: Venue, account: Account): number {
  // A debt is the house's, not its owner's.
  let sum: number = Math.max(0, account.cashMicros);
  for (const { series, qtyMicros } of account.positions)
    sum += (qtyMicros * fairOf(venue, series.seriesId)) / MICROS_PER_UNIT;
  return sum;
}

function fairMicros(venue: Venue, name: string): number {
  return fairOf(venue, venue.series(name).seriesId);
}

/** The model's price, or intrinsic where nobody gave a volatility. */
function fairOf({ state }: Venue, seriesId: string): number {
  const series = state.seriesById.get(seriesId)!;
  const { modelMicros } = markParts(state, series);
  return modelMicros ?? Math.max(0, series.instrument.spotMicros - series.strikeMicros);
}

function dollars(amount: number): number {
  return amount / MICROS_PER_UNIT;
}

function shown({ attacker, victim, house }: Gains): string {
  const [a, v, h] = [attacker, victim, house].map((amount) =>
    formatDecimal(toMicros(Math.round(amount * MICROS_PER_UNIT)) as Micros),
  );
  return `attacker ${a}, victim ${v}, house ${h}`;
}

describe('RSK-3 attacks on marks, by the book and by the model', () => {
  for (const attack of ATTACKS) {
    test(attack.name, (context) => {
      const [book, model] = [play(attack, 'book'), play(attack, 'model')];
      context.diagnostic(`by the book: ${shown(book)}; by the model: ${shown(model)}`);
      const { attackerGains, victimLoses } = attack.byBook;
      if (attackerGains !== undefined) assert.ok(book.attacker >= attackerGains, shown(book));
      if (victimLoses !== undefined) assert.ok(-book.victim >= victimLoses, shown(book));
      assert.ok(model.attacker <= 0, `the attacker gains: ${shown(model)}`);
      assert.ok(model.victim >= 0, `the victim loses: ${shown(model)}`);
      assert.ok(model.house >= 0, `the house loses: ${shown(model)}`);
    });
  }
});
