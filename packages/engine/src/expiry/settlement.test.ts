import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { expiryOnDay, micros, seriesIdOf, Venue } from '../../test/venue.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { stateDigest } from '../snapshot.ts';
import { continueSettlement, startSettlement } from './settlement.ts';

/** AAPL ends at 205.50, with two sources that agree; BTC has no prints. */
const ENDS_AT_205_50 = `
      wait to cutoff -30m
      print a AAPL 205.50
      print b AAPL 205.50
      wait to cutoff -1s
      print a AAPL 205.50
      print b AAPL 205.50
      wait to cutoff 1ms
`;

describe('an expiry with an oracle price', () => {
  test('FINE-7 longs receive exact intrinsic and shorts pay it, as a fill without a fee; positions are gone', () => {
    scenario(`
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5
      quote AAPL-P-200 bid 2.00x5 ask 2.10x5
      buy alice AAPL-C-200 2 @ 3.40                filled 2@3.40
      buy alice AAPL-P-200 1 @ 2.10                filled 1@2.10
      fills alice                                  buy 2@3.40 fee 0.034 realized 0 taker, buy 1@2.10 fee 0.0105 realized 0 taker
      account alice                                cash 99991.0555
      fills maker                                  sell 2@3.40 fee 0 realized 0 maker, sell 1@2.10 fee 0 realized 0 maker
      ${ENDS_AT_205_50}
      maintain
      status AAPL-C-200                            settled
      -- 2 x 5.50 for a call that cost 3.40; the put ends worthless and still closes.
      fills alice                                  sell 2@5.50 fee 0 realized 4.20 maker, sell 1@0 fee 0 realized -2.10 maker
      fills maker                                  buy 2@5.50 fee 0 realized -4.20 maker, buy 1@0 fee 0 realized 2.10 maker
      account alice                                cash 100002.0555 equity 100002.0555 realized 2.10 unrealized 0 locked 0
      account maker                                cash -2.10
      mark AAPL-C-200                              5.50
      mark AAPL-P-200                              0
      mark AAPL-C-205                              0.50
    `);
  });

  test('every resting order of any owner is cancelled first and its reserve released', () => {
    scenario(`
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5
      buy alice AAPL-C-200 10 @ 3.00               rested
      buy alice AAPL-C-200/2 1 @ 2.00              rested
      account alice                                locked 32 orders 2
      ${ENDS_AT_205_50}
      maintain
      book AAPL-C-200                              empty
      account alice                                locked 2 orders 1 cash 100000
      book AAPL-C-200/2                            bid alice 2x1
    `);
  });

  test('ORD-1 a settled series takes no order and no quote', () => {
    scenario(`
      ${ENDS_AT_205_50}
      buy alice AAPL-C-200 1 @ 3                   rejected series expired
      maintain
      buy alice AAPL-C-200 1 @ 3                   rejected series settled
      quote AAPL-C-200 bid 1x1                     rejected series settled
    `);
  });

  test('MAR-2 a short stays margined until the tick, which releases its margin', () => {
    scenario(`
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5
      margin bob on
      sell bob AAPL-C-200 2 @ market               filled 2@3.30
      ${ENDS_AT_205_50}
      -- The mark is 3.35, the shock 20 % of a spot of 205.50.
      account bob                                  locked 88.90 cash 100006.567
      maintain
      account bob                                  locked 0 cash 99995.567 realized -4.40 margin on
      margin bob off
    `);
  });

  test('a second tick does nothing more, and the other expiries go on', () => {
    scenario(`
      quote AAPL-C-200 ask 3.40x5
      buy alice AAPL-C-200 2 @ 3.40                filled 2@3.40
      fills alice                                  buy 2@3.40 fee 0.034 realized 0 taker
      ${ENDS_AT_205_50}
      maintain
      fills alice                                  sell 2@5.50 fee 0 realized 4.20 maker
      wait 5s
      maintain
      fills alice                                  none
      status AAPL-C-200/2                          live
      instrument AAPL                              series 164
    `);
  });

  test('one decision covers every series of the expiry; another underlying has its own', () => {
    scenario(`
      ${ENDS_AT_205_50}
      maintain
      decision AAPL day 1                          price 205.50 by oracle
      decision BTC day 1                           price none refusal too-few-fresh-sources
      status BTC-C-100000                          pending-review
    `);
  });

  test('a short that ends deeper in the money than its cash leaves a debt, and the sum is unchanged', () => {
    scenario(
      `
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5
      margin bob on
      sell bob AAPL-C-200 2 @ market               filled 2@3.30
      wait to cutoff -30m
      print a AAPL 400
      print b AAPL 400
      wait to cutoff -1s
      print a AAPL 400
      print b AAPL 400
      wait to cutoff 1ms
      maintain
      account bob                                  cash -293.433
    `,
      { paperCashMicros: micros('100') },
    );
  });
});

