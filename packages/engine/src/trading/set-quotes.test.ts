import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onSets } from '../../test/sets.ts';

describe('QTS-3 protection', () => {
  const SET = `
    margin alice on
    protect alice 1 AAPL window 1s qty 10 frozen 0
  `;

  test('a fill is cut to the allowance, and its end pulls and freezes the set in the same entry', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.30x5 ask 3.40x6 3.50x6 ; AAPL-C-195 ask 2x1    applied 2
      quote AAPL-C-190 ask 3.60x9
      buy bob AAPL-C-190 12 @ market                  filled 6@3.40 4@3.50 2@3.60
      book AAPL-C-190                                 ask maker 3.60x7
      book AAPL-C-195                                 empty
      set alice 1                                     used 10 frozen yes quotes 0 reserve 0
    `);
  });

  test('a set frozen for good is pushed again only once it is unfrozen or protected', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 ask 3.40x10
      buy bob AAPL-C-190 10 @ market                  filled 10@3.40
      push alice 1 AAPL-C-190 ask 3.40x10             refused frozen — unfreeze the set first
      wait 24h
      push alice 1 AAPL-C-190/3 ask 3.40x10           refused frozen — unfreeze the set first
      unfreeze-set alice 1
      push alice 1 AAPL-C-190/3 ask 3.40x10
      buy bob AAPL-C-190/3 10 @ market                filled 10@3.40
      protect alice 1 AAPL window 1s qty 10 frozen 0
      push alice 1 AAPL-C-190/3 ask 3.40x10
      set alice 1                                     used 0 frozen no quotes 1
    `);
  });

  test('a set frozen for a time takes pushes after it, but never before its window is over', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL window 10s qty 10 frozen 5s
      push alice 1 AAPL-C-190 ask 3.40x10
      buy bob AAPL-C-190 1 @ market                   filled 1@3.40
      wait 2s
      buy bob AAPL-C-190 9 @ market                   filled 9@3.40
      set alice 1                                     frozen 8s
      wait 7999ms
      push alice 1 AAPL-C-190 ask 3.40x10             refused frozen — unfreeze the set first
      wait 1ms
      push alice 1 AAPL-C-190 ask 3.40x10
      wait 9s
      buy bob AAPL-C-190 10 @ market                  filled 10@3.40
      -- ten seconds after the first fill, and five after the last: the later of the two
      set alice 1                                     frozen 10s
    `);
  });

  test('the end of the freeze is counted from the fill that used the allowance up', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL window 1s qty 10 frozen 5s
      push alice 1 AAPL-C-190 ask 3.40x10
      buy bob AAPL-C-190 1 @ market                   filled 1@3.40
      wait 900ms
      buy bob AAPL-C-190 9 @ market                   filled 9@3.40
      set alice 1                                     frozen 5s
    `);
  });

  test('no time makes the allowance whole: a rolling window would drain the house', () => {
    // 10 a tenth of a second, cash for 10: bids for 20 would let a second wallet sell 19.
    onSets(
      `
      quote AAPL-C-210 ask 0.01x19
      buy bob AAPL-C-210 19 @ 0.01                    filled 19@0.01
      quote AAPL-C-210 ask -                          kept
      protect alice 1 AAPL window 100ms qty 10 frozen 0
      push alice 1 AAPL-C-210 bid 100x10 99x10
      account alice                                   cash 1000 locked 1000 buyingPower 0
      sell bob AAPL-C-210 9 @ market                  filled 9@100
      account alice                                   cash 100 locked 100 buyingPower 0
      wait 100ms
      sell bob AAPL-C-210 10 @ market                 partial 1@100
      account alice                                   cash 0 locked 0
      book AAPL-C-210                                 empty
    `,
      { paperCash: '1000' },
    );
  });

  test('the first push after the window makes it whole, if buying power covers that', () => {
    onSets(
      `
      margin bob on
      protect alice 1 AAPL window 100ms qty 10 frozen 0
      push alice 1 AAPL-C-210 bid 100x10 1x10
      sell bob AAPL-C-210 2 @ market                  filled 2@100
      wait 99ms
      push alice 1 AAPL-C-210 bid 100x8 2x10
      set alice 1                                     used 2 reserve 800
      wait 1ms
      push alice 1 AAPL-C-210 bid 100x8 3x10          rejected insufficient buying power (need ~830.00, have 800.00)
      push alice 1 AAPL-C-210 bid 97x8 2x10
      set alice 1                                     used 0 reserve 796
    `,
      { paperCash: '1000' },
    );
  });

  test('a push that only pulls is never declined, and leaves the allowance as it is where a whole one is not covered', () => {
    onSets(
      `
      margin bob on
      protect alice 1 AAPL window 100ms qty 10 frozen 0
      push alice 1 AAPL-C-210 bid 100x10 99x10
      sell bob AAPL-C-210 2 @ market                  filled 2@100
      wait 100ms
      push alice 1 AAPL-C-210 bid 100x8 99x10         applied 0 kept 1
      set alice 1                                     used 2 reserve 800
      push alice 1 AAPL-C-210 bid 99x10
      set alice 1                                     used 2 reserve 792
      push alice 1 AAPL-C-210 bid -
      set alice 1                                     used 0 reserve 0
    `,
      { paperCash: '1000' },
    );
  });

  test('protect and unfreeze make it whole, or are refused whole', () => {
    onSets(
      `
      margin bob on
      protect alice 1 AAPL window 100ms qty 10 frozen 0
      push alice 1 AAPL-C-210 bid 100x10 99x10
      sell bob AAPL-C-210 2 @ market                  filled 2@100
      unfreeze-set alice 1                            rejected insufficient buying power (need ~1000.00, have 800.00)
      protect alice 1 AAPL qty 9 frozen 0             rejected insufficient buying power (need ~800.00, have 800.00)
      set alice 1                                     used 2 reserve 800
    `.replace(/.*qty 9.*\n/, ''),
      { paperCash: '1000' },
    );
  });

  test('levels above a lower limit leave, and the others keep their places', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x4
      protect alice 1 AAPL window 1s qty 5 frozen 0
      book AAPL-C-190                                 bid alice/1 3.30x5 ask alice/1 3.40x4
      set alice 1                                     used 0 quotes 2
    `);
  });
});

describe('QTS-3 delta', () => {
  test('DET-5 a fill is cut exactly to what is left of the delta', () => {
    // 3 contracts of 0.7 are 2.1; what is left, 0.4, is 1.333333 contracts of 0.3, and not a micro more.
    onSets(`
      margin alice on
      protect alice 1 AAPL window 1s qty 10 delta 2.5 frozen 0
      push alice 1 AAPL-C-190 ask 9x3 delta 0.7 ; AAPL-C-210 ask 3x8 delta -0.3    applied 2
      buy bob AAPL-C-190 3 @ market                   filled 3@9
      set alice 1                                     used 3 usedDelta 2.1 frozen no
      buy bob AAPL-C-210 2 @ market                   partial 1.333333@3
      set alice 1                                     used 4.333333 usedDelta 2.499999 frozen yes quotes 0
    `);
  });

  test('DET-5 a standing row that could not trade a micro uses the set up, however much others could', () => {
    // 0.0000003 of delta are left: one micro of a contract of 0.2, none of one of 0.7.
    onSets(`
      margin alice on
      protect alice 1 AAPL window 1s qty 10 delta 2 frozen 0
      push alice 1 AAPL-C-190 ask 9x2 delta 0.7 ; AAPL-C-210 ask 3x2 delta 0.2     applied 2
      buy bob AAPL-C-190 1.857142 @ market            filled 1.857142@9
      set alice 1                                     used 1.857142 usedDelta 1.299999 frozen no
      buy bob AAPL-C-190 0.142858 @ market            filled 0.142858@9
      set alice 1                                     used 2 usedDelta 1.4 frozen no quotes 1
    `);
  });

  test('a row without a delta counts 1, one of 0 nothing', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL window 1s qty 10 delta 2 frozen 0
      push alice 1 AAPL-C-190 ask 9x2 ; AAPL-C-210 ask 3x10 delta 0                applied 2
      buy bob AAPL-C-210 7 @ market                   filled 7@3
      set alice 1                                     used 7 usedDelta 0
      buy bob AAPL-C-190 3 @ market                   partial 2@9
      set alice 1                                     used 9 usedDelta 2 quotes 1
    `);
  });

  test('a push whose new delta leaves no micro to trade freezes the set', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL window 10m qty 10 delta 1 frozen 0
      push alice 1 AAPL-C-190 ask 9x0.999999 delta 1 ; AAPL-C-195 ask 5x1 delta 0.5   applied 2
      buy bob AAPL-C-190 1 @ market                   partial 0.999999@9
      buy bob AAPL-C-195 0.000001 @ market            filled 0.000001@5
      -- half a millionth is left: one more micro of 0.5, none of 1
      set alice 1                                     used 1 frozen no quotes 1
      push alice 1 AAPL-C-195 delta 1                 applied 0 kept 1
      set alice 1                                     frozen yes quotes 0
    `);
  });
});

describe('BAT-6 what is computed before matching sees what sets may still trade', () => {
  /** Ten at 5 of a set with 2 contracts left, and a stranger's ten at 9. */
  const ASKS = `
    margin alice on
    margin dave on
    protect alice 1 AAPL window 10m qty 10 frozen 0
    push alice 1 AAPL-C-190 ask 5x10
    buy bob AAPL-C-190 8 @ market                     filled 8@5
    push alice 1 AAPL-C-190 ask 5x10
    sell dave AAPL-C-190 10 @ 9                       rested
  `;

  test('ORD-3 a market buy needs what it will pay', () => {
    onSets(
      `${ASKS}
      buy carol AAPL-P-190 949 @ 1                    rested
      account carol                                   buyingPower 51
      preview carol buy AAPL-C-190 10 @ market        rejected insufficient buying power (need ~82.41, have 51.00)
      buy carol AAPL-C-190 10 @ market                rejected insufficient buying power (need ~82.41, have 51.00)
      cancel carol all                                pulled 1
      buy carol AAPL-C-190 10 @ market                filled 2@5 8@9
      account carol                                   cash 917.59
    `,
      { paperCash: '1000' },
    );
  });

  test('TIF-1 fok counts what may trade', () => {
    onSets(`${ASKS}
      batch carol buy AAPL-C-190 3 @ 5 fok            rejected fok cannot fill
      batch carol buy AAPL-C-190 13 @ market fok      rejected fok cannot fill
      batch carol buy AAPL-C-190 12 @ market fok      filled 2@5 10@9
    `);
  });

  test('the quotes of a set that is used up are passed over, whatever their price', () => {
    onSets(`${ASKS}
      push alice 1 AAPL-C-190 ask 5x1 6x1 7x10 8x10
      batch carol buy AAPL-C-190 3 @ 8 fok            rejected fok cannot fill
      preview carol buy AAPL-C-190 3 @ market         filled 1@5 1@6 1@9
      buy carol AAPL-C-190 3 @ market                 filled 1@5 1@6 1@9
      book AAPL-C-190                                 ask dave 9x9
    `);
  });

  test('HOUSE-1 the house line judges a row at the mark that it leaves', () => {
    // The bid takes 2 at 5 of the set, whose others leave, and is left beside the ask at 9.
    onSets(
      `${ASKS}
      push alice 1 AAPL-C-190 ask 5x2 6x8
      quote AAPL-C-190 bid 5x60                       rejected house line exceeded (need ~420.00, headroom 400.00)
      quote AAPL-C-190 bid 5x57
      book AAPL-C-190                                 bid maker 5x55 ask dave 9x10
    `,
      { houseLine: '400' },
    );
  });

  test('LIQ-1 a buy-back is weighed by what a set may trade: with real money it must be paid for', () => {
    // 195.82 of cash pay for 2 at 66, and not for the 3 that stand there.
    onSets(
      `
      open alice
      open bob
      open dave
      deposit alice 9000 log tx:0
      deposit bob 160 log tx:1
      deposit dave 9000 log tx:2
      margin alice on
      margin bob on
      protect alice 1 AAPL window 10m qty 3 frozen 0
      quote AAPL-C-190 bid 12x3
      sell bob AAPL-C-190 3 @ market                  filled 3@12
      account bob                                     cash 195.82
      push alice 1 AAPL-C-190 ask 66x3
      buy dave AAPL-C-190 1 @ market                  filled 1@66
      push alice 1 AAPL-C-190 ask 66x3
      spot AAPL 230
      wait 5s
      maintain
      account bob                                     marginCall yes
      spot AAPL 230
      wait 5s
      maintain
      fills bob                                       sell 3@12 fee 0.18 realized 0 taker, buy 2@66 fee 0.66 realized -108 taker, buy 1@66 fee 0 realized -54 taker
      set alice 1                                     used 3 frozen yes
    `,
      { fundingMode: 'deposits' },
    );
  });
});

describe('QTS-2 quotes are no orders', () => {
  const QUOTES = `
    margin alice on
    protect alice 1 AAPL qty 10
    protect alice 2 BTC qty 10
    push alice 1 AAPL-C-190 bid 3.30x5 ask 3.40x5 ; AAPL-C-195 bid 2x5    applied 2
    push alice 2 BTC-C-100000 bid 100x1
    buy alice AAPL-C-190 1 @ 3.20                     rested
  `;

  test('every cancel in scope pulls and counts them, and releases their reserve at once', () => {
    onSets(`${QUOTES}
      account alice                                   orders 1
      cancel alice BTC                                pulled 1
      set alice 2                                     quotes 0 reserve 0
      batch alice cancel-all series AAPL-C-190 sell   pulled 1
      batch alice cancel-all symbols AAPL buy         pulled 3
      account alice                                   orders 0 locked 0
    `);
  });

  test('a batch has the buying power that its cancel released', () => {
    onSets(
      `
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 bid 100x9
      batch alice buy AAPL-C-195 5 @ 100 ; cancel-all ; buy AAPL-C-195 5 @ 100   rejected insufficient buying power (need ~500.00, have 100.00) ; pulled 1 ; rested rest 5
    `,
      { paperCash: '1000' },
    );
  });

  test('GRD-1 a guard pulls them', () => {
    onSets(`${QUOTES}
      batch alice guard 5s                            ok
      wait 5s
      spot BTC 100000
      book AAPL-C-190                                 empty
      book BTC-C-100000                               empty
      account alice                                   locked 0
    `);
  });

  test('a cancel of one order and an amend do not find them', () => {
    const venue = onSets(QUOTES);
    const { orders } = venue.state;
    const h = venue.series('AAPL-C-190').book.best(1)!;
    const id = orders.id(h);
    onSets(
      `
      cancel-order alice #${id}                       not ok
      batch alice cancel #${id} ; amend #${id} qty 1  not ok ; rejected unknown order
      book AAPL-C-190                                 bid alice/1 3.3x5 alice 3.2x1 ask alice/1 3.4x5
    `,
      { venue },
    );
  });

  test('they net nothing: a long covers the sell of an order and no ask of a set', () => {
    // Unit of the ask: 3.40 and 40.
    onSets(`
      quote AAPL-C-190 ask 3.40x5
      buy alice AAPL-C-190 5 @ market                 filled 5@3.40
      quote AAPL-C-190 ask -                          kept
      margin alice on
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 ask 3.50x5
      set alice 1                                     reserve 200
      sell alice AAPL-C-190 5 @ 3.60                  rested
      account alice                                   locked 200
    `);
  });

  test("STP-1 an incoming order meets its own account's quotes as it meets its orders", () => {
    onSets(`${QUOTES}
      batch alice buy AAPL-C-190 1 @ market           cancelled (self-trade prevented)
      batch alice buy AAPL-C-190 1 @ market stp maker rejected no liquidity
      quote AAPL-C-190 ask 3.50x5
      batch alice buy AAPL-C-190 1 @ market stp maker filled 1@3.50
      set alice 1                                     quotes 2 reserve 26.5
      push alice 1 AAPL-C-190 ask 3.45x5
      buy alice AAPL-C-190 1 @ market                 filled 1@3.45
      set alice 1                                     used 1 quotes 3
    `);
  });

  test('KEY-1 a fill names the session that signed the push', () => {
    const venue = onSets(`
      margin alice on
      approve alice phone for 1h
      approve alice desk for 1h
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 ask 3.40x2 3.50x2 signed phone nonce +1ms
      push alice 1 AAPL-C-190 ask 3.40x2 3.60x2 signed desk nonce +2ms
      buy bob AAPL-C-190 3 @ market                   filled 2@3.40 1@3.60
      cancel alice all                                pulled 1
    `);
    const keys = venue.takeFills('alice').map(({ signer }) => signer);
    assert.equal(new Set(keys).size, 2);
    assert.ok(!keys.includes(undefined));
  });
});
