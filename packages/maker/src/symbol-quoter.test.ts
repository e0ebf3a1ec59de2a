import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Series } from '@venue/protocol';
import fc from 'fast-check';
import { accountOf, DAY_MS, listing, NOW_MS, positionOf, shippedParameters } from '../test/market.ts';
import { Inventory } from './inventory.ts';
import { farAskOf, ladderOf } from './ladder.ts';
import { type Quote, SymbolQuoter } from './symbol-quoter.ts';
import { tickAt } from './ticks.ts';

const STRIKES: Readonly<Record<string, readonly number[]>> = {
  BTC: Array.from({ length: 21 }, (_, i) => 85_000 + 1_000 * i),
  AAPL: Array.from({ length: 21 }, (_, i) => 200 + 2.5 * i),
  SPX: Array.from({ length: 21 }, (_, i) => 5_400 + 50 * i),
};
const DAYS = [0.03, 1, 2, 7, 28, 90];

/** Quotes of a whole symbol with a given share of its limits in use; positive is long. */
function quotesOf(symbol: string, { move = 0, held = 0, share = 0 } = {}): Map<Series, Quote> {
  const list = listing(symbol, STRIKES[symbol]!, DAYS);
  const inventory = new Inventory();
  const positions = list.filter((_, i) => i % 3 === 0).map((series) => positionOf(series, held));
  inventory.replace(accountOf({ positions, houseLine: 1e9 }));
  // This share of the line is used whatever the positions are worth.
  inventory.revalue(() => ({ price: (share * 1e9) / (held * positions.length || 1), spot: 0 }));
  const quoter = new SymbolQuoter(shippedParameters().of(symbol), inventory);
  quoter.load(list);
  const spot = STRIKES[symbol]![10]! * (1 + move);
  const quotes = quoter.quotes(spot, NOW_MS).filter((row): row is [Series, Quote] => row[1] !== null);
  return new Map(quotes);
}

/** Best bid and ask by series; 0 and infinity if there is none. */
function topOf(quotes: Map<Series, Quote>) {
  const key = ({ right, strike, expiryTs }: Pick<Series, 'right' | 'strike' | 'expiryTs'>) =>
    `${right} ${strike} ${expiryTs}`;
  const tops = new Map(
    [...quotes].map(([series, quote]) => {
      const { bids, asks } = ladderOf(quote);
      return [key(series), { bid: bids[0]?.[0] ?? 0, ask: asks[0]?.[0] ?? Number.POSITIVE_INFINITY }];
    }),
  );
  return (right: 'C' | 'P', strike: number, expiryTs: number) =>
    tops.get(key({ right, strike, expiryTs })) ?? { bid: 0, ask: Number.POSITIVE_INFINITY };
}

describe('the quotes alone offer no free money, whatever the spot and the inventory', () => {
  const SITUATION = fc.record({
    symbol: fc.constantFrom('BTC', 'AAPL', 'SPX'),
    move: fc.double({ min: -0.08, max: 0.08, noNaN: true }),
    held: fc.constantFrom(0, 0.01, -0.01, 0.4, -0.4, 5, -5, 14, -14),
  });
  const each = (check: (situation: Situation) => void) =>
    fc.assert(
      fc.property(SITUATION, ({ symbol, ...how }) => {
        const quotes = quotesOf(symbol, how);
        const expiries = [...new Set([...quotes.keys()].map(({ expiryTs }) => expiryTs))];
        check({ strikes: STRIKES[symbol]!, expiries, top: topOf(quotes) });
      }),
      { numRuns: 60 },
    );
  interface Situation {
    readonly strikes: readonly number[];
    readonly expiries: readonly number[];
    readonly top: ReturnType<typeof topOf>;
  }
  const SLACK = 1e-6;

  test('verticals cost something, and no more than they can pay', () => {
    each(({ strikes, expiries, top }) => {
      for (const expiry of expiries) {
        for (let i = 1; i < strikes.length; i++) {
          const [low, high] = [strikes[i - 1]!, strikes[i]!];
          for (const [near, far] of [
            [top('C', low, expiry), top('C', high, expiry)],
            [top('P', high, expiry), top('P', low, expiry)],
          ] as const) {
            assert.ok(near.ask - far.bid > -SLACK, `free vertical at ${low}: ${near.ask} under ${far.bid}`);
            assert.ok(near.bid - far.ask < high - low + SLACK, `vertical dearer than its payout at ${low}`);
          }
        }
      }
    });
  });

  test('butterflies cost something', () => {
    each(({ strikes, expiries, top }) => {
      for (const expiry of expiries) {
        for (let i = 1; i + 1 < strikes.length; i++) {
          for (const right of ['C', 'P'] as const) {
            const [low, body, high] = [i - 1, i, i + 1].map((n) => top(right, strikes[n]!, expiry));
            assert.ok(low!.ask - 2 * body!.bid + high!.ask > -SLACK, `free butterfly ${right} ${strikes[i]}`);
          }
        }
      }
    });
  });

  test('calendars cost something', () => {
    each(({ strikes, expiries, top }) => {
      for (let i = 1; i < expiries.length; i++) {
        for (const strike of strikes) {
          for (const right of ['C', 'P'] as const) {
            const [near, far] = [top(right, strike, expiries[i - 1]!), top(right, strike, expiries[i]!)];
            assert.ok(
              far.ask - near.bid > -SLACK,
              `free calendar ${right} ${strike}: ${far.ask} under ${near.bid}`,
            );
          }
        }
      }
    });
  });

  test('a conversion locks in no gain: synthetics of different strikes agree', () => {
    each(({ strikes, expiries, top }) => {
      for (const expiry of expiries) {
        // Highest price at which the forward can be sold, lowest at which it can be bought.
        const sold = strikes.map(
          (strike) => strike + top('C', strike, expiry).bid - top('P', strike, expiry).ask,
        );
        const bought = strikes.map(
          (strike) => strike + top('C', strike, expiry).ask - top('P', strike, expiry).bid,
        );
        assert.ok(
          Math.max(...sold) <= Math.min(...bought) + SLACK,
          `${Math.max(...sold)} over ${Math.min(...bought)}`,
        );
      }
    });
  });
});

