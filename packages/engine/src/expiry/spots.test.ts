import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { Venue } from '../../test/venue.ts';

describe('FEED-2 the spot', () => {
  test('median of an odd count, mean of the middle pair of an even one', () => {
    scenario(`
      -- the usual source says 200
      instrument AAPL            spot 200 feed fresh
      print a AAPL 201
      instrument AAPL            spot 200.50
      print b AAPL 260
      instrument AAPL            spot 201
      print c AAPL 100
      instrument AAPL            spot 200.50
      print c AAPL 202
      instrument AAPL            spot 201.50
      instrument BTC             spot 100000
    `);
  });

  test('FINE-6 the mean of the middle pair is rounded down', () => {
    scenario(`
      print a AAPL 200.000001
      instrument AAPL            spot 200
      print a AAPL 200.000003
      instrument AAPL            spot 200.000001
    `);
  });

  test('a print of exactly 60 s ago counts, a millisecond more does not', () => {
    scenario(`
      wait 30s
      print a AAPL 210
      wait 30s
      maintain days 1 2 3
      instrument AAPL            spot 205 feed fresh
      wait 2500ms
      maintain days 1 2 3
      instrument AAPL            spot 210 feed fresh
    `);
    scenario(`
      wait 30s
      print a AAPL 210
      wait 30001ms
      maintain days 1 2 3
      instrument AAPL            spot 210 feed fresh
    `);
  });

  test('a stale feed keeps the last value and is reported as stale', () => {
    scenario(`
      wait 60s
      instrument AAPL            spot 200 feed fresh
      wait 1ms
      instrument AAPL            spot 200 feed stale
      maintain days 1 2 3
      instrument AAPL            spot 200 feed stale
      spot AAPL 190
      instrument AAPL            spot 190 feed fresh
    `);
  });

  test('a source that comes back counts with its new print only', () => {
    scenario(`
      wait 90s
      print a AAPL 220
      instrument AAPL            spot 220 feed fresh
      spot AAPL 210
      instrument AAPL            spot 215
    `);
  });
});

describe('FEED-1 rows of a push', () => {
  test('are accepted or rejected one by one', () => {
    const venue = Venue.listed();
    const row = { symbol: 'AAPL', source: 'feed', priceMicros: 210_000_000 };
    const outcome = venue.apply({
      kind: 'prints',
      prints: [
        { ...row, symbol: 'NONE' },
        { ...row, priceMicros: 0 },
        row,
        { ...row, priceMicros: -1 },
        { ...row, source: '' },
        { ...row, source: 'x'.repeat(65) },
        { ...row, source: 'x'.repeat(64) },
      ],
    });
    assert.deepEqual(outcome, {
      accepted: 2,
      rowErrors: [
        { i: 0, error: 'unknown symbol' },
        { i: 1, error: 'bad price' },
        { i: 3, error: 'bad price' },
        { i: 4, error: 'bad source' },
        { i: 5, error: 'bad source' },
      ],
    });
    scenario('instrument AAPL   spot 210', venue);
  });

  test('a symbol has at most sixteen sources, and those keep printing', () => {
    const venue = Venue.listed();
    for (let k = 1; k < 16; k += 1) scenario(`print source${k} AAPL 200`, venue);
    scenario(
      `
      print another AAPL 200        too many sources
      print source15 AAPL 200
      print another BTC 100000
    `,
      venue,
    );
  });

  test('of several prints of a source in a push the last one counts', () => {
    const venue = Venue.listed();
    const print = { symbol: 'AAPL', source: 'feed' };
    venue.apply({
      kind: 'prints',
      prints: [
        { ...print, priceMicros: 150_000_000 },
        { ...print, priceMicros: 220_000_000 },
      ],
    });
    scenario('instrument AAPL   spot 220', venue);
  });
});
