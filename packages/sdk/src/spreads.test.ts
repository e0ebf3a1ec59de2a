import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Spread, SpreadChain, SpreadQuote } from './spreads.ts';
import * as spreads from './spreads.ts';
import { outcomeOf } from './trade/payoffs.ts';

const EXPIRY = 1_795_827_600;

/** A chain of BTC at a spot of 100,400, each option at its own mid with a spread of 2. */
function chainOf(change: Partial<SpreadChain> = {}): SpreadChain {
  const { symbol = 'BTC', expiryTs = EXPIRY } = change;
  const rows = [103_000, 97_000, 98_000, 99_000, 100_000, 101_000, 102_000].map((strike) => {
    const quote = (right: string, mid: number): SpreadQuote => ({
      seriesId: `${symbol}-${expiryTs}-${right}-${strike}`,
      ...{ bid: { price: mid - 1 }, ask: { price: mid + 1 }, mid },
    });
    const far = (strike - 100_000) / 1_000;
    return { strike, call: quote('C', 2_000 - 300 * far), put: quote('P', 2_000 + 300 * far) };
  });
  return { symbol, expiryTs, spot: 100_400, rows, ...change };
}

/** `bull call spread: +1 C-100000 -1 C-102000, 600 to 602` */
function told({ name, legs, mid, natural }: Spread): string {
  const parts = legs.map(
    ({ seriesId, side, ratio }) =>
      `${side === 'buy' ? '+' : '-'}${ratio} ${seriesId.split('-').slice(2).join('-')}`,
  );
  return `${name}: ${parts.join(' ')}, ${mid} to ${natural}`;
}

describe('CMB-1 the legs of the usual spreads', () => {
  const chain = chainOf();
  const CASES: readonly (readonly [Spread, string])[] = [
    [
      spreads.vertical(chain, { right: 'call', buy: 100_000, sell: 102_000 }),
      'bull call spread: +1 C-100000 -1 C-102000, 600 to 602',
    ],
    [
      spreads.vertical(chain, { right: 'call', buy: 'atm+2', sell: 'atm' }),
      'bear call spread: +1 C-102000 -1 C-100000, -600 to -598',
    ],
    [
      spreads.vertical(chain, { right: 'put', buy: 'atm-2', sell: 'atm-1' }),
      'bull put spread: +1 P-98000 -1 P-99000, -300 to -298',
    ],
    [
      spreads.vertical(chain, { right: 'put', buy: 102_000, sell: 101_000 }),
      'bear put spread: +1 P-102000 -1 P-101000, 300 to 302',
    ],
    [spreads.straddle(chain, { side: 'buy' }), 'long straddle: +1 C-100000 +1 P-100000, 4000 to 4002'],
    [
      spreads.straddle(chain, { side: 'sell', strike: 101_000 }),
      'short straddle: -1 C-101000 -1 P-101000, -4000 to -3998',
    ],
    [
      spreads.strangle(chain, { side: 'sell', put: 'atm-1', call: 'atm+1' }),
      'short strangle: -1 P-99000 -1 C-101000, -3400 to -3398',
    ],
    [
      spreads.butterfly(chain, { side: 'buy', right: 'call', strikes: ['atm-1', 'atm', 'atm+1'] }),
      'long call butterfly: +1 C-99000 +1 C-101000 -2 C-100000, 0 to 4',
    ],
    [
      spreads.butterfly(chain, { side: 'sell', right: 'put', strikes: [98_000, 100_000, 102_000] }),
      'short put butterfly: +2 P-100000 -1 P-98000 -1 P-102000, 0 to 4',
    ],
    [
      spreads.condor(chain, { side: 'buy', right: 'put', strikes: [98_000, 99_000, 101_000, 102_000] }),
      'long put condor: +1 P-98000 +1 P-102000 -1 P-99000 -1 P-101000, 0 to 4',
    ],
    [
      spreads.ironCondor(chain, { side: 'sell', strikes: ['atm-2', 'atm-1', 'atm+1', 'atm+2'] }),
      'short iron condor: +1 P-98000 +1 C-102000 -1 P-99000 -1 C-101000, -600 to -596',
    ],
    [
      spreads.calendar(chain, chainOf({ expiryTs: EXPIRY + 86_400 }), {
        side: 'sell',
        right: 'put',
        strike: 'atm',
      }),
      'short put calendar: +1 P-100000 -1 P-100000, 0 to 2',
    ],
    [spreads.collar(chain, { put: 99_000, call: 101_000 }), 'collar: +1 P-99000 -1 C-101000, 0 to 2'],
    [
      spreads.coveredCall(chain, { own: 98_000, sell: 101_000 }),
      'covered call: +1 C-98000 -1 C-101000, 900 to 902',
    ],
  ];
  for (const [spread, expected] of CASES)
    it(expected, () => {
      assert.equal(told(spread), expected);
      assert.ok(spread.legs.length >= 2 && spread.legs.length <= 4, 'what a combo takes');
    });

  it('the bought leg of a calendar is of the later expiry, or the reverse', () => {
    const far = chainOf({ expiryTs: EXPIRY + 86_400 });
    const expiriesOf = (side: 'buy' | 'sell') =>
      spreads
        .calendar(chain, far, { side, right: 'call', strike: 100_000 })
        .legs.map((leg) => `${leg.side} ${leg.seriesId.split('-')[1]}`);
    assert.deepEqual(expiriesOf('buy'), [`buy ${EXPIRY + 86_400}`, `sell ${EXPIRY}`]);
    assert.deepEqual(expiriesOf('sell'), [`buy ${EXPIRY}`, `sell ${EXPIRY + 86_400}`]);
  });

  it('has no net where a leg has no price, and each by its own', () => {
    const blind = chainOf();
    const rows = blind.rows.map((row) =>
      row.strike === 102_000 ? { ...row, call: { ...row.call!, bid: null } } : row,
    );
    const spread = spreads.vertical({ ...blind, rows }, { right: 'call', buy: 100_000, sell: 102_000 });
    assert.deepEqual([spread.mid, spread.natural], [600, null]);
  });

  it('what a spread can lose is what its legs say: a vertical its net, an iron condor its width less what it brings in', () => {
    const vertical = spreads.vertical(chain, { right: 'call', buy: 100_000, sell: 102_000 });
    assert.deepEqual(outcomeOf(spreads.linesOf(vertical.legs, 2), 2 * vertical.natural!), {
      ...{ greatestLoss: 1_204, greatestGain: 4_000 - 1_204, breakEvens: [100_602] },
    });
    const condor = spreads.ironCondor(chain, { side: 'sell', strikes: [97_000, 99_000, 101_000, 102_000] });
    const { greatestLoss } = outcomeOf(spreads.linesOf(condor.legs, '0.5'), condor.mid! / 2);
    assert.equal(greatestLoss, (2_000 + condor.mid!) / 2);
  });

  it('a list of series makes a chain without prices', () => {
    const series = chain.rows.flatMap(({ strike, call, put }) =>
      [call!, put!].map(({ seriesId }) => ({
        ...{ seriesId, symbol: 'BTC', expiryTs: EXPIRY, strike, right: seriesId.split('-')[2] as 'C' | 'P' },
      })),
    );
    const listed = spreads.chainOfSeries(series.slice(0, -1), { expiryTs: EXPIRY, spot: 100_400 });
    const spread = spreads.straddle(listed, { side: 'buy' });
    assert.deepEqual(spread.legs, spreads.straddle(chain, { side: 'buy' }).legs);
    assert.deepEqual([spread.mid, spread.natural], [null, null]);
    assert.throws(
      () => spreads.straddle(listed, { side: 'buy', strike: 102_000 }),
      // At 20:00 in New York, on the next day in UTC.
      new RangeError('no put at 102000 is listed for BTC 2026-11-27'),
    );
    assert.throws(
      () => spreads.chainOfSeries(series, { expiryTs: 1, spot: 1 }),
      /nothing is listed for the expiry 1/,
    );
  });
});

