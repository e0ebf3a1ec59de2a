/** Parses legs of combos and of simulations on the command line. */

import { type ComboLeg, LEG_RATIO_MAX } from '@venue/protocol';
import type { ImaginedLeg } from '@venue/sdk';
import { checkLegs } from '@venue/sdk/spreads';
import { usageError } from '../../base/command-error.ts';
import { amountOf, countOf, orUsage, seriesOf } from '../../connection/arguments.ts';

const LEG = /^(buy|sell):(?:([^:@]+):)?([^:@]+)(?:@([^:@]+))?$/i;

interface LegWords {
  readonly side: 'buy' | 'sell';
  /** The number between side and series. */
  readonly count: string | undefined;
  readonly seriesId: string;
  readonly price: string | undefined;
}

/**
 * The legs of a combo: `buy:SERIES`, or `sell:2:SERIES` for two contracts a unit. Throws `CommandError` for anything that
 * no combo has.
 *
 * @example comboLegsOf(['buy:BTC-1795827600-C-92000', 'sell:2:BTC-1795827600-C-94000'])
 */
export function comboLegsOf(words: readonly string[]): ComboLeg[] {
  const legs = words.map((word): ComboLeg => {
    const { side, count = '1', seriesId, price } = legWords(word, '[RATIO:]SERIES');
    if (price !== undefined)
      throw usageError(`a leg of a combo has no price of its own, as in "${word}"; --net is its limit`);
    return { seriesId, side, ratio: countOf(`the ratio of "${word}"`, count, LEG_RATIO_MAX) };
  });
  return orUsage(() => {
    checkLegs(legs);
    return legs;
  });
}

/**
 * A leg of a simulation: `buy:QTY:SERIES`, or `sell:QTY:SERIES@PRICE`; without a price it is the mark.
 *
 * @example imaginedLegOf('sell:0.5:BTC-1795827600-C-94000@450').price // 450
 */
export function imaginedLegOf(word: string): ImaginedLeg {
  const form = 'QTY:SERIES[@PRICE]';
  const { side, count, seriesId, price } = legWords(word, form);
  if (count === undefined) throw legFault(word, form);
  return {
    seriesId,
    side,
    qty: amountOf(`the quantity of "${word}"`, count),
    ...(price !== undefined && { price: amountOf(`the price of "${word}"`, price) }),
  };
}

function legWords(word: string, form: string): LegWords {
  const [, side, count, series, price] = LEG.exec(word) ?? [];
  if (side === undefined || series === undefined) throw legFault(word, form);
  return { side: side.toLowerCase() === 'buy' ? 'buy' : 'sell', count, seriesId: seriesOf(series), price };
}

function legFault(word: string, form: string) {
  return usageError(`a leg is buy:${form} or sell:${form}, not "${word}"`);
}
