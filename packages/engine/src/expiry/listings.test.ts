import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toMicros } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { expiryOnDay, micros, seriesIdOf, Venue } from '../../test/venue.ts';
import { strikeStepMicros, strikesAroundMicros } from './listings.ts';

/** [lowest spot of the step, step] */
const STEPS = [
  ['0.000001', '0.5'],
  ['25', '1'],
  ['100', '2.5'],
  ['250', '5'],
  ['1000', '10'],
  ['2500', '25'],
  ['5000', '50'],
  ['10000', '100'],
  ['25000', '250'],
  ['50000', '500'],
  ['100000', '1000'],
  ['250000', '2500'],
  ['500000', '5000'],
  ['1000000', '10000'],
] as const;

describe('LIST-1 the step between strikes', () => {
  STEPS.forEach(([from, step], i) => {
    test(`FINE-5 is ${step} from ${from} on, including the bound`, () => {
      assert.equal(strikeStepMicros(micros(from)), micros(step));
      const next = STEPS[i + 1]?.[0];
      if (next !== undefined) {
        const last = toMicros(micros(next) - 1);
        assert.equal(strikeStepMicros(last), micros(step), `just below ${next}`);
      }
    });
  });
});

describe('LIST-2 the strikes around a spot', () => {
  // spot, lowest, centre, highest, count
  const STRIKES = [
    ['200', '150', '200', '250', 41],
    ['201.249999', '150', '200', '250', 41],
    ['201.250001', '152.5', '202.5', '252.5', 41],
    ['24.9', '15', '25', '35', 41],
    ['24.7', '14.5', '24.5', '34.5', 41],
    ['999', '900', '1000', '1100', 41],
    ['1000', '800', '1000', '1200', 41],
    ['100000', '80000', '100000', '120000', 41],
    ['5', '0.5', '5', '15', 30],
    ['0.3', '0.5', '0.5', '10.5', 21],
    ['0.2', '0.5', '0.5', '10', 20],
  ] as const;

  for (const [spot, lowest, centre, highest, count] of STRIKES) {
    test(`at ${spot}: ${count} from ${lowest} through ${centre} to ${highest}`, () => {
      const strikes = strikesAroundMicros(micros(spot), 20);
      assert.equal(strikes.length, count);
      assert.equal(strikes[0], micros(lowest));
      assert.equal(strikes.at(-1), micros(highest));
      assert.ok(strikes.includes(micros(centre)));
      const step = strikeStepMicros(micros(spot));
      strikes.slice(1).forEach((strike, i) => {
        assert.equal(strike - strikes[i]!, step);
      });
    });
  }

  test('as many on each side as the parameters say', () => {
    const strikes = strikesAroundMicros(micros('200'), 2);
    assert.deepEqual(strikes, ['195', '197.5', '200', '202.5', '205'].map(micros));
  });
});

describe('LIST-3 the roll', () => {
  test('lists a call and a put at every strike of every expiry, once', () => {
    const venue = new Venue();
    scenario(
      `
      instrument AAPL             series 0
      spot AAPL 200
      maintain days 1 2           listed 164
      wait 5s
      spot AAPL 205
      maintain days 1 2           done
      instrument AAPL             series 164
      mark AAPL-C-150             none
      mark AAPL-P-250/2           none
    `,
      venue,
    );
    const { sid, expiryTs, cutoffMs, right, strikeMicros } = venue.series('AAPL-P-197.5/2');
    assert.deepEqual(
      { expiryTs, cutoffMs, right, strikeMicros },
      {
        expiryTs: expiryOnDay(2),
        cutoffMs: expiryOnDay(2) * 1_000,
        right: 'P',
        strikeMicros: micros('197.5'),
      },
    );
    assert.equal(venue.state.series[sid]?.seriesId, `AAPL-${expiryOnDay(2)}-P-197.5`);
  });

  test('adds strikes around the current spot when the expiries change, and delists nothing', () => {
    // At 205 the strikes are 155 to 255: 252.5 and 255 are new on two days, and every strike is new on the third day.
    const venue = new Venue();
    scenario(
      `
      spot AAPL 200
      maintain days 1 2           listed 164
      wait 5s
      spot AAPL 205
      maintain days 1 2 3         listed 90
      buy alice AAPL-C-150 1 @ 1      rested
      buy alice AAPL-C-255/2 1 @ 1    rested
      buy alice AAPL-C-150/3 1 @ 1    rejected unknown series
    `,
      venue,
    );
  });

  test('FINE-6 a symbol without a price is listed by the tick after its first print', () => {
    scenario(
      `
      spot AAPL 200
      maintain days 1             listed 82
      wait 5s
      maintain days 1             done
      spot BTC 100000
      wait 5s
      maintain days 1             listed 82
      instrument BTC              series 82
    `,
      new Venue(),
    );
  });

  test('LIST-3 a symbol with a stale price at the roll is listed once it prints again', () => {
    scenario(
      `
      spot AAPL 200
      spot BTC 100000
      wait 60001ms
      spot AAPL 200
      maintain days 1             listed 82
      instrument BTC              series 0 feed stale
      wait 5s
      spot BTC 100000
      maintain days 1             listed 82
    `,
      new Venue(),
    );
  });

  test('FINE-5 an expiry is listed only while it is in the future', () => {
    scenario(
      `
      spot AAPL 200
      wait 43199999ms
      spot AAPL 200
      maintain days 1             listed 82
    `,
      new Venue(),
    );
    scenario(
      `
      wait 12h
      spot AAPL 200
      maintain days 1             done
      wait 5s
      maintain days 1 2           listed 82
      buy alice AAPL-C-200 1 @ 1  rejected unknown series
    `,
      new Venue(),
    );
  });

  test('order and repetition of the proposed instants do not matter', () => {
    const venue = new Venue();
    scenario(
      `
      spot AAPL 200
      maintain days 2 1 2         listed 164
      wait 5s
      spot AAPL 205
      maintain days 1 2           done
    `,
      venue,
    );
    assert.equal(venue.series('AAPL-C-150').sid < venue.series('AAPL-C-150/2').sid, true);
  });

  test('LIST-5 sids follow the order of listing', () => {
    const venue = scenario(`
      wait 5s
      maintain days 1 2 3 4       listed 164
    `);
    venue.state.series.forEach((series, i) => {
      assert.equal(series.sid, i);
    });
    assert.equal(venue.state.seriesById.get(seriesIdOf('AAPL-C-150'))?.sid, 0);
  });

  test('a symbol that the parameters no longer name lists nothing and takes no prints', () => {
    const venue = Venue.listed();
    const { parameters } = venue.state;
    venue.apply({
      kind: 'configure',
      parameters: { ...parameters!, symbols: [{ symbol: 'AAPL', assetClass: 'equity' }] },
    });
    scenario(
      `
      wait 5s
      spot BTC 100000               unknown symbol
      maintain days 1 2 3 4         listed 82
      -- what is listed stays
      buy alice BTC-C-100000 1 @ 1  rested
    `,
      venue,
    );
  });
});
