import { describe, test } from 'node:test';
import { onSets } from '../../test/sets.ts';

describe('QTS-4 reserve', () => {
  test('is the sum of the quotes where that is less than the allowance at the most expensive', () => {
    // An ask of strike 210 counts the mark before the push and max(40 - 10, 21).
    onSets(`
      margin alice on
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 bid 2.5x2
      set alice 1                                     reserve 5
      push alice 1 AAPL-C-210 bid - ask 3x2
      set alice 1                                     reserve 65
      push alice 1 AAPL-C-210 bid 2x2 ; AAPL-C-195 bid 4x1   applied 2
      -- the mark of the asks has become 2.50 since, and every push counts it again
      set alice 1                                     reserve 74
      push alice 1 AAPL-C-195 bid 4x1                 applied 0 kept 1
      set alice 1                                     reserve 73
      account alice                                   locked 73 buyingPower 99927
    `);
  });

  test('is the allowance at the most expensive where the sum is more', () => {
    onSets(`
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 bid 3x10 2x10 1x10
      set alice 1                                     reserve 30
      margin bob on
      sell bob AAPL-C-210 4 @ market                  filled 4@3
      set alice 1                                     used 4 reserve 18
      account alice                                   locked 18
    `);
  });

  test('NUM-1 is rounded up, quote by quote and as a whole', () => {
    onSets(`
      protect alice 1 AAPL qty 0.1
      push alice 1 AAPL-C-210 bid 0.700001x0.1 0.600001x0.1
      set alice 1                                     reserve 0.070001
      push alice 1 AAPL-C-210 bid 0.700001x0.05 0.600001x0.05
      set alice 1                                     reserve 0.065002
    `);
  });

  test('is a cent for every level at least', () => {
    onSets(
      `
      protect alice 1 AAPL qty 0.000003
      push alice 1 AAPL-C-210 bid 0.7x0.000001 0.6x0.000001
      set alice 1                                     reserve 0.02
      push alice 1 AAPL-C-210 bid 0.7x0.000001 0.6x0.000001 0.5x0.000001 0.4x0.000001   rejected insufficient buying power (need ~0.04, have 0.03)
      push alice 1 AAPL-C-210 bid 0.7x0.000001 ; AAPL-C-195 bid 0.1x0.000001 0.05x0.000001   applied 2
      set alice 1                                     reserve 0.03 quotes 3
      account alice                                   buyingPower 0
      -- a fill of less than a cent frees none: what is not there is let go, and the set stays
      quote AAPL-C-195 bid - ask 0.10x0.000001
      set alice 1                                     reserve 0.02 quotes 2
    `,
      { paperCash: '0.03' },
    );
  });

  test('cents that buying power does not cover any more are let go, and no set leaves for them', () => {
    onSets(
      `
      protect alice 1 AAPL qty 0.002
      push alice 1 AAPL-C-210 bid 4x0.002
      set alice 1                                     reserve 0.01
      buy alice AAPL-C-195 1 @ 0.02                   rested
      account alice                                   buyingPower 0
      quote AAPL-C-210 bid - ask 4x0.001
      -- 0.004 was paid, 0.004 may still be: of the cent 0.006 is left
      set alice 1                                     reserve 0.006 quotes 1
      account alice                                   buyingPower 0
    `,
      { paperCash: '0.03' },
    );
  });

  test('a push that buying power does not cover is declined whole, the old reserve released', () => {
    onSets(
      `
      margin alice on
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 bid 90x10
      push alice 1 AAPL-C-210 bid 99x10 ; AAPL-C-195 bid 100.5x10 ; AAPL-C-190 bid 1x99   rejected insufficient buying power (need ~1005.00, have 1000.00)
      book AAPL-C-210                                 bid alice/1 90x10
      push alice 1 AAPL-C-210 bid 99x10 ; AAPL-C-195 bid 100x10   applied 2
      set alice 1                                     reserve 1000
      -- the unit of the ask is 99 and 30, in the middle of nothing
      push alice 1 AAPL-C-210 ask 200x1               rejected insufficient margin for short (need ~1290.00, have 1000.00)
      push alice 1 AAPL-C-195 bid -
      account alice                                   buyingPower 10
    `,
      { paperCash: '1000' },
    );
  });

  test('other sets and orders keep what they reserve', () => {
    onSets(
      `
      protect alice 1 AAPL qty 10
      protect alice 2 AAPL qty 10
      push alice 1 AAPL-C-210 bid 40x10
      buy alice AAPL-C-195 1 @ 100                    rested
      push alice 2 AAPL-C-210 bid 51x10               rejected insufficient buying power (need ~510.00, have 500.00)
      push alice 2 AAPL-C-210 bid 50x10
      buy alice AAPL-C-195 1 @ 1                      rejected insufficient buying power (need ~1.00, have 0.00)
      account alice                                   locked 1000
    `,
      { paperCash: '1000' },
    );
  });

  test('FINE-9 it is reserved cash: no reducer of a called account spends it', () => {
    onSets(
      `
      margin alice on
      protect alice 1 AAPL qty 10
      quote AAPL-C-190 bid 10x10
      sell alice AAPL-C-190 10 @ market               filled 10@10
      push alice 1 AAPL-C-210/2 bid 20x10
      quote AAPL-C-190 ask 90x10
      account alice                                   marginCall yes cash 999.5
      buy alice AAPL-C-190 9 @ market                 rejected insufficient cash
      buy alice AAPL-C-190 8 @ market                 filled 8@90
      account alice                                   cash 275.9
    `,
      { paperCash: '900' },
    );
  });

  test('no fills take cash below zero, whatever mark a fill leaves', () => {
    // The last ask is lifted, and the next one makes the mark and the unit of a short absurd.
    onSets(
      `
      margin alice on
      margin carol on
      protect alice 1 AAPL qty 10
      protect alice 2 AAPL qty 10
      protect alice 3 AAPL qty 1
      push alice 1 AAPL-C-210 ask 3x2
      push alice 2 AAPL-C-195 bid 20x10
      push alice 3 AAPL-C-190 bid 20x1
      sell carol AAPL-C-210 0.000001 @ 1000000        rested
      buy bob AAPL-C-210 2 @ market                   filled 2@3
      -- bids leave by the same entry, the highest number first, until buying power is what it can be
      account alice                                   cash 1006 buyingPower -1999054
      book AAPL-C-195                                 empty
      book AAPL-C-190                                 empty
      book AAPL-C-210                                 ask carol 1000000x0.000001
    `,
      { paperCash: '1000' },
    );
  });

  test('sets leave by number, and only until buying power is not negative', () => {
    onSets(
      `
      margin alice on
      protect alice 1 AAPL qty 1
      protect alice 2 AAPL qty 10
      protect alice 3 AAPL qty 10
      push alice 1 AAPL-C-210 ask 3x1
      push alice 2 AAPL-C-195 bid 30x10
      push alice 3 AAPL-C-190 bid 30x10
      quote AAPL-C-210 ask 450x1
      buy bob AAPL-C-210 1 @ market                   filled 1@3
      -- the short locks 480, and each set 300
      account alice                                   cash 1003 buyingPower 223 marginCall no
      book AAPL-C-195                                 bid alice/2 30x10
      set alice 2                                     reserve 300
      set alice 3                                     quotes 0 reserve 0 used 0 frozen no
    `,
      { paperCash: '1000' },
    );
  });

  test('cancels of a batch free it before anything needs it, at the marks that all of them left', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL qty 10
      protect alice 2 AAPL qty 10
      push alice 1 AAPL-C-210 bid 1x1 ask 3x1
      push alice 2 AAPL-C-210 bid 2x1
      buy alice AAPL-C-210 1 @ 2.5                    rested
      batch alice cancel-all buy                      pulled 3
      -- the order and the bid of 2 are gone: the mark is 3
      set alice 1                                     quotes 1 reserve 33
      set alice 2                                     quotes 0 reserve 0
      account alice                                   locked 33
      push alice 2 AAPL-C-210 bid 2x1
      batch alice cancel-all ; buy AAPL-C-200 1000 @ 100    pulled 2 ; rested rest 1000
    `);
  });

  test('every maintenance entry computes it again, and pulls sets whose cash is gone', () => {
    onSets(
      `
      margin alice on
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 ask 3x10
      set alice 1                                     reserve 300
      spot AAPL 230
      set alice 1                                     reserve 300
      wait 5s
      maintain
      set alice 1                                     reserve 490
      spot AAPL 600
      wait 5s
      maintain
      set alice 1                                     quotes 0 reserve 0 frozen no
      account alice                                   locked 0
    `,
      { paperCash: '1000' },
    );
  });
});

describe('QTS-5 a silent set', () => {
  test('is pulled at the first tick after its time to live, its protection stays', () => {
    onSets(`
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 bid 3x10
      wait 29999ms
      maintain
      set alice 1                                     quotes 1
      wait 5s
      maintain
      set alice 1                                     quotes 0 reserve 0 frozen no
      push alice 1 AAPL-C-210 bid 3x10
      wait 29s
      -- carried out, though it changes nothing
      push alice 1 nothing                            applied 0
      wait 29s
      maintain
      set alice 1                                     quotes 1
    `);
  });

  test('a push that was declined keeps nothing alive, a protect does', () => {
    onSets(`
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-210 bid 3x10
      wait 29s
      push alice 1 AAPL-C-210 bid 30000x10            rejected insufficient buying power (need ~300000.00, have 100000.00)
      wait 1s
      maintain
      set alice 1                                     quotes 0
      push alice 1 AAPL-C-210 bid 3x10
      wait 29s
      protect alice 1 AAPL qty 10
      wait 2s
      maintain
      set alice 1                                     quotes 1
    `);
  });
});

describe('QTS-4 settlement', () => {
  const SHORT = `
    margin alice on
    protect alice 1 AAPL qty 10
    protect alice 2 AAPL qty 10
    quote AAPL-C-190 bid 10x10
    sell alice AAPL-C-190 10 @ market                 filled 10@10
    wait to cutoff -30m
    spot AAPL 260
  `;

  test('pulls the quotes of its series, and of sets whose cash it takes', () => {
    // Ten short at 190 settle at 260 and take 700 of 1,099.50: the bids of the third day would cost 550.
    onSets(
      `${SHORT}
      print other AAPL 260
      wait 1799s
      spot AAPL 260
      print other AAPL 260
      push alice 1 AAPL-C-210 bid 0.1x10
      push alice 2 AAPL-C-210/3 bid 55x10
      account alice                                   cash 1099.5 buyingPower 28.5 marginCall no
      wait 2s
      maintain
      status AAPL-C-190                               settled
      account alice                                   cash 399.5 locked 0
      set alice 1                                     quotes 0 reserve 0
      set alice 2                                     quotes 0 reserve 0
    `,
      { paperCash: '1000' },
    );
  });

  test('by hand computes the reserves again, too', () => {
    onSets(`${SHORT}
      wait 1799s
      spot AAPL 260
      push alice 1 AAPL-C-210 ask 3x10
      push alice 2 AAPL-C-210/3 ask 3x10
      wait 2s
      maintain
      status AAPL-C-210                               pending-review
      set alice 1                                     quotes 0 reserve 0
      -- the mark, 3, and a fifth of 260
      set alice 2                                     quotes 1 reserve 550
      spot AAPL 300
      set alice 2                                     reserve 550
      settle AAPL day 1 260                           settled 82
      set alice 2                                     reserve 630
    `);
  });
});
