import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BatchAction, MarginMode } from '@venue/protocol';
import fc from 'fast-check';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import type { Account } from '../state/account.ts';
import { EntryRisk } from './entry-risk.ts';
import { riskOf } from './margin.ts';

const MODES = ['defined-risk', 'per-leg'] as const;
const SERIES = ['AAPL-C-190', 'AAPL-C-200', 'AAPL-P-200', 'AAPL-C-210/2', 'BTC-C-100000'];

/** A venue in which the maker quotes every series, and an account that holds a micro of each. */
function wide(mode: MarginMode): { venue: Venue; account: Account } {
  const venue = Venue.listed({ paperCashMicros: micros('10000000') });
  const rows = venue.unsettled().map(({ sid }) => ({
    sid,
    bids: [[micros('2'), micros('100')]] as const,
    asks: [[micros('3'), micros('100')]] as const,
  }));
  venue.apply({ kind: 'quotes', session: null, rows });
  const account = venue.account('alice');
  send(venue, [{ type: 'margin-mode', mode }]);
  for (const { seriesId } of venue.unsettled())
    venue.apply({
      ...{ kind: 'order', account: addressOf('alice'), seriesId, side: 'buy', qtyMicros: 1 },
      priceMicros: micros('3'),
    });
  assert.equal(account.positions.size, rows.length);
  return { venue, account };
}

function send(venue: Venue, actions: readonly BatchAction[]) {
  const outcome = venue.apply({ kind: 'batch', account: addressOf('alice'), actions });
  assert.ok('results' in outcome);
  return outcome.results;
}

/** Counts how many positions of an account are read while something is done. */
function readsOf({ positions }: Account, act: () => void): number {
  let reads = 0;
  const at = positions.at.bind(positions);
  positions.at = (place) => {
    reads += 1;
    return at(place);
  };
  act();
  Reflect.deleteProperty(positions, 'at');
  return reads;
}

describe('BAT-7 positions that an action does not touch', () => {
  const COMBOS = 64;
  for (const mode of MODES) {
    test(`are read once or twice an entry, however many combos it has (${mode})`, () => {
      const { venue, account } = wide(mode);
      const legs = SERIES.slice(0, 2).map(
        (name, i) =>
          ({ seriesId: venue.series(name).seriesId, side: i === 0 ? 'buy' : 'sell', ratio: 1 }) as const,
      );
      venue.apply({ kind: 'margin', account: addressOf('alice'), enabled: true });
      const combo: BatchAction = { type: 'combo', legs, qtyMicros: 1, netMicros: null, tif: 'ioc' };
      const many = Array.from({ length: COMBOS }, () => combo);
      let results: ReturnType<typeof send> = [];
      const reads = readsOf(account, () => {
        results = send(venue, many);
      });
      assert.ok(results.every((result) => 'status' in result && result.status === 'filled'));
      const group = mode === 'per-leg' ? 2 : venue.unsettled().length / 6;
      const most = 2 * account.positions.size + COMBOS * 20 * group;
      assert.ok(reads <= most, `${reads} reads of ${account.positions.size} positions`);
    });
  }
});

/** A change between two looks. */
const STEP = fc.record({
  who: fc.constantFrom('alice', 'bob'),
  series: fc.constantFrom(...SERIES),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 1, max: 12 }),
  contracts: fc.integer({ min: 1, max: 8 }),
  kind: fc.constantFrom('order', 'order', 'order', 'cancel', 'mode', 'imagined', 'none'),
});

test('BAT-7 every look gives what reading everything gives', () => {
  const seen = { short: 0, dropped: 0 };
  fc.assert(
    fc.property(fc.array(STEP, { minLength: 10, maxLength: 40 }), (steps) => {
      const venue = Venue.listed({ paperCashMicros: micros('20000') });
      const account = venue.account('alice');
      for (const name of ['alice', 'bob'])
        venue.apply({ kind: 'margin', account: venue.account(name).address!, enabled: true });
      const risk = new EntryRisk(venue.state, account);
      for (const step of steps) {
        if (step.kind === 'imagined') {
          const undo = imagine(venue, account, step.series, step.contracts);
          agrees(venue, account, risk);
          undo();
          seen.dropped += 1;
        } else act(venue, step);
        agrees(venue, account, risk);
        if (account.shortCount > 0) seen.short += 1;
      }
    }),
    { numRuns: 60, seed: 7 },
  );
  assert.ok(seen.short > 100 && seen.dropped > 100, JSON.stringify(seen));
});

function agrees({ state }: Venue, account: Account, risk: EntryRisk): void {
  // Without what is remembered of earlier looks.
  assert.deepEqual(risk.get(), riskOf({ ...state, riskMemos: null }, account));
}

/** Opens a position, or changes one, as the rehearsal of a combo does; returns how to undo that. */
function imagine(venue: Venue, { positions }: Account, name: string, contracts: number): () => void {
  const { state } = venue;
  const { sid } = venue.series(name);
  const isOpened = !positions.has(sid);
  if (isOpened) positions.open(sid);
  const before = positions.get(sid)!.qtyMicros;
  positions.get(sid)!.qtyMicros = micros(`${contracts}`);
  state.orders.changes.note(sid);
  return () => {
    positions.get(sid)!.qtyMicros = before;
    if (isOpened) positions.delete(sid);
    state.orders.changes.note(sid);
  };
}

function act(
  venue: Venue,
  { kind, who, series, side, price, contracts }: typeof STEP extends fc.Arbitrary<infer T> ? T : never,
): void {
  const account = addressOf(who);
  if (kind === 'cancel') venue.apply({ kind: 'cancel', account, symbols: null });
  if (kind === 'mode') {
    const mode = venue.account(who).marginMode === 'per-leg' ? 'defined-risk' : 'per-leg';
    venue.apply({ kind: 'batch', account, actions: [{ type: 'margin-mode', mode }] });
  }
  if (kind !== 'order') return;
  const { seriesId } = venue.series(series);
  const qtyMicros = micros(`${contracts}`);
  venue.apply({ kind: 'order', account, seriesId, side, qtyMicros, priceMicros: micros(`${price}`) });
}
