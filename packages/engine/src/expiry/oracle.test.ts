import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { expiryOnDay, Venue } from '../../test/venue.ts';

describe('the settlement price is the median of time-weighted averages (ORA-1, FINE-6)', () => {
  test('a sample holds until the next, the first is extended back to the start of the window', () => {
    scenario(`
      -- a: 15 minutes at 200, 15 at 210. b: 206 alone, from ten minutes before the end.
      wait to cutoff -30m
      print a AAPL 200
      wait to cutoff -15m
      print a AAPL 210
      wait to cutoff -10m
      print b AAPL 206
      wait to cutoff -60s
      print a AAPL 210
      wait to cutoff -1ms
      print b AAPL 206
      wait to cutoff 1ms
      maintain
      average AAPL day 1 a                    205
      average AAPL day 1 b                    206
      average AAPL day 1 feed                 none
      decision AAPL day 1                     price 205.5 by oracle dispersion 48.661800 fresh a,b
    `);
  });

  test('with three sources it is the middle one', () => {
    scenario(`
      wait to cutoff -20m
      print a AAPL 200
      print b AAPL 201
      print c AAPL 199.5
      wait to cutoff -10m
      print a AAPL 200.3
      print b AAPL 200.1
      print c AAPL 200.1
      wait to cutoff -30s
      print a AAPL 200.3
      print b AAPL 200.1
      print c AAPL 200.1
      wait to cutoff 1ms
      maintain
      -- a: 20 min 200, 10 min 200.3. b: 20 min 201, 10 min 200.1. c: 20 min 199.5, 10 min 200.1.
      average AAPL day 1 a                    200.1
      average AAPL day 1 b                    200.7
      average AAPL day 1 c                    199.7
      decision AAPL day 1                     price 200.1 dispersion 49.975012
    `);
  });

  test('averages and the mean of the middle pair are rounded down to the micro', () => {
    scenario(`
      -- One micro more for the last minute of thirty: a thirtieth of a micro, rounded away.
      wait to cutoff -30m
      print a AAPL 200
      print b AAPL 200.000001
      wait to cutoff -60s
      print a AAPL 200.000001
      print b AAPL 200.000001
      wait to cutoff 1ms
      maintain
      average AAPL day 1 a                    200
      decision AAPL day 1                     price 200
    `);
  });

  test('a print before the window has no weight, one at its very start has full weight', () => {
    scenario(`
      wait to cutoff -30m
      wait -1ms
      print a AAPL 150
      print b AAPL 150
      wait 1ms
      print b AAPL 200
      wait to cutoff -60s
      print a AAPL 201
      print b AAPL 200
      wait to cutoff 1ms
      maintain
      average AAPL day 1 a                    201
      average AAPL day 1 b                    200
    `);
  });

  test('a print at the cutoff counts but has no weight; one after it never counts', () => {
    scenario(`
      wait to cutoff -30m
      print a AAPL 200
      print b AAPL 200
      print c AAPL 200
      wait to cutoff
      print a AAPL 300
      print d AAPL 201
      wait 1ms
      print b AAPL 300
      print e AAPL 300
      wait 4s
      maintain
      -- Of b and c the last print by the cutoff is half an hour old: they are not fresh.
      average AAPL day 1 a                    200
      average AAPL day 1 b                    200
      average AAPL day 1 d                    201
      decision AAPL day 1                     price 200.5 fresh a,d anchor 200
    `);
  });

  test('an expiry missing from one tick is not forgotten', () => {
    const venue = Venue.listed();
    venue.wait(5_000);
    venue.maintain([3, 9]);
    venue.wait(5_000);
    venue.maintain([3]);
    assert.deepEqual(venue.state.expiries, [1, 2, 3, 9].map(expiryOnDay));
  });

  test('an expiry first named while a tick is unfinished keeps the last prints from before it', () => {
    const venue = Venue.listed();
    venue.wait(5_000);
    venue.maintain([1, 2, 3]);
    scenario('wait to cutoff -1ms', venue);
    // As a tick leaves the state if settlement needs another entry.
    venue.account('early');
    venue.state.settling = [];
    venue.wait(2);
    venue.maintain([2, 3]);
    venue.print('AAPL', 'feed', '300');
    venue.wait(5_000);
    venue.maintain([2, 3]);
    venue.isReplayable = false;
    scenario('decision AAPL day 1     anchor 200', venue);
  });

  test('of several prints in a millisecond the last one holds', () => {
    scenario(`
      wait to cutoff -30m
      print a AAPL 500
      print a AAPL 200
      print b AAPL 200
      wait to cutoff -1m
      print a AAPL 200
      print b AAPL 200
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price 200 dispersion 0
    `);
  });
});

