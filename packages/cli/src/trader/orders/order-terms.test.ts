import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readActions } from '@venue/protocol';
import { CommandError } from '../../base/command-error.ts';
import { type TermOptions, wantedOrder } from './order-terms.ts';

const SERIES = 'BTC-1795827600-C-92000';
const WORDS = { side: 'buy', series: SERIES.toLowerCase(), qty: '0.5' } as const;
const BASE = { type: 'place', seriesId: SERIES, side: 'buy', qty: 0.5 } as const;
const EXPIRES_AT = Date.UTC(2026, 10, 27, 8);

test('TIF-1: the options of an order become the action that they name', () => {
  for (const [options, action, slippage] of [
    [{ limit: '2' }, { price: 2 }, null],
    [{ limit: '2', tif: 'ioc', reduceOnly: true }, { price: 2, tif: 'ioc', reduceOnly: true }, null],
    [{ limit: '2', tif: 'fok', stp: 'maker' }, { price: 2, tif: 'fok', stp: 'maker' }, null],
    [{ limit: '2', postOnly: true, clientId: 'a-1' }, { price: 2, postOnly: true, clientId: 'a-1' }, null],
    [
      { limit: '2', expires: '2026-11-27T08:00', postOnly: true },
      { price: 2, tif: 'gtd', expiresAt: EXPIRES_AT, postOnly: true },
      null,
    ],
    [
      { limit: '2', tif: 'gtd', expires: String(EXPIRES_AT) },
      { price: 2, tif: 'gtd', expiresAt: EXPIRES_AT },
      null,
    ],
    [{ market: true }, { tif: 'ioc' }, 50_000],
    [{ market: true, slippage: '1', tif: 'fok' }, { tif: 'fok' }, 10_000],
    [{ market: true, slippage: 'none', reduceOnly: true }, { tif: 'ioc', reduceOnly: true }, null],
  ] as [TermOptions, object, number | null][]) {
    const wanted = wantedOrder(WORDS, options);
    assert.deepEqual(wanted, { action: { ...BASE, ...action }, slippage });
    assert.ok(!('error' in readActions([wanted.action])), 'BAT-1: it is well-formed');
  }
});

test('a length of time counts from now', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: EXPIRES_AT });
  const { action } = wantedOrder(WORDS, { limit: '2', expires: '1h30m' });
  assert.deepEqual([action.tif, action.expiresAt], ['gtd', EXPIRES_AT + 5_400_000]);
});

test('BAT-1: options that exclude each other are refused before anything is sent', () => {
  for (const [options, message] of [
    [{}, /either --limit PRICE or --market$/],
    [{ limit: '1', market: true }, /either --limit PRICE or --market$/],
    [{ limit: '1', slippage: '5' }, /^--slippage belongs to --market/],
    [{ market: true, slippage: '5%' }, /^--slippage is a percentage/],
    [{ market: true, tif: 'gtc' }, /never rests: --tif is ioc or fok$/],
    [{ market: true, expires: '5m' }, /never rests/],
    [{ market: true, postOnly: true }, /^--post-only is for orders that rest/],
    [{ limit: '1', tif: 'ioc', postOnly: true }, /^--post-only is for orders that rest/],
    [{ limit: '1', reduceOnly: true }, /^--reduce-only is for orders that never rest/],
    [{ limit: '1', expires: '5m', reduceOnly: true }, /^--reduce-only is for orders that never rest/],
    [{ limit: '1', postOnly: true, reduceOnly: true }, /exclude each other$/],
    [{ limit: '1', tif: 'gtd' }, /^--tif gtd needs --expires TIME$/],
    [{ limit: '1', tif: 'ioc', expires: '5m' }, /^--expires belongs to --tif gtd, not to ioc$/],
    [{ limit: '1', expires: 'soon' }, /^--expires is a length of time like 15m, a day like .*"soon"$/],
    [{ limit: '1', clientId: '-a' }, /^--client-id is 1 to 36 letters.*"-a"$/],
    [{ limit: '1', clientId: '' }, /^--client-id is 1 to 36 letters/],
  ] as [TermOptions, RegExp][])
    assert.throws(
      () => wantedOrder(WORDS, options),
      (error) => {
        assert.ok(error instanceof CommandError, String(error));
        assert.match(error.message, message);
        return error.exitCode === 2;
      },
    );
});
