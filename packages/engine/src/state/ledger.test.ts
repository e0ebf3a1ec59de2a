import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MICROS_MAX, toMicros } from '@venue/protocol';
import fc from 'fast-check';
import { scenario } from '../../test/scenario.ts';
import { micros, seriesIdOf, Venue } from '../../test/venue.ts';
import { positionUnrealizedMicros, unrealizedMicros } from '../risk/margin.ts';
import { markMicros } from '../risk/marks.ts';
import { bookFill, transfer } from './ledger.ts';
import { positionOf } from './state.ts';

describe('average cost', () => {
  test('NUM-7 buying averages, selling realises, the last close takes the rounding', () => {
    // 1 at 1 and 2 at 2 cost 5; each of two closes releases a third, 1.666666, and the last close the rest.
    scenario(`
      margin bob on
      sell bob AAPL-C-190 1 @ 1            rested
      sell bob AAPL-C-190 2 @ 2            rested
      buy alice AAPL-C-190 3 @ 2           filled 1@1 2@2
      position alice AAPL-C-190            qty 3 cost 5 realized 0
      position bob AAPL-C-190              qty -3 cost 5 realized 0
      buy bob AAPL-C-190 3 @ 4             rested
      sell alice AAPL-C-190 1 @ 4          filled 1@4
      position alice AAPL-C-190            qty 2 cost 3.333334 realized 2.333334
      sell alice AAPL-C-190 1 @ 4          filled 1@4
      position alice AAPL-C-190            qty 1 cost 1.666667 realized 4.666667
      sell alice AAPL-C-190 1 @ 4          filled 1@4
      position alice AAPL-C-190            qty 0 cost 0 realized 7 unrealized 0
      position bob AAPL-C-190              qty 0 cost 0 realized -7 unrealized 0
    `);
  });

  test('NUM-7 a fill that flips realises the closed part and opens the rest at its own price', () => {
    scenario(`
      margin alice on
      quote AAPL-C-190 bid 2x10 ask 3x10
      buy alice AAPL-C-190 2 @ 3           filled 2@3
      sell alice AAPL-C-190 5 @ 2          filled 5@2
      fills alice                          buy 2@3 fee 0.03 realized 0 taker, sell 5@2 fee 0.05 realized -2 taker
      position alice AAPL-C-190            qty -3 cost 6 realized -2 unrealized -1.50
      buy alice AAPL-C-190 4 @ 3           filled 4@3
      position alice AAPL-C-190            qty 1 cost 3 realized -5 unrealized -0.50
      account alice                        realized -5 cash 99991.86
    `);
  });

  test('LIST-6 open interest is the sum of longs, volume the traded quantity', () => {
    const venue = scenario(`
      margin alice on
      quote AAPL-C-190 bid 2x10 ask 3x10
      buy alice AAPL-C-190 4 @ 3           filled 4@3
      sell alice AAPL-C-190 6 @ 2          filled 6@2
      buy bob AAPL-C-190 1 @ 3             filled 1@3
    `);
    // Alice -2, bob 1, the maker 1.
    const { openInterestMicros, volumeMicros } = venue.series('AAPL-C-190');
    assert.deepEqual([openInterestMicros, volumeMicros], [micros('2'), micros('11')]);
  });
});

describe('money', () => {
  test('a transfer has two legs, and cash may go negative', () => {
    const venue = Venue.listed();
    const [alice, bob] = [venue.account('alice'), venue.account('bob')];
    transfer(alice, bob, micros('100000.000001'));
    assert.deepEqual([alice.cashMicros, bob.cashMicros], [-1, micros('200000.000001')]);
  });
});

interface RandomTrade {
  readonly buyer: 'alice' | 'bob';
  readonly taker: 'alice' | 'bob';
  readonly priceMicros: number;
  readonly qtyMicros: number;
}

const TRADE: fc.Arbitrary<RandomTrade> = fc.record({
  buyer: fc.constantFrom('alice', 'bob'),
  taker: fc.constantFrom('alice', 'bob'),
  priceMicros: fc.integer({ min: 1, max: 50_000_000 }),
  qtyMicros: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 30_000_000 })),
});
/** Deep pockets: these tests are about the effects of fills, not about whether they are allowed. */
const RICH = { paperCashMicros: micros('1000000000') };
const SERIES = 'AAPL-C-190';