describe('the oracle refuses', () => {
  const TWO_SOURCES = `
      wait to cutoff -30m
      print a AAPL 100
      print b AAPL 100
  `;

  test('a source exactly as old as the limit is fresh', () => {
    scenario(`${TWO_SOURCES}
      wait to cutoff -60s
      print a AAPL 100
      print b AAPL 100
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price 100 fresh a,b refusal none
    `);
  });

  test('one a millisecond older is not, and too few are left', () => {
    scenario(`${TWO_SOURCES}
      wait to cutoff -60001ms
      print a AAPL 100
      wait 1ms
      print b AAPL 100
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price none by nobody fresh b refusal too-few-fresh-sources
      status AAPL-C-200                       pending-review
    `);
  });

  test('a stale source is excluded from the median, and from the spread', () => {
    scenario(`${TWO_SOURCES}
      print c AAPL 500
      wait to cutoff -10s
      print a AAPL 100
      print b AAPL 100
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price 100 fresh a,b dispersion 0
    `);
  });

  test('a spread of exactly the limit passes, a micro more does not', () => {
    const withB = (price: string, expected: string) =>
      scenario(`
      wait to cutoff -30m
      print a AAPL 99.5
      print b AAPL ${price}
      wait to cutoff -10s
      print a AAPL 99.5
      print b AAPL ${price}
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     ${expected}
    `);
    withB('100.5', 'price 100 dispersion 100 refusal none');
    withB('100.500001', 'price none dispersion 100.0001 refusal dispersion-too-wide anchor 100.500001');
  });

  test('the limits are parameters', () => {
    scenario(
      `
      wait to cutoff -30m
      print a AAPL 99.5
      wait to cutoff -5s
      print a AAPL 99.5
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price 99.5 fresh a dispersion 0
    `,
      { oracle: { minSources: 1, staleMs: 5_000, dispersionBps: 0, handBps: 100 } },
    );
  });

  test('a symbol long without prints has an anchor and no price', () => {
    scenario(`
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price none refusal too-few-fresh-sources anchor 200 dispersion none
    `);
  });

  test('absurd prices of one source settle nothing', () => {
    scenario(`${TWO_SOURCES}
      print a AAPL 9007199254.740991
      wait to cutoff -10s
      print a AAPL 9007199254.740991
      print b AAPL 100
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                     price none refusal dispersion-too-wide
    `);
  });

  test('a node that was down during the cutoff decides by the prints before it', () => {
    scenario(`${TWO_SOURCES}
      wait to cutoff -59s
      print a AAPL 100
      print b AAPL 100
      wait 3h
      print a AAPL 300
      print b AAPL 300
      maintain
      decision AAPL day 1                     price 100
    `);
  });
});

describe('the anchor of a hand settlement (ORA-3)', () => {
  test('the median of the last prints by the cutoff over all sources, fresh or not, frozen', () => {
    scenario(`
      wait to cutoff -2h
      print a AAPL 190
      print b AAPL 195
      wait to cutoff
      wait 1ms
      print a AAPL 300
      maintain
      print b AAPL 300
      -- 190, 195, and 200 of the first source.
      decision AAPL day 1                     anchor 195 refusal too-few-fresh-sources
    `);
  });
});
