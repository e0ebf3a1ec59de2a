import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { priceOption } from '@venue/protocol/black76';
import { greeksAt, heldGreeks, legGreeks, thetaLeft } from './greeks.ts';

const NOW_MS = Date.UTC(2026, 0, 5);
const EXPIRY_TS = NOW_MS / 1_000 + 30 * 86_400;
const SERIES = `X-${EXPIRY_TS}-C-95`;
const AT = { spot: 100, nowMs: NOW_MS };

const priceAt = (vol: number) => priceOption({ right: 'C', forward: 100, strike: 95, years: 30 / 365, vol });

describe('HIS-3 the greeks of a chain', () => {
  it('are those of the mark, with the volatilities of bid and ask', () => {
    const touch = { bid: priceAt(0.5), ask: priceAt(0.6), mark: priceAt(0.55) };
    const { iv, bidIv, askIv, delta } = legGreeks(SERIES, touch, AT);
    for (const [vol, wanted] of [
      [iv, 0.55],
      [bidIv, 0.5],
      [askIv, 0.6],
    ] as const)
      assert.ok(Math.abs(vol - wanted) < 1e-6, `${vol}, not ${wanted}`);
    assert.ok(delta > 0.6 && delta < 0.7, `${delta}`);
  });

  it('are those of the payoff at or under intrinsic value, so that totals stay finite', () => {
    const { iv, ...greeks } = greeksAt(SERIES, 5, AT);
    assert.ok(Number.isNaN(iv));
    assert.deepEqual(greeks, { delta: 1, gamma: 0, vega: 0, theta: 0 });
  });

  it('have a theta until the expiry, where that is less than a day away (TERM-22)', () => {
    assert.equal(thetaLeft(-8_138, 7 * 60_000), (-8_138 * 7) / 1_440);
    assert.equal(thetaLeft(-50, 30 * 86_400_000), -50);
    assert.equal(thetaLeft(-50, -1), -0);
    const soon = { spot: 100, nowMs: EXPIRY_TS * 1_000 - 6 * 3_600_000 };
    const [each, held] = [greeksAt(SERIES, 5.2, soon), heldGreeks(SERIES, 5.2, soon)];
    assert.ok(each.theta < -0.1);
    assert.deepEqual(held, { ...each, theta: each.theta / 4 });
    const touch = { bid: 5.1, ask: 5.3, mark: 5.2 };
    assert.equal(legGreeks(SERIES, touch, soon).theta, held.theta);
  });

  it('are unknown without a price, spot or time, and of a name that is no series', () => {
    const price = priceAt(0.5);
    for (const unknown of [
      greeksAt(SERIES, Number.NaN, AT),
      greeksAt(SERIES, price, { ...AT, spot: Number.NaN }),
      greeksAt(SERIES, price, { ...AT, spot: 0 }),
      greeksAt(SERIES, price, { ...AT, nowMs: EXPIRY_TS * 1_000 }),
      greeksAt('<b>', price, AT),
    ])
      assert.ok(Object.values(unknown).every(Number.isNaN));
  });
});
