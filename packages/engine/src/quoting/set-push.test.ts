import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { onSets } from '../../test/sets.ts';
import { addressOf, micros, Venue } from '../../test/venue.ts';
import { apply } from '../engine.ts';
import { NO_EFFECTS } from '../entry/effects.ts';
import { isRefused } from '../entry/outcome.ts';
import { restoreState, stateLines } from '../snapshot.ts';
import { ownerOfSet } from '../state/quote-sets.ts';

const SET = `
  margin alice on
  protect alice 1 AAPL window 1s qty 10 frozen 0
`;

describe('QTS-1 pushes', () => {
  test('a set exists once it is protected, and until it is protected with 0', () => {
    onSets(`
      push alice 1 AAPL-C-190 bid 3.30x5                       refused unknown set
      unfreeze-set alice 1                                     rejected unknown set
      protect alice 1 AAPL qty 0
      protect alice 1 XXX qty 5                                rejected unknown series
      set alice 1                                              none
      protect alice 1 AAPL qty 5
      push alice 1 AAPL-C-190 bid 3.30x5
      protect alice 1 BTC qty 5                                rejected set has quotes
      cancel alice all                                         pulled 1
      protect alice 1 BTC qty 5
      set alice 1                                              symbol BTC
      push alice 1 BTC-C-100000 bid 3.30x5
      protect alice 1 XXX qty 0
      set alice 1                                              none
      book BTC-C-100000                                        empty
      account alice                                            locked 0
      push alice 1 BTC-C-100000 bid 3.30x5                     refused unknown set
    `);
  });

  test('sets of one account are apart, and another account has its own', () => {
    onSets(`
      protect alice 16 AAPL qty 5
      protect alice 2 AAPL qty 5
      protect bob 2 BTC qty 7
      push alice 16 AAPL-C-190 bid 3.30x5
      push alice 2 AAPL-C-190 bid 3.30x4
      push bob 2 AAPL-C-190 bid 3.30x4                         applied 0 0: not the set's symbol
      book AAPL-C-190                                          bid alice/16 3.30x5 alice/2 3.30x4
      protect alice 16 AAPL qty 0
      protect alice 7 AAPL qty 5
      push alice 7 AAPL-C-190 bid 3.30x3
      book AAPL-C-190                                          bid alice/2 3.30x4 alice/7 3.30x3
    `);
  });

  test('a late packet never brings old prices back: only a push that was carried out counts', () => {
    onSets(`
      approve alice phone for 1h
      approve alice desk for 1h
      protect alice 1 AAPL qty 5
      push alice 1 AAPL-C-190 bid 3.30x5 signed phone nonce +20ms
      push alice 1 AAPL-C-190 bid 3.20x5 signed phone nonce +10ms    refused stale push
      push alice 1 AAPL-C-190 bid 3.20x5 signed phone nonce +10ms    refused nonce already used
      push alice 1 AAPL-C-190 bid 3.20x5 signed desk nonce +20ms     refused stale push
      -- the nonce of a push that was declined may be passed by a lower one
      push alice 1 AAPL-C-190 bid 50000x5 signed phone nonce +40ms   rejected insufficient buying power (need ~250000.00, have 100000.00)
      push alice 1 AAPL-C-190 bid 3.25x5 signed phone nonce +30ms
      -- without a signature there is no nonce
      push alice 1 AAPL-C-190 bid 3.15x5
      push alice 1 AAPL-C-190 bid 3.10x5 signed desk nonce +30ms     refused stale push
      book AAPL-C-190                                                bid alice/1 3.15x5
      -- another set has its own
      protect alice 2 AAPL qty 5
      push alice 2 AAPL-C-190 bid 3.10x5 signed desk nonce +5ms
    `);
  });

  test('a push that a cancel of its underlying has overtaken is stale, whatever kind of cancel', () => {
    onSets(`
      approve alice phone for 1h
      approve alice desk for 1h
      protect alice 1 AAPL qty 5
      cancel alice all signed desk nonce +50ms                       pulled 0
      push alice 1 AAPL-C-190 bid 3.30x5 signed phone nonce +40ms    refused stale push
      push alice 1 AAPL-C-190 bid 3.30x5 signed phone nonce +51ms
      -- of other underlyings
      cancel alice BTC signed desk nonce +90ms                       pulled 0
      push alice 1 AAPL-C-190 bid 3.20x5 signed phone nonce +60ms
      batch alice cancel-all symbols BTC ; cancel-all series BTC-C-100000 signed desk nonce +100ms   pulled 0 ; pulled 0
      push alice 1 AAPL-C-190 bid 3.10x5 signed phone nonce +70ms
      -- of one of its series is enough, and an earlier cancel that arrives later lowers nothing
      batch alice cancel-all series AAPL-C-195 signed desk nonce +120ms   pulled 0
      batch alice cancel-all symbols AAPL signed desk nonce +80ms    pulled 1
      push alice 1 AAPL-C-190 bid 3.05x5 signed phone nonce +110ms   refused stale push
      book AAPL-C-190                                                empty
      -- one without a signature has no nonce
      cancel alice all                                               pulled 0
      push alice 1 AAPL-C-190 bid 3.05x5 signed phone nonce +121ms
      -- one that names an order is no cancel of quotes
      cancel-order alice 99 signed desk nonce +150ms                 not ok
      push alice 1 AAPL-C-190 bid 3x5 signed phone nonce +122ms
    `);
  });

  test('a push that a guard has overtaken is stale up to the deadline, whatever entry carries the guard out', () => {
    onSets(`
      approve alice phone for 1h
      approve alice desk for 1h
      protect alice 1 AAPL qty 5
      push alice 1 AAPL-C-190 bid 3.30x5 signed phone nonce +1ms
      batch alice guard 5s                                           ok
      wait 8s
      -- due for three seconds, and carried out by the first push that comes
      push alice 1 AAPL-C-190 bid 3.20x5 signed phone nonce -4s      refused stale push
      book AAPL-C-190                                                empty
      push alice 1 AAPL-C-190 bid 3.20x5 signed desk nonce -3s       refused stale push
      push alice 1 AAPL-C-190 bid 3.20x5 signed phone nonce -2999ms
      book AAPL-C-190                                                bid alice/1 3.20x5
      -- a guard that was taken back, or is replaced in time, has overtaken nothing
      batch alice guard 5s ; guard off                               ok ; ok
      wait 8s
      push alice 1 AAPL-C-190 bid 3.10x5 signed phone nonce -4s
      -- of every underlying, also of a set that is made after it
      batch alice guard 5s                                           ok
      wait 5s
      protect alice 2 BTC qty 5
      push alice 2 BTC-C-100000 bid 3.30x5 signed phone nonce -1ms   refused stale push
      push alice 2 BTC-C-100000 bid 3.30x5 signed phone nonce +1ms
    `);
  });

  test('a set that has ended and was made again takes no push from before', () => {
    onSets(`
      approve alice phone for 1h
      approve alice desk for 1h
      protect alice 1 AAPL qty 5 signed phone nonce +10ms
      push alice 1 AAPL-C-190 bid 3.30x5 signed phone nonce +20ms
      protect alice 1 AAPL qty 0 signed phone nonce +30ms
      protect alice 1 AAPL qty 5 signed phone nonce +40ms
      push alice 1 AAPL-C-190 bid 3.20x5 signed desk nonce +25ms     refused stale push
      push alice 1 AAPL-C-190 bid 3.20x5 signed desk nonce +40ms     refused stale push
      push alice 1 AAPL-C-190 bid 3.20x5 signed desk nonce +41ms
      -- nor one whose end came without a signature
      protect alice 1 AAPL qty 0
      protect alice 1 AAPL qty 5
      push alice 1 AAPL-C-190 bid 3.10x5 signed phone nonce +41ms    refused stale push
      -- a protect that is declined leaves nothing stale, and another set has its own
      protect alice 1 XXX qty 5 signed phone nonce +60ms             rejected unknown series
      push alice 1 AAPL-C-190 bid 3.10x5 signed phone nonce +50ms
      protect alice 2 AAPL qty 5 signed phone nonce +55ms
      push alice 1 AAPL-C-190 bid 3.05x5 signed phone nonce +52ms
    `);
  });

  test('a stale push learns which nonce stands in its way, and floors are forgotten with their nonces', () => {
    const venue = onSets(`
      approve alice phone for 1h
      protect alice 1 AAPL qty 5
      cancel alice all signed phone nonce +40s                       pulled 0
    `);
    const { state } = venue;
    const { address, index } = venue.account('alice');
    const lastNonce = venue.nowMs + 40_000;
    const [sessionKey] = [...venue.account('alice').sessions.keys()];
    const authorization = { sessionKey: sessionKey!, nonce: venue.nowMs, signature: '0x' } as const;
    const push = { kind: 'quote-set', account: address!, set: 1, form: 'json', bodyHash: 'ab' } as const;
    const command = { ...push, rows: [], authorization } as const;
    const entry = { seq: state.seq + 1, ts: venue.nowMs, command };
    const outcome = apply(restoreState(stateLines(state)), entry, NO_EFFECTS);
    assert.deepEqual(outcome, { refusal: 'stalePush', lastNonce });
    assert.deepEqual(state.pushFloors.rows(index, state.ts), [
      ['AAPL', lastNonce],
      ['BTC', lastNonce],
    ]);
    onSets(
      `
      wait 100s
      maintain
      approve alice desk for 1h
      push alice 1 AAPL-C-190 bid 3x5 signed desk nonce -59s
      wait 60s
      maintain
    `,
      { venue },
    );
    assert.deepEqual(state.pushFloors.rows(index, 0), []);
  });

  test('refusals come in the order: unknown set, stale, frozen', () => {
    onSets(`${SET}
      approve alice phone for 1h
      push alice 1 AAPL-C-190 ask 3.40x10 signed phone nonce +20ms
      buy bob AAPL-C-190 10 @ market                           filled 10@3.40
      push alice 1 AAPL-C-190 ask 3.40x10 signed phone nonce +10ms   refused stale push
      push alice 1 AAPL-C-190 ask 3.40x10 signed phone nonce +30ms   refused frozen — unfreeze the set first
      push alice 2 AAPL-C-190 ask 3.40x10 signed phone nonce +5ms    refused unknown set
    `);
  });
});

