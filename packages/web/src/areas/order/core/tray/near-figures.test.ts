import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payoffOf } from '../payoff/payoff.ts';
import { nearFigures } from './near-figures.ts';
import { outcomeLine } from './outcome-line.ts';
import { consequencesOf, payoffLegs, type TrayTerms } from './terms.ts';

const [NEAR, FAR] = [1_795_827_600, 1_796_432_400];
const calendar: TrayTerms = {
  legs: [
    { seriesId: `BTC-${FAR}-C-95000`, side: 'buy', ratio: 1 },
    { seriesId: `BTC-${NEAR}-C-95000`, side: 'sell', ratio: 1 },
  ],
  ...{ qty: 1, net: 700, tif: 'ioc' },
};

function figures(terms: TrayTerms, iv: number) {
  const found = consequencesOf(terms, null)!;
  const legs = payoffLegs(terms, found.counted, () => ({ bid: 1, ask: 1, mid: 1, iv }));
  const payoff = payoffOf(legs, { spot: 95_000, nowMs: (NEAR - 86_400) * 1_000 });
  return { payoff: payoff!, found: nearFigures(terms, found, payoff) };
}

it('TERM-11: the figures of a calendar are those of its picture, at the first expiry, and say what margin counts', () => {
  const { payoff, found } = figures(calendar, 0.5);
  assert.equal(found?.greatestLoss, -payoff.worst);
  assert.equal(found?.greatestGain, payoff.best);
  assert.equal(found?.breakEvens.length, 2);
  assert.deepEqual([found?.expiryTs, found?.isOpenAfter], [NEAR, true]);
  assert.equal(found?.greatestLoss, 700);
  const line = outcomeLine(found!, 'On 27 Nov');
  assert.match(line, /^On 27 Nov: max loss \$700\.00 · max profit \$[\d,.]+ · break-even \S+ and \S+$/);
});

it('TERM-11: a calendar has no figures while its later leg has no volatility, and one expiry has the exact ones', () => {
  assert.equal(figures(calendar, Number.NaN).found, null);
  const [far] = calendar.legs;
  const { found } = figures(
    { ...calendar, legs: [far!, { ...far!, seriesId: `BTC-${FAR}-C-96000`, side: 'sell' }] },
    0.5,
  );
  assert.deepEqual([found?.greatestLoss, found?.greatestGain, found?.expiryTs], [700, 300, null]);
});
