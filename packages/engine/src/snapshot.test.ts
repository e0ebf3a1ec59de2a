import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toMicros } from '@venue/protocol';
import { scenario } from '../test/scenario.ts';
import { addressOf, expiryOnDay, Venue } from '../test/venue.ts';
import { BUY } from './book/book.ts';
import { apply } from './engine.ts';
import { decodeCommand } from './entry/command-codec.ts';
import { NO_EFFECTS } from './entry/effects.ts';
import { continueSettlement, startSettlement } from './expiry/settlement.ts';
import { continueLiquidation, startLiquidation } from './liquidation/liquidation.ts';
import { restoreState, stateDigest, stateLines } from './snapshot.ts';
import type { Account } from './state/account.ts';
import type { Position } from './state/positions.ts';
import type { QuoteSet } from './state/quote-sets.ts';
import type { FillRecord } from './state/records.ts';
import type { Instrument, Series } from './state/series.ts';
import type { SessionRecord } from './state/session.ts';
import type { State } from './state/state.ts';

/** A bit of everything: positions, resting orders, sessions, nonces, annotations, two sources. */
function busyVenue(): Venue {
  return scenario(`
    print other AAPL 201
    quote AAPL-C-190 bid 3.30x5 ask 3.40x5 iv 0.3 delta 0.5
    approve alice phone for 2d
    approve alice phone for 1d
    approve alice laptop for 1d
    revoke alice laptop
    margin bob on
    buy alice AAPL-C-190 2 @ 3.40 signed phone nonce +1s     filled 2@3.40
    buy alice AAPL-C-190 1 @ 3.35 signed phone nonce +2s     rested
    sell bob AAPL-C-210 1 @ 3                                rested
    protect bob 3 AAPL window 1s qty 10 delta 5 frozen 2s
    push bob 3 AAPL-C-205 bid 1x5 0.9x5 ask 3x5 iv 0.4 delta 0.5
    buy alice AAPL-C-205 1 @ market                          filled 1@3
    protect bob 16 BTC qty 1
    wait 5s
    maintain days 1 2 3
  `);
}

interface Parts {
  readonly state: State;
  readonly instrument: Instrument;
  readonly series: Series;
  readonly alice: Account;
  readonly position: Position;
  readonly fill: FillRecord;
  readonly session: SessionRecord;
  readonly quoteSet: QuoteSet;
}

function partsOf(venue: Venue): Parts {
  const { state } = venue;
  const series = venue.series('AAPL-C-190');
  const alice = venue.account('alice');
  return {
    state,
    instrument: series.instrument,
    series,
    alice,
    position: alice.positions.get(series.sid)!,
    fill: alice.fills.at(0),
    session: alice.sessions.get(addressOf('phone'))!,
    quoteSet: state.quoteSets.find(venue.account('bob').index, 3)!,
  };
}

/** A writable view of an object whose fields are readonly in the engine's own code. */
function set<T extends object, K extends keyof T>(target: T, field: K, value: unknown): void {
  assert.notDeepEqual(target[field], value, `${String(field)} is that already`);
  (target as Record<K, unknown>)[field] = value;
}

