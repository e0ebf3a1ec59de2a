import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpreadLeg } from '@venue/sdk/spreads';
import {
  atExpiries,
  atStrike,
  beside,
  checked,
  inOrder,
  moved,
  namedLegs,
  seriesAt,
  turned,
  withLeg,
  withoutLeg,
  withRatio,
} from './legs.ts';

const EXPIRY = 1_795_827_600;
const id = (right: 'C' | 'P', strike: number, symbol = 'BTC') => `${symbol}-${EXPIRY}-${right}-${strike}`;
const leg = (text: string): SpreadLeg => {
  const [, sign, ratio, right, strike] = /^([+-])(\d+) ([CP]) (\d+)$/.exec(text)!;
  return {
    seriesId: id(right as 'C' | 'P', Number(strike)),
    side: sign === '+' ? 'buy' : 'sell',
    ratio: Number(ratio),
  };
};
const legs = (...texts: string[]) => texts.map(leg);

describe('CMB-1 legs at listed strikes and expiries', () => {
  const LATER = EXPIRY + 86_400;
  const strikesOf = (expiryTs: number) => (expiryTs === EXPIRY ? [95_000, 96_000, 97_000] : [96_000]);

  it('a leg goes to a strike that is listed for its expiry, and to no other', () => {
    const two = legs('+1 C 95000', '-1 C 97000');
    const to = (strike: number) => atStrike(two, id('C', 97_000), { strike, strikesOf });
    assert.deepEqual(to(96_000), legs('+1 C 95000', '-1 C 96000'));
    assert.deepEqual(to(97_000), two);
    assert.throws(() => to(96_500), /^RangeError: No strike 96,500 is listed for that expiry\.$/);
  });

  it('a step goes to the strike beside, as far as there are any', () => {
    assert.equal(beside(id('C', 96_000), 1, strikesOf), id('C', 97_000));
    assert.equal(beside(id('C', 96_000), -5, strikesOf), id('C', 95_000));
    assert.equal(beside(id('C', 97_000), 1, strikesOf), id('C', 97_000));
    assert.equal(
      beside(id('C', 96_000), 1, () => []),
      id('C', 96_000),
    );
  });

  it('all legs go to another expiry with their strikes, where these are listed', () => {
    const to = { next: () => LATER, strikesOf };
    const [moved] = atExpiries(legs('+2 C 96000'), to);
    assert.deepEqual(moved, { seriesId: `BTC-${LATER}-C-96000`, side: 'buy', ratio: 2 });
    assert.throws(() => atExpiries(legs('+1 C 96000', '-1 C 97000'), to), /No strike 97,000 is listed/);
  });
});

describe('CMB-1 the legs of the tray', () => {
  const buy = (strike: number) => ({ seriesId: id('C', strike), side: 'buy' }) as const;
  const sell = (strike: number) => ({ seriesId: id('C', strike), side: 'sell' }) as const;

  it('a press adds a leg, one more of its side, or one less of the other', () => {
    const one = withLeg([], buy(95_000));
    assert.deepEqual(one, legs('+1 C 95000'));
    assert.deepEqual(withLeg(one, sell(97_000)), legs('+1 C 95000', '-1 C 97000'));
    assert.deepEqual(withLeg(one, buy(95_000)), legs('+2 C 95000'));
    assert.deepEqual(withLeg(legs('+2 C 95000'), sell(95_000)), legs('+1 C 95000'));
    assert.deepEqual(withLeg(one, sell(95_000)), []);
  });

  it('legs are turned, multiplied, moved and removed', () => {
    const two = legs('+1 C 95000', '-1 C 97000');
    assert.deepEqual(turned(two, id('C', 95_000)), legs('-1 C 95000', '-1 C 97000'));
    assert.deepEqual(withRatio(two, id('C', 97_000), 3), legs('+1 C 95000', '-3 C 97000'));
    const to = seriesAt(namedLegs(two)[1]!, { strike: 99_000 });
    assert.deepEqual(moved(two, id('C', 97_000), to), legs('+1 C 95000', '-1 C 99000'));
    assert.deepEqual(withoutLeg(two, id('C', 95_000)), legs('-1 C 97000'));
    assert.deepEqual(inOrder(turned(two, id('C', 97_000)).map((one) => ({ ...one }))), [
      ...legs('+1 C 95000', '+1 C 97000'),
    ]);
    assert.deepEqual(inOrder(legs('-1 C 95000', '+1 C 97000')), legs('+1 C 97000', '-1 C 95000'));
  });

  it('nothing becomes a list that the venue would call malformed', () => {
    const four = legs('+1 C 95000', '-1 C 96000', '-1 C 97000', '+1 C 98000');
    assert.throws(() => withLeg(four, buy(99_000)), /at most 4 legs/);
    assert.throws(() => withLeg(four, { seriesId: id('C', 4_000, 'ETH'), side: 'buy' }), RangeError);
    assert.throws(
      () => withLeg(legs('+1 C 95000'), { seriesId: id('C', 4_000, 'ETH'), side: 'buy' }),
      /one underlying, not BTC and ETH/,
    );
    assert.throws(
      () => moved(four, id('C', 95_000), id('C', 96_000)),
      /Another leg is that contract already/,
    );
    for (const ratio of [0, 11, 1.5, Number.NaN])
      assert.throws(() => withRatio(four, id('C', 95_000), ratio), /A ratio is 1 to 10/);
    assert.throws(
      () => checked([{ seriesId: 'nonsense', side: 'buy', ratio: 1 }]),
      /nonsense is no contract/,
    );
  });
});
