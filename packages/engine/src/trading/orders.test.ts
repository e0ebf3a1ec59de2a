import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { addressOf, micros, seriesIdOf, Venue } from '../../test/venue.ts';

describe('trading', () => {
  test('ORD-6 a fill trades at the resting price and moves value and fee', () => {
    // 3 x 4.20 = 12.60, fee 0.5% of it = 0.063; mark (4.10 + 4.20) / 2.
    scenario(`
      quote AAPL-P-200 bid 4.10x8 ask 4.20x8
      buy alice AAPL-P-200 3 @ 4.25        filled 3@4.20
      account alice                        cash 99987.337 locked 0 buyingPower 99987.337 equity 99999.787
      account maker                        cash 12.60
      account fees                         cash 0.063
      fills alice                          buy 3@4.20 fee 0.063 realized 0 taker
      fills maker                          sell 3@4.20 fee 0 realized 0 maker
      book AAPL-P-200                      bid maker 4.10x8 ask maker 4.20x5
    `);
  });

  test('NUM-3 value is rounded against the taker, the fee up', () => {
    // 0.333333 x 3.40 = 1.1333322, up to 1.133333, fee 0.005666665 up; back at 3.30: 1.0999989 down, fee 0.00549999 up.
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      buy alice AAPL-C-190 0.333333 @ 3.40     filled 0.333333@3.40
      account alice                            cash 99998.861
      account maker                            cash 1.133333
      account fees                             cash 0.005667
      sell alice AAPL-C-190 0.333333 @ 3.30    filled 0.333333@3.30
      account alice                            cash 99999.955498
      account maker                            cash 0.033335
      account fees                             cash 0.011167
    `);
  });

  test('NUM-3 the smallest trade of all costs its taker a micro and a micro of fee', () => {
    scenario(`
      quote AAPL-C-190 ask 0.000001x5
      buy alice AAPL-C-190 0.000001 @ market   filled 0.000001@0.000001
      account alice                            cash 99999.999998
      quote AAPL-C-190 bid 0.000001x5 ask -
      sell alice AAPL-C-190 0.000001 @ market  filled 0.000001@0.000001
      account alice                            cash 99999.999998
    `);
  });

  test('ORD-6 better prices first, then time; FINE-7 one row per matched resting order', () => {
    scenario(`
      margin bob on
      margin carol on
      sell bob AAPL-C-190 2 @ 3.50         rested
      sell carol AAPL-C-190 2 @ 3.50       rested
      sell carol AAPL-C-190 1 @ 3.45       rested
      book AAPL-C-190                      ask carol 3.45x1 bob 3.50x2 carol 3.50x2
      buy alice AAPL-C-190 4 @ 3.50        filled 1@3.45 2@3.50 1@3.50
      fills alice                          buy 1@3.45 fee 0.01725 realized 0 taker, buy 2@3.50 fee 0.035 realized 0 taker, buy 1@3.50 fee 0.0175 realized 0 taker
      book AAPL-C-190                      ask carol 3.50x1
      account bob                          orders 0
      account carol                        orders 1
    `);
  });

  test('ORD-6 a completely filled resting order leaves every index and frees its reserve immediately', () => {
    scenario(`
      buy alice AAPL-C-190 2 @ 3.50        rested
      account alice                        locked 7 orders 1
      margin bob on
      sell bob AAPL-C-190 2 @ 3.30         filled 2@3.50
      account alice                        cash 99993 locked 0 orders 0
      account bob                          cash 100006.965
      book AAPL-C-190                      empty
      cancel alice all                     pulled 0
    `);
  });

  test('ORD-6 a partly filled resting buy keeps the reserve of its remainder, rounded up', () => {
    // 2.333333 x 0.7 = 1.6333331; 1.333333 x 0.7 = 0.9333331; 0.333333 x 0.7 = 0.2333331.
    scenario(`
      margin bob on
      buy alice AAPL-C-190 2.333333 @ 0.7  rested
      account alice                        locked 1.633334
      sell bob AAPL-C-190 1 @ 0.7          filled 1@0.7
      account alice                        locked 0.933334 orders 1
      sell bob AAPL-C-190 1 @ 0.7          filled 1@0.7
      account alice                        locked 0.233334
      cancel alice all                     pulled 1
      account alice                        locked 0
    `);
  });

  test('the newest five hundred fills are kept', () => {
    const venue = scenario(`
      quote AAPL-C-190 ask 1x1000
      buy alice AAPL-C-190 0.5 @ 1         filled 0.5@1
    `);
    scenario('buy alice AAPL-C-190 1 @ market   filled 1@1\n'.repeat(500), venue);
    const { fills } = venue.account('alice');
    assert.equal(fills.size, 500);
    assert.equal(fills.at(0).qtyMicros, micros('1'));
  });

  test('ORD-7 a taker matches its own resting order like any other', () => {
    scenario(`
      quote AAPL-C-190 ask 3.40x1
      buy alice AAPL-C-190 1 @ market      filled 1@3.40
      sell alice AAPL-C-190 1 @ 3.60       rested
      fills alice                          buy 1@3.40 fee 0.017 realized 0 taker
      buy alice AAPL-C-190 1 @ 3.60        filled 1@3.60
      fills alice                          buy 1@3.60 fee 0.018 realized 0 taker, sell 1@3.60 fee 0 realized 0.10 maker
      position alice AAPL-C-190            qty 1
      account alice                        cash 99996.565 locked 0 orders 0
    `);
  });
});

describe('the status of an order', () => {
  test('ORD-2 market orders fill, fill in part without resting, or find nothing', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x1 ask 3.40x1
      buy alice AAPL-C-190 2 @ market      partial 1@3.40
      account alice                        orders 0 locked 0
      buy alice AAPL-C-190 1 @ market      rejected no liquidity
      sell alice AAPL-C-190 0.5 @ market   filled 0.5@3.30
    `);
  });

  test('limit orders rest whole or with the remainder', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      buy alice AAPL-C-190 1 @ 3.35        rested
      buy alice AAPL-C-190 7 @ 3.40        partial 5@3.40 rest 2
      book AAPL-C-190                      bid alice 3.40x2 alice 3.35x1 maker 3.30x5
    `);
  });

  test('ORD-5 a price of zero is a bad limit price, not a market order', () => {
    scenario(`
      quote AAPL-C-190 ask 3.40x5
      buy alice AAPL-C-190 1 @ 0           rejected bad price
      buy alice AAPL-C-190 1 @ market      filled 1@3.40
    `);
  });

  test('ORD-8 ids ascend over all series and sides; a rejected order takes none', () => {
    const venue = Venue.listed();
    const account = venue.account('alice').address!;
    const place = (series: string, qtyMicros: number) =>
      venue.apply({
        kind: 'order',
        account,
        seriesId: seriesIdOf(series),
        side: 'buy',
        qtyMicros,
        priceMicros: 1_000_000,
      });
    const ids = [place('AAPL-C-190', 1), place('AAPL-C-190', 0), place('BTC-P-99000', 1)].map((outcome) =>
      'orderId' in outcome ? outcome.orderId : null,
    );
    assert.deepEqual(ids, [1, null, 2]);
  });

  test('the session key of a signed order appears in its fills, even if it rested first', () => {
    const venue = scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-190 1 @ 3 signed phone nonce +1s    rested
      buy alice AAPL-C-190 1 @ 2                           rested
      margin bob on
      sell bob AAPL-C-190 2 @ market                       filled 1@3 1@2
    `);
    const signers = venue.takeFills('alice').map(({ signer }) => signer);
    assert.deepEqual(signers, [addressOf('phone'), undefined]);
  });
});

