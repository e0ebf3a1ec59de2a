import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { calendarNote, netWords, nothingWords, orderWords, rollWords, spreadName } from './words.ts';

const NEAR = Date.UTC(2026, 10, 29, 1) / 1_000;
const FAR = NEAR + 7 * 86_400;
const NOW = Date.UTC(2026, 10, 20);

/** `+1 C 95000, -2 C 97000 later` */
function legs(text: string): SpreadLeg[] {
  return text.split(', ').map((one) => {
    const [, sign, ratio, right, strike, later] = /^([+-])(\d+) ([CP]) (\d+)( later)?$/.exec(one)!;
    const seriesId = `BTC-${later === undefined ? NEAR : FAR}-${right}-${strike}`;
    return { seriesId, side: sign === '+' ? 'buy' : 'sell', ratio: Number(ratio) };
  });
}

describe('TERM-11 the words of a combo', () => {
  const CASES = [
    ['+1 C 95000, -1 C 97000', 'buy BTC 28 Nov 95/97 call spread'],
    ['-1 C 95000, +1 C 97000', 'sell BTC 28 Nov 95/97 call spread'],
    ['-1 P 95000, +1 P 97000', 'buy BTC 28 Nov 95/97 put spread'],
    ['+1 C 95000, +1 P 95000', 'buy BTC 28 Nov 95 straddle'],
    ['-1 P 95000, -1 C 97500', 'sell BTC 28 Nov 95/97.5 strangle'],
    ['+1 P 95000, -1 C 97000', 'buy BTC 28 Nov 95/97 collar'],
    ['+1 C 95000, +1 C 99000, -2 C 97000', 'buy BTC 28 Nov 95/97/99 call butterfly'],
    ['-1 P 95000, -1 P 99000, +2 P 97000', 'sell BTC 28 Nov 95/97/99 put butterfly'],
    ['+1 C 95000, +1 C 98000, -1 C 96000, -1 C 97000', 'buy BTC 28 Nov 95/96/97/98 call condor'],
    ['+1 P 95000, +1 C 98000, -1 P 96000, -1 C 97000', 'sell BTC 28 Nov 95/96/97/98 iron condor'],
    ['+1 P 95000, +1 C 97000, -1 P 96000, -1 C 96000', 'sell BTC 28 Nov 95/96/97 iron butterfly'],
    ['-1 C 95000, +1 C 95000 later', 'buy BTC 28 Nov/5 Dec 95 call calendar'],
    ['+1 C 95000, -1 C 97000 later', 'sell BTC 28 Nov/5 Dec 95/97 call diagonal'],
    ['+1 P 95000 later, -1 P 97000', 'buy BTC 28 Nov/5 Dec 97/95 put diagonal'],
    ['+1 C 95000, -2 C 97000', 'buy BTC 28 Nov 95/97 1x2 call ratio'],
    ['-1 C 95000, +3 C 97000', 'sell BTC 28 Nov 95/97 1x3 call ratio'],
    ['-2 P 95000, +1 P 97000', 'buy BTC 28 Nov 95/97 2x1 put ratio'],
    [
      '-1 C 95000, +1 C 97000, +1 C 95000 later, -1 C 97000 later',
      'buy BTC 28 Nov/5 Dec 95/97 call spread roll',
    ],
    [
      '+1 P 95000, +1 C 97000, -1 P 95000 later, -1 C 97000 later',
      'sell BTC 28 Nov/5 Dec 95/97 strangle roll',
    ],
    ['+1 C 5000, -1 C 9500', 'buy BTC 28 Nov 5,000/9,500 call spread'],
  ] as const;
  for (const [text, words] of CASES)
    it(`${text}: ${words}`, () => {
      const { side, text: name, isKnown } = spreadName(legs(text), NOW);
      assert.equal(`${side} ${name}`, words);
      assert.ok(isKnown);
    });

  it('lists the legs where there is no name', () => {
    const name = (text: string) => spreadName(legs(text), NOW).text;
    assert.equal(name('+1 C 95000, +2 C 97000'), 'BTC 28 Nov: +1 95,000 call, +2 97,000 call');
    // Another spread at the later expiry is no roll.
    const other = spreadName(legs('-1 C 95000, +1 C 97000, +1 C 95000 later, -1 C 98000 later'), NOW);
    assert.equal(other.isKnown, false);
    assert.equal(
      name('+1 C 95000, -1 P 97000 later'),
      'BTC 28 Nov/5 Dec: +1 28 Nov 95,000 call, −1 5 Dec 97,000 put',
    );
    const broken = spreadName(legs('+1 C 95000, +1 C 100000, -2 C 97000'), NOW);
    assert.equal(broken.isKnown, false);
    assert.equal(spreadName(legs('+1 C 95000, +1 C 95000 later'), NOW).isKnown, false);
  });

  it('the button says the order', () => {
    const terms = { legs: legs('+1 C 95000, +1 C 99000, -2 C 97000'), qty: 2, net: 112, tif: 'ioc' } as const;
    assert.equal(orderWords(terms, NOW), 'Buy 2 BTC 28 Nov 95/97/99 call butterfly at 112.00');
    assert.equal(netWords(-300, 'sell'), 'at 300.00');
    assert.equal(netWords(-5, 'buy'), 'for a credit of 5.00');
    assert.equal(netWords(5.5, 'sell'), 'at a cost of 5.50');
    assert.equal(netWords(0, 'sell'), 'at 0.00');
  });

  it('the button says how much of it would trade, and that nothing would', () => {
    const terms = { legs: legs('+1 C 95000, -1 C 97000'), qty: 1, net: 237.5, tif: 'ioc' } as const;
    assert.equal(orderWords(terms, NOW, 0.5), 'Buy 0.5 of 1 BTC 28 Nov 95/97 call spread at 237.50');
    assert.equal(nothingWords(terms, 325), 'Nothing would trade at 237.50: the books are at 325.00.');
    assert.equal(nothingWords(terms, Number.NaN), 'Nothing would trade at 237.50.');
    assert.match(nothingWords({ ...terms, tif: 'fok' }, 237), /: the books do not hold all 1\.$/);
    const sold = { ...terms, legs: legs('-1 C 95000, +1 C 97000'), net: -447.5 };
    assert.equal(nothingWords(sold, -285), 'Nothing would trade at 447.50: the books are at 285.00.');
  });

  it('a roll is said by what it moves', () => {
    const roll = { legs: legs('-1 C 96000, +1 C 96000 later'), qty: 1.5, net: 12 };
    assert.equal(rollWords(roll, NOW), 'Roll +1.5 96,000 call, 28 Nov → 5 Dec');
    const short = legs('+1 P 96000, -1 P 96000 later');
    assert.equal(rollWords({ legs: short, qty: 1 }, NOW), 'Roll −1 96,000 put, 28 Nov → 5 Dec');
    const spread = legs('-1 C 96000, +1 C 97000, +1 C 96000 later, -1 C 97000 later');
    assert.equal(rollWords({ legs: spread, qty: 3 }, NOW), 'Roll +3 96/97 call spread, 28 Nov → 5 Dec');
  });

  it('calendars say that the far leg covers nothing', () => {
    assert.match(calendarNote(legs('-1 C 95000, +1 C 95000 later'))!, /the far leg covers nothing/);
    assert.equal(calendarNote(legs('+1 C 95000, -1 C 97000')), null);
  });
});