describe('an expiry that the oracle refuses', () => {
  const REFUSED = `
      quote AAPL-C-200 bid 3.30x5 ask 3.40x5
      margin bob on
      sell bob AAPL-C-200 2 @ market               filled 2@3.30
      buy alice AAPL-C-200 10 @ 3.00               rested
      wait to cutoff -1s
      print a AAPL 210
      wait to cutoff 1ms
      maintain
  `;

  test('goes to review: orders are cancelled, positions and cash stay, the mark is intrinsic against spot', () => {
    scenario(`${REFUSED}
      status AAPL-C-200                            pending-review
      book AAPL-C-200                              empty
      account alice                                orders 0 locked 0
      position bob AAPL-C-200                      qty -2 cost 6.60
      mark AAPL-C-200                              10
      -- 2 x (10 + 12 % of 210)
      account bob                                  cash 100006.567 equity 99986.567 maintenance 70.40
      print a AAPL 220
      mark AAPL-C-200                              20
      buy bob AAPL-C-200 1 @ 3                     rejected series expired
    `);
  });

  test('sources that recover do not end the review', () => {
    scenario(`${REFUSED}
      print a AAPL 210
      print b AAPL 210
      wait 5s
      maintain
      status AAPL-C-200                            pending-review
    `);
  });

  test('a price too large to be paid out is refused like any other bad price', () => {
    scenario(`
      quote AAPL-C-200 ask 0.01x1000
      buy alice AAPL-C-200 1000 @ market           filled 1000@0.01
      wait to cutoff -30m
      print a AAPL 9000000000
      print b AAPL 9000000000
      wait to cutoff -1s
      print a AAPL 9000000000
      print b AAPL 9000000000
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                          price none refusal payout-too-large anchor 9000000000
    `);
  });
});

describe('payouts are cumulative-rounded in account order (NUM-6)', () => {
  test('each is within a micro of exact, and they sum to zero', () => {
    // A payout of 5.333333 per contract, and quantities of a few micros.
    scenario(`
      sell maker0 AAPL-C-200 1 @ 1                 rejected margin is off — enable margin to sell short
      margin short on
      open a1
      open a2
      open a3
      sell short AAPL-C-200 0.000007 @ 1           rested
      buy a1 AAPL-C-200 0.000001 @ 1               filled 0.000001@1
      buy a2 AAPL-C-200 0.000003 @ 1               filled 0.000003@1
      buy a3 AAPL-C-200 0.000003 @ 1               filled 0.000003@1
      fills a1                                     buy 0.000001@1 fee 0.000001 realized 0 taker
      fills a2                                     buy 0.000003@1 fee 0.000001 realized 0 taker
      fills a3                                     buy 0.000003@1 fee 0.000001 realized 0 taker
      account short                                cash 100000.000007
      wait to cutoff -30m
      print a AAPL 205.333333
      print b AAPL 205.333333
      wait to cutoff -1s
      print a AAPL 205.333333
      print b AAPL 205.333333
      wait to cutoff 1ms
      maintain
      -- Running totals, exact: the short opened first, -37.33; then -32, -16, 0 micros. Floors: -38, -32, -16, 0.
      account short                                cash 99999.999969
      account a1                                   cash 100000.000004
      account a2                                   cash 100000.000012
      account a3                                   cash 100000.000012
    `);
  });
});