describe('the cash and margin an order needs', () => {
  test("ORD-3 a market buy needs cash for the book's quantity, however much it asks for", () => {
    scenario(
      `
      quote AAPL-C-190 ask 3.40x5
      buy alice AAPL-C-190 1000000 @ market    partial 5@3.40
      account alice                            cash 0
    `,
      { paperCashMicros: micros('17.085') },
    );
    scenario(
      `
      quote AAPL-C-190 ask 3.40x5
      buy alice AAPL-C-190 1000000 @ market    rejected insufficient buying power (need ~17.09, have 17.08)
      book AAPL-C-190                          ask maker 3.40x5
    `,
      { paperCashMicros: micros('17.084999') },
    );
  });

  test('FINE-9 a resting buy reserves its cost without a fee, rounded up', () => {
    // 0.333333 x 3.40 = 1.1333322.
    scenario(`
      buy alice AAPL-C-190 2 @ 3.50            rested
      buy alice AAPL-P-190 0.333333 @ 3.40     rested
      account alice                            cash 100000 locked 8.133333 buyingPower 99991.866667
    `);
  });

  test('ORD-3 buying a short back can be paid with the margin it releases', () => {
    // Two calls of strike 210 lock 2 x (3.10 + 30) = 66.20 of 100 + 6 - 0.03; a bid elsewhere takes the other 39.77.
    const closing = (line: string) => `
      quote AAPL-C-210 bid 3x10 ask 3.20x25
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      account alice                            cash 105.97 locked 66.20 buyingPower 39.77
      buy alice AAPL-P-200 1 @ 39.77           rested
      account alice                            buyingPower 0
      ${line}
    `;
    const hundred = { paperCashMicros: micros('100') };
    scenario(
      closing(`
      buy alice AAPL-C-210 2 @ 3.20            filled 2@3.20
      account alice                            cash 99.538 locked 39.77 buyingPower 59.768
    `),
      hundred,
    );
    // Twenty-five cost 80 and a fee of 0.40; closing two frees 66.20.
    scenario(
      closing(`
      buy alice AAPL-C-210 25 @ 3.20           rejected insufficient buying power (need ~14.20, have 0.00)
      buy alice AAPL-C-210 20 @ 3.20           filled 20@3.20
      position alice AAPL-C-210                qty 18
    `),
      hundred,
    );
  });

  test('FINE-9 a buy that would only rest gets no margin credit, although it would close', () => {
    scenario(
      `
      quote AAPL-C-210 bid 3x10 ask 3.20x25
      margin alice on
      sell alice AAPL-C-210 2 @ 3              filled 2@3
      buy alice AAPL-P-200 1 @ 39.77           rested
      buy alice AAPL-C-210 2 @ 3.10            rejected insufficient buying power (need ~6.20, have 0.00)
    `,
      { paperCashMicros: micros('100') },
    );
  });
});

describe('NUM-1 nothing leaves the exact range', () => {
  test('an order whose cost has no exact amount is a bad qty', () => {
    // The largest amount is 9007199254.740991.
    scenario(`
      buy alice AAPL-C-190 9007199254.740991 @ 1            rejected insufficient buying power (need ~9007199254.74, have 100000.00)
      buy alice AAPL-C-190 9007199254.740991 @ 1.000001     rejected bad qty
      sell alice AAPL-C-190 4503599627.370496 @ 2           rejected bad qty
      sell alice AAPL-C-190 1 @ 9007199254.740991           rejected margin is off — enable margin to sell short
    `);
  });

  test('a margin beyond the range exceeds any buying power', () => {
    scenario(`
      margin alice on
      sell alice AAPL-C-190 9007199254.740991 @ 0.000001    rejected insufficient margin for short (need ~9007199254.74, have 100000.00)
    `);
  });

  test('resting quantity and position stay in the range together', () => {
    scenario(`
      buy alice AAPL-C-190 9007199254.740990 @ 0.000001     rested
      account alice                                         locked 9007.199255
      buy alice AAPL-C-190 0.000002 @ 0.000001              rejected bad qty
      buy alice AAPL-C-190 0.000001 @ 0.000001              rested
    `);
  });
});
