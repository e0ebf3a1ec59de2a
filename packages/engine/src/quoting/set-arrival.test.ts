import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import fc from 'fast-check';
import { onSets } from '../../test/sets.ts';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import { stateDigest } from '../snapshot.ts';
import { standingLevels } from './quote-ladder.ts';
import { arrivalOf } from './set-arrival.ts';

const SET = `
  margin alice on
  margin bob on
  protect alice 1 AAPL window 1s qty 10 frozen 0
  push alice 1 AAPL-C-190 bid 3.30x5 ask 3.40x5 iv 0.3 delta 0.5
`;

describe('QTS-6 what of a push is written', () => {
  const venue = onSets(SET);
  const { sid } = venue.series('AAPL-C-190');
  const { sid: other } = venue.series('AAPL-C-195');
  const { sid: foreign } = venue.series('BTC-C-100000');
  const level = (price: string, qty: string): MicrosLevel => [micros(price), micros(qty)];
  const [bids, asks] = [[level('3.30', '5')], [level('3.40', '5')]] as const;
  const lower = [level('3.29', '5')];
  const row = (change: Partial<MicrosQuote>): MicrosQuote => ({ sid, bids: null, asks: null, ...change });
  const WRITTEN: readonly [string, MicrosQuote[], MicrosQuote[] | null][] = [
    ['nothing of no rows', [], []],
    ['nothing of the same ladder', [row({ bids, asks })], []],
    ['nothing of the same annotations', [row({ bids, asks, iv: 0.3, delta: 0.5 })], []],
    ['the side alone that changes', [row({ bids: lower, asks })], [row({ bids: lower })]],
    ['the annotation alone that changes', [row({ bids, iv: 0.31, delta: 0.5 })], [row({ iv: 0.31 })]],
    ['a delta', [row({ delta: 0.4 })], [row({ delta: 0.4 })]],
    ['nothing for a series without a level', [row({ sid: other, bids: [], asks: [], iv: 1, delta: 1 })], []],
    ['nothing of a push with every row refused', [row({ sid: foreign, bids })], null],
    [
      'nothing of what is refused',
      [row({ sid: foreign, bids }), row({ bids: lower })],
      [row({ bids: lower })],
    ],
    ['nothing where rows undo each other', [row({ bids: lower }), row({ bids })], []],
    [
      'one row a series',
      [row({ bids: lower }), row({ asks: [] }), row({ bids: [] })],
      [row({ bids: [], asks: [] })],
    ],
    [
      'rows that add levels last',
      [row({ sid: other, bids }), row({ bids: [] })],
      [row({ bids: [] }), row({ sid: other, bids })],
    ],
  ];
  for (const [what, rows, written] of WRITTEN) {
    test(what, () => {
      const before = stateDigest(venue.state);
      const account = venue.account('alice');
      const arrived = arrivalOf(venue.state, account, { set: 1, nonce: null, rows }, venue.state.ts);
      assert.ok('results' in arrived);
      assert.deepEqual(arrived.rows, written);
      assert.equal(stateDigest(venue.state), before, 'a look changes nothing');
    });
  }

  test('a push refused whole is told so on arrival, at the time that it arrives', () => {
    const frozen = onSets('protect alice 1 AAPL window 1s qty 5 frozen 2s', { venue: onSets(SET) });
    onSets('sell bob AAPL-C-190 5 @ market   filled 5@3.30', { venue: frozen });
    const account = frozen.account('alice');
    const at = (ts: number) => arrivalOf(frozen.state, account, { set: 1, nonce: null, rows: [] }, ts);
    assert.deepEqual(at(frozen.state.ts), { refusal: 'setFrozen' });
    assert.ok('results' in at(frozen.state.ts + 2_000));
    const unknown = arrivalOf(frozen.state, account, { set: 2, nonce: null, rows: [] }, frozen.state.ts);
    assert.deepEqual(unknown, { refusal: 'unknownSet' });
  });
});

test('RSK-2: a repeated annotation is written once it is an hour old at the time on arrival', () => {
  const parameters = { riskMark: 'model', markMakers: [addressOf('alice')] } as const;
  const venue = onSets(SET, { venue: Venue.listed(parameters) });
  const account = venue.account('alice');
  const { sid } = venue.series('AAPL-C-190');
  const rows = [{ sid, bids: null, asks: null, iv: 0.3 }];
  const writtenAt = (ts: number) => {
    const arrived = arrivalOf(venue.state, account, { set: 1, nonce: null, rows }, ts);
    return 'rows' in arrived && arrived.rows;
  };
  const dueMs = venue.state.ts + 3_600_000;
  // The log stands still meanwhile: its last entry is no measure of the next one's time.
  assert.deepEqual([writtenAt(dueMs - 1), writtenAt(dueMs)], [[], rows]);
});

