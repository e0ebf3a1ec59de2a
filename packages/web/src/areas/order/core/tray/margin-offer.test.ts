import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Simulation } from '@venue/protocol';
import { imaginedLegs, marginOffer } from './margin-offer.ts';
import type { TrayTerms } from './terms.ts';

const EXPIRY = 1_795_827_600;
const AT_MS = (EXPIRY - 86_400) * 1_000;
const id = (right: 'C' | 'P', strike: number) => `BTC-${EXPIRY}-${right}-${strike}`;

const CONDOR: TrayTerms = {
  legs: [
    { seriesId: id('P', 94_000), side: 'buy', ratio: 1 },
    { seriesId: id('P', 94_500), side: 'sell', ratio: 1 },
    { seriesId: id('C', 95_500), side: 'sell', ratio: 1 },
    { seriesId: id('C', 96_000), side: 'buy', ratio: 1 },
  ],
  ...{ qty: 1, net: -285, tif: 'ioc' },
};

/** The account as the venue imagines it after the order; of the marks nothing is asked here but that there are some. */
function imagined(
  { legs }: TrayTerms,
  { marginMode = 'per-leg', locked }: { marginMode?: Simulation['margin']['marginMode']; locked: number },
): Simulation {
  const positions = legs.map(({ seriesId, side }) => ({ seriesId, qty: side === 'buy' ? 1 : -1 }));
  const margin = {
    ...{ marginMode, locked, premiumTerm: 'mark', cash: 1e5, reserved: 0, equity: 1e5 },
    ...{
      series: [],
      orders: [],
      marks: positions.map(({ seriesId }) => ({ seriesId, risk: 300, iv: null })),
    },
  };
  const curves = [{ symbol: 'BTC', prices: [95_000], now: [0], expiries: [] }];
  return { account: { unrealizedPnl: 0, positions }, margin, curves } as unknown as Simulation;
}

describe('DRM-1 the offer of defined-risk margin', () => {
  it('says what an iron condor would lock: its width', () => {
    const offer = marginOffer(imagined(CONDOR, { locked: 20_745.2 }), AT_MS);
    assert.equal(offer?.present, 20_745.2);
    // Each leg may add a micro.
    assert.equal(offer?.definedRisk.toFixed(2), '500.00');
  });

  it('is not made where the account has it, or where a naked short locks what it did', () => {
    assert.equal(marginOffer(imagined(CONDOR, { marginMode: 'defined-risk', locked: 5_000 }), AT_MS), null);
    const naked = { ...CONDOR, legs: CONDOR.legs.slice(1, 2) };
    assert.equal(marginOffer(imagined(naked, { locked: 9_000 }), AT_MS), null);
  });

  it('imagines every leg at its quantity, and asks nothing of an order that sells nothing', () => {
    assert.deepEqual(
      imaginedLegs({ ...CONDOR, qty: 0.3 })?.map(({ side, qty }) => `${side} ${qty}`),
      ['buy 0.3', 'sell 0.3', 'sell 0.3', 'buy 0.3'],
    );
    assert.equal(imaginedLegs({ ...CONDOR, legs: CONDOR.legs.slice(0, 1) }), null);
  });
});
