import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ticker } from '@venue/protocol';
import { colourless } from '../../terminal/style.ts';
import { greeksText } from './greeks.ts';
import { hoursCsv } from './hours.ts';

const EXPIRY = 1_795_827_600;
const page = { width: 200, paint: colourless };

const ticker = (over: Partial<Ticker>): Ticker => ({
  ...{ seriesId: `BTC-${EXPIRY}-C-92000`, bid: 1_500, ask: 1_510, mark: 1_505, last: null, volume24h: 2.5 },
  ...{ openInterest: 4, iv: 0.6137, delta: 0.5234, gamma: 0.0000302, vega: 44.356, theta: -139.946 },
  ...over,
});

test('HIS-3: greeks are a table with a row a contract, empty where there is no volatility', () => {
  const none = { iv: null, delta: null, gamma: null, vega: null, theta: null };
  const tickers = [ticker({}), ticker({ seriesId: `BTC-${EXPIRY}-P-92000`, mark: null, ...none })];
  const list = { symbol: 'BTC', spot: 92_100, settlementSoFar: 92_050.5, tickers };
  const text = greeksText(list, { tickers, page }).join('\n');
  assert.match(text, /^BTC at 92,?100(\.00)? USD\nexpires /);
  assert.match(text, /would settle at 92,?050\.50? USD so far/);
  assert.match(text, /C-92000 .* 61\.4 +0\.523 +0\.000030 +44\.36 +-139\.95 /);
  assert.doesNotMatch(text, /null|NaN/);
  assert.equal(text.split('\n').filter((line) => line.includes('-92000')).length, 2);
});

test('HIS-4: samples of the hour as CSV have plain decimals, and times in both forms', () => {
  assert.equal(
    hoursCsv('equity', [[1_764_374_400_000, 100_000.000001]]),
    'time,t,equity\r\n2025-11-29T00:00:00.000Z,1764374400000,100000.000001\r\n',
  );
});