const CHANGES: readonly (readonly [string, (parts: Parts) => void])[] = [
  ['sequence', ({ state }) => set(state, 'seq', 999)],
  ['time', ({ state }) => set(state, 'ts', 999)],
  ['parameters', ({ state }) => set(state, 'parameters', { ...state.parameters, strikesPerSide: 3 })],
  ['last order id', ({ state }) => set(state, 'lastOrderId', 999)],
  ['last fill id', ({ state }) => set(state, 'lastFillId', 999)],
  ['last maintenance', ({ state }) => set(state, 'lastMaintenanceTs', 999)],
  ['last quote', ({ state }) => set(state, 'lastQuoteTs', 999)],
  ['paper capital paid out', ({ state }) => set(state, 'fundedMicros', 999)],
  ['signer of a resting order', ({ state }) => state.orders.setSigner(state.orders.find(4)!, null)],
  ['spot', ({ instrument }) => set(instrument, 'spotMicros', 999)],
  ['symbol in force', ({ instrument }) => set(instrument, 'active', false)],
  ['expiries rolled for', ({ instrument }) => set(instrument, 'rolledFor', '')],
  ['price of a source', ({ instrument }) => set(instrument.sources.get('other')!, 'priceMicros', 999)],
  ['time of a source', ({ instrument }) => set(instrument.sources.get('other')!, 'ts', 999)],
  ['payout of a series', ({ series }) => set(series, 'payoutMicros', 999)],
  ['head of the audit', ({ state }) => set(state.audit, 'head', 'f')],
  ['expiries ahead', ({ state }) => set(state, 'expiries', [1])],
  ['an open window', ({ instrument }) => instrument.windows.set(1, { expiryTs: 1, sources: new Map() })],
  ['status of a series', ({ series }) => set(series, 'status', 'settled')],
  ['volatility', ({ series }) => set(series, 'iv', 0.31)],
  ['delta', ({ series }) => set(series, 'delta', 0.51)],
  ['volume', ({ series }) => set(series, 'volumeMicros', 999)],
  ['open interest', ({ series }) => set(series, 'openInterestMicros', 999)],
  ['ladder of the maker', ({ series }) => set(series.quotes, 'bids', [])],
  ['what rests', ({ series }) => series.book.reduce(series.book.best(BUY)!, 1)],
  ['cash', ({ alice }) => set(alice, 'cashMicros', 999)],
  ['realised', ({ alice }) => set(alice, 'realizedMicros', 999)],
  ['reserve', ({ alice }) => set(alice, 'reservedMicros', 999)],
  ['margin switch', ({ alice }) => set(alice, 'marginEnabled', true)],
  ['freeze', ({ alice }) => set(alice, 'frozen', true)],
  ['quantity held', ({ position }) => set(position, 'qtyMicros', 999)],
  ['cost', ({ position }) => set(position, 'costMicros', 999)],
  ['realised on a position', ({ position }) => set(position, 'realizedMicros', 999)],
  ['resting buys', ({ position }) => set(position, 'restingBuyMicros', 999)],
  ['resting sells', ({ position }) => set(position, 'restingSellMicros', 999)],
  ['number of fills', ({ alice, fill }) => alice.fills.add(fill, null)],
  ['expiry of a session', ({ session }) => set(session, 'expiresAt', 999)],
  ['approval of a session', ({ session }) => set(session, 'approvedAt', 999)],
  ['revocation', ({ session }) => set(session, 'revokedAt', 999)],
  ['superseded approval', ({ session }) => session.supersededExpiries.clear()],
  ['nonce', ({ session }) => session.nonces.add(999)],
  ['symbol of a set', ({ quoteSet }) => set(quoteSet, 'symbol', 'BTC')],
  ['protection', ({ quoteSet }) => set(quoteSet, 'protection', { ...quoteSet.protection, frozenMs: 0 })],
  ['contracts used of an allowance', ({ quoteSet }) => set(quoteSet, 'usedMicros', 999)],
  ['delta used of an allowance', ({ quoteSet }) => set(quoteSet, 'usedDelta', 999n)],
  ['first fill of an allowance', ({ quoteSet }) => set(quoteSet, 'firstFillTs', 999)],
  ['freeze of a set', ({ quoteSet }) => set(quoteSet, 'freeze', { until: null })],
  ['floor of pushes', ({ state, alice }) => state.pushFloors.raise(alice.index, 1, state.ts)],
  ['last push to a set', ({ quoteSet }) => set(quoteSet, 'lastPushTs', 999)],
  ['reserve of a set', ({ quoteSet }) => set(quoteSet, 'reserveMicros', 999)],
  ['volatility of a set', ({ quoteSet }) => set([...quoteSet.rows.values()][0]!, 'iv', 0.41)],
  ['delta of a set', ({ quoteSet }) => set([...quoteSet.rows.values()][0]!, 'delta', 0.51)],
  ['ladder of a set', ({ quoteSet }) => set([...quoteSet.rows.values()][0]!, 'bids', [])],
];

const FILL_CHANGES: readonly Partial<FillRecord>[] = [
  { id: 999 },
  { orderId: 999 },
  { side: 'sell' },
  { priceMicros: toMicros(999) },
  { qtyMicros: toMicros(999) },
  { feeMicros: toMicros(999) },
  { realizedMicros: toMicros(-999) },
  { taker: false },
  { ts: 999 },
  { kind: 'settlement' },
  { kind: 'liquidation' },
];

/** The digest of a busy venue with one more fill. */
function digestWithFill(change: Partial<FillRecord>, isSigned: boolean): string {
  const parts = partsOf(busyVenue());
  const fill: FillRecord = { ...parts.fill, side: 'buy', taker: true, kind: 'trade', ...change };
  parts.alice.fills.add(fill, isSigned ? parts.session.handle : null);
  return stateDigest(parts.state);
}

describe('the digest changes with everything in the state', () => {
  test('each field of a fill', () => {
    const digests = FILL_CHANGES.map((change) => digestWithFill(change, false));
    assert.equal(new Set([...digests, digestWithFill({}, false)]).size, FILL_CHANGES.length + 1);
    assert.notEqual(digestWithFill({}, true), digestWithFill({}, false));
  });

  const untouched = stateDigest(busyVenue().state);
  for (const [what, change] of CHANGES) {
    test(what, () => {
      const venue = busyVenue();
      assert.equal(stateDigest(venue.state), untouched);
      change(partsOf(venue));
      assert.notEqual(stateDigest(venue.state), untouched);
    });
  }
});

