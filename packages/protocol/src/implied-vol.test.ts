import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { priceOption } from './black76.ts';
import { impliedVol } from './implied-vol.ts';

const terms = fc.record({
  right: fc.constantFrom('C', 'P'),
  forward: fc.double({ min: 0.01, max: 200_000, noNaN: true }),
  moneyness: fc.double({ min: 0.3, max: 3, noNaN: true }),
  years: fc.double({ min: 1 / 525_600, max: 3, noNaN: true }),
  vol: fc.double({ min: 0.01, max: 5, noNaN: true }),
});

describe('the volatility implied by a price', () => {
  it('gives back the price, to what a double can tell (HIS-3)', () => {
    fc.assert(
      fc.property(terms, ({ moneyness, vol, ...rest }) => {
        const option = { ...rest, right: rest.right as 'C' | 'P', strike: rest.forward * moneyness };
        const price = priceOption({ ...option, vol });
        const found = impliedVol({ ...option, price });
        if (found === null) return;
        const again = priceOption({ ...option, vol: found });
        const unit = Math.max(option.forward, option.strike) * 2 ** -51;
        assert.ok(Math.abs(again - price) <= unit, `${again} instead of ${price}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back the volatility wherever the price has time value to tell it by (HIS-3)', () => {
    fc.assert(
      fc.property(terms, ({ moneyness, vol, ...rest }) => {
        const option = { ...rest, right: rest.right as 'C' | 'P', strike: rest.forward * moneyness };
        const deviation = vol * Math.sqrt(option.years);
        const distance = Math.abs(Math.log(moneyness)) / deviation;
        fc.pre(distance < 4 && deviation < 4);
        const found = impliedVol({ ...option, price: priceOption({ ...option, vol }) });
        assert.ok(found !== null && Math.abs(found / vol - 1) < 1e-9, `${found} instead of ${vol}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is null at or under intrinsic, over the most it can be worth, and without time (HIS-3)', () => {
    const call = { right: 'C', forward: 100, strike: 90, years: 0.1 } as const;
    const put = { right: 'P', forward: 90, strike: 100, years: 0.1 } as const;
    for (const option of [call, put])
      for (const price of [0, 9.999999, 10]) assert.equal(impliedVol({ ...option, price }), null);
    assert.ok(impliedVol({ ...call, price: 10.000001 })! > 0);
    assert.ok(impliedVol({ ...put, price: 10.000001 })! > 0);
    assert.equal(impliedVol({ ...call, price: 100 }), null);
    assert.equal(impliedVol({ ...put, price: 100 }), null);
    assert.equal(impliedVol({ ...call, price: 12, years: 0 }), null);
    assert.equal(impliedVol({ ...call, price: 12, forward: 0 }), null);
    assert.equal(impliedVol({ ...call, price: Number.NaN }), null);
  });
});
