import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fitted, forceText, tifOf, tifsOf, untilMs, untilText } from './in-force.ts';

describe('the time in force of the ticket', () => {
  it('TIF-1: never rests a market order, which is immediate or cancel unless it is fill or kill', () => {
    assert.equal(tifOf({ kind: 'market', tif: 'gtc' }), 'ioc');
    assert.equal(tifOf({ kind: 'market', tif: 'gtd' }), 'ioc');
    assert.equal(tifOf({ kind: 'market', tif: 'fok' }), 'fok');
    assert.equal(tifOf({ kind: 'limit', tif: 'gtd' }), 'gtd');
    assert.deepEqual(tifsOf({ kind: 'market', flag: null }), ['ioc', 'fok']);
  });

  it('TIF-2, TIF-3: offers each flag its own times in force', () => {
    assert.deepEqual(tifsOf({ kind: 'limit', flag: null }), ['gtc', 'gtd', 'ioc', 'fok']);
    assert.deepEqual(tifsOf({ kind: 'limit', flag: 'post-only' }), ['gtc', 'gtd']);
    assert.deepEqual(tifsOf({ kind: 'limit', flag: 'reduce-only' }), ['ioc', 'fok']);
  });

  it('lets a flag decide the time in force, and keeps one that goes with it', () => {
    const fit = (tif: 'gtc' | 'ioc' | 'fok' | 'gtd', flag: 'post-only' | 'reduce-only' | null) =>
      fitted({ kind: 'limit', tif, flag }).tif;
    assert.equal(fit('gtc', 'reduce-only'), 'ioc');
    assert.equal(fit('fok', 'reduce-only'), 'fok');
    assert.equal(fit('ioc', 'post-only'), 'gtc');
    assert.equal(fit('gtd', 'post-only'), 'gtd');
    assert.equal(fit('ioc', null), 'ioc');
  });

  it('keeps reduce-only when the kind of order changes, and drops post-only of a market order', () => {
    const market = fitted({ kind: 'market', tif: 'gtc', flag: 'reduce-only' });
    assert.deepEqual(market, { kind: 'market', tif: 'gtc', flag: 'reduce-only' });
    assert.deepEqual(fitted({ ...market, kind: 'limit' }), {
      kind: 'limit',
      tif: 'ioc',
      flag: 'reduce-only',
    });
    assert.deepEqual(fitted({ kind: 'market', tif: 'gtd', flag: 'post-only' }), {
      kind: 'market',
      tif: 'gtd',
      flag: null,
    });
  });

  it('says what differs from a plain order', () => {
    assert.equal(forceText({ kind: 'limit', tif: 'gtc', flag: null }), '');
    assert.equal(forceText({ kind: 'market', tif: 'gtc', flag: null }), '');
    assert.equal(
      forceText({ kind: 'limit', tif: 'ioc', flag: 'reduce-only' }),
      'immediate or cancel, reduce-only',
    );
    assert.equal(forceText({ kind: 'market', tif: 'fok', flag: null }), 'fill or kill');
    assert.equal(forceText({ kind: 'limit', tif: 'gtd', flag: 'post-only' }), 'good till a time, post-only');
  });

  it('reads a time in the zone of the browser, and nothing out of half a time', () => {
    const at = new Date(2026, 10, 24, 9, 5).getTime();
    assert.equal(untilText(at), '2026-11-24T09:05');
    assert.equal(untilMs('2026-11-24T09:05'), at);
    assert.equal(untilMs(''), null);
    assert.equal(untilMs('2026-11-24'), null);
    assert.equal(untilMs('2026-13-24T09:05'), null);
  });
});