describe('settlement in slices', () => {
  /** Forty traders with one call each, at the cutoff, prices given, before the tick. */
  function expired(): Venue {
    const venue = Venue.listed();
    const quote = {
      sid: venue.series('AAPL-C-200').sid,
      bids: [],
      asks: [[micros('3.4'), micros('100')]],
    } as const;
    venue.apply({ kind: 'quotes', session: null, rows: [quote] });
    for (let i = 0; i < 40; i++) {
      const account = venue.account(`trader ${i}`).address!;
      const order = { side: 'buy', qtyMicros: 1_000_000, priceMicros: null } as const;
      venue.apply({ kind: 'order', account, seriesId: venue.series('AAPL-C-200').seriesId, ...order });
    }
    scenario(ENDS_AT_205_50, venue);
    venue.account('late');
    return venue;
  }

  test('gives the same result as in one go', () => {
    const [whole, sliced] = [expired().state, expired().state];
    startSettlement(whole, NO_EFFECTS);
    continueSettlement(whole, NO_EFFECTS, Number.POSITIVE_INFINITY);
    startSettlement(sliced, NO_EFFECTS);
    let slices = 0;
    while (sliced.settling?.length) {
      continueSettlement(sliced, NO_EFFECTS, 1);
      slices += 1;
    }
    assert.ok(slices > 100, `${slices} slices`);
    assert.equal(stateDigest(sliced), stateDigest(whole));
  });

  test('a tick with more to settle than a slice asks for another, and rolls and liquidates after the last', () => {
    const venue = Venue.listed({ strikesPerSide: 100 });
    venue.wait(5_000);
    venue.maintain([1, 2, 3, 4]);
    venue.nowMs = expiryOnDay(4) * 1_000 + 1;
    // Without a fresh spot nothing is listed.
    venue.apply({ kind: 'prints', prints: [{ symbol: 'AAPL', source: 'a', priceMicros: micros('200') }] });
    let ticks = 0;
    for (let unfinished = true; unfinished; ticks++) {
      assert.ok(!venue.state.seriesById.has(seriesIdOf('AAPL-C-200/5')), 'listed before all was settled');
      const outcome = venue.maintain([5, 6, 7]);
      assert.ok('unfinished' in outcome);
      unfinished = outcome.unfinished;
    }
    assert.ok(ticks > 1, 'one slice was enough');
    const due = venue.state.series.filter(({ expiryTs }) => expiryTs <= expiryOnDay(4));
    assert.deepEqual([...new Set(due.map(({ status }) => status))], ['pending-review']);
    assert.equal(venue.series('AAPL-C-200/5').status, 'live');
    assert.equal(venue.state.settling, null);
    venue.checkReplay();
  });

  test('a series settled by hand between two slices does not settle its siblings', () => {
    const venue = Venue.listed();
    venue.nowMs = expiryOnDay(1) * 1_000 + 1;
    venue.account('late');
    startSettlement(venue.state, NO_EFFECTS);
    continueSettlement(venue.state, NO_EFFECTS, 1);
    const [first, second] = venue.unsettled();
    const target = { seriesId: first!.seriesId };
    venue.apply({ kind: 'settle', target, priceMicros: micros('201'), secrets: [true, true] });
    assert.equal(first!.status, 'settled');
    continueSettlement(venue.state, NO_EFFECTS, Number.POSITIVE_INFINITY);
    assert.equal(second!.status, 'pending-review');
  });
});
