import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smileOf, smileVol } from './smile.ts';

const SYMBOLS = ['BTC', 'ETH', 'AAPL', 'SPX', 'UNHEARD'];
const YEAR = { spot: 100, years: 1 };

test('at the money a long expiry has the volatility of the underlying', () => {
  for (const symbol of SYMBOLS) {
    const { atm } = smileOf(symbol);
    assert.ok(Math.abs(smileVol(smileOf(symbol), { ...YEAR, strike: 100 }) - atm) < 1e-6);
  }
});

test('wings rise above the middle, and on stocks and indices the lower one more', () => {
  for (const symbol of SYMBOLS) {
    const smile = smileOf(symbol);
    const at = (strike: number) => smileVol(smile, { ...YEAR, strike });
    const far = 100 * Math.exp(3 * smile.atm);
    assert.ok(at(10_000 / far) > at(100), `${symbol} lower wing`);
    assert.ok(at(10_000 / far) > at(far), `${symbol} skew`);
  }
});

test('a short expiry is quoted higher than a long one', () => {
  const at = (years: number) => smileVol(smileOf('BTC'), { spot: 100, strike: 100, years });
  assert.ok(at(1 / 365) > at(30 / 365) && at(30 / 365) > at(1));
});

test('however far the strike, volatility stays positive and within a few times the middle', () => {
  for (const symbol of SYMBOLS) {
    for (const strike of [0.01, 1, 50, 200, 1e6]) {
      for (const years of [1e-6, 1 / 365, 1]) {
        const vol = smileVol(smileOf(symbol), { spot: 100, strike, years });
        assert.ok(
          vol > 0.5 * smileOf(symbol).atm && vol < 2.5 * smileOf(symbol).atm,
          `${symbol} ${strike} ${vol}`,
        );
      }
    }
  }
});
