import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import { micros, type Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { previewOrder } from '../trading/preview.ts';

const PAID = { paperCashMicros: micros('14.03') };

/** Spot 200. A call 200 sold for 8 and a call 210 bought for 4: 14.03 - 4.02 + 7.96. It can lose 10. */
const VERTICAL = `
  quote AAPL-C-200 bid 8x10 ask 8.20x10
  quote AAPL-C-210 bid 3.90x10 ask 4x10
  margin alice on
  batch alice margin-mode defined-risk      ok
  buy alice AAPL-C-210 1 @ 4                filled 1@4
  sell alice AAPL-C-200 1 @ 8               filled 1@8
`;

function on(table: string, parameters = PAID): Venue {
  const venue = scenario(table, parameters);
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  const lines = [...stateLines(venue.state)];
  assert.equal(stateDigest(restoreState(lines)), stateDigest(venue.state), 'a snapshot differs');
  return venue;
}

describe('DRM-1 DRM-2 what a spread locks', () => {
  test('what it can lose, and it is not called where it is opened (extensions-why 4)', () => {
    on(`${VERTICAL}
        account alice   cash 17.97 locked 10.000002 equity 13.82 maintenance 5.85 marginCall no mode defined-risk`);
  });

  test('leg by leg the same account could not have sold', () => {
    on(`quote AAPL-C-200 bid 8x10 ask 8.20x10
        quote AAPL-C-210 bid 3.90x10 ask 4x10
        margin alice on
        buy alice AAPL-C-210 1 @ 4          filled 1@4
        sell alice AAPL-C-200 1 @ 8         rejected insufficient margin for short (need ~48.10, have 10.01)`);
  });

  test('no marks call it, whatever anybody does to them', () => {
    on(
      `${VERTICAL}
        quote AAPL-C-210 bid - ask -
        account alice                       maintenance -98.1 marginCall no
        quote AAPL-C-200 bid - ask 9000000000x1
        account alice                       marginCall no
        ${TICK}
        ${TICK}
        position alice AAPL-C-200           qty -1`.replace('maintenance -98.1 ', ''),
    );
  });

  test('groups of two expiries do not cover each other', () => {
    on(`quote AAPL-C-200 bid 8x10 ask 8.20x10
        quote AAPL-C-200/2 bid 8x10 ask 8.20x10
        margin alice on
        batch alice margin-mode defined-risk  ok
        buy alice AAPL-C-200/2 1 @ 8.20       filled 1@8.20
        sell alice AAPL-C-200 1 @ 8           rejected insufficient margin for short (need ~48.10, have 5.79)`);
  });

  test('a resting sell counts as filled, and a resting buy covers nothing', () => {
    on(`quote AAPL-C-200 bid 8x10 ask 8.20x10
        quote AAPL-C-210 bid 3.90x10 ask 4x10
        margin alice on
        batch alice margin-mode defined-risk  ok
        buy alice AAPL-C-210 1 @ 4            filled 1@4
        sell alice AAPL-C-200 1 @ 8.10        rested
        account alice                         locked 10.000002
        sell alice AAPL-C-210 1 @ 4.50        rejected insufficient margin for short (need ~38.05, have 0.01)`);
  });
});

describe('DRM-3 every need is the change of the requirement', () => {
  test('a long that covers is not sold for nothing (extensions-why 3)', () => {
    on(`${VERTICAL}
        sell alice AAPL-C-210 1 @ 3.90      rejected insufficient margin for short (need ~38.10, have 7.97)
        sell alice AAPL-C-210 1 @ 5         rejected insufficient margin for short (need ~38.10, have 7.97)
        batch alice sell AAPL-C-210 1 @ market reduce-only   rejected insufficient margin for short (need ~38.10, have 7.97)`);
  });

  test('closing a covered short is credited what it frees, no more (extensions-why 3)', () => {
    on(`${VERTICAL}
        buy alice AAPL-C-200 3 @ market     rejected insufficient buying power (need ~14.72, have 7.97)
        buy alice AAPL-C-200 1 @ market     filled 1@8.20
        account alice                       cash 9.729 locked 0`);
  });

  test('a sell that rests is amended only as far as it is covered or paid for', () => {
    on(`${VERTICAL}
        batch alice sell AAPL-C-200 0.1 @ 9 id a   rested rest 0.1
        batch alice amend a qty 1                  rejected insufficient margin for short (need ~48.10, have 7.97)
        batch alice amend a qty 0.12               rested rest 0.12
        account alice                              orders 1`);
  });

  test('BAT-6 a preview foresees what is locked, and refuses what the order would be refused', () => {
    const venue = on(VERTICAL);
    const { state, nowMs } = venue;
    const preview = (name: string, side: 'buy' | 'sell') => {
      const { seriesId } = venue.series(name);
      const order = { seriesId, side, qtyMicros: micros('1'), priceMicros: null };
      return previewOrder(state, venue.account('alice'), order, nowMs);
    };
    const { before, after } = preview('AAPL-C-200', 'buy');
    assert.deepEqual([before.lockedMicros, after.lockedMicros], [micros('10.000002'), 0]);
    const { outcome } = preview('AAPL-C-210', 'sell');
    assert.equal(outcome.status, 'rejected');
  });
});

describe('DRM-3 NUM-1 a buy that costs more than can be exact, and raises the requirement by a micro', () => {
  test('is refused like any other that nobody can pay', () => {
    on(
      `${VERTICAL}
        quote AAPL-P-190 ask 12x1
        margin bob on
        sell bob AAPL-P-190 1 @ 9007199254  rested
        sell bob AAPL-P-190 1 @ 9007199254  rested
        buy alice AAPL-P-190 3 @ market     rejected insufficient buying power (need ~9007199254.74, have 993.94)
        account alice                       locked 10.000002`,
      { paperCashMicros: micros('1000') },
    );
  });
});

describe('DRM-1 DET-7 switching the mode', () => {
  test('there and back without anything held; the mode in force again is granted', () => {
    on(`batch alice margin-mode per-leg ; margin-mode defined-risk ; margin-mode defined-risk ; margin-mode per-leg   ok ; ok ; ok ; ok
        account alice                       mode per-leg`);
  });

  test('back only where buying power carries every short by itself', () => {
    on(`${VERTICAL}
        batch alice margin-mode per-leg     not ok margin mode needs buying power
        account alice                       mode defined-risk locked 10.000002
        buy alice AAPL-C-200 1 @ market     filled 1@8.20
        batch alice margin-mode per-leg     ok
        account alice                       mode per-leg locked 0`);
  });

  test('a sell that rests counts, too', () => {
    on(`${VERTICAL}
        buy alice AAPL-C-200 1 @ market            filled 1@8.20
        sell alice AAPL-C-200 1 @ 9                rejected insufficient margin for short (need ~10.00, have 9.73)
        sell alice AAPL-C-200 0.9 @ 9              rested
        batch alice margin-mode per-leg            not ok margin mode needs buying power
        cancel alice all                           pulled 1
        batch alice margin-mode per-leg            ok`);
  });

  test('not in a margin call, either way', () => {
    const short = `
        quote AAPL-C-210 bid 3x10 ask 3.20x10
        margin alice on
        sell alice AAPL-C-210 10 @ 3               filled 10@3`;
    const called = `
        spot AAPL 250
        quote AAPL-C-210 bid 80x20 ask 82x20
        account alice                              marginCall yes`;
    const refused = 'not ok margin mode needs buying power';
    const thousand = { paperCashMicros: micros('1000') };
    on(
      `${short}${called}
        batch alice margin-mode defined-risk       ${refused}`,
      thousand,
    );
    on(
      `${short}
        batch alice margin-mode defined-risk       ok${called}
        batch alice margin-mode per-leg            ${refused}
        batch alice margin-mode defined-risk       ok`,
      thousand,
    );
  });

  test('QTS-2 sets and the mode bar each other', () => {
    on(`batch alice protect 1 AAPL window 1s qty 10 frozen 0s ; margin-mode defined-risk    ok ; not ok margin mode bars quote sets
        batch alice protect 1 AAPL window 1s qty 0 frozen 0s ; margin-mode defined-risk     ok ; ok
        batch alice protect 1 AAPL window 1s qty 10 frozen 0s                               not ok margin mode bars quote sets
        batch alice margin-mode per-leg ; protect 1 AAPL window 1s qty 10 frozen 0s         ok ; ok`);
  });
});

/** Beside the vertical three puts 190 sold at 3; spot falls to 130, where they are worth 81. */
const CALLED = `
  ${VERTICAL}
  quote AAPL-P-190 bid 3x10 ask 3.20x10
  sell alice AAPL-P-190 3 @ 3               filled 3@3
  spot AAPL 130
  quote AAPL-P-190 bid 80x20 ask 82x20
`;

describe('DRM-4 liquidation', () => {
  test('buys back what nothing covers, and leaves the pair of an account that the call ends for (extensions-why 6)', () => {
    on(
      `${CALLED}
        quote AAPL-C-200 bid 2x10 ask 2.20x10
        quote AAPL-C-210 bid 1x10 ask 1.20x10
        account alice                       marginCall yes
        ${TICK}
        ${TICK}
        position alice AAPL-P-190           qty 0
        position alice AAPL-C-200           qty -1
        position alice AAPL-C-210           qty 1
        account alice                       cash 135.665 marginCall no`,
      { paperCashMicros: micros('370') },
    );
  });

  test('if the call lasts, the pair goes to the house at the difference of the marks', () => {
    on(
      `${CALLED}
        quote AAPL-C-200 bid 2x10 ask 2.20x10
        quote AAPL-C-210 bid 1x10 ask 1.20x10
        ${TICK}
        ${TICK}
        position alice AAPL-C-200           qty 0
        position alice AAPL-C-210           qty 0
        position house AAPL-C-200           qty -1
        position house AAPL-C-210           qty 1
        account house                       cash 1
        account alice                       cash 2.665 locked 0`,
      { paperCashMicros: micros('238') },
    );
  });

  for (const { what, bids, paid, left } of [
    { what: 'at no more than it requires, whatever the marks are', bids: [90, 1], paid: 10, left: -6.335 },
    { what: 'at no less than nothing', bids: [1, 5], paid: 0, left: 3.665 },
  ])
    test(what, () => {
      on(
        `${CALLED}
          quote AAPL-C-200 bid ${bids[0]}x10 ask ${bids[0]! + 5}x10
          quote AAPL-C-210 bid ${bids[1]}x10 ask ${bids[1]! + 0.2}x10
          ${TICK}
          ${TICK}
          position alice AAPL-C-200           qty 0
          account house                       cash ${paid}
          account alice                       cash ${left}`,
        { paperCashMicros: micros('238') },
      );
    });
});

describe('DRM-4 LIQ-1 liquidation of a pair that nobody quotes', () => {
  test('counts each leg at no less than intrinsic value, as its shorts alone would be', () => {
    on(
      `${VERTICAL}
        quote AAPL-C-190/2 bid 12x10 ask 12.20x10
        sell alice AAPL-C-190/2 3 @ market  filled 3@12
        spot AAPL 205
        quote AAPL-C-190/2 bid 88x20 ask 90x20
        quote AAPL-C-200 bid
        quote AAPL-C-200 ask
        quote AAPL-C-210 bid
        quote AAPL-C-210 ask
        ${TICK}
        ${TICK}
        position alice AAPL-C-200           qty 0
        position house AAPL-C-210           qty 1
        account house                       cash 5`,
      { paperCashMicros: micros('238') },
    );
  });
});

/** A pair that pays 11 and gets 6 at 201, with hardly more cash than it can lose; the oracle refuses. */
const REVIEWED = `
  quote AAPL-C-190 bid 12x10 ask 12.20x10
  quote AAPL-C-195 bid 8x10 ask 8.20x10
  quote AAPL-P-190/2 bid 2.90x10 ask 3x10
  margin alice on
  batch alice margin-mode defined-risk      ok
  buy alice AAPL-C-195 1 @ market           filled 1@8.20
  sell alice AAPL-C-190 1 @ market          filled 1@12
  buy alice AAPL-P-190/2 3 @ market         filled 3@3
  account alice                             cash 7.904 locked 5.000002 marginCall no
  wait to cutoff -2h
  print a AAPL 199
  print b AAPL 201
  wait to cutoff 1ms
  maintain
  status AAPL-C-190                         pending-review
`;

describe('DRM-4 settlement series by series', () => {
  const cash = { paperCashMicros: micros('13.25') };

  test('under review the group stays whole', () => {
    on(
      `${REVIEWED}
        account alice                       locked 5.000002 marginCall no`,
      cash,
    );
  });

  test('once the short has paid, the long requires nothing and calls nobody', () => {
    on(
      `${REVIEWED}
        settle AAPL-C-190 201               settled 1
        account alice                       cash -3.096 locked 0 marginCall no
        wait 5s
        print a AAPL 150
        print b AAPL 150
        maintain
        wait 5s
        maintain
        account alice                       marginCall no
        settle AAPL-C-195 201               settled 1
        account alice                       cash 2.904 locked 0`,
      cash,
    );
  });

  test('once the long has been paid, the short requires exactly what it will pay', () => {
    on(
      `${REVIEWED}
        settle AAPL-C-195 201               settled 1
        account alice                       cash 13.904 locked 11 marginCall no
        settle AAPL-C-190 201               settled 1
        account alice                       cash 2.904 locked 0`,
      cash,
    );
  });
});
