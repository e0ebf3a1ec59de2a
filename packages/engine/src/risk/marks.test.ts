import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { intrinsicMicros } from '@venue/protocol/margin';
import { scenario } from '../../test/scenario.ts';
import { micros, Venue } from '../../test/venue.ts';

describe('marks', () => {
  test('NUM-5 the midpoint rounded down, the only side, or none', () => {
    scenario(`
      mark AAPL-C-190                                 none
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      mark AAPL-C-190                                 3.35
      quote AAPL-C-190 bid 3.300001x5 ask 3.300002x5
      mark AAPL-C-190                                 3.300001
      quote AAPL-C-190 bid 0.000001x5 ask 0.000002x5
      mark AAPL-C-190                                 0.000001
      quote AAPL-C-190 bid - ask 3.40x5
      mark AAPL-C-190                                 3.40
      quote AAPL-C-190 bid 3.30x5 ask -
      mark AAPL-C-190                                 3.30
      quote AAPL-C-190 bid - ask -
      mark AAPL-C-190                                 none
    `);
  });

  test('NUM-5 the midpoint of the largest prices is exact', () => {
    scenario(`
      quote AAPL-C-190 bid 9007199254.740989x0.000001 ask 9007199254.740991x0.000001
      mark AAPL-C-190                                 9007199254.740990
    `);
  });

  test('MARK-1 the mark follows the best orders of any owner', () => {
    scenario(`
      quote AAPL-C-190 bid 3.30x5 ask 3.40x5
      buy alice AAPL-C-190 1 @ 3.36                   rested
      mark AAPL-C-190                                 3.38
      buy bob AAPL-C-190 5 @ 3.40                     filled 5@3.40
      mark AAPL-C-190                                 3.36
    `);
  });

  test('positions in an empty book are worth nothing', () => {
    scenario(`
      quote AAPL-C-190 ask 3.40x5
      buy alice AAPL-C-190 5 @ 3.40                   filled 5@3.40
      account alice                                   cash 99982.915 equity 99982.915 unrealized -17
    `);
  });

  test('the value of a position is rounded down, long or short', () => {
    // 0.000001 x 3.5 = 0.0000035: 0.000003 for the long, -0.000004 for the short; cost 0.000004.
    scenario(`
      margin bob on
      sell bob AAPL-C-190 0.000001 @ 3.50             rested
      buy alice AAPL-C-190 0.000001 @ 3.50            filled 0.000001@3.50
      quote AAPL-C-190 bid 3.40x5 ask 3.60x5
      account alice                                   cash 99999.999995 equity 99999.999998
      account bob                                     cash 100000.000004 equity 100000
      position alice AAPL-C-190                       cost 0.000004 unrealized -0.000001
      position bob AAPL-C-190                         cost 0.000004 unrealized 0
    `);
  });

  test('intrinsic value is never negative', () => {
    const venue = Venue.listed();
    const table = [
      ['AAPL-C-190', '200', '10'],
      ['AAPL-C-190', '190', '0'],
      ['AAPL-C-190', '189.999999', '0'],
      ['AAPL-P-190', '189.999999', '0.000001'],
      ['AAPL-P-190', '190', '0'],
      ['AAPL-P-190', '200', '0'],
    ] as const;
    for (const [series, underlying, intrinsic] of table) {
      assert.equal(
        intrinsicMicros(venue.series(series), micros(underlying)),
        micros(intrinsic),
        `${series} at ${underlying}`,
      );
    }
  });
});