test('QTS-6: a push refused whole does not count for the time to live, and one that changes nothing does', () => {
  const venue = onSets(SET);
  const set = () => venue.state.quoteSets.find(venue.account('alice').index, 1)!;
  const { sid } = venue.series('AAPL-C-190');
  const lastPushTs = () => set().lastPushTs;
  const began = lastPushTs();
  venue.wait(1_000);
  pushTo(venue, null);
  assert.equal(lastPushTs(), began);
  for (const rows of [[], [{ sid, bids: null, asks: null }]]) {
    pushTo(venue, rows);
    assert.equal(lastPushTs(), venue.state.ts);
  }
  assert.ok(venue.state.ts > began);
});

const TINY = fc.constantFrom(1, 2, 4, 5);
const ladder = (down: boolean) =>
  fc.option(
    fc
      .uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 3 })
      .chain((prices) =>
        fc
          .array(TINY, { minLength: prices.length, maxLength: prices.length })
          .map((sizes) =>
            prices
              .toSorted((a, b) => (down ? b - a : a - b))
              .map((price, k): MicrosLevel => [price * 100_000, sizes[k]! * 1_000_000]),
          ),
      ),
  );
const annotation = fc.option(fc.constantFrom(0.1, 0.5, -1), { nil: undefined });
const NAMES = ['AAPL-C-190', 'AAPL-P-190', 'AAPL-C-195', 'BTC-C-100000'];
interface NamedRow extends Omit<MicrosQuote, 'sid'> {
  readonly name: string;
}
const push: fc.Arbitrary<NamedRow[]> = fc.array(
  fc.record({
    name: fc.constantFrom(...NAMES),
    bids: ladder(true),
    asks: ladder(false),
    iv: annotation,
    delta: annotation,
  }) as fc.Arbitrary<NamedRow>,
  { maxLength: 6 },
);

test('QTS-6: what is written of a push has the effect and the answer of all of it', () => {
  const seen = new Set<string>();
  const rowsOf = (venue: Venue, pushed: readonly NamedRow[]): MicrosQuote[] =>
    pushed.map(({ name, bids, asks, iv, delta }) => ({
      ...{ sid: venue.series(name).sid, bids, asks },
      ...(iv !== undefined && { iv }),
      ...(delta !== undefined && { delta }),
    }));
  fc.assert(
    fc.property(fc.array(push, { minLength: 1, maxLength: 5 }), (pushes) => {
      const [whole, written] = [onSets(MARKET), onSets(MARKET)];
      for (const pushed of pushes) {
        const rows = rowsOf(whole, pushed);
        const account = written.account('alice');
        const asked = { set: 1, nonce: null, rows };
        const arrived = arrivalOf(written.state, account, asked, written.state.ts);
        assert.ok('results' in arrived);
        const { results } = arrived;
        const errors = results.flatMap((result, i) => (result?.error ? [{ i, error: result.error }] : []));
        // The rows of a push that is refused whole stay without effect.
        const all = pushTo(whole, arrived.rows === null ? null : rows);
        const part = pushTo(written, arrived.rows);
        assert.deepEqual(quotesIn(written), quotesIn(whole));
        if ('rowErrors' in all && 'rowErrors' in part) {
          assert.deepEqual([errors, part.rowErrors], [all.rowErrors, []]);
          assert.equal(results.filter((result) => result?.changes).length, all.applied);
        } else assert.equal(errors.length, rows.length);
        for (const { error } of errors) seen.add(error);
        seen.add(arrived.rows === null ? 'none' : arrived.rows.length < rows.length ? 'fewer' : 'all');
      }
    }),
    { numRuns: 20, seed: 7 },
  );
  const reached = [
    'none',
    'fewer',
    'all',
    'post-only would trade',
    'level above the limit',
    "not the set's symbol",
  ];
  for (const what of reached) assert.ok(seen.has(what), what);
});

const MARKET = `
  margin alice on
  margin bob on
  buy bob AAPL-C-190 1 @ 0.3    rested
  sell bob AAPL-C-190 1 @ 0.6   rested
  protect alice 1 AAPL window 1s qty 4 frozen 0
`;

/** The ladders and annotations of the set, and its time. */
function quotesIn(venue: Venue) {
  const set = venue.state.quoteSets.find(venue.account('alice').index, 1)!;
  const rows = [...set.rows.values()].toSorted((a, b) => a.sid - b.sid);
  const { orders } = venue.state;
  const shown = rows.map(({ sid, bids, asks, iv, delta }) => ({
    ...{ sid, iv, delta, bids: standingLevels(orders, bids), asks: standingLevels(orders, asks) },
  }));
  return { shown, lastPushTs: set.lastPushTs, reserveMicros: set.reserveMicros };
}

function pushTo(venue: Venue, rows: readonly MicrosQuote[] | null) {
  const account = addressOf('alice');
  const bodyHash = '00'.repeat(32);
  const outcome = venue.apply({ kind: 'quote-set', account, set: 1, form: 'sqw1', bodyHash, rows });
  assert.ok('applied' in outcome || ('status' in outcome && rows === null), JSON.stringify(outcome));
  return outcome;
}
