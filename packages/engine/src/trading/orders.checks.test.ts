/**
 * The checks one by one: each order fails the check it is named after and every later check that can fail with it, so
 * that an engine with a different order of checks would give a different reason.
 */

import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { micros } from '../../test/venue.ts';

/**
 * Ten short calls sold at 3 and marked at 20,001: cash 100000 + 30 - 0.15 = 100029.85, equity 100029.85 - 200010.
 * The puts have an empty book.
 */
const WRECKED = `
  quote AAPL-C-200/2 bid 3x20 ask 3.20x20
  margin alice on
  sell alice AAPL-C-200/2 10 @ 3            filled 10@3
  margin bob on
  sell bob AAPL-C-200/2 10 @ 3              filled 10@3
  quote AAPL-C-200/2 bid 20000x20 ask 20002x20
  account alice                             cash 100029.85 equity -99980.15 marginCall yes
  account bob                               cash 100029.85 equity -99980.15 marginCall yes
`;

describe('ORD-1 the first check that fails answers', () => {
  test('signature, terms, owner', () => {
    scenario(`
      ${WRECKED}
      suppose alice frozen
      suppose alice margin off
      approve alice phone for 1d
      wait to cutoff
      suppose AAPL-P-200 settled
      suppose AAPL-P-202.5/2 pending-review

      sell alice nowhere 0 @ 0 signed laptop nonce +61s      refused unknown or revoked session key
      sell alice nowhere 0 @ 0 signed phone nonce +61s       refused nonce outside the accepted window
      sell alice nowhere 0 @ 0 signed phone nonce +1s        rejected unknown series
      sell alice nowhere 0 @ 0 signed phone nonce +1s        refused nonce already used
      sell alice nowhere 0 @ 0                               rejected unknown series
      sell alice AAPL-P-200 0 @ 0                            rejected series settled
      sell alice AAPL-P-210 0 @ 0                            rejected series expired
      sell alice AAPL-P-202.5/2 0 @ 0                        rejected series expired
      sell alice AAPL-P-210/2 0 @ 0                          rejected bad qty
      sell alice AAPL-P-210/2 -1 @ 0                         rejected bad qty
      sell alice AAPL-P-210/2 1000000 @ 0                    rejected bad price
      sell alice AAPL-P-210/2 1000000 @ -1                   rejected bad price
      sell alice AAPL-P-210/2 1000000 @ market               rejected account frozen — no linked wallet address
      buy alice AAPL-P-210/2 1000000 @ 1                     rejected account frozen — no linked wallet address
    `);
  });

  test('margin call: only a reducer passes, and only with the cash for it', () => {
    // Buying back five costs 5 x 20002 = 100010 and a fee of 500.05; four cost 80008 and 400.04.
    scenario(`
      ${WRECKED}
      suppose bob margin off
      sell bob AAPL-P-210/2 1000000 @ market                 rejected margin call — reduce-only (buy back shorts)
      sell bob AAPL-P-210/2 1000000 @ 1                      rejected margin call — reduce-only (buy back shorts)
      buy bob AAPL-P-210/2 1000000 @ 1                       rejected margin call — reduce-only (buy back shorts)
      buy bob AAPL-C-200/2 10.000001 @ market                rejected margin call — reduce-only (buy back shorts)
      buy bob AAPL-C-200/2 5 @ market                        rejected insufficient cash
      buy bob AAPL-C-200/2 4 @ market                        filled 4@20002
      account bob                                            cash 19621.81
    `);
  });

  test('depleted equity comes before liquidity, margin and buying power', () => {
    // Equity of exactly zero is not a margin call: without a short there is no maintenance margin.
    scenario(
      `
      account alice                                          equity 0 maintenance 0 marginCall no
      sell alice AAPL-P-210 1000000 @ market                 rejected account equity depleted
      sell alice AAPL-P-210 1000000 @ 1                      rejected account equity depleted
      buy alice AAPL-P-210 1000000 @ market                  rejected account equity depleted
      buy alice AAPL-P-210 1000000 @ 1                       rejected account equity depleted
    `,
      { paperCashMicros: micros('0') },
    );
  });

  test('liquidity, margin switch, margin, buying power', () => {
    // A put of strike 210 at a spot of 200 is in the money: 0 + max(20% x 200, 10% x 210) = 40 per contract.
    scenario(`
      sell alice AAPL-P-210 1000000 @ market                 rejected no liquidity
      buy alice AAPL-P-210 1000000 @ market                  rejected no liquidity
      sell alice AAPL-P-210 1000000 @ 1                      rejected margin is off — enable margin to sell short
      margin alice on
      sell alice AAPL-P-210 1000000 @ market                 rejected no liquidity
      sell alice AAPL-P-210 1000000 @ 1                      rejected insufficient margin for short (need ~40000000.00, have 100000.00)
      buy alice AAPL-P-210 1000000 @ 1                       rejected insufficient buying power (need ~1000000.00, have 100000.00)
    `);
  });
});

describe('ORD-1 the last micro of each limit', () => {
  test('buying power equal to the need is enough', () => {
    // Five at 3.40 fill for 17 and a fee of 0.085, five more rest for 17.
    const table = (expected: string) => `
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5 3.50x5
      buy alice AAPL-C-200 10 @ 3.40    ${expected}
    `;
    scenario(table('partial 5@3.40 rest 5'), { paperCashMicros: micros('34.085') });
    scenario(table('rejected insufficient buying power (need ~34.09, have 34.08)'), {
      paperCashMicros: micros('34.084999'),
    });
  });

  test('margin equal to the need is enough, and buying power falls short of the resting part', () => {
    // A call of strike 210, 10 out of the money: 3.10 + max(40 - 10, 21) = 33.10. A bid of 2.50 rests elsewhere.
    const table = (expected: string) => `
      quote AAPL-C-210 bid 3x5 ask 3.20x5
      margin alice on
      buy alice AAPL-P-200 1 @ 2.50     rested
      sell alice AAPL-C-210 1 @ 4       ${expected}
    `;
    scenario(table('rested'), { paperCashMicros: micros('35.6') });
    scenario(table('rejected insufficient margin for short (need ~33.10, have 33.09)'), {
      paperCashMicros: micros('35.59'),
    });
  });

  test('FINE-5 an order in the last millisecond before the cutoff trades, at the cutoff it does not', () => {
    scenario(`
      wait to cutoff -1ms
      buy alice AAPL-C-200 1 @ 1        rested
      wait 1ms
      buy alice AAPL-C-200 1 @ 1        rejected series expired
      buy alice AAPL-C-200/2 1 @ 1      rested
    `);
  });
});
