import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../base/command-error.ts';
import { amountOf, countOf, expiryWord, instantOf, seriesOf } from './arguments.ts';

const isUsage = (error: unknown) =>
  error instanceof CommandError && error.exitCode === 2 && !error.message.includes('\n');

test('NUM-2: an amount is a positive decimal that is exact in millionths', () => {
  for (const [text, value] of [
    ['1', 1],
    ['0.1', 0.1],
    ['1.005', 1.005],
    ['0012.500000', 12.5],
    ['0.000001', 0.000001],
    ['4294967295.999999', 4_294_967_295.999999],
    ['9007199254', 9_007_199_254],
  ] as const)
    assert.equal(amountOf('it', text), value);
  const REFUSED = [
    '0',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '.5',
    '5.',
    '1,5',
    '1_000',
    '',
    ' 1',
    'NaN',
    'Infinity',
    '0x10',
  ];
  for (const text of [
    ...REFUSED,
    '0.0000001',
    '9007199254.740991',
    '99999999999999999',
    '0.30000000000000004',
    '0.10000000000000000555',
  ])
    assert.throws(() => amountOf('it', text), isUsage, text);
});

test('the error about an amount names it', () => {
  assert.throws(
    () => amountOf('--limit', 'x'),
    /^CommandError: --limit must be a plain decimal like 12\.5, not "x"$/,
  );
});

test('a series is accepted in any case, and made canonical', () => {
  assert.equal(seriesOf('btc-1795827600-c-92000.5'), 'BTC-1795827600-C-92000.5');
  for (const text of ['BTC', 'BTC-1795827600-C-92000.50', 'BTC-1795827600-X-1', 'BTC-1-C-0'])
    assert.throws(() => seriesOf(text), isUsage, text);
});

test('an expiry is a day or unix seconds', () => {
  assert.deepEqual(expiryWord('2026-11-27'), { day: '2026-11-27' });
  assert.deepEqual(expiryWord('1795827600'), { expiryTs: 1_795_827_600 });
  for (const text of ['tomorrow', '27.11.2026', '1']) assert.throws(() => expiryWord(text), isUsage, text);
});

test('a time is UTC, whatever the zone of this machine', () => {
  const DAY = Date.UTC(2026, 10, 1);
  for (const [text, ms] of [
    ['2026-11-01', DAY],
    ['2026-11-01T08:30', DAY + 30_600_000],
    ['2026-11-01T08:30:05.250Z', DAY + 30_605_250],
    [String(DAY), DAY],
  ] as const)
    assert.equal(instantOf('--from', text), ms);
  for (const text of [
    '2026-02-30',
    '2026-13-01',
    '1.11.2026',
    '2026-11-01 08:00',
    '2026-11-01T08:00+02:00',
    '',
  ])
    assert.throws(() => instantOf('--from', text), isUsage, text);
});

test('a count has its limits', () => {
  assert.equal(countOf('--limit', '500', 500), 500);
  for (const text of ['0', '501', '1.5', '-1', 'all'])
    assert.throws(() => countOf('--limit', text, 500), isUsage);
});
