import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameOfSpread, type SpreadPart, sideOfSpread } from './recognise.ts';
import { SPREAD_KINDS, shapeOf, takesRight } from './shapes.ts';

/** `+1 C 95, -2 P 97 far` */
function parts(text: string): SpreadPart[] {
  return text.split(', ').map((one) => {
    const [, sign, ratio, right, strike, far] = /^([+-])(\d) ([CP]) (\d+)( far)?$/.exec(one)!;
    return {
      ...{ right: right as 'C' | 'P', strike: Number(strike), ratio: Number(ratio) },
      ...{ side: sign === '+' ? 'buy' : 'sell', expiryTs: far === undefined ? 1 : 2 },
    };
  });
}

const NAMES = [
  ['+1 C 95, -1 C 97', 'buy call spread'],
  ['+1 P 95, -1 P 97', 'sell put spread'],
  ['-1 P 95, -1 C 95', 'sell straddle'],
  ['+1 P 95, +1 C 97', 'buy strangle'],
  ['+1 P 95, -1 C 97', 'buy collar'],
  ['-1 C 95, +2 C 96, -1 C 97', 'sell call butterfly'],
  ['-1 P 95, +1 P 96, +1 P 98, -1 P 99', 'sell put condor'],
  ['+1 P 95, -1 P 96, -1 C 98, +1 C 99', 'sell iron condor'],
  ['-1 P 95, +1 P 96, +1 C 96, -1 C 97', 'buy iron butterfly'],
  ['-1 C 95, +1 C 95 far', 'buy call calendar'],
  ['+1 P 97, -1 P 95 far', 'sell put diagonal'],
  ['+1 P 95, -1 P 97 far', 'sell put diagonal'],
  ['+2 C 95, -3 C 97', 'buy 2x3 call ratio'],
  ['-1 C 95, +2 C 97, +1 C 95 far, -2 C 97 far', 'buy 1x2 call ratio roll'],
] as const;

const NAMELESS = [
  '+1 C 95',
  '+1 C 95, +1 C 97',
  '-1 P 95, +1 C 97',
  '+1 C 95, +1 P 97',
  '+1 P 95, -1 C 95',
  '+2 C 95, +2 P 95',
  '+1 C 95, -2 C 96, +1 C 98',
  '+1 C 95, -1 C 96, +1 C 97',
  '+1 C 95, -1 C 96, +1 C 97, -1 C 98',
  '+1 C 95, -1 P 95 far',
  '+1 C 95, +1 C 95 far',
  '-1 C 95, +1 C 97, +1 C 95 far, -1 C 98 far',
  '+1 C 95, +1 P 95 far, +1 C 96, +1 P 96 far, +1 C 97',
];

describe('the name of a spread', () => {
  for (const [text, name] of NAMES)
    it(`${text}: ${name}`, () => {
      for (const legs of [parts(text), parts(text).reverse()]) {
        const { side, word } = nameOfSpread(legs)!;
        assert.equal(`${side} ${word}`, name);
      }
    });

  for (const text of NAMELESS) it(`${text}: none`, () => assert.equal(nameOfSpread(parts(text)), null));

  it('a kind that can be built is recognised by its own legs, and its reverse where that has its name', () => {
    for (const kind of SPREAD_KINDS) {
      const shape = shapeOf(kind);
      if (shape.isOnlyBuilt) continue;
      const right = takesRight(shape) ? 'P' : null;
      const legs = shape.legs.map(
        ({ right: own, side, ratio, strike, expiry }): SpreadPart => ({
          ...{ right: right ?? (own as 'C' | 'P'), side, ratio, expiryTs: expiry },
          strike: shape.order === undefined ? strike : -strike,
        }),
      );
      assert.equal(sideOfSpread(kind, legs), 'buy', kind);
      const reverse = legs.map((leg) => ({ ...leg, side: leg.side === 'buy' ? 'sell' : 'buy' }) as const);
      assert.equal(sideOfSpread(kind, reverse), shape.isBoughtOnly ? null : 'sell', kind);
    }
  });
});