/** One trade at a price: one side rests, the other takes. */
function trade(venue: Venue, { buyer, taker, priceMicros, qtyMicros }: RandomTrade): void {
  const seller = buyer === 'alice' ? 'bob' : 'alice';
  const makers = taker === buyer ? seller : buyer;
  for (const name of [makers, taker]) {
    const account = venue.account(name).address!;
    const side = name === buyer ? 'buy' : 'sell';
    const seriesId = seriesIdOf(SERIES);
    const outcome = venue.apply({ kind: 'order', account, seriesId, side, qtyMicros, priceMicros });
    assert.ok('status' in outcome && outcome.status === (name === taker ? 'filled' : 'rested'));
  }
}

/** Cash moved by trades, without fees. */
function cashFlow(venue: Venue, name: string, feesPaid: bigint): bigint {
  return BigInt(venue.account(name).cashMicros) - BigInt(RICH.paperCashMicros) + feesPaid;
}

function floorDiv(a: bigint, b: bigint): bigint {
  return a % b < 0n ? a / b - 1n : a / b;
}

describe('NUM-7 whatever the sequence of fills', () => {
  test('both kinds of P&L sum to premiums paid and received before fees, and the value held', () => {
    fc.assert(
      fc.property(
        fc.array(TRADE, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 9_000_000 }),
        (trades, markMicrosWanted) => {
          const venue = Venue.listed(RICH);
          scenario('margin alice on\nmargin bob on', venue);
          for (const next of trades) trade(venue, next);
          quoteMark(venue, markMicrosWanted);
          for (const name of ['alice', 'bob']) checkProfit(venue, name, BigInt(markMicrosWanted));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('cost is never negative, and gone with the position', () => {
    fc.assert(
      fc.property(fc.array(TRADE, { minLength: 1, maxLength: 25 }), (trades) => {
        const venue = Venue.listed(RICH);
        scenario('margin alice on\nmargin bob on', venue);
        for (const next of trades) {
          trade(venue, next);
          for (const name of ['alice', 'bob']) {
            const position = venue.account(name).positions.get(venue.series(SERIES).sid)!;
            assert.ok(position.costMicros >= 0);
            if (position.qtyMicros === 0) assert.equal(position.costMicros, 0);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

function quoteMark(venue: Venue, markWanted: number): void {
  const { sid } = venue.series(SERIES);
  const bids = [[markWanted, 1]] as const;
  venue.apply({ kind: 'quotes', session: null, rows: [{ sid, bids, asks: [] }] });
  assert.equal(markMicros(venue.series(SERIES)), markWanted);
}

function checkProfit(venue: Venue, name: string, mark: bigint): void {
  const account = venue.account(name);
  const position = account.positions.get(venue.series(SERIES).sid)!;
  const fees = venue.takeFills(name).reduce((sum, { feeMicros }) => sum + BigInt(feeMicros), 0n);
  const value = floorDiv(BigInt(position.qtyMicros) * mark, 1_000_000n);
  const profit = BigInt(position.realizedMicros) + BigInt(positionUnrealizedMicros(venue.state, position));
  assert.equal(profit, cashFlow(venue, name, fees) + value, name);
  assert.equal(account.realizedMicros, position.realizedMicros);
  assert.equal(unrealizedMicros(venue.state, account), positionUnrealizedMicros(venue.state, position));
}

describe('money going round in circles', () => {
  test('NUM-1 cost and realised P&L are clamped to the exact range, and nothing throws', () => {
    const venue = Venue.listed();
    const account = venue.account('alice');
    const position = positionOf(account, venue.state.series[0]!);
    const valueMicros = toMicros(6_000_000_000_000_000);
    const qtyMicros = toMicros(1_000_000);
    // Each round buys for nothing and sells for 6e9: realised P&L passes 2^53-1 after the second.
    for (let round = 0; round < 3; round += 1) {
      bookFill(account, position, { side: 'buy', qtyMicros, valueMicros: toMicros(0) });
      bookFill(account, position, { side: 'sell', qtyMicros, valueMicros });
    }
    assert.equal(position.realizedMicros, MICROS_MAX);
    assert.equal(account.realizedMicros, MICROS_MAX);
    for (let round = 0; round < 2; round += 1)
      bookFill(account, position, { side: 'buy', qtyMicros, valueMicros });
    assert.equal(position.costMicros, MICROS_MAX);
    assert.equal(
      bookFill(account, position, { side: 'sell', qtyMicros, valueMicros }),
      6e15 - 4_503_599_627_370_495,
    );
  });
});
