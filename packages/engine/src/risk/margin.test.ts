import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENTRY_MARGIN, MAINTENANCE_MARGIN } from '@venue/protocol/margin';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';
import { positionOf } from '../state/state.ts';
import { openingQtyMicros } from '../trading/order-checks.ts';
import { marginUnitMicros } from './units.ts';

describe('MAR-1 the margin of one short contract, at a spot of 200', () => {
  // Entry: max(40 - OTM, 10% of strike). Maintenance: max(24 - OTM, 6% of strike).
  const UNITS = [
    // series, mark, entry, maintenance; the same two with a premium term of at least intrinsic
    ['AAPL-C-190', '0', '40', '24', '50', '34'], // 10 in the money
    ['AAPL-C-190', '3', '43', '27', '50', '34'], // marked below intrinsic
    ['AAPL-C-190', '12', '52', '36', '52', '36'], // marked above intrinsic
    ['AAPL-C-200', '5', '45', '29', '45', '29'], // at the money
    ['AAPL-C-210', '3.10', '33.10', '17.10', '33.10', '17.10'], // 10 out of the money
    ['AAPL-C-220', '0', '22', '13.20', '22', '13.20'], // the floor for both: 20 against 22, 4 against 13.2
    ['AAPL-C-217.5', '0', '22.50', '13.05', '22.50', '13.05'], // 22.5 above its floor of 21.75; 6.5 below 13.05
    ['AAPL-C-240', '0.50', '24.50', '14.90', '24.50', '14.90'], // far out: the floor
    ['AAPL-P-190', '3.10', '33.10', '17.10', '33.10', '17.10'], // 10 out of the money
    ['AAPL-P-210', '0', '40', '24', '50', '34'], // 10 in the money
    ['AAPL-P-210', '9.99', '49.99', '33.99', '50', '34'],
    ['AAPL-P-150', '0', '15', '9', '15', '9'], // 50 out of the money: the floor
  ] as const;

  for (const marginPremium of ['mark', 'intrinsic'] as const) {
    test(`premium term: ${marginPremium}`, () => {
      for (const [series, mark, ...units] of UNITS) {
        const venue = Venue.listed({ marginPremium });
        if (mark !== '0') scenario(`quote ${series} bid ${mark}x1`, venue);
        const [entry, maintenance] = marginPremium === 'mark' ? units : units.slice(2);
        const actual = [ENTRY_MARGIN, MAINTENANCE_MARGIN].map((rates) =>
          marginUnitMicros(venue.state, venue.series(series), rates),
        );
        assert.deepEqual(actual, [micros(entry!), micros(maintenance!)], `${series} at ${mark}`);
      }
    });
  }

  test('shares of spot and strike are rounded up', () => {
    // 20% of 200.000001 = 40.0000002; 12% = 24.00000012; the call is in the money.
    const venue = Venue.listed();
    scenario('spot AAPL 200.000001', venue);
    const actual = [ENTRY_MARGIN, MAINTENANCE_MARGIN].map((rates) =>
      marginUnitMicros(venue.state, venue.series('AAPL-C-190'), rates),
    );
    assert.deepEqual(actual, [micros('40.000001'), micros('24.000001')]);
  });
});