describe('QTS-2 ladders of a set', () => {
  test('rest as pushed and are kept when repeated; an unnamed side stays, an empty one leaves', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7
      push alice 1 AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7     applied 0 kept 1
      push alice 1 AAPL-C-190                                  applied 0 kept 1
      push alice 1 AAPL-C-190 ask - ; AAPL-C-195 bid 1x1 ; AAPL-P-190 ask -   applied 2 kept 1
      book AAPL-C-190                                          bid alice/1 3.30x5 alice/1 3.20x6
      account alice                                            orders 0
      closes alice                                             none
    `);
  });

  test('a level that stands before and after keeps its place, also by two rows of one push', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.30x5 3.20x5
      buy bob AAPL-C-190 1 @ 3.30                              rested
      push alice 1 AAPL-C-190 bid 3.30x4 3.20x5 ; AAPL-C-190 bid 3.30x5 3.10x5 ask 3.50x1   applied 2
      book AAPL-C-190                                          bid alice/1 3.30x5 bob 3.30x1 alice/1 3.10x5 ask alice/1 3.5x1
      push alice 1 AAPL-C-190 bid 3.30x4
      book AAPL-C-190                                          bid bob 3.30x1 alice/1 3.30x4 ask alice/1 3.5x1
    `);
  });

  test('a ladder moves through its own old prices', () => {
    onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.30x5 ask 3.40x5
      push alice 1 AAPL-C-190 bid 3.50x5 ask 3.60x5
      push alice 1 AAPL-C-190 bid 3.10x5 ask 3.20x5
      book AAPL-C-190                                          bid alice/1 3.10x5 ask alice/1 3.20x5
      fills alice                                              none
    `);
  });

  test('FINE-15 annotations are its own: the chain keeps showing the maker', () => {
    const venue = onSets(`${SET}
      quote AAPL-C-190 bid 3.30x5 iv 0.3 delta 0.5
      push alice 1 AAPL-C-190 bid 3.10x5 iv 0.4 delta -0.7
      push alice 1 AAPL-C-190 iv 0.5                           applied 0 kept 1
    `);
    const series = venue.series('AAPL-C-190');
    assert.deepEqual([series.iv, series.delta], [0.3, 0.5]);
    const row = venue.state.quoteSets.find(venue.account('alice').index, 1)!.rows.get(series.sid)!;
    assert.deepEqual([row.iv, row.delta], [0.5, -0.7]);
  });

  test('an annotation that is no number names nothing', () => {
    const venue = onSets(`${SET}
      push alice 1 AAPL-C-190 bid 3.10x5 iv 0.4 delta -0.7
    `);
    const { sid } = venue.series('AAPL-C-190');
    const bids: MicrosLevel[] = [[micros('3.20'), micros('5')]];
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      push(venue, [{ sid, bids, asks: null, iv: odd, delta: odd }]);
    const row = venue.state.quoteSets.find(venue.account('alice').index, 1)!.rows.get(sid)!;
    assert.deepEqual([row.iv, row.delta], [0.4, -0.7]);
    const vast = { sid, bids: null, asks: null, delta: -Number.MAX_VALUE };
    assert.deepEqual(push(venue, [vast]), { applied: 0, kept: 1, rowErrors: [], unknownSids: [] });
    onSets('buy bob AAPL-C-195 1 @ 1   rested', { venue });
  });

  test('a level that would trade is left out and reported, what it replaces still leaves', () => {
    // Buying power 1,000 and bids for 10 at 100 into an ask: as a taker it would have paid 1,005.
    onSets(
      `
      protect alice 1 AAPL qty 10
      margin bob on
      push alice 1 AAPL-C-210 bid 90x5 80x5
      sell bob AAPL-C-210 1 @ 99                               rested
      push alice 1 AAPL-C-210 bid 100x5 98x5                   applied 1 0: post-only would trade
      book AAPL-C-210                                          bid alice/1 98x5 ask bob 99x1
      account alice                                            cash 1000
      push alice 1 AAPL-C-210 bid 100x10                       applied 1 0: post-only would trade
      book AAPL-C-210                                          ask bob 99x1
      push alice 1 AAPL-C-210 bid 100x10                       applied 1 0: post-only would trade
    `,
      { paperCash: '1000' },
    );
  });

  test('own orders and quotes of own other sets are in the way, own quotes of the set are not', () => {
    onSets(`${SET}
      protect alice 2 AAPL qty 10
      sell alice AAPL-C-190 1 @ 3.60                           rested
      push alice 2 AAPL-C-190 ask 3.50x1
      push alice 1 AAPL-C-190 ask 3.40x1
      push alice 1 AAPL-C-190 bid 3.45x1 ask 3.55x1
      push alice 1 AAPL-C-190 bid 3.50x1 3.49x1 ask 3.70x1     applied 1 0: post-only would trade
      push alice 2 AAPL-C-190 bid 3.60x1 3.59x1 ask -          applied 1 0: post-only would trade
      book AAPL-C-190                                          bid alice/2 3.59x1 alice/1 3.49x1 ask alice 3.6x1 alice/1 3.7x1
    `);
  });

  test('DET-5 row errors in the order of the checks, and in row order', () => {
    const ladder = Array.from({ length: 65 }, (_, k) => `${(9 - k / 10).toFixed(1)}x1`).join(' ');
    onSets(`${SET}
      suppose AAPL-C-200 settled
      suppose AAPL-C-205 pending-review
      push alice 1 AAPL-C-200 bid 1x99 ; AAPL-C-205 bid 1x99 ; AAPL-C-190 bid ${ladder} ; AAPL-C-195 bid 1x5 ; AAPL-C-190 bid 0x1 ; AAPL-C-190 bid 1x0 ; AAPL-C-190 bid 1x1 2x1 ; AAPL-C-190 bid 2x1 ask 2x1 ; 99999 bid 1x1 ; BTC-C-100000 bid 1x99 ; AAPL-C-190 bid 1x11   applied 1 unknown 99999 0: series settled, 1: series expired, 2: too many levels, 4: bad price, 5: bad qty, 6: levels must stand best first, 7: crossed ladder, 9: not the set's symbol, 10: level above the limit
      push alice 1 AAPL-C-195 ask 1x99                         applied 0 0: crossed ladder
    `);
  });

  test('NUM-1 what could leave the exact range is bad qty, quotes of other sets and orders included', () => {
    onSets(`
      protect alice 1 AAPL qty 9000000000
      protect alice 2 AAPL qty 9000000000
      push alice 1 AAPL-C-190 bid 0.000001x5000000000
      push alice 2 AAPL-C-190 bid 0.000001x5000000000          applied 0 0: bad qty
      buy alice AAPL-C-190 5000000000 @ 0.000001               rejected bad qty
      batch alice buy AAPL-C-190 5000000000 @ 0.000001 ioc     rejected bad qty
      push alice 1 AAPL-C-190 bid 0.000002x5000000000 ; AAPL-C-190 bid 0.000001x8000000000    applied 2
    `);
  });

  test('a level above the limit could never trade as a whole: by contracts or by delta', () => {
    onSets(`
      margin alice on
      protect alice 1 AAPL qty 10 delta 2
      push alice 1 AAPL-C-190 ask 3.40x10 delta 0.2
      push alice 1 AAPL-C-190 ask 3.40x10.000001               applied 0 0: level above the limit
      push alice 1 AAPL-C-190 delta 0.200001                   applied 0 0: level above the limit
      push alice 1 AAPL-C-190 ask 3.40x9 delta -0.200001
      push alice 1 AAPL-C-195 ask 3.40x3                       applied 0 0: level above the limit
      push alice 1 AAPL-C-195 ask 3.40x2
    `);
  });

  test('a row exists only while it has levels: an annotation without one is dropped', () => {
    const venue = onSets(`${SET}
      push alice 1 AAPL-C-195 iv 0.4 delta 0.5                 applied 0 kept 1
      push alice 1 AAPL-C-190 bid 3.30x5 iv 0.4 delta 0.5 ; AAPL-C-200 bid 1x1   applied 2
      push alice 1 AAPL-C-190 bid 3.20x5
    `);
    const set = venue.state.quoteSets.find(venue.account('alice').index, 1)!;
    const { sid } = venue.series('AAPL-C-190');
    const sids = () => [...set.rows.keys()];
    assert.deepEqual(sids(), [sid, venue.series('AAPL-C-200').sid]);
    assert.deepEqual([set.rows.get(sid)!.iv, set.rows.get(sid)!.delta], [0.4, 0.5]);
    onSets('push alice 1 AAPL-C-190 bid -', { venue });
    assert.deepEqual(sids(), [venue.series('AAPL-C-200').sid]);
    onSets('push alice 1 AAPL-C-190 bid 3.30x5', { venue });
    assert.deepEqual([set.rows.get(sid)!.iv, set.rows.get(sid)!.delta], [null, null]);
    onSets(
      `
      margin bob on
      sell bob AAPL-C-190 5 @ market                           filled 5@3.30
      cancel alice AAPL                                        pulled 1
    `,
      { venue },
    );
    assert.deepEqual(sids(), []);
    assert.equal(venue.state.quoteSets.quoting.size, 0);
  });

  test('all sets of an account have at most 4,096 levels', () => {
    const venue = onSets('protect alice 1 AAPL qty 10\nprotect alice 2 AAPL qty 10');
    const rows = rowsOf(venue, 65);
    const first = push(venue, rows.slice(0, 40));
    assert.deepEqual(first, { applied: 40, kept: 0, rowErrors: [], unknownSids: [] });
    const rowErrors = [{ i: 24, error: 'too many levels' }];
    const second = push(venue, rows.slice(40), { set: 2 });
    assert.deepEqual(second, { applied: 24, kept: 0, rowErrors, unknownSids: [] });
    onSets('protect alice 1 AAPL qty 0', { venue });
    const third = push(venue, rows.slice(64), { set: 2 });
    assert.deepEqual(third, { applied: 1, kept: 0, rowErrors: [], unknownSids: [] });
  });

  test('all sets of accounts that are no mark makers share a bound, and rows that add nothing pass', () => {
    const markMakers = [addressOf('mia'), addressOf('max')];
    const venue = Venue.listed({ setLevelsMax: 100, markMakers });
    onSets('protect alice 1 AAPL qty 10\nprotect bob 1 AAPL qty 10\nprotect mia 1 AAPL qty 10', { venue });
    const rows = rowsOf(venue, 3);
    const by = (who: string, some: readonly MicrosQuote[]) => {
      const { rowErrors } = push(venue, some, { who }) as { rowErrors: { i: number }[] };
      return rowErrors.map(({ i }) => i);
    };
    assert.deepEqual(by('mia', rows), []);
    assert.deepEqual(by('alice', rows), [1, 2]);
    const some = (row: MicrosQuote, count: number) => ({ ...row, bids: row.bids!.slice(0, count) });
    assert.deepEqual(by('bob', [some(rows[0]!, 37), some(rows[0]!, 36), some(rows[1]!, 1)]), [0, 2]);
    assert.deepEqual(by('mia', rows.slice(0, 1)), []);
    // One level fewer makes room for one of anybody's.
    assert.deepEqual(by('alice', [some(rows[0]!, 63)]), []);
    assert.deepEqual(by('bob', [some(rows[1]!, 1)]), []);
    // A lower bound takes nothing away, and lets through what does not add to it.
    venue.apply({
      kind: 'configure',
      parameters: { ...venue.state.parameters!, setLevelsMax: 10 },
    });
    assert.deepEqual(by('alice', [some(rows[0]!, 62), some(rows[0]!, 63)]), [1]);
  });

  test('an account opens sets with equity above zero', () => {
    onSets(
      `
      protect alice 1 AAPL qty 5                               rejected account equity depleted
      set alice 1                                              none
      protect alice 1 AAPL qty 0
    `,
      { fundingMode: 'deposits' },
    );
  });

  test('one fill may pull all levels of a set', () => {
    const venue = onSets('protect alice 1 AAPL qty 10');
    const rows = rowsOf(venue, 64);
    assert.deepEqual(push(venue, rows), { applied: 64, kept: 0, rowErrors: [], unknownSids: [] });
    const set = venue.state.quoteSets.find(venue.account('alice').index, 1)!;
    // All of them leave in the entry of the fill that uses the allowance up.
    onSets('protect alice 1 AAPL qty 0.01', { venue });
    assert.equal(venue.state.orders.countOf(ownerOfSet(set)), 64 * 64);
    const lowest = venue.unsettled().find(({ sid }) => sid === rows[0]!.sid)!;
    onSets('margin bob on', { venue });
    venue.apply({
      kind: 'order',
      account: addressOf('bob'),
      seriesId: lowest.seriesId,
      side: 'sell',
      qtyMicros: micros('0.01'),
      priceMicros: null,
    });
    assert.equal(venue.state.orders.countOf(ownerOfSet(set)), 0);
    onSets('set alice 1   quotes 0 frozen yes reserve 0', { venue });
  });

  test('without means to place, a row may only pull', () => {
    onSets(`
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 bid 3.30x5 ask 3.40x5            applied 0 0: margin is off — enable margin to sell short
      push alice 1 AAPL-C-190 bid 3.30x5 ask -
      margin alice on
      push alice 1 AAPL-C-190 ask 3.40x5
      margin alice off                                         refused margin cannot be turned off while short exposure exists
      suppose alice margin off
      push alice 1 AAPL-C-190 ask 3.40x5                       applied 0 kept 1
      push alice 1 AAPL-C-190 ask 3.40x4                       applied 0 0: margin is off — enable margin to sell short
      push alice 1 AAPL-C-190 ask -
      margin alice off
    `);
  });

  test('a called account may pull, and place nothing', () => {
    // Sold at 10 and marked at 60, 10 contracts have lost all that a cash of 900 stands for.
    onSets(
      `
      margin alice on
      protect alice 1 AAPL qty 10
      quote AAPL-C-190 bid 10x10
      sell alice AAPL-C-190 10 @ market                        filled 10@10
      push alice 1 AAPL-C-210/2 bid 1x5 0.9x5
      quote AAPL-C-190 ask 80x1
      account alice                                            marginCall yes
      push alice 1 AAPL-C-210/2 bid 1x5 0.8x5                  applied 0 0: margin call — reduce-only (buy back shorts)
      push alice 1 AAPL-C-210/2 bid 1x5
      push alice 1 AAPL-C-210/2 bid 1x5 ask -                  applied 0 kept 1
      book AAPL-C-210/2                                        bid alice/1 1x5
    `,
      { paperCash: '900' },
    );
  });

  test('an account without equity may pull, and place nothing', () => {
    onSets(
      `
      quote AAPL-C-190 ask 100x5
      buy alice AAPL-C-190 4.975 @ market                      filled 4.975@100
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 bid 0.01x1
      quote AAPL-C-190 ask -
      push alice 1 AAPL-C-190 bid 0.001x1
      account alice                                            marginCall no
    `,
      { paperCash: '500' },
    );
  });

  test('a frozen account may pull and end its set, and nothing else', () => {
    scenario(`
      protect alice 1 AAPL qty 10
      push alice 1 AAPL-C-190 bid 1x5 0.9x5
      suppose alice frozen
      push alice 1 AAPL-C-190 bid 1x4                          applied 0 0: account frozen — no linked wallet address
      push alice 1 AAPL-C-190 bid 1x5
      protect alice 1 AAPL qty 5                               rejected account frozen — no linked wallet address
      protect alice 1 AAPL qty 0
    `);
  });
});

/** Bids of 64 levels in so many series of AAPL. */
function rowsOf(venue: Venue, count: number): MicrosQuote[] {
  const series = venue.unsettled().filter(({ instrument }) => instrument.symbol === 'AAPL');
  return series.slice(0, count).map(({ sid }) => ({ sid, bids: levels(64), asks: null }));
}

function levels(count: number): MicrosLevel[] {
  return Array.from({ length: count }, (_, k) => [micros('0.001') + count - k, micros('0.01')]);
}

function push(venue: Venue, rows: readonly MicrosQuote[], { who = 'alice', set = 1 } = {}): object {
  const account = addressOf(who);
  const outcome = venue.apply({
    kind: 'quote-set',
    account,
    set,
    form: 'sqw1',
    bodyHash: '00'.repeat(32),
    rows,
  });
  assert.ok(!isRefused(outcome));
  return outcome;
}