test('OWN-72 the lines say nothing of slots and rows that no entry can tell apart', () => {
  const table = (before: string) => `
    ${before}
    protect alice 2 AAPL qty 10
    protect alice 1 AAPL qty 10
    push alice 1 AAPL-C-195 bid 1x1 ; AAPL-C-190 bid 1x1     applied 2
  `;
  const plain = scenario(table('open alice'));
  const reused = scenario(
    table(`
    protect alice 1 AAPL qty 10
    protect alice 2 AAPL qty 10
    protect alice 1 AAPL qty 0
    protect alice 2 AAPL qty 0`),
  );
  const accountsOf = (venue: Venue) =>
    [...stateLines(venue.state)].filter((line) => line.includes('"quoteSets"'));
  const slots = (venue: Venue) =>
    venue.state.quoteSets.of(venue.account('alice').index).map(({ slot }) => slot);
  assert.notDeepEqual(slots(plain), slots(reused));
  assert.deepEqual(accountsOf(plain), accountsOf(reused));
});

describe('a state restored from its lines', () => {
  /** Prices, a refused expiry with its audit, an open window, positions and resting orders. */
  const refused = () =>
    scenario(
      `
      buy alice AAPL-C-195 3 @ 2                               rested
      wait to cutoff -20m
      print feed AAPL 200
      print third AAPL 204
      wait to cutoff 1ms
      maintain
      settle AAPL-C-190 250                                    refused price outside the bound of the last oracle print
      propose AAPL-C-190 202 with first                        settles 1
      wait 1430m
      propose AAPL-C-190 202 with second                       settles 1
      print feed AAPL 201
      print feed BTC 90000
    `,
      busyVenue(),
    );

  for (const [what, venueOf] of [
    ['busy', busyVenue],
    ['with a refused expiry', refused],
  ] as const) {
    test(`is the same: ${what}`, () => {
      const { state } = venueOf();
      assert.equal(stateDigest(restoreState(stateLines(state))), stateDigest(state));
    });

    test(`continues like the original: ${what}`, () => {
      const venue = venueOf();
      const restored = restoreState(stateLines(venue.state));
      const { seq } = venue.state;
      scenario(
        `
        wait 5s
        print feed AAPL 205
        print other AAPL 205
        buy bob AAPL-C-200/3 2 @ 1                             rested
        sell carol AAPL-C-200/3 1 @ market                     rejected margin is off — enable margin to sell short
        buy carol AAPL-C-200/3 1 @ 0.5                         rested
        cancel carol all                                       pulled 1
        wait 5s
        confirm AAPL-C-190 202 with first                      ${what === 'busy' ? 'refused no such proposal, or it has ended' : 'settled 1'}
      `,
        venue,
      );
      venue.maintain([2, 3, 4, 5]);
      const later = venue.log.slice(seq);
      for (const { seq: at, ts, kind, body } of later) {
        apply(restored, { seq: at, ts, command: decodeCommand(kind, body) }, NO_EFFECTS);
      }
      assert.ok(later.length > 5);
      assert.equal(stateDigest(restored), stateDigest(venue.state));
    });
  }

  test('in the middle of a settlement continues it', () => {
    const venue = Venue.listed();
    venue.nowMs = expiryOnDay(1) * 1_000 + 1;
    venue.account('late');
    startSettlement(venue.state, NO_EFFECTS);
    continueSettlement(venue.state, NO_EFFECTS, 1);
    const restored = restoreState(stateLines(venue.state));
    for (const state of [venue.state, restored])
      continueSettlement(state, NO_EFFECTS, Number.POSITIVE_INFINITY);
    assert.deepEqual([...new Set(restored.series.map(({ status }) => status))], ['pending-review', 'live']);
    assert.equal(stateDigest(restored), stateDigest(venue.state));
  });

  test('OWN-33 in the middle of a liquidation run continues it', () => {
    const { state } = busyVenue();
    startLiquidation(state);
    assert.equal(continueLiquidation(state, NO_EFFECTS, 1), true);
    const restored = restoreState(stateLines(state));
    const unfinished = [state, restored].map((one) => continueLiquidation(one, NO_EFFECTS, 2));
    assert.deepEqual(unfinished, [true, true]);
    assert.equal(stateDigest(restored), stateDigest(state));
  });

  test('cannot be made from truncated lines', () => {
    const lines = [...stateLines(busyVenue().state)];
    assert.throws(() => restoreState(lines.slice(0, 5)), /breaks off/);
  });
});