describe('ORD-4 the opening quantity of a sell', () => {
  // position, resting sells, sell, opening part
  const OPENINGS = [
    [5, 0, 5, 0],
    [5, 0, 6, 1],
    [5, 3, 2, 0],
    [5, 3, 3, 1],
    [5, 5, 1, 1],
    [5, 7, 1, 1],
    [0, 0, 4, 4],
    [0, 3, 4, 4],
    [-2, 0, 1, 1],
    [-2, 3, 2, 2],
  ] as const;

  for (const [held, resting, qty, opening] of OPENINGS) {
    test(`${qty} with ${held} held and ${resting} resting opens ${opening}`, () => {
      const venue = Venue.listed();
      const position = positionOf(venue.account('alice'), venue.series('AAPL-C-190'));
      position.qtyMicros = micros(`${held}`);
      position.restingSellMicros = micros(`${resting}`);
      assert.equal(openingQtyMicros(position, micros(`${qty}`)), micros(`${opening}`));
    });
  }

  test('resting sells use up a long, and the next sell would open a short', () => {
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      buy alice AAPL-C-210 5 @ market          filled 5@3.20
      sell alice AAPL-C-210 3 @ 4              rested
      sell alice AAPL-C-210 3 @ 4              rejected margin is off — enable margin to sell short
      sell alice AAPL-C-210 2 @ 4              rested
      sell alice AAPL-C-210 0.000001 @ 4       rejected margin is off — enable margin to sell short
      account alice                            locked 0
    `);
  });
});

describe('the locked amount of an account', () => {
  test('a short locks entry margin and is kept with maintenance margin', () => {
    // Mark 3.10: locked 2 x 33.10, maintenance 2 x (3.10 + 14); cash + 6 - 0.03, equity less 2 x 3.10.
    scenario(`
      quote AAPL-C-210 bid 3x5 ask 3.20x5
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      account alice                            cash 100005.97 equity 99999.77 locked 66.20 buyingPower 99939.77
      account alice                            maintenance 34.20 marginCall no unrealized -0.20
    `);
  });

  test('resting sells are netted against the long before they are charged', () => {
    // Five bought at 3.20 with a fee of 0.08; of seven to sell, two open: 2 x (3.10 + 30).
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      buy alice AAPL-C-210 5 @ 3.20            filled 5@3.20
      sell alice AAPL-C-210 3 @ 4              rested
      account alice                            cash 99983.92 locked 0 buyingPower 99983.92
      sell alice AAPL-C-210 4 @ 4              rested
      account alice                            locked 66.20 buyingPower 99917.72 maintenance 0
      sell alice AAPL-C-210 1 @ 3              filled 1@3
      -- one long less: three of the seven open
      account alice                            cash 99986.905 locked 99.30
      cancel alice all                         pulled 2
      account alice                            locked 0
    `);
  });

  test('a sell that extends a short is charged only for the extension', () => {
    // 100 of cash carries three at 33.10 = 99.30, in one order or several.
    scenario(
      `
      quote AAPL-C-210 bid 3x1 ask 3.20x1
      margin alice on
      sell alice AAPL-C-210 2 @ 4              rested
      account alice                            locked 66.20
      sell alice AAPL-C-210 2 @ 4              rejected insufficient margin for short (need ~66.20, have 33.80)
      sell alice AAPL-C-210 1 @ 4              rested
      account alice                            locked 99.30 buyingPower 0.70
    `,
      { paperCashMicros: micros('100') },
    );
  });

  test('closing a short releases its margin', () => {
    // 3 of 5 bought back at 3.20: 9.60 and a fee of 0.048.
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 5 @ 3              filled 5@3
      account alice                            cash 100014.925 locked 165.50
      buy alice AAPL-C-210 3 @ 3.20            filled 3@3.20
      account alice                            cash 100005.277 locked 66.20 realized -0.60
      buy alice AAPL-C-210 2 @ 3.20            filled 2@3.20
      account alice                            cash 99998.845 locked 0 maintenance 0 realized -1
    `);
  });

  test('MAR-2 a short past its cutoff stays margined', () => {
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      wait to cutoff
      account alice                            locked 66.20 maintenance 34.20
    `);
  });

  test('MAR-3 buying power may be negative: that cancels nothing and refuses new risk', () => {
    // A bid of 900 rests; the short's mark goes to 10: locked 900 + 2 x 40.
    scenario(
      `
      quote AAPL-C-210 bid 3x2 ask 3.20x10
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      buy alice AAPL-P-200 90 @ 10             rested
      account alice                            cash 1005.97 locked 966.40 buyingPower 39.57
      quote AAPL-C-210 bid 49x10 ask 51x10
      account alice                            locked 1060 buyingPower -54.03 marginCall no orders 1
      buy alice AAPL-P-200 1 @ 0.01            rejected insufficient buying power (need ~0.01, have -54.03)
      sell alice AAPL-C-210 1 @ 60             rejected insufficient margin for short (need ~80.00, have -54.03)
      -- closing lowers the risk, and passes
      buy alice AAPL-C-210 2 @ 51              filled 2@51
      account alice                            locked 900 buyingPower 3.46
    `,
      { paperCashMicros: micros('1000') },
    );
  });
});

describe('ORD-3 closing with negative buying power', () => {
  // A bid of 939 rests, the short's mark goes to 50: locked 939 + 2 x 80 against cash of 1005.97, of which 66.97 is free.
  const NEGATIVE = `
    quote AAPL-C-210 bid 3x2 ask 3.20x10
    margin alice on
    sell alice AAPL-C-210 2 @ 3              filled 2@3
    buy alice AAPL-P-200 93.9 @ 10           rested
  `;
  const THOUSAND = { paperCashMicros: micros('1000') };

  test('a close that releases more than it costs passes, even if buying power stays negative', () => {
    scenario(
      `
      ${NEGATIVE}
      quote AAPL-C-210 bid 49x10 ask 51x10
      account alice                            buyingPower -93.03 marginCall no
      buy alice AAPL-C-210 1 @ 51              filled 1@51
      account alice                            cash 954.715 buyingPower -64.285
    `,
      THOUSAND,
    );
  });

  test('but not with cash reserved by a resting buy', () => {
    // 66 and a fee of 0.33 leave 0.64 of the free cash; 70 and 0.35 exceed it.
    const table = (ask: string, bid: string, expected: string) => `
      ${NEGATIVE}
      quote AAPL-C-210 bid ${bid}x10 ask ${ask}x10
      buy alice AAPL-C-210 1 @ market          ${expected}
    `;
    scenario(table('66', '34', 'filled 1@66'), THOUSAND);
    const reason = 'rejected insufficient buying power (need ~-9.65, have -93.03)';
    scenario(table('70', '30', reason), THOUSAND);
  });
});

describe('the margin switch', () => {
  test('ACC-3 cannot be turned off while a short, or a sell that would open one, remains', () => {
    scenario(`
      quote AAPL-C-210 bid 3x10 ask 3.20x10
      margin alice off
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      margin alice off                         refused margin cannot be turned off while short exposure exists
      account alice                            margin on
      buy alice AAPL-C-210 2 @ 3.20            filled 2@3.20
      sell alice AAPL-C-210 1 @ 4              rested
      margin alice off                         refused margin cannot be turned off while short exposure exists
      cancel alice all                         pulled 1
      margin alice off
      account alice                            margin off
    `);
  });

  test('ACC-3 a sell backed by a long is not short exposure', () => {
    scenario(`
      quote AAPL-C-210 ask 3.20x10
      margin alice on
      buy alice AAPL-C-210 2 @ 3.20            filled 2@3.20
      sell alice AAPL-C-210 2 @ 4              rested
      margin alice off
      account alice                            margin off
    `);
  });
});
