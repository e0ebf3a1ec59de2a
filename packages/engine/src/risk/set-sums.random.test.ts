import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MICROS_MAX, toMicros } from '@venue/protocol';
import fc from 'fast-check';
import { micros, Venue } from '../../test/venue.ts';
import type { RiskMark } from '../state/parameters.ts';
import { SetNeed } from './set-reserve.ts';

const SERIES = ['AAPL-C-190', 'AAPL-C-200', 'AAPL-P-200'];
const MAKERS = ['alice', 'bob'];
const HOUR_MS = 3_600_000;

/** Units depend on these: books, volatilities, spots, time, and allowances that fills use up. */
const ACTION = fc.record({
  kind: fc.constantFrom('push', 'push', 'push', 'order', 'order', 'order', 'iv', 'spot', 'wait', 'cancel'),
  who: fc.constantFrom(...MAKERS),
  series: fc.constantFrom(...SERIES),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  cents: fc.integer({ min: 150, max: 900 }),
  qtyMicros: fc.constantFrom(10_000, 1_000_000, 3_000_000, 5_000_000),
  ms: fc.constantFrom(1, 59_999, 60_000, 10 * HOUR_MS),
  /** True if the sums are asked for after it: changes gather between two looks. */
  looks: fc.boolean(),
});
type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;

function act(venue: Venue, { kind, who, series: name, side, cents, qtyMicros, ms }: Action): void {
  const account = venue.account(who).address!;
  const { sid, seriesId } = venue.series(name);
  const priceMicros = cents * 10_000;
  if (kind === 'wait') venue.wait(ms);
  else if (kind === 'spot') venue.print('AAPL', 'feed', `${190 + (cents % 20)}`);
  else if (kind === 'cancel') venue.apply({ kind: 'cancel', account, symbols: null });
  else if (kind === 'iv') {
    const rows = [{ sid, bids: null, asks: null, iv: cents / 500 }];
    venue.apply({ kind: 'quotes', session: null, rows });
  } else if (kind === 'order') {
    const taker = venue.account('carol').address!;
    venue.apply({ kind: 'order', account: taker, seriesId, side, qtyMicros, priceMicros });
  } else {
    const bids = [[priceMicros - 200_000, qtyMicros] as const];
    const asks = [[priceMicros + 200_000, qtyMicros] as const];
    const rows = [{ sid, bids: side === 'buy' ? [] : bids, asks, delta: cents / 1_000 }];
    venue.apply({ kind: 'quote-set', account, set: 1, form: 'json', bodyHash: '0'.repeat(64), rows });
  }
}

function opened(riskMark: RiskMark): Venue {
  const cash = { impactMicros: micros('10'), paperCashMicros: micros('10000000') };
  const venue = Venue.listed({ riskMark, ...cash });
  const rows = SERIES.map((name) => ({ sid: venue.series(name).sid, bids: null, asks: null, iv: 0.8 }));
  venue.apply({ kind: 'quotes', session: null, rows });
  const terms = { set: 1, symbol: 'AAPL', windowMs: 100, frozenMs: 0 } as const;
  const limits = { qtyMicros: micros('6'), deltaMicros: micros('5') };
  for (const who of [...MAKERS, 'carol']) {
    const account = venue.account(who).address!;
    venue.apply({ kind: 'margin', account, enabled: true });
    venue.apply({ kind: 'batch', account, actions: [{ type: 'protect', ...terms, ...limits }] });
  }
  return venue;
}

for (const riskMark of ['book', 'model'] as const) {
  test(`QTS-4 the sums of a set are those of its rows, with marks by the ${riskMark}`, () => {
    let withAsks = 0;
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 10, maxLength: 40 }), (actions) => {
        const venue = opened(riskMark);
        for (const action of actions) {
          act(venue, action);
          if (action.looks) withAsks += compareSums(venue);
        }
      }),
      { numRuns: 100 },
    );
    assert.ok(withAsks > 300, `sums with asks: ${withAsks}`);
  });
}

/** Returns how many of the sets have asks. */
function compareSums({ state }: Venue): number {
  let withAsks = 0;
  for (const set of state.quoteSets.quoting) {
    const sums = new SetNeed(state).addAll(set);
    const rows = new SetNeed(state).addRows(set, () => true);
    assert.equal(sums.hasAsks, rows.hasAsks);
    for (const left of [1, set.protection.qtyMicros, MICROS_MAX])
      assert.equal(sums.reserveMicros(toMicros(left)), rows.reserveMicros(toMicros(left)));
    if (sums.hasAsks) withAsks += 1;
  }
  return withAsks;
}