describe('the quotes of a symbol', () => {
  test('cover every series, both sides near the money, with annotations of the fair value', () => {
    const quotes = quotesOf('BTC');
    assert.equal(quotes.size, 21 * 2 * DAYS.length);
    for (const [{ strike, right }, quote] of quotes) {
      const { value, centre } = quote;
      const ladder = ladderOf(quote);
      assert.ok(ladder.asks.length === quote.levels && value.vol > 0.3 && value.vol < 4);
      assert.ok(right === 'C' ? value.delta >= 0 : value.delta <= 0);
      assert.equal(centre, value.price);
      if (strike === 95_000) assert.ok(ladder.bids.length > 0 && ladder.asks[0]![1] === 1);
    }
  });

  test('inventory moves every centre against itself and widens every quote', () => {
    const [flat, long] = [quotesOf('BTC'), quotesOf('BTC', { held: 0.3 })];
    const at = (quotes: Map<Series, Quote>, right: 'C' | 'P') =>
      [...quotes].findLast(([series]) => series.right === right && series.strike === 95_000)![1];
    // Calls and puts are both long, so vega is sold.
    assert.ok(at(long, 'C').centre < at(flat, 'C').centre && at(long, 'P').centre < at(flat, 'P').centre);
    assert.ok(at(long, 'C').halfSpread > at(flat, 'C').halfSpread);
    assert.equal(at(long, 'C').value.price, at(flat, 'C').value.price);
  });

  test('past a limit one side is left, past the house share only closing quotes and the far asks', () => {
    const long = [...quotesOf('BTC', { held: 14 }).values()];
    assert.ok(long.length > 0 && long.every((quote) => ladderOf(quote).bids.length === 0));
    const closing = quotesOf('BTC', { held: 0.02, share: 0.6 });
    assert.equal(closing.size, 21 * 2 * DAYS.length);
    for (const quote of closing.values()) {
      const { bids, asks } = ladderOf(quote);
      const isHeld = quote.room.ask > 0;
      assert.deepEqual([bids, asks.map(([, qty]) => qty)], [[], [isHeld ? 0.02 : 0.01]]);
      assert.ok(isHeld || asks[0]![0] >= farAskOf(quote));
    }
  });

  test('MARK-1 with any position something is offered, and never above what a contract can be worth', () => {
    for (const held of [-14, -16, -1_000]) {
      const quotes = quotesOf('BTC', { held });
      assert.equal(quotes.size, 21 * 2 * DAYS.length);
      for (const [{ right, strike }, quote] of quotes) {
        const { asks } = ladderOf(quote);
        const nearest = quote.centre + quote.halfSpread + tickAt(quote.centre + quote.halfSpread);
        assert.equal(asks.length, 1);
        assert.ok(asks[0]![0] <= Math.max(right === 'C' ? 95_000 : strike, nearest), `${asks[0]}`);
      }
    }
  });

  test('at the cutoff, and in an averaging window whose start was missed, there is no quote', () => {
    const list = listing('BTC', [95_000], [1]);
    const quoterAt = () => {
      const quoter = new SymbolQuoter(shippedParameters().of('BTC'), new Inventory());
      quoter.load(list);
      return quoter;
    };
    const cutoffMs = NOW_MS + DAY_MS;
    const counted = (rows: [Series, Quote | null][]) => rows.filter(([, quote]) => quote !== null).length;
    const watching = quoterAt();
    for (let ms = 31 * 60_000; ms > 1_000; ms -= 1_000)
      assert.equal(counted(watching.quotes(95_000, cutoffMs - ms)), 2, `${ms} ms before`);
    assert.equal(watching.quotes(95_000, cutoffMs - 500).length, 0);
    assert.equal(counted(quoterAt().quotes(95_000, cutoffMs - 20 * 60_000)), 0);
  });
});
