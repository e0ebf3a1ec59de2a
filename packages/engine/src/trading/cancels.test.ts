import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';

const RESTING = `
  buy alice AAPL-C-190 1 @ 1       rested
  buy alice AAPL-P-190/2 1 @ 2     rested
  buy alice BTC-C-99000 1 @ 3      rested
  buy bob AAPL-C-190 1 @ 1         rested
  account alice                    orders 3 locked 6
`;

describe('cancels', () => {
  test('ORD-9 a symbol covers its series of every expiry and right, and no others', () => {
    scenario(`
      ${RESTING}
      cancel alice AAPL             pulled 2
      account alice                 orders 1 locked 3
      account bob                   orders 1 locked 1
      cancel alice AAPL             pulled 0
      cancel alice ETH              pulled 0
    `);
  });

  test('several symbols, or all', () => {
    scenario(`
      ${RESTING}
      cancel alice BTC,AAPL         pulled 3
      cancel bob all                pulled 1
      account alice                 orders 0 locked 0 buyingPower 100000
      book AAPL-C-190               empty
    `);
  });

  test("ORD-12 one order of the caller; another account's, a repetition or an unknown id is not an error", () => {
    scenario(`
      ${RESTING}
      cancel-order alice #4         not ok
      cancel-order alice #99        not ok
      cancel-order alice #2         ok
      cancel-order alice #2         not ok
      account alice                 orders 2 locked 4
      book AAPL-C-190               bid alice 1x1 bob 1x1
    `);
  });

  test('a cancelled sell frees the long that backed it', () => {
    scenario(`
      quote AAPL-C-190 ask 3x2
      buy alice AAPL-C-190 2 @ 3    filled 2@3
      sell alice AAPL-C-190 2 @ 4   rested
      sell alice AAPL-C-190 1 @ 4   rejected margin is off — enable margin to sell short
      cancel alice all              pulled 1
      sell alice AAPL-C-190 2 @ 5   rested
    `);
  });

  test('the rest of a partly filled order is cancelled with its reserve', () => {
    scenario(`
      quote AAPL-C-190 ask 3x2
      buy alice AAPL-C-190 5 @ 3    partial 2@3 rest 3
      account alice                 locked 9
      cancel-order alice #2         ok
      account alice                 locked 0 orders 0
    `);
  });

  test('orders in a series past its cutoff can still be cancelled', () => {
    scenario(`
      buy alice AAPL-C-190 1 @ 1    rested
      wait to cutoff
      cancel alice AAPL             pulled 1
    `);
  });
});
