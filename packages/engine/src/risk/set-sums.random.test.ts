import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Micros } from '@venue/protocol';
import fc from 'fast-check';
import { checkSums } from '../../test/set-sums.ts';
import { micros, Venue } from '../../test/venue.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import type { Sid } from '../state/ids.ts';
import type { RiskMark } from '../state/parameters.ts';
import { parametersOf } from '../state/state.ts';
import { previewOrder } from '../trading/preview.ts';

/** The first expires on the way. */
const SERIES = ['AAPL-C-190', 'AAPL-C-200/3', 'AAPL-P-200/3'];
const MAKERS = ['alice', 'bob'];
const HOUR_MS = 3_600_000;

/** Units depend on these: books, volatilities, spots, time, parameters, and allowances that fills use up. */
const ACTION = fc.record({
  kind: fc.oneof(
    fc.constantFrom('push', 'order'),
    fc.constantFrom(
      'iv',
      'spot',
      'wait',
      'cancel',
      'end',
      'protect',
      'preview',
      'maintain',
      'configure',
      'many',
    ),
  ),
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

function act(venue: Venue, action: Action): void {
  const { kind, who, series: name, side, cents, qtyMicros, ms } = action;
  const account = venue.account(who).address!;
  const { sid, seriesId } = venue.series(name);
  const order = { seriesId, side, qtyMicros, priceMicros: cents * 10_000 } as const;
  if (kind === 'wait') venue.wait(ms);
  else if (kind === 'spot') venue.print('AAPL', 'feed', `${190 + (cents % 20)}`);
  else if (kind === 'cancel') venue.apply({ kind: 'cancel', account, symbols: null });
  else if (kind === 'iv') annotate(venue, [sid], cents / 500);
  else if (kind === 'order')
    venue.apply({ kind: 'order', account: venue.account('carol').address!, ...order });
  // Ahead of the entries that follow.
  else if (kind === 'preview') previewOrder(venue.state, venue.account('carol'), order, venue.nowMs + ms);
  else if (kind === 'maintain') tick(venue);
  else if (kind === 'configure') configure(venue, cents % 2 === 0 ? micros('10') : micros('20'));
  // More changes of books than are kept.
  else if (kind === 'many') for (let i = 0; i < 5_000; i++) venue.state.orders.changes.note(0);
  else if (kind === 'end') protect(venue, who, 0);
  else if (kind === 'protect') protect(venue, who, qtyMicros + 1_000_000);
  else push(venue, action);
}

function push(venue: Venue, { who, series, side, cents, qtyMicros }: Action): void {
  const account = venue.account(who).address!;
  const bids = [[cents * 10_000 - 200_000, qtyMicros] as const];
  const asks = [[cents * 10_000 + 200_000, qtyMicros] as const];
  const { sid } = venue.series(series);
  const rows = [{ sid, bids: side === 'buy' ? [] : bids, asks, delta: cents / 1_000 }];
  venue.apply({ kind: 'quote-set', account, set: 1, form: 'json', bodyHash: '0'.repeat(64), rows });
}

function annotate(venue: Venue, sids: readonly Sid[], iv: number): void {
  const rows = sids.map((sid) => ({ sid, bids: null, asks: null, iv }));
  venue.apply({ kind: 'quotes', session: null, rows });
}

function tick(venue: Venue): void {
  venue.wait(5_000);
  venue.maintain([1, 2, 3]);
}

function configure(venue: Venue, impactMicros: Micros): void {
  venue.apply({ kind: 'configure', parameters: { ...parametersOf(venue.state), impactMicros } });
}

/** Half the sets have a limit on delta. */
function protect(venue: Venue, who: string, qtyMicros: number): void {
  const account = venue.account(who).address!;
  const terms = { set: 1, symbol: 'AAPL', windowMs: 100, frozenMs: 0, qtyMicros } as const;
  const limit = who === 'alice' ? { deltaMicros: micros('5') } : {};
  venue.apply({ kind: 'batch', account, actions: [{ type: 'protect', ...terms, ...limit }] });
}

function opened(riskMark: RiskMark): Venue {
  const cash = { impactMicros: micros('10'), paperCashMicros: micros('10000000') };
  const venue = Venue.listed({ riskMark, ...cash });
  annotate(
    venue,
    SERIES.map((name) => venue.series(name).sid),
    0.8,
  );
  for (const who of [...MAKERS, 'carol']) {
    venue.apply({ kind: 'margin', account: venue.account(who).address!, enabled: true });
    protect(venue, who, micros('6'));
  }
  return venue;
}

for (const riskMark of ['book', 'model'] as const) {
  test(`QTS-4 the sums of a set are those of its rows, with marks by the ${riskMark}`, () => {
    let withAsks = 0;
    fc.assert(
      fc.property(fc.array(ACTION, { minLength: 10, maxLength: 40 }), fc.nat(9), (actions, restoredAt) => {
        const venue = opened(riskMark);
        let restored = venue.state;
        for (const [i, action] of actions.entries()) {
          act(venue, action);
          if (action.looks) withAsks += checkSums(venue.state);
          if (i === restoredAt) restored = restoreState(stateLines(venue.state));
        }
        tick(venue);
        // A node that joined on the way, and one that has replayed all: neither has previewed or looked.
        assert.equal(stateDigest(venue.replay(venue.log.length, restored)), stateDigest(venue.state));
        venue.checkReplay();
        withAsks += checkSums(restored);
      }),
      { numRuns: 50 },
    );
    assert.ok(withAsks > 150, `sums with asks: ${withAsks}`);
  });
}