describe('CMB-1 what is no such spread is refused', () => {
  const chain = chainOf();
  const far = chainOf({ expiryTs: EXPIRY + 1 });
  const CASES: readonly (readonly [string, () => Spread])[] = [
    [
      'no strike 100500 is listed for BTC 2026-11-27; the nearest are 99000, 100000, 101000',
      () => spreads.straddle(chain, { side: 'buy', strike: 100_500 }),
    ],
    ['atm+9 is beyond the strikes', () => spreads.straddle(chain, { side: 'buy', strike: 'atm+9' })],
    ['atm-4 is beyond the strikes', () => spreads.straddle(chain, { side: 'buy', strike: 'atm-4' })],
    ['a strike is a number', () => spreads.straddle(chain, { side: 'buy', strike: 'itm' as 'atm' })],
    ['side must be buy or sell', () => spreads.straddle(chain, { side: 'long' as 'buy' })],
    [
      'right must be call',
      () => spreads.vertical(chain, { right: 'C' as 'call', buy: 'atm', sell: 'atm+1' }),
    ],
    ['not both at 100000', () => spreads.vertical(chain, { right: 'call', buy: 'atm', sell: 100_000 })],
    ['the strikes of a strangle', () => spreads.strangle(chain, { side: 'buy', put: 'atm', call: 'atm' })],
    [
      'of one width',
      () => spreads.butterfly(chain, { side: 'buy', right: 'call', strikes: [97_000, 98_000, 100_000] }),
    ],
    [
      'the strikes of a butterfly ascend, which 100000, 99000, 98000 do not',
      () => spreads.butterfly(chain, { side: 'buy', right: 'call', strikes: [100_000, 99_000, 98_000] }),
    ],
    [
      'it takes 4 strikes, not 3',
      () => spreads.ironCondor(chain, { side: 'buy', strikes: ['atm', 'atm+1', 'atm+2'] as never }),
    ],
    [
      'the strikes of a condor',
      () => spreads.condor(chain, { side: 'buy', right: 'put', strikes: ['atm-1', 'atm', 'atm', 'atm+1'] }),
    ],
    [
      'of one underlying, not BTC and ETH',
      () =>
        spreads.calendar(chain, chainOf({ symbol: 'ETH' }), { side: 'buy', right: 'call', strike: 'atm' }),
    ],
    ['is after the first', () => spreads.calendar(far, chain, { side: 'buy', right: 'call', strike: 'atm' })],
    ['the strikes of a collar', () => spreads.collar(chain, { put: 'atm+1', call: 'atm' })],
    ['100400', () => spreads.coveredCall(chain, { own: 101_000, sell: 102_000 })],
    ['100000 is below', () => spreads.coveredCall(chain, { own: 99_000, sell: 100_000 })],
  ];
  for (const [message, make] of CASES)
    it(message, () => {
      assert.throws(make, (error: unknown) => error instanceof RangeError && error.message.includes(message));
    });
});
